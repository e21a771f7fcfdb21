import { randomBytes, randomUUID } from 'node:crypto';
import { largestFile, largestMultipartFile } from '#domain/file-documents/content.ts';
import { eicar } from '../../infra/local/aws/s3-service.ts';
import {
  announce,
  carrier,
  documentIn,
  download,
  linkTo,
  path,
  send,
  upload,
  word,
} from '../support/file-documents.ts';
import { docx, docxWithLateTypes, pdf, pdfOf, scannedSlowly, zipOf } from '../support/files.ts';
import {
  call,
  errorShape,
  importRecords,
  newOrganization,
  type Organization,
  storedObject,
} from '../support/local-api.ts';
import { until } from '../support/until.ts';

describe('a file uploaded in a form', () => {
  let owner: Organization;
  beforeAll(async () => {
    owner = await carrier();
  });

  it('is accepted under any name, stored under its document and not its owner, and downloaded unchanged', async () => {
    const [bytes, contentType] = [docx(), word];
    const uploaded = await upload(owner, bytes, 'Änderung "1".bin');
    expect(uploaded.status).toBe(201);
    const document = documentIn(uploaded);
    expect(document).toMatchObject({ status: 'available', contentType, sizeInBytes: bytes.length });
    expect(document.versions).toHaveLength(1);
    expect(document.upload).toBeUndefined();

    const stored = await storedObject(`files/${document._id}/`);
    expect(stored?.equals(bytes)).toBe(true);
    const served = await download(owner, document._id);
    expect(served.bytes.equals(bytes)).toBe(true);
    expect(served.headers.get('content-type')).toBe(contentType);
    expect(served.headers.get('content-disposition')).toBe(
      `attachment; filename="_nderung _1_.bin.docx"; filename*=UTF-8''%C3%84nderung%20%221%22.bin.docx`,
    );
  });

  it('may have 4 MB; a byte more is answered 413, which names the presigned URL', async () => {
    expect((await upload(owner, pdfOf(largestMultipartFile), 'a.pdf')).status).toBe(201);
    for (const size of [largestMultipartFile + 1, 5 * 2 ** 20]) {
      const { status, json } = await upload(owner, pdfOf(size), 'a.pdf');
      expect(status).toBe(413);
      expect(json).toMatchObject({
        statusCode: 413,
        errorType: 'validation_error',
        details: { instead: expect.stringContaining('presigned URL') },
      });
    }
  });
});

describe('a file of an association’s categories', () => {
  const at = '/v1/file-documents';
  const association = randomBytes(12).toString('hex');
  let owner: Organization;
  beforeAll(async () => {
    owner = await carrier();
    const agency = { legalName: `Agency ${association}` };
    const record = { type: 'association', _id: association, downstreamEntity: agency };
    await importRecords(owner.organizationId, record);
  });

  it('is refused for an association that is unknown or another carrier’s', async () => {
    const other = await carrier();
    for (const [caller, id] of [
      [owner, 'f'.repeat(24)],
      [other, association],
    ] as const) {
      const fields = { category: 'E&O', downstreamEntityAssociationId: id };
      // A refusal frees its idempotency key.
      const key = { 'idempotency-key': randomUUID() };
      const { status, json } = await announce(caller, { ...fields, sizeInBytes: 10 }, key);
      expect(status).toBe(404);
      const issues = [{ path: 'downstreamEntityAssociationId', message: 'does not exist or is not yours' }];
      expect(json).toEqual(errorShape(404, 'not_found', { details: { issues } }));
    }
  });

  it('adds a version for the same association and category, by form or presigned URL, in v1 or v2', async () => {
    const fields = { category: 'E&O', downstreamEntityAssociationId: association };
    const first = documentIn(await upload(owner, pdf('1'), '1.pdf', { at, fields }));
    const second = documentIn(await upload(owner, pdf('2'), '2.pdf', { fields }));
    expect(second._id).toBe(first._id);
    expect(second.versions).toMatchObject([{ version: 1 }, { version: 2, fileName: '2.pdf' }]);

    const announced = await announce(
      owner,
      { ...fields, fileName: '3.pdf', sizeInBytes: pdf('3').length },
      {},
      at,
    );
    expect(documentIn(announced)).toMatchObject({ _id: first._id, status: 'available', fileName: '2.pdf' });
    await send(announced, pdf('3'));
    expect((await download(owner, first._id, at)).bytes.equals(pdf('3'))).toBe(true);

    const elsewhere = documentIn(await upload(owner, pdf(), 'a.pdf', { fields: { category: 'E&O' } }));
    expect(elsewhere._id).not.toBe(first._id);
  });
});

