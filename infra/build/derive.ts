import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openApiDocument } from '../openapi/publish.ts';
import { routeGroups } from '../route-groups.ts';
import { accessMap } from './access-map.ts';

/** Writes the files that functions read at run time, derived from the route tables, into the folders of their bundles. */
export async function writeDerivedFiles(functionsFolder: string): Promise<void> {
  await write(join(functionsFolder, 'authorizer', 'access-map.json'), accessMap(routeGroups));
  await write(join(functionsFolder, 'auth', 'openapi.json'), openApiDocument(routeGroups));
}

async function write(file: string, content: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
}
