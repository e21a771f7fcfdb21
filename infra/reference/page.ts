import { readFileSync } from 'node:fs';
import { marked } from 'marked';
import type { Document } from '../openapi/publish.ts';

const fileOf = (name: string): string => readFileSync(`infra/reference/${name}`, 'utf8');

const text = (plain: string): string => plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * The reference page: the chapters of a document and a list of its operations, until its script puts what it makes of the
 * document of the environment in their place. In place of `{{base}}` stands the path below which the API is, with a slash at its
 * end.
 *
 * @param script name of the script's file, which is served under `docs`.
 */
export function referencePage({ info, paths }: Document, script: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) =>
        `<tr><td>${text(summary)}</td><td><code>${method.toUpperCase()} ${path}</code></td></tr>`,
    ),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(fileOf('icon.svg')).toString('base64')}">
<link rel="preload" href="{{base}}v2/openapi.json" as="fetch" crossorigin>
<script type="module" src="{{base}}docs/${script}"></script>
<style>
${fileOf('shared.css')}
${fileOf('reference.css')}
</style>
</head>
<body>
<div id="reference"><main class="chapters">
<h1>${info.title}</h1>
<p>${text(info.summary)}</p>
${marked.parse(info.description, { async: false })}
<h2>Operations</h2>
<p>Their parameters, bodies, and errors are in the <a href="{{base}}v2/openapi.json">OpenAPI document</a>.</p>
<table>
${operations.join('\n')}
</table>
</main></div>
</body>
</html>
`;
}