describe('an announced file', () => {
  let owner: Organization;
  beforeAll(async () => {
    owner = await carrier();
  });

  it.each([
    ['upstreamEntity', path],
    ['downstreamEntity', '/v2/downstream/documents'],
  ])('of an %s awaits its upload, and is available once it is first used', async (category, at) => {
    const caller = await newOrganization(category);
    const bytes = pdf();
    const announced = await announce(caller, { sizeInBytes: bytes.length }, {}, at);
    expect(announced.status).toBe(201);
    const { _id, status, versions } = documentIn(announced);
    expect({ status, versions }).toEqual({ status: 'awaiting upload', versions: [] });

    const read = async () => documentIn(await call('GET', `${at}/${_id}`, { headers: caller.bearer }));
    const early = await linkTo(caller, _id, at);
    expect(early.status).toBe(400);
    expect(early.json).toMatchObject({ details: { issues: [{ path: 'fileDocumentId' }] } });
    expect((await read()).status).toBe('awaiting upload');

    expect(await send(announced, bytes)).toBe(200);
    expect(await read()).toMatchObject({
      status: 'available',
      versions: [{ version: 1, fileName: 'certificate.pdf', sizeInBytes: bytes.length }],
    });
    expect((await download(caller, _id, at)).bytes.equals(bytes)).toBe(true);
  });

  it('may have 10 MB, and not a byte more', async () => {
    const bytes = pdfOf(largestFile);
    const announced = await announce(owner, { sizeInBytes: largestFile });
    expect(await send(announced, bytes)).toBe(200);
    expect((await download(owner, documentIn(announced)._id)).bytes.equals(bytes)).toBe(true);

    const { status, json } = await announce(owner, { sizeInBytes: largestFile + 1 });
    expect(status).toBe(413);
    expect(json).toMatchObject({ errorType: 'validation_error', details: { expected: expect.any(String) } });
  });

  it.each([
    ['a DOCX recognizable only at its end', docxWithLateTypes(), word, 200],
    ['a ZIP', zipOf({ 'a.txt': 'a' }), word, 400],
  ])('its first use checks the content: %s (case %#)', async (_, bytes, contentType, status) => {
    const announced = await announce(owner, { contentType, sizeInBytes: bytes.length });
    expect(await send(announced, bytes)).toBe(200);
    const { _id } = documentIn(announced);
    expect((await call('GET', `${path}/${_id}`, { headers: owner.bearer })).status).toBe(status);
    expect((await linkTo(owner, _id)).status).toBe(status);
  });
});

describe('malware', () => {
  let owner: Organization;
  beforeAll(async () => {
    owner = await carrier();
  });

  const uploaded = async (bytes: Buffer): Promise<string> => {
    const announced = await announce(owner, { sizeInBytes: bytes.length });
    expect(await send(announced, bytes)).toBe(200);
    return documentIn(announced)._id;
  };

  describe('while a file is being scanned', () => {
    const statusOf = async (id: string) =>
      documentIn(await call('GET', `${path}/${id}`, { headers: owner.bearer })).status;

    it('it is served neither by a link nor to a role that may read it, and is once the document is available', async () => {
      const bytes = pdf(scannedSlowly);
      const { _id: id, status } = documentIn(await upload(owner, bytes, 'a.pdf'));
      const read = () => storedObject(`files/${id}/`);
      expect(status).toBe('scanning');
      const refused = await linkTo(owner, id);
      expect(refused.status).toBe(409);
      expect(refused.headers.get('retry-after')).toBe('2');
      expect(refused.json).toMatchObject({ errorType: 'conflict', details: { actual: 'scanning' } });
      await expect(read()).rejects.toMatchObject({
        name: 'AccessDenied',
        $metadata: { httpStatusCode: 403 },
      });
      await until(async () => (await statusOf(id)) === 'available');
      expect((await download(owner, id)).bytes.equals(bytes)).toBe(true);
      expect((await read())?.equals(bytes)).toBe(true);
    });
  });

  it.each([
    ['at a presigned URL', () => uploaded(pdf(eicar))],
    [
      'in a form',
      async () => {
        const answer = await upload(owner, pdf(eicar), 'a.pdf');
        expect(documentIn(answer).status).toBe('rejected');
        return documentIn(answer)._id;
      },
    ],
  ])('a known test file with malware %s is rejected for good', async (_, uploadIt) => {
    const id = await uploadIt();
    for (let time = 0; time < 2; time += 1) {
      const { status, headers, json } = await linkTo(owner, id);
      expect(status).toBe(409);
      expect(headers.has('retry-after')).toBe(false);
      expect(json).toMatchObject({ errorType: 'conflict', details: { actual: 'rejected' } });
    }
    expect(documentIn(await call('GET', `${path}/${id}`, { headers: owner.bearer })).status).toBe('rejected');
  });
});
