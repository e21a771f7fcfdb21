import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { KB } from '#platform/aws/limits.ts';
import { commonHeaders } from '#platform/contract/responses.ts';

/** A response with its bytes as they were sent, which `fetch` would decompress. */
const sent = (path: string, headers: Record<string, string> = { 'accept-encoding': 'gzip' }) =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      get(new URL(path, process.env['TEST_BASE_URL']), { headers }, (response) => {
        const { statusCode: status } = response;
        buffer(response).then((bytes) => resolve({ status, headers: response.headers, bytes }), reject);
      }).on('error', reject);
    },
  );

it('the reference is compressed, and its script is kept', async () => {
  const page = await sent('/docs');
  const { 'cache-control': _, ...others } = commonHeaders;
  expect(page).toMatchObject({ status: 200, headers: { ...others, 'content-encoding': 'gzip' } });
  const text = gunzipSync(page.bytes).toString();
  expect(text).not.toMatch(/(src|href)="(https?:|\/\/)/);
  const [, script = ''] = /<script type="module" src="([^"]+)">/.exec(text) ?? [];

  const code = await sent(script);
  expect(code).toMatchObject({
    status: 200,
    headers: {
      ...others,
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    },
  });
  const source = gunzipSync(code.bytes);
  expect((page.bytes.length + code.bytes.length) / KB).toBeLessThan(1_500);
  // Jest would compare five million numbers one by one.
  expect((await sent(script, {})).bytes.equals(source)).toBe(true);

  const again = await sent('/docs', { 'if-none-match': String(page.headers['etag']) });
  expect({ status: again.status, bytes: again.bytes.length }).toEqual({ status: 304, bytes: 0 });
});
