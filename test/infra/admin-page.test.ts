import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { recordSchemas } from '../../functions/import/record-schemas.ts';
import { recordTypes } from '../../infra/admin/describe-records.ts';
import { descriptions } from '../../infra/admin/descriptions.ts';
import { commandsPage, inputSchemaOf, operatorCommands } from '../../infra/admin/program.ts';
import { withSection } from '../../infra/text.ts';

const page = readFileSync('functions/admin/README.md', 'utf8');

it('the operators’ page matches the schemas of the commands', () => {
  expect(page).toBe(withSection(page, 'commands', commandsPage()));
});

it.each(Array.from(page.matchAll(/^\{"type":.+\}$/gm), ([line]) => line))(
  '%s can be imported as it is printed',
  (line) => {
    const record = z.parse(z.looseObject({ type: z.enum(recordTypes) }), JSON.parse(line));
    const { success, error } = z.safeParse<z.core.$ZodType>(recordSchemas[record.type], record);
    expect([success, error?.issues]).toEqual([true, undefined]);
  },
);

it.each(operatorCommands)('%s accepts its own example', (name) => {
  expect(z.safeParse(inputSchemaOf(name), descriptions[name].example).error).toBeUndefined();
});

it('the page lists every type of record that can be imported', () => {
  const folder = 'functions/import';
  const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((file) =>
    file.endsWith('.ts'),
  );
  const types = files.flatMap((file) =>
    Array.from(
      readFileSync(join(folder, file), 'utf8').matchAll(/type: z\.literal\('([^']+)'\)/g),
      ([, type]) => type,
    ),
  );
  const listed = Array.from(page.matchAll(/^\| `([a-z-]+)` \| [^|]+ \|$/gm), ([, type]) => type);
  expect(types.length).toBeGreaterThan(0);
  expect(listed.sort()).toEqual([...new Set(types)].sort());
});
