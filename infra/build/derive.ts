import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { routeGroups } from '../function-uses.ts';
import { documentedGroups } from '../openapi/docs.ts';
import { openApiDocument } from '../openapi/publish.ts';
import { presentCommit } from '../release/commit.ts';
import { previousAccessMap } from '../release/previous.ts';
import { deployedAccessMap } from './access-map.ts';

/** Writes the files that functions read at run time, derived from the route tables, into the folders of their bundles. */
export async function writeDerivedFiles(functionsFolder: string): Promise<void> {
  const access = deployedAccessMap(routeGroups, previousAccessMap());
  await write(join(functionsFolder, 'authorizer', 'access-map.json'), access);
  await write(
    join(functionsFolder, 'auth', 'openapi.json'),
    openApiDocument(documentedGroups, presentCommit()),
  );
}

async function write(file: string, content: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
}
