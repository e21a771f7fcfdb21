// Folder `pages`: what the local run shows in a browser. The API in AWS has none of it.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { commonHeaders } from '../../../shared/platform/contract/common-headers.ts';
import type { Demo } from '../demo/demo.ts';

const folder = join('infra', 'local', 'pages');
const redocFile = join('node_modules', '@redocly', 'cli', 'lib', 'chunks', 'redoc.standalone.js');

/** By extension of the file. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface Asset {
  readonly name: string;
  readonly content: () => Promise<string>;
  readonly policy?: string;
}

const file = (name: string): Asset => ({ name, content: () => readFile(join(folder, name), 'utf8') });

/** Redoc loads its logo from its makers. Here everything comes from this origin, so that the page works offline. */
const redoc: Asset = {
  name: 'redoc.js',
  content: async () =>
    (await readFile(redocFile, 'utf8')).replaceAll('https://cdn.redoc.ly/redoc/', '/docs/'),
};

/** Redoc inlines its styles and its icons’ font; its search creates a worker from a blob and evaluates code in it. */
const referencePolicy =
  "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; worker-src 'self' blob:";

const assets = new Map<string, Asset>([
  ['/docs', { ...file('reference.html'), policy: referencePolicy }],
  ['/docs/redoc.js', redoc],
  ['/docs/logo-mini.svg', file('redoc.svg')],
  ['/docs/logo-mini-full.svg', file('redoc.svg')],
  ['/webhooks', { ...file('webhooks.html'), policy: "default-src 'self'" }],
  ['/webhooks/webhooks.css', file('webhooks.css')],
  ['/webhooks/webhooks.js', file('webhooks.js')],
  ...['reference.css', 'reference.js', 'try-it-form.js', 'shared.css', 'dom.js', 'demo.js', 'icon.svg'].map(
    (name) => [`/docs/${name}`, file(name)] as const,
  ),
]);

/** Other names that resolve to this machine may belong to a website that wants to read the demo's credentials. */
const isThisMachine = (host = ''): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);

async function send(response: ServerResponse, { name, content, policy }: Asset): Promise<void> {
  const text = await content();
  response.writeHead(200, {
    ...commonHeaders,
    'content-type': types[extname(name)],
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
  });
  response.end(text);
}

/**
 * Serves the API reference at `/docs` and the received webhooks at `/webhooks`, and leads browsers from `/` to the
 * reference. For whoever does not ask for HTML, `/` is the API’s, as in AWS.
 *
 * @param demo the demo’s credentials, with which the pages call the API; undefined while there are none
 * @returns a function that returns whether it handled the request
 */
export function createPages(demo: () => Demo | undefined) {
  const demoAsset: Asset = { name: 'demo.json', content: async () => JSON.stringify(demo() ?? null) };
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== 'GET' || !isThisMachine(request.headers.host)) return false;
    const [path = ''] = (request.url ?? '').split('?');
    if (path === '/' && request.headers.accept?.includes('text/html')) {
      response.writeHead(302, { ...commonHeaders, location: '/docs', vary: 'accept' }).end();
      return true;
    }
    const asset = path === '/docs/demo.json' ? demoAsset : assets.get(path);
    if (asset === undefined) return false;
    send(response, asset).catch(() => response.destroy());
    return true;
  };
}
