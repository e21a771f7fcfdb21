// Folder `pages`: what the local run alone shows in a browser.
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { commonHeaders } from '../../../shared/platform/contract/responses.ts';
import type { Demo } from '../demo/demo.ts';

const folder = join('infra', 'local', 'pages');
const shared = join('infra', 'reference');

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
}

const file = (name: string, within = folder): Asset => ({
  name,
  content: () => readFile(join(within, name), 'utf8'),
});

const assets = new Map<string, Asset>([
  ['/webhooks', file('webhooks.html')],
  ...['webhooks.css', 'webhooks.js'].map((name) => [`/webhooks/${name}`, file(name)] as const),
  ...['shared.css', 'dom.js', 'demo.js', 'icon.svg'].map(
    (name) => [`/webhooks/${name}`, file(name, shared)] as const,
  ),
]);

/** Other names that resolve to this machine may belong to a website that wants to read the demo's credentials. */
const isThisMachine = (host = ''): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);

async function send(response: ServerResponse, { name, content }: Asset): Promise<void> {
  const text = await content();
  response.writeHead(200, {
    ...commonHeaders,
    'content-type': types[extname(name)],
    'content-security-policy': "default-src 'self'",
  });
  response.end(text);
}

/**
 * Serves the received webhooks at `/webhooks`, and the demo’s credentials to that page and to the reference at `/docs`, which is
 * the API’s own; leads browsers from `/` to the reference. For a caller that does not ask for HTML, `/` is the API’s, as in AWS.
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
