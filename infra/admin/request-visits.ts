import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { npn } from '#domain/identifiers/identifiers.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { chunks } from '#platform/data/chunks.ts';
import { parseInput } from '#platform/request/validation.ts';
import { mostVisitsRequested } from '../../functions/admin/commands.ts';
import type { Invoke } from './functions.ts';
import { cellText } from './table-cells.ts';
import { rowsOf } from './table-rows.ts';

export const visitsInput = z.strictObject({
  npns: z.optional(z.array(npn)),
  file: z.optional(
    z.string().check(z.describe('Path of a file instead: one NPN a line or, with `column`, a CSV file.')),
  ),
  column: z.optional(z.string().check(z.describe('Name of the column with the NPNs.'))),
});

const outcome = z.object({ requested: z.number(), unknown: z.number() });

/**
 * Has NPNs visited in the next night, some in each call.
 * @throws ApiError `validation_error` for a file that cannot be read, or has a line without an NPN; what `invoke` throws.
 */
export async function requestVisits(invoke: Invoke, input: unknown): Promise<object> {
  const { npns = [], file, column } = parseInput(visitsInput, input);
  if ((npns.length === 0) === (file === undefined)) throw invalidAt('', 'one of npns and file is required');
  const allNpns = new Set(file === undefined ? npns : await npnsIn(file, column));
  const total = { requested: 0, unknown: 0 };
  for (const batch of chunks([...allNpns], { count: mostVisitsRequested })) {
    const answer = await invoke('admin', { command: 'request-visits', input: { npns: batch } });
    const { requested, unknown } = z.parse(outcome, answer);
    total.requested += requested;
    total.unknown += unknown;
  }
  return total;
}

async function npnsIn(file: string, column: string | undefined): Promise<string[]> {
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) throw invalidAt('file', `${file} cannot be read`);
  const foundNpns: string[] = [];
  let position = column === undefined ? 0 : undefined;
  for await (const { line, cells = [] } of rowsOf(single(bytes))) {
    const texts = cells.map(cellText);
    if (position === undefined) {
      position = texts.findIndex((text) => text.toLowerCase() === column?.toLowerCase());
      if (position === -1) throw invalidAt('column', `${column} is not a column of the file`);
    } else {
      const { data } = z.safeParse(npn, texts[position]);
      if (data === undefined) throw invalidAt('file', `line ${line} has no NPN, which is 1 to 10 digits`);
      foundNpns.push(data);
    }
  }
  return foundNpns;
}

async function* single(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
