import { referenceFunction } from '../../../functions/reference/function.ts';
import { referenceRoutes } from '../../../functions/reference/routes.ts';
import { apiEvent, type EventOptions, lambdaContext } from '../../support/api-event.ts';
import { testContext } from '../../support/context.ts';

const { getReference, getReferenceAsset } = referenceRoutes.routes;
const files: Readonly<Record<string, string>> = {
  'page.html': '<script type="module" src="{{base}}docs/reference-AAAA2345.js"></script>',
  'reference-AAAA2345.js': 'the script',
  'Client.java': 'the program',
};
const page = (base: string) => files['page.html']?.replace('{{base}}', base);
const read: string[] = [];
const pipeline = referenceFunction.compose({
  context: testContext(),
  readFile: async (name) => {
    read.push(name);
    const { [name]: text } = files;
    if (text === undefined) throw new Error(`There is no ${name}.`);
    return text;
  },
});
const get = (route: typeof getReference | typeof getReferenceAsset, options?: EventOptions) =>
  pipeline(apiEvent(route, options), lambdaContext);
const asset = (name: string) => get(getReferenceAsset, { params: { asset: name } });

it('the page is kept for five minutes, and not sent again to who has it', async () => {
  const { status, headers, body } = await get(getReference);
  expect({ status, body }).toEqual({ status: 200, body: page('/') });
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^W\/"[\w-]{43}"$/),
  });
  for (const known of [headers['etag'] ?? '', `"other", ${headers['etag']}`, '*']) {
    const again = await get(getReference, { headers: { 'If-None-Match': known } });
    expect(again).toMatchObject({ status: 304, body: '', headers: { etag: headers['etag'] } });
  }
  expect((await get(getReference, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
});

it('the page finds its script below the name of a stage, and with a slash at its end', async () => {
  const event = apiEvent(getReference);
  for (const [path, base] of [
    ['/docs/', '/'],
    ['/prod/docs', '/prod/'],
    ['/prod/docs/', '/prod/'],
  ] as const) {
    const requestContext = { ...event.requestContext, path };
    expect((await pipeline({ ...event, requestContext }, lambdaContext)).body).toBe(page(base));
  }
});

it('the page loads nothing from elsewhere, and stands in no other page', async () => {
  const { headers } = await get(getReference);
  expect(headers['content-security-policy']).toMatch(/^default-src 'self';/);
  expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/);
  expect(headers['content-security-policy']).not.toMatch(/https?:|unsafe-eval/);
});

it('the script is kept for a year under its name', async () => {
  expect(await asset('reference-AAAA2345.js')).toMatchObject({
    status: 200,
    body: 'the script',
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    },
  });
});

it('a page of the release before or after gets this release’s script, and nobody keeps it', async () => {
  const { status, body, headers } = await asset('reference-BBBB2345.js');
  expect({ status, body }).toEqual({ status: 200, body: 'the script' });
  expect(headers['cache-control']).toBe('no-store');
});

it('a program is a plain text', async () => {
  expect(await asset('Client.java')).toMatchObject({
    status: 200,
    body: 'the program',
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=300' },
  });
});

it.each([
  'page.html',
  'index.mjs',
  '../index.mjs',
  'xreference-AAAA2345.js',
  'reference-AAAA2345.js.map',
  'demo.json',
])('%s is not found, and no file is read for it', async (name) => {
  read.length = 0;
  expect((await asset(name)).status).toBe(404);
  expect(read.filter((file) => file !== 'page.html')).toEqual([]);
});
