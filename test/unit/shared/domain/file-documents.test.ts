import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contentOf, signatureBytes } from '#domain/file-documents/content.ts';
import { contentDisposition } from '#domain/file-documents/object-store.ts';
import { createS3ObjectStore } from '#domain/file-documents/s3-object-store.ts';
import { isTransient } from '#platform/aws/calls.ts';
import { createS3Client } from '#platform/aws/s3-client.ts';
import {
  apng,
  compoundFile,
  doc,
  docx,
  docxWithLateTypes,
  jpeg,
  pdf,
  png,
  zipOf,
} from '../../../support/files.ts';

describe('content', () => {
  const pdfAfter = (start: string): Buffer => Buffer.concat([Buffer.from(start), pdf()]);
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

  it.each([
    ['PDF', pdf(), 'application/pdf'],
    ['DOC', doc(), 'application/msword'],
    ['DOCX', docx(), word],
    ['JPEG', jpeg(), 'image/jpeg'],
    ['PNG', png(), 'image/png'],
    ['animated PNG', apng(), 'image/png'],
    ['PDF after a line break', pdfAfter('\r\n'), 'application/pdf'],
    ['PDF after almost 1,024 bytes', pdfAfter('\0'.repeat(1_019)), 'application/pdf'],
  ])('%s is recognized by its bytes', async (_, bytes, type) => {
    expect(await contentOf(bytes, true)).toEqual({ type, needsAll: false });
  });

  it.each([
    ['an archive', zipOf({ 'readme.txt': 'text' })],
    ['another compound file, a workbook', compoundFile('Workbook')],
    ['text', Buffer.from('%PD')],
    ['a GIF', Buffer.from('GIF89a')],
    ['a PDF after 1,024 bytes', pdfAfter('\0'.repeat(1_020))],
    ['a program that has a PDF as well', pdfAfter('MZ')],
  ])('%s is not an accepted type', async (_, bytes) => {
    expect((await contentOf(bytes, true)).type).toBeUndefined();
  });

  it.each([
    ['DOCX', docxWithLateTypes()],
    ['DOC', Buffer.concat([doc(), Buffer.alloc(signatureBytes)])],
  ])('the start of a %s is not enough to recognize it', async (_, bytes) => {
    expect(await contentOf(bytes.subarray(0, signatureBytes), false)).toEqual({
      type: undefined,
      needsAll: true,
    });
  });

  it('the start of a PDF with bytes before its header is enough to recognize it', async () => {
    const bytes = Buffer.concat([pdfAfter('\r\n'), Buffer.alloc(signatureBytes)]);
    expect(await contentOf(bytes.subarray(0, signatureBytes), false)).toEqual({
      type: 'application/pdf',
      needsAll: false,
    });
  });
});

