import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { derivedFile } from '#platform/config/context.ts';
import { presentCommit } from '../commit.ts';
import { accessMap, routeGroupsOf } from '../function-uses.ts';
import { type Document, documentedGroupsOf, openApiDocument } from '../openapi/publish.ts';

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

/** Writes the files that functions read at run time, derived from the route tables, into the folders of their bundles. */
export async function writeDerivedFiles(functionsFolder: string): Promise<void> {
  for (const sandbox of ['yes', 'no'] as const) {
    const environment = { sandbox: sandbox === 'yes' };
    await write(
      join(functionsFolder, 'authorizer', derivedFile('access-map', sandbox)),
      accessMap(routeGroupsOf(environment)),
    );
    await write(
      join(functionsFolder, 'auth', derivedFile('openapi', sandbox)),
      openApiDocument(documentedGroupsOf(environment), presentCommit()),
    );
  }
}

/** Writes the reference page and the programs for integrators beside its script, which has been built. */
export async function writeReferencePage(folder: string): Promise<void> {
  const script = (await readdir(folder)).find((name) => /^reference-\w+\.js$/.test(name));
  if (script === undefined) throw new Error(`${folder} has no script of the reference.`);
  const document = openApiDocument(documentedGroupsOf({ sandbox: false }));
  await writeFile(join(folder, 'page.html'), referencePage(document, script));
  await cp('infra/openapi/samples', folder, { recursive: true });
}

async function write(file: string, content: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
}
