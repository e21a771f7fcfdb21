// Folder `pages`: what the local run shows in a browser. The API in AWS has none of it.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { commonHeaders } from '../../../shared/platform/contract/common-headers.ts';
import type { Demo } from '../demo/demo.ts';

const folder = join('infra', 'local', 'pages');
const redocFile = join('node_modules', '@redocly', 'cli', 'lib', 'chunks', 'redoc.standalone.js');

const html = 'text/html; charset=utf-8';
const css = 'text/css; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';
const json = 'application/json; charset=utf-8';
const svg = 'image/svg+xml';

interface Asset {
  readonly type: string;
  readonly content: () => Promise<string>;
  readonly policy?: string;
}

const file = (type: string, name: string, policy?: string): Asset => ({
  type,
  content: () => readFile(join(folder, name), 'utf8'),
  ...(policy === undefined ? {} : { policy }),
});

/** Redoc loads its logo from its makers. Here everything comes from this origin, so that the page works offline. */
const redoc: Asset = {
  type: javascript,
  content: async () =>
    (await readFile(redocFile, 'utf8')).replaceAll('https://cdn.redoc.ly/redoc/', '/docs/'),
};

/** Redoc inlines its styles and its icons’ font; its search creates a worker from a blob and evaluates code in it. */
const referencePolicy =
  "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; worker-src 'self' blob:";

const assets = new Map<string, Asset>([
  ['/docs', file(html, 'reference.html', referencePolicy)],
  ['/docs/reference.css', file(css, 'reference.css')],
  ['/docs/redoc.js', redoc],
  ['/docs/logo-mini.svg', file(svg, 'redoc.svg')],
  ['/docs/logo-mini-full.svg', file(svg, 'redoc.svg')],
  ['/docs/reference.js', file(javascript, 'reference.js')],
  ['/docs/try-it-form.js', file(javascript, 'try-it-form.js')],
  ['/docs/shared.css', file(css, 'shared.css')],
  ['/docs/dom.js', file(javascript, 'dom.js')],
  ['/docs/demo.js', file(javascript, 'demo.js')],
  ['/docs/icon.svg', file(svg, 'icon.svg')],
  ['/webhooks', file(html, 'webhooks.html', "default-src 'self'")],
  ['/webhooks/webhooks.css', file(css, 'webhooks.css')],
  ['/webhooks/webhooks.js', file(javascript, 'webhooks.js')],
]);

/** Other names that resolve to this machine may belong to a website that wants to read the demo's credentials. */
const isThisMachine = (host = ''): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);

async function send(response: ServerResponse, { type, content, policy }: Asset): Promise<void> {
  const text = await content();
  response.writeHead(200, {
    ...commonHeaders,
    'content-type': type,
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
  const demoAsset: Asset = { type: json, content: async () => JSON.stringify(demo() ?? null) };
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
