import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { sessionToken } from '../../infra/local/aws/session-token.ts';
import { largestMultipartFile } from '../../shared/domain/file-documents/file-types.ts';
import {
  carrier,
  documentIn,
  download,
  linkShape,
  linkTo,
  path,
  upload,
  word,
} from '../support/file-documents.ts';
import { doc, docx, jpeg, pdf, pdfOf, png, zipOf } from '../support/files.ts';
import { call, errorShape, newOrganization, type Organization, storedObject } from '../support/local-api.ts';

describe('a file uploaded in a form', () => {
  let owner: Organization;
  beforeAll(async () => {
    owner = await carrier();
  });

  it.each([
    ['pdf', pdf(), 'application/pdf'],
    ['doc', doc(), 'application/msword'],
    ['docx', docx(), word],
    ['png', png(), 'image/png'],
    ['jpg', jpeg(), 'image/jpeg'],
  ])('%s is accepted under any name, and downloaded unchanged', async (extension, bytes, contentType) => {
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
      `attachment; filename="_nderung _1_.bin.${extension}"; filename*=UTF-8''%C3%84nderung%20%221%22.bin.${extension}`,
    );
  });

  it('is stored unchanged in the bucket, under its document and not its owner', async () => {
    const uploaded = documentIn(await upload(owner, pdf('stored'), 'a.pdf'));
    const stored = await storedObject(`files/${uploaded._id}/`);
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

  it('a PNG named .pdf is refused where only PDF is accepted', async () => {
    const { status, json } = await upload(owner, png(), 'w9.pdf', { fields: { category: 'W9' } });
    expect(status).toBe(400);
    expect(json).toMatchObject({
      details: { issues: [{ path: 'file', accepted: ['application/pdf'] }] },
    });
  });

  it('has links that end with the credentials of the function that signed them', async () => {
    const { _id } = documentIn(await upload(owner, pdf(), 'a.pdf'));
    const { url } = z.parse(linkShape, (await linkTo(owner, _id)).json['data']);
    expect((await fetch(url)).status).toBe(200);
    const later = new URL(url);
    expect(later.searchParams.get('X-Amz-Security-Token')).toMatch(/./);
    later.searchParams.set('X-Amz-Security-Token', sessionToken(Date.now()));
    const refused = await fetch(later);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('ExpiredToken')]);
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

  it('makes a new document, unless the same upload is repeated under its idempotency key', async () => {
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

  it('may be corrected and sent again under the same key after a refusal', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    expect((await upload(owner, Buffer.from('text'), 'a.pdf', { headers })).status).toBe(400);
    expect((await upload(owner, pdf(), 'a.pdf', { headers })).status).toBe(201);
  });

  it('a body that is not a form is refused', async () => {
    const { status, json } = await call('POST', path, {
      headers: { ...owner.bearer, 'content-type': 'multipart/form-data; boundary=x' },
      rawBody: 'text',
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({ errorType: 'validation_error' });
  });
});

describe('an agency', () => {
  const at = '/v2/downstream/documents';

  it('lists its own uploads in pages, which nobody else sees', async () => {
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
