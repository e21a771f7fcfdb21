import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { largestFile, largestMultipartFile } from '../../shared/resources/file-types.ts';
import { doc, docx, docxWithLateTypes, jpeg, pdf, pdfOf, png, zipOf } from '../support/files.ts';
import {
  call,
  errorShape,
  importRecords,
  newOrganization,
  type Organization,
  storedObject,
} from '../support/local-api.ts';

const path = '/v2/upstream/file-documents';
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const documentShape = z.object({
  _id: z.string(),
  status: z.string(),
  fileName: z.string(),
  contentType: z.string(),
  sizeInBytes: z.number(),
  versions: z.array(z.looseObject({ version: z.number() })),
  upload: z.optional(
    z.object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.string()) }),
  ),
});
const linkShape = z.object({ url: z.string(), expiresAt: z.string() });

const documentIn = ({ json }: { readonly json: Readonly<Record<string, unknown>> }) =>
  z.parse(documentShape, json['data']);

type Fields = Readonly<Record<string, string>>;

async function upload(
  owner: Organization,
  bytes: Buffer,
  fileName: string,
  options: { readonly at?: string; readonly fields?: Fields; readonly headers?: Fields } = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ category: 'Surplus Lines', ...options.fields }))
    form.set(name, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), fileName);
  // The body is made here, so that two requests with one idempotency key can be equal to the byte.
  const encoded = new Response(form);
  const response = await fetch(`${process.env['TEST_BASE_URL']}${options.at ?? path}`, {
    method: 'POST',
    headers: {
      ...owner.bearer,
      ...options.headers,
      'content-type': encoded.headers.get('content-type') ?? '',
    },
    body: await encoded.arrayBuffer(),
  });
  const json = z.parse(z.record(z.string(), z.unknown()), await response.json());
  return { status: response.status, headers: response.headers, json };
}

const announce = (owner: Organization, body: object, headers: Fields = {}, at = path) =>
  call('POST', at, {
    headers: { ...owner.bearer, ...headers },
    body: {
      category: 'Surplus Lines',
      fileName: 'certificate.pdf',
      contentType: 'application/pdf',
      ...body,
    },
  });

/** Sends bytes to the address that an announcement was answered with. */
async function send(announced: { readonly json: Readonly<Record<string, unknown>> }, bytes: Buffer) {
  const { upload: address } = documentIn(announced);
  const { 'content-length': _, ...headers } = address?.headers ?? {};
  const response = await fetch(address?.url ?? '', {
    method: address?.method ?? '',
    headers,
    body: new Uint8Array(bytes),
  });
  await response.arrayBuffer();
  return response.status;
}

const linkTo = (owner: Organization, id: string, at = path) =>
  call('GET', `${at}/${id}/download-url`, { headers: owner.bearer });

