import { readFileSync } from 'node:fs';
import type { Document } from '../openapi/publish.ts';

const icon = readFileSync('infra/reference/icon.svg').toString('base64');

/**
 * The reference page, apart from its script, which shows the environment's document in place of what it says. In place of
 * `{{base}}` stands the path below which the API is, with a slash at its end.
 *
 * @param script name of the script's file, which is served under `docs`.
 */
export const referencePage = ({ info }: Document, script: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<link rel="icon" href="data:image/svg+xml;base64,${icon}">
<script type="module" src="{{base}}docs/${script}"></script>
</head>
<body>
<div id="reference">
<h1>${info.title}</h1>
<p>${info.summary} The reference is loading; it shows the <a href="{{base}}v2/openapi.json">OpenAPI document</a>.</p>
</div>
</body>
</html>
`;