describe('s3 object store', () => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'token' };
  const storeAt = (region: string, endpoint?: string) =>
    createS3ObjectStore(
      createS3Client({ region, credentials, ...(endpoint === undefined ? {} : { endpoint }) }),
      'files-bucket',
      true,
    );
  const inAws = storeAt('eu-west-1');
  const now = new Date('2026-03-01T14:05:09.123Z');
  const file = { objectKey: 'files/a/b/c', fileName: 'a.pdf', contentType: 'application/pdf' } as const;

  it.each([
    ['plain.pdf', `attachment; filename="plain.pdf"; filename*=UTF-8''plain.pdf`],
    ['a"; x=".pdf', `attachment; filename="a__ x__.pdf"; filename*=UTF-8''a%22%3B%20x%3D%22.pdf`],
    ['Zürich (1).pdf', `attachment; filename="Z_rich _1_.pdf"; filename*=UTF-8''Z%C3%BCrich%20%281%29.pdf`],
    ["it's 100%.pdf", `attachment; filename="it_s 100_.pdf"; filename*=UTF-8''it%27s%20100%25.pdf`],
  ])('the name %s is escaped so that it cannot end its quoted string', (name, expected) => {
    expect(contentDisposition('attachment', name)).toBe(expected);
  });

  describe('a link', () => {
    it('has the bucket in its host on AWS, is valid for an hour, and sets name and type', async () => {
      const link = new URL((await inAws.downloadLink(file, 'inline', now)).url);
      expect(link.origin + link.pathname).toBe('https://files-bucket.s3.eu-west-1.amazonaws.com/files/a/b/c');
      expect(Object.fromEntries(link.searchParams)).toEqual({
        'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
        'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
        'X-Amz-Credential': 'AKIDEXAMPLE/20260301/eu-west-1/s3/aws4_request',
        'X-Amz-Date': '20260301T140509Z',
        'X-Amz-Expires': '3600',
        'X-Amz-Security-Token': 'token',
        'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
        'X-Amz-SignedHeaders': 'host',
        'response-content-type': 'application/pdf',
        'response-content-disposition': `inline; filename="a.pdf"; filename*=UTF-8''a.pdf`,
      });
    });

    it('has the bucket in its path at another endpoint', async () => {
      const store = storeAt('us-east-1', 'http://127.0.0.1:4566');
      const link = new URL((await store.downloadLink(file, 'attachment', now)).url);
      expect(link.origin + link.pathname).toBe('http://127.0.0.1:4566/files-bucket/files/a/b/c');
    });

    it('for an upload requires the length and type of the file, and no checksum', async () => {
      const upload = await inAws.uploadLink(
        { objectKey: 'incoming/a', contentType: 'image/png', sizeInBytes: 7 },
        now,
      );
      expect(upload.headers).toEqual({ 'content-length': '7', 'content-type': 'image/png' });
      expect(upload.expiresAt).toBe('2026-03-01T15:05:09.123Z');
      const { searchParams } = new URL(upload.url);
      expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host');
      expect([...searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
    });
  });

  describe('a call', () => {
    type Answer = {
      readonly status: number;
      readonly body?: string;
      readonly headers?: Record<string, string>;
    };
    const calls: { readonly request: IncomingMessage; readonly body: string }[] = [];
    let answers: Answer[] = [];
    let server: Server;
    let store: ReturnType<typeof storeAt>;

    beforeAll(async () => {
      server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        calls.push({ request, body: Buffer.concat(chunks).toString() });
        // The last answer stays.
        const { status, body, headers } = (answers.length > 1 ? answers.shift() : answers[0]) ?? {
          status: 200,
        };
        response.writeHead(status, headers).end(body);
      });
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      store = storeAt('us-east-1', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
    afterAll(() => void server.close());
    beforeEach(() => {
      calls.length = 0;
    });

    const failing = { status: 500, body: '<Error><Code>InternalError</Code></Error>' };
    /** Whether a call fails in a way that callers get as 503. */
    const isUnavailable = (call: Promise<unknown>): Promise<boolean> => call.then(() => false, isTransient);

    it('stores a file with its type, and without an unrequested checksum', async () => {
      answers = [{ status: 200 }];
      await store.put('files/a', Buffer.from('bytes'), 'image/png');
      expect(calls.map(({ request, body }) => [request.method, request.url?.split('?')[0], body])).toEqual([
        ['PUT', '/files-bucket/files/a', 'bytes'],
      ]);
      const { headers } = calls[0]?.request ?? {};
      expect(headers).toMatchObject({ 'content-type': 'image/png', 'content-length': '5' });
      expect(Object.keys(headers ?? {}).filter((name) => name.includes('checksum'))).toEqual([]);
    });

    it('reads the first bytes of an object, and its size', async () => {
      answers = [{ status: 206, body: 'byt', headers: { 'content-range': 'bytes 0-2/5', etag: '"e"' } }];
      const start = await store.readStart('files/a', 3);
      expect({ ...start, bytes: Buffer.from(start?.bytes ?? []).toString() }).toEqual({
        bytes: 'byt',
        sizeInBytes: 5,
        etag: '"e"',
      });
      expect(calls[0]?.request.headers['range']).toBe('bytes=0-2');
    });

    it('finds no object for an unknown key', async () => {
      answers = [{ status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' }];
      expect(await store.readStart('files/a', 3)).toBeUndefined();
    });

    it('copies content that has not changed', async () => {
      answers = [{ status: 200, body: '<CopyObjectResult><ETag>"e"</ETag></CopyObjectResult>' }];
      expect(await store.copy('incoming/a', 'files/a', '"e"')).toBe(true);
      expect(calls[0]?.request.headers).toMatchObject({
        'x-amz-copy-source': '/files-bucket/incoming/a',
        'x-amz-copy-source-if-match': '"e"',
      });
    });

    it('copies nothing if the content has changed', async () => {
      answers = [{ status: 412, body: '<Error><Code>PreconditionFailed</Code></Error>' }];
      expect(await store.copy('incoming/a', 'files/a', '"e"')).toBe(false);
      expect(calls).toHaveLength(1);
    });

    it('that fails is attempted three times in all', async () => {
      answers = [failing, { status: 200 }];
      await store.put('files/a', Buffer.from('bytes'), 'image/png');
      answers = [failing];
      expect(await isUnavailable(store.put('files/a', Buffer.from('bytes'), 'image/png'))).toBe(true);
      expect(await isUnavailable(store.readStart('files/a', 3))).toBe(true);
      expect(calls).toHaveLength(2 + 3 + 3);
    });

    it('to copy that fails after its status 200 is retried too', async () => {
      answers = [{ status: 200, body: '<Error><Code>InternalError</Code></Error>' }];
      expect(await isUnavailable(store.copy('incoming/a', 'files/a', '"e"'))).toBe(true);
      expect(calls).toHaveLength(3);
    });

    it('that is denied is an internal error, and not retried', async () => {
      answers = [{ status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }];
      await expect(store.readStart('files/a', 3)).rejects.toMatchObject({ name: 'AccessDenied' });
      expect(calls).toHaveLength(1);
    });
  });
});
