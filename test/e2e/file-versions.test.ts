import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import {
  announce,
  carrier,
  documentIn,
  download,
  linkShape,
  linkTo,
  path,
  send,
  upload,
} from '../support/file-documents.ts';
import { pdf } from '../support/files.ts';
import { call, errorShape, importRecords, type Organization } from '../support/local-api.ts';

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
      const { status, json } = await announce(caller, { ...fields, sizeInBytes: 10 });
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

  it('loses no version when several are uploaded at once', async () => {
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
  ])('v1 refuses another %s', async (field, body) => {
    const { status, json } = await announce(owner, { sizeInBytes: 10, ...body }, {}, at);
    expect(status).toBe(400);
    expect(json).toMatchObject({ details: { issues: [{ path: field }] } });
  });
});

describe('download links', () => {
  it('are limited to 120 a minute per organization, v1 and v2 together', async () => {
    const minute = () => Math.floor(Date.now() / 60_000);
    /** The answers to 120 more requests, ten at a time, and whether all were in the minute of the first. */
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
    // Signed between request and response, except that times are in whole seconds.
    expect(Date.parse(expiresAt) - 3_600_000).toBeGreaterThan(asked - 1_000);
    expect(Date.parse(expiresAt) - 3_600_000).toBeLessThanOrEqual(answered);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(119);
    const [refused] = answers.filter(({ status }) => status === 429);
    expect(refused?.json).toMatchObject({ errorType: 'rate_limit_exceeded' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('cannot be changed', async () => {
    const owner = await carrier();
    const { _id } = documentIn(await upload(owner, pdf(), 'a.pdf'));
    const { url } = z.parse(linkShape, (await linkTo(owner, _id)).json['data']);
    expect((await fetch(url.replace('X-Amz-Expires=3600', 'X-Amz-Expires=7200'))).status).toBe(403);
    expect((await fetch(url.replace('attachment', 'inline'))).status).toBe(403);
  });
});
