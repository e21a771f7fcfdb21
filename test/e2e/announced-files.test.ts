import { randomUUID } from 'node:crypto';
import { largestFile } from '../../shared/domain/file-documents/file-types.ts';
import {
  announce,
  carrier,
  documentIn,
  download,
  linkTo,
  path,
  send,
  word,
} from '../support/file-documents.ts';
import { doc, docxWithLateTypes, pdf, pdfOf, png, zipOf } from '../support/files.ts';
import { call, newOrganization, type Organization } from '../support/local-api.ts';
import { document } from '../support/openapi.ts';

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

  it('keeps the content of its first use, although its URL still accepts another upload', async () => {
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

  it('cannot be uploaded with another length or content type', async () => {
    const announced = await announce(owner, { sizeInBytes: pdf().length });
    const { upload: address } = documentIn(announced);
    for (const [type, bytes] of [
      ['application/pdf', Buffer.concat([pdf(), pdf()])],
      ['image/png', pdf()],
    ] as const) {
      const response = await fetch(address?.url ?? '', {
        method: 'PUT',
        headers: { 'content-type': type },
        body: new Uint8Array(bytes),
      });
      expect(response.status).toBe(403);
      expect(response.headers.get('content-type')).toContain('xml');
      const [, code] = /<Code>(\w+)<\/Code>/.exec(await response.text()) ?? [];
      expect(document.components.schemas['FileUpload']?.description).toContain(`403 and \`${code}\``);
    }
  });

  it.each([
    ['a DOCX recognizable only at its end', docxWithLateTypes(), word, 200],
    ['a DOC', doc(), 'application/msword', 200],
    ['a ZIP', zipOf({ 'a.txt': 'a' }), word, 400],
    ['a PNG', png(), 'application/pdf', 400],
  ])('its first use checks the content: %s (case %#)', async (_, bytes, contentType, status) => {
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
  ])('is refused for an invalid %s', async (field, body) => {
    const { status, json } = await announce(owner, { sizeInBytes: 10, ...body });
    expect(status).toBe(400);
    expect(json).toMatchObject({ details: { issues: [{ path: field }] } });
  });

  it('is announced once per idempotency key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [one, other] = [
      await announce(owner, { sizeInBytes: 10 }, headers),
      await announce(owner, { sizeInBytes: 10 }, headers),
    ];
    expect(documentIn(other)).toEqual(documentIn(one));
  });
});