async function download(owner: Organization, id: string, at = path) {
  const { url } = z.parse(linkShape, (await linkTo(owner, id, at)).json['data']);
  const response = await fetch(url);
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

/** Writes are counted per credential, so each group of tests has a carrier of its own. */
const carrier = (): Promise<Organization> => newOrganization('upstreamEntity');

describe('a file in a form', () => {
  let owner: Organization;
  beforeAll(async () => {
    owner = await carrier();
  });

  it.each([
    ['PDF', pdf(), 'application/pdf'],
    ['DOC', doc(), 'application/msword'],
    ['DOCX', docx(), word],
    ['PNG', png(), 'image/png'],
    ['JPEG', jpeg(), 'image/jpeg'],
  ])('%s is taken, whatever its name, and downloaded as it was', async (_, bytes, contentType) => {
    const uploaded = await upload(owner, bytes, 'Änderung "1".bin');
    expect(uploaded.status).toBe(201);
    const document = documentIn(uploaded);
    expect(document).toMatchObject({ status: 'available', contentType, sizeInBytes: bytes.length });
    expect(document.versions).toHaveLength(1);
    expect(document.upload).toBeUndefined();

    const served = await download(owner, document._id);
    expect(served.bytes.equals(bytes)).toBe(true);
    expect(served.headers.get('content-type')).toBe(contentType);
    expect(served.headers.get('content-disposition')).toBe(
      `attachment; filename="_nderung _1_.bin"; filename*=UTF-8''%C3%84nderung%20%221%22.bin`,
    );
  });

  it('lies in the bucket as it was sent, under its owner and its document', async () => {
    const uploaded = documentIn(await upload(owner, pdf('stored'), 'a.pdf'));
    const stored = await storedObject(`files/${owner.organizationId}/${uploaded._id}/`);
    expect(stored?.equals(pdf('stored'))).toBe(true);
  });

  it.each([
    ['a ZIP named .docx', zipOf({ 'a.txt': 'a' }), 'a.docx'],
    ['an empty file', Buffer.alloc(0), 'a.pdf'],
    ['text', Buffer.from('text'), 'a.pdf'],
  ])('%s is refused', async (_, bytes, name) => {
    const { status, json } = await upload(owner, bytes, name);
    expect(status).toBe(400);
    expect(json).toMatchObject(
      errorShape(400, 'validation_error', { details: { issues: [{ path: 'file' }] } }),
    );
  });

  it('a PNG named .pdf is refused where only PDF is taken', async () => {
    const { status, json } = await upload(owner, png(), 'w9.pdf', { fields: { category: 'W9' } });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      details: { issues: [{ path: 'file', accepted: ['application/pdf'] }] },
    });
  });

  it('4 MB are taken, and a byte more is answered 413 with the other way', async () => {
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

  it('every upload makes a new document, and an equal one with the same key makes none', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answers = [
      await upload(owner, pdf(), 'a.pdf', { headers }),
      await upload(owner, pdf(), 'a.pdf', { headers }),
      await upload(owner, pdf(), 'a.pdf'),
    ];
    const [first, second, third] = answers.map((answer) => documentIn(answer)._id);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(answers[1]?.headers.get('idempotency-replayed')).toBe('true');
    expect((await upload(owner, pdf('other'), 'a.pdf', { headers })).status).toBe(422);
  });

  it('a refused one may be corrected and sent again under its key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    expect((await upload(owner, Buffer.from('text'), 'a.pdf', { headers })).status).toBe(400);
    expect((await upload(owner, pdf(), 'a.pdf', { headers })).status).toBe(201);
  });

  it('a body that is no form is refused', async () => {
    const { status, json } = await call('POST', path, {
      headers: { ...owner.bearer, 'content-type': 'multipart/form-data; boundary=x' },
      rawBody: 'text',
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({ errorType: 'validation_error' });
  });
});

describe('a file that is announced', () => {
  let owner: Organization;
  beforeAll(async () => {
    owner = await carrier();
  });

  it('awaits its upload, and is available with its first use', async () => {
    const bytes = pdf();
    const announced = await announce(owner, { sizeInBytes: bytes.length });
    expect(announced.status).toBe(201);
    const { _id, status, versions } = documentIn(announced);
    expect({ status, versions }).toEqual({ status: 'awaiting upload', versions: [] });

    const early = await linkTo(owner, _id);
    expect(early.status).toBe(400);
    expect(early.json).toMatchObject({ details: { issues: [{ path: 'fileDocumentId' }] } });
    expect(documentIn(await call('GET', `${path}/${_id}`, { headers: owner.bearer })).status).toBe(
      'awaiting upload',
    );

    expect(await send(announced, bytes)).toBe(200);
    expect(documentIn(await call('GET', `${path}/${_id}`, { headers: owner.bearer }))).toMatchObject({
      status: 'available',
      versions: [{ version: 1, fileName: 'certificate.pdf', sizeInBytes: bytes.length }],
    });
    expect((await download(owner, _id)).bytes.equals(bytes)).toBe(true);
  });

  it('keeps the content of its first use, though its address still takes another', async () => {
    const bytes = pdf('before');
    const announced = await announce(owner, { sizeInBytes: bytes.length });
    const { _id } = documentIn(announced);
    await send(announced, bytes);
    expect((await download(owner, _id)).bytes.equals(bytes)).toBe(true);
    expect(await send(announced, pdf('after!'))).toBe(200);
    expect((await download(owner, _id)).bytes.equals(bytes)).toBe(true);
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

  it('can be sent in no other length and under no other type', async () => {
    const announced = await announce(owner, { sizeInBytes: pdf().length });
    expect(await send(announced, Buffer.concat([pdf(), pdf()]))).toBe(403);
    const { upload: address } = documentIn(announced);
    const response = await fetch(address?.url ?? '', {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: new Uint8Array(pdf()),
    });
    await response.arrayBuffer();
    expect(response.status).toBe(403);
  });

  it.each([
    ['a DOCX whose kind shows at its end', docxWithLateTypes(), word, 200],
    ['a DOC', doc(), 'application/msword', 200],
    ['a ZIP', zipOf({ 'a.txt': 'a' }), word, 400],
    ['a PNG', png(), 'application/pdf', 400],
  ])('%s of the announced type %#: first use answers by the bytes', async (_, bytes, contentType, status) => {
    const announced = await announce(owner, { contentType, sizeInBytes: bytes.length });
    expect(await send(announced, bytes)).toBe(200);
    const { _id } = documentIn(announced);
    expect((await call('GET', `${path}/${_id}`, { headers: owner.bearer })).status).toBe(status);
    expect((await linkTo(owner, _id)).status).toBe(status);
  });

  it.each([
    ['fileName', { fileName: '../a.pdf' }],
    ['fileName', { fileName: 'a\u202Efdp.exe' }],
    ['sizeInBytes', { sizeInBytes: 0 }],
    ['contentType', { contentType: 'text/html' }],
    ['contentType', { category: 'W9', contentType: 'image/png' }],
    ['category', { category: 'w9' }],
  ])('is refused for its %s', async (field, body) => {
    const { status, json } = await announce(owner, { sizeInBytes: 10, ...body });
    expect(status).toBe(400);
    expect(json).toMatchObject({ details: { issues: [{ path: field }] } });
  });

  it('is announced once under one key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [one, other] = [
      await announce(owner, { sizeInBytes: 10 }, headers),
      await announce(owner, { sizeInBytes: 10 }, headers),
    ];
    expect(documentIn(other)).toEqual(documentIn(one));
  });
});

describe('the seven categories', () => {
  const at = '/v1/file-documents';
  const association = randomBytes(12).toString('hex');
  let owner: Organization;
  beforeAll(async () => {
    owner = await carrier();
    const agency = { legalName: `Agency ${association}` };
    const record = { type: 'association', _id: association, downstreamEntity: agency };
    await importRecords(owner.organizationId, record);
  });

  it('are refused for an association that is unknown or another carrier’s', async () => {
    const other = await carrier();
    for (const [caller, id] of [
      [owner, 'f'.repeat(24)],
      [other, association],
    ] as const) {
      const fields = { category: 'E&O', downstreamEntityAssociationId: id };
      const { status, json } = await announce(caller, { ...fields, sizeInBytes: 10 });
      expect(status).toBe(404);
      expect(json).toEqual(errorShape(404, 'not_found'));
    }
  });

  it('add a version for the same association and category, by either way and version', async () => {
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

  it('lose no version when several come at once', async () => {
    const uploads = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        upload(owner, pdf(String(index)), `${index}.pdf`, { fields: { category: 'Cyber' } }),
      ),
    );
    const taken = uploads.filter(({ status }) => status === 201);
    expect(uploads.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const id = taken.map((answer) => documentIn(answer)._id)[0] ?? '';
    const { versions } = documentIn(await call('GET', `${path}/${id}`, { headers: owner.bearer }));
    expect(versions.map(({ version }) => version)).toEqual(taken.map((_, index) => index + 1));
  });

  it.each([
    ['category', { category: 'Surplus Lines' }],
    ['contentType', { category: 'W9', contentType: 'image/png' }],
  ])('v1 knows no other %s', async (field, body) => {
    const { status, json } = await announce(owner, { sizeInBytes: 10, ...body }, {}, at);
    expect(status).toBe(400);
    expect(json).toMatchObject({ details: { issues: [{ path: field }] } });
  });
});

describe('an agency', () => {
  const at = '/v2/downstream/documents';

  it('lists what it uploaded, by id and in pages, and nobody else sees it', async () => {
    const [owner, other] = [
      await newOrganization('downstreamEntity'),
      await newOrganization('downstreamEntity'),
    ];
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push(documentIn(await upload(owner, pdf(), 'a.pdf', { at }))._id);
    }
    const page = async (organization: Organization, query: string) =>
      (await call('GET', `${at}?${query}`, { headers: organization.bearer })).json['data'];
    expect(await page(owner, 'limit=2')).toMatchObject({
      items: ids
        .sort()
        .slice(0, 2)
        .map((_id) => ({ _id })),
      total: 3,
      page: 1,
      limit: 2,
      totalPages: 2,
    });
    expect(await page(owner, 'limit=2&page=2')).toMatchObject({ items: [{ _id: ids[2] }] });
    expect(await page(other, '')).toMatchObject({ items: [], total: 0, totalPages: 0 });

    expect((await download(owner, ids[0] ?? '', at)).bytes.equals(pdf())).toBe(true);
    expect((await linkTo(other, ids[0] ?? '', at)).status).toBe(404);
  });
});

describe('links', () => {
  it('are limited to 120 a minute for an organization, v1 and v2 together', async () => {
    const minute = () => Math.floor(Date.now() / 60_000);
    /** The answers to 120 more requests, ten at once, and whether all of them fell into the minute of the first. */
    const ask = async () => {
      const owner = await carrier();
      const { _id } = documentIn(await upload(owner, pdf(), 'a.pdf', { fields: { category: 'W9' } }));
      const window = minute();
      const first = await linkTo(owner, _id);
      const answers: Awaited<ReturnType<typeof linkTo>>[] = [];
      for (let wave = 0; wave < 12; wave += 1) {
        const ten = Array.from({ length: 10 }, (_, index) =>
          linkTo(owner, _id, index % 2 === 0 ? path : '/v1/file-documents'),
        );
        answers.push(...(await Promise.all(ten)));
      }
      return { first, answers, isOneWindow: minute() === window };
    };
    const asked = Date.now();
    let tried = await ask();
    // The window starts on the minute; another organization has one of its own.
    while (!tried.isOneWindow) tried = await ask();
    const answered = Date.now();
    const { first, answers } = tried;
    const { headers, json } = first;
    expect(headers.get('x-ratelimit-limit')).toBe('120');
    const { expiresAt } = z.parse(linkShape, json['data']);
    // Signed between question and answer, but for the second that it is given in.
    expect(Date.parse(expiresAt) - 3_600_000).toBeGreaterThan(asked - 1_000);
    expect(Date.parse(expiresAt) - 3_600_000).toBeLessThanOrEqual(answered);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(119);
    const [refused] = answers.filter(({ status }) => status === 429);
    expect(refused?.json).toMatchObject({ errorType: 'rate_limit_exceeded' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  }, 30_000);

  it('of S3 expire and cannot be changed', async () => {
    const owner = await carrier();
    const { _id } = documentIn(await upload(owner, pdf(), 'a.pdf'));
    const { url } = z.parse(linkShape, (await linkTo(owner, _id)).json['data']);
    expect((await fetch(url.replace('X-Amz-Expires=3600', 'X-Amz-Expires=7200'))).status).toBe(403);
    expect((await fetch(url.replace('attachment', 'inline'))).status).toBe(403);
  });
});
