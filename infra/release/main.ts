// `npm run release`: records the present code as the release that the next one has to be compatible with. An
// entry of its own.
import { mkdir, writeFile } from 'node:fs/promises';
import { environments } from '../environments.ts';
import { accessMap, routeGroupsOf } from '../function-uses.ts';
import { presentIndexes, presentKeys, presentSchemas } from './present.ts';
import { previousFolder } from './previous.ts';

const lines = (texts: readonly string[]): string => `${texts.join('\n')}\n`;
const json = (value: object): string => lines([JSON.stringify(value, null, 2)]);

const schemas = [...(await presentSchemas())].map(([name, schema]) => JSON.stringify({ name, schema }));
await mkdir(previousFolder, { recursive: true });
await writeFile(`${previousFolder}/access-map.json`, json(accessMap(routeGroupsOf(environments.prod))));
const keys = { keys: Object.fromEntries(await presentKeys()), indexes: presentIndexes() };
await writeFile(`${previousFolder}/keys.json`, json(keys));
await writeFile(`${previousFolder}/schemas.ndjson`, lines(schemas));
process.stdout.write(`Recorded the present code in ${previousFolder}: commit it.\n`);
