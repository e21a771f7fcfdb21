import { contentDisposition, createObjectStore } from '../../../../shared/file-documents/object-store.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'token' };
const inAws = createObjectStore({ bucket: 'files-bucket', region: 'eu-west-1', credentials });
const elsewhere = createObjectStore({
  bucket: 'files-bucket',
  region: 'us-east-1',
  credentials,
  endpoint: 'http://127.0.0.1:4566',
});
const now = new Date('2026-03-01T14:05:09.123Z');
const file = { objectKey: 'files/a/b/c', fileName: 'a.pdf', contentType: 'application/pdf' } as const;

it.each([
  ['plain.pdf', `attachment; filename="plain.pdf"; filename*=UTF-8''plain.pdf`],
  ['a"; x=".pdf', `attachment; filename="a__ x__.pdf"; filename*=UTF-8''a%22%3B%20x%3D%22.pdf`],
  ['Zürich (1).pdf', `attachment; filename="Z_rich _1_.pdf"; filename*=UTF-8''Z%C3%BCrich%20%281%29.pdf`],
  ["it's 100%.pdf", `attachment; filename="it_s 100_.pdf"; filename*=UTF-8''it%27s%20100%25.pdf`],
])('the name %s is written so that it cannot leave its quotes', (name, expected) => {
  expect(contentDisposition('attachment', name)).toBe(expected);
});

it('a link names the bucket as the host in AWS, lives an hour and carries name and type', async () => {
  const link = new URL((await inAws.downloadLink(file, 'inline', now)).url);
  expect(link.origin + link.pathname).toBe('https://files-bucket.s3.eu-west-1.amazonaws.com/files/a/b/c');
  expect(Object.fromEntries(link.searchParams)).toMatchObject({
    'X-Amz-Expires': '3600',
    'X-Amz-Date': '20260301T140509Z',
    'X-Amz-Credential': 'AKIDEXAMPLE/20260301/eu-west-1/s3/aws4_request',
    'X-Amz-Security-Token': 'token',
    'X-Amz-SignedHeaders': 'host',
    'response-content-type': 'application/pdf',
    'response-content-disposition': `inline; filename="a.pdf"; filename*=UTF-8''a.pdf`,
  });
});

it('a link names the bucket in the path at another address', async () => {
  const link = new URL((await elsewhere.downloadLink(file, 'attachment', now)).url);
  expect(link.origin + link.pathname).toBe('http://127.0.0.1:4566/files-bucket/files/a/b/c');
});

it.each([
  ['what is left of them', new Date(now.getTime() + 600_000), '600', '2026-03-01T14:15:09.123Z'],
  [
    'one hour, however long they live',
    new Date(now.getTime() + 7_200_000),
    '3600',
    '2026-03-01T15:05:09.123Z',
  ],
])('with credentials that end, an address is good for %s', async (_, expiration, seconds, expiresAt) => {
  const store = createObjectStore({
    bucket: 'files-bucket',
    region: 'eu-west-1',
    credentials: () => Promise.resolve({ ...credentials, expiration }),
  });
  const upload = { objectKey: 'incoming/a', contentType: 'image/png', sizeInBytes: 7 } as const;
  for (const link of [await store.downloadLink(file, 'inline', now), await store.uploadLink(upload, now)]) {
    expect(new URL(link.url).searchParams.get('X-Amz-Expires')).toBe(seconds);
    expect(link.expiresAt).toBe(expiresAt);
  }
});

it('an upload address is bound to length and type', async () => {
  const upload = await inAws.uploadLink(
    { objectKey: 'incoming/a', contentType: 'image/png', sizeInBytes: 7 },
    now,
  );
  expect(upload.headers).toEqual({ 'content-length': '7', 'content-type': 'image/png' });
  expect(upload.expiresAt).toBe('2026-03-01T15:05:09.123Z');
  expect(new URL(upload.url).searchParams.get('X-Amz-SignedHeaders')).toBe(
    'content-length;content-type;host',
  );
});
