import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { derivedFile } from '#platform/config/context.ts';
import { presentCommit } from '../commit.ts';
import { accessMap, routeGroupsOf } from '../function-uses.ts';
import { documentedGroupsOf, openApiDocument } from '../openapi/publish.ts';
import { referencePage } from '../reference/page.ts';

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
