import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { commonHeaders } from '../../../shared/contract/common-headers.ts';

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
 * Everything is served from this origin, so the page works offline and sends nothing elsewhere. The search creates its
 * worker from a blob and evaluates code in it.
 */
const contentSecurityPolicy =
  "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; worker-src 'self' blob:";

/** Serves the API reference at /docs, which only the local run has. Returns whether it handled the request. */
export function serveReferencePage(request: IncomingMessage, response: ServerResponse): boolean {
  const [path] = (request.url ?? '').split('?');
  if (request.method !== 'GET') return false;
  if (path === '/docs') {
    response.writeHead(200, {
      ...commonHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy,
    });
    response.end(page);
    return true;
  }
  if (path === scriptPath) {
    response.writeHead(200, { ...commonHeaders, 'content-type': 'text/javascript; charset=utf-8' });
    pipeline(createReadStream(scriptFile), response, () => {});
    return true;
  }
  return false;
}
