import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';

const scriptFile = join('node_modules', '@redocly', 'cli', 'lib', 'chunks', 'redoc.standalone.js');
const scriptPath = '/docs/redoc.standalone.js';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Insurance Compliance API</title>
<style>body { margin: 0 }</style>
</head>
<body>
<redoc spec-url="/v2/openapi.json" disable-telemetry="true"></redoc>
<script type="module" src="${scriptPath}"></script>
</body>
</html>
`;

/**
 * Everything comes from this address: the page works without a network, and tells nobody that it is read. The search
 * makes its worker, and code in it, from text.
 */
const contentSecurityPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; worker-src 'self' blob:";

/** Serves the reference of the API at /docs, which only the local run has. Answers whether the request was for it. */
export function serveReferencePage(request: IncomingMessage, response: ServerResponse): boolean {
  const [path] = (request.url ?? '').split('?');
  if (request.method !== 'GET') return false;
  if (path === '/docs') {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
    });
    response.end(page);
    return true;
  }
  if (path === scriptPath) {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' });
    pipeline(createReadStream(scriptFile), response, () => {});
    return true;
  }
  return false;
}
