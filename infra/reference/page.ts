import { readFileSync } from 'node:fs';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { Document } from '../openapi/publish.ts';

const icon = readFileSync('infra/reference/icon.svg').toString('base64');

/**
 * The reference page, apart from its script, which shows the environment's document in place of what it says: the introduction, to
 * be read while the script loads. In place of `{{base}}` stands the path below which the API is, with a slash at its end.
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
<style>#introduction { max-width: 50rem; margin: 0 auto; padding: 1rem; font-family: sans-serif; overflow-wrap: anywhere } pre { overflow-x: auto }</style>
</head>
<body>
<div id="reference">
<div id="introduction">
<h1>${info.title}</h1>
${micromark(info.description, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })}
</div>
</div>
</body>
</html>
`;
