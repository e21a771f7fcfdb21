import * as z from 'zod/mini';
import { agencyMove } from '#domain/downstream-entities/stored.ts';
import { tablesOf } from '#domain/tables.ts';
import { createOrganizations } from '#platform/identity/organizations.ts';
import type { SendMessages } from '#platform/queue/send.ts';
import { createMoveAgency } from '../../functions/agency-moves/function.ts';
import { type ImportTable, importFunction } from '../../functions/import/function.ts';
import type { ImportOutcome } from '../../functions/import/run/import-records.ts';
import { uses } from '../../functions/import/uses.ts';
import { testContext } from './context.ts';
import { dynamo, tablesUsedBy } from './tables.ts';

/** Takes in a chunk of an operator's file. */
export type ImportRecords = (chunk: object) => Promise<ImportOutcome>;

/** Names of tables that do not exist: what goes into one fails. */
const absent = Object.fromEntries(tablesUsedBy(uses).map((name) => [name, `no-${name}`])) as Record<
  ImportTable,
  string
>;

/** Imports as the deployed function does, into these tables; what goes into another one fails. */
export function importInto(...into: Parameters<typeof importFunctionOf>): ImportRecords {
  const answer = importFunctionOf(...into);
  return async (chunk) => importedBy(await answer(chunk));
}

/** The same for records, as an operator's file holds them: an organization's, or everybody's. */
export function recordsInto(...into: Parameters<typeof importInto>) {
  const importRecords = importInto(...into);
  return (
    organizationId: string | undefined,
    records: readonly object[],
    chunk: object = {},
  ): Promise<ImportOutcome> =>
    importRecords({
      organizationId,
      firstLine: 1,
      lines: records.map((record) => JSON.stringify(record)),
      ...chunk,
    });
}

/** The outcome of an import. @throws Error if it was refused. */
export function importedBy(
  answer: Awaited<ReturnType<ReturnType<typeof importFunction.compose>>>,
): ImportOutcome {
  if (!answer.ok) throw new Error(`The import was refused: ${JSON.stringify(answer.error)}`);
  if (!('imported' in answer.result)) throw new Error('The import answered something else.');
  return answer.result;
}

/** Does the moves that imports ask for at once, over these tables. */
export function movesOn(
  tables: Partial<Record<ImportTable | 'fileDocuments', string>>,
  now: () => Date,
): SendMessages {
  const all = tablesOf(dynamo, { ...absent, fileDocuments: 'no-file-documents', ...tables });
  const moveAgency = createMoveAgency({
    tables: all,
    organizations: createOrganizations(all.organizations),
    now,
  });
  return async (messages) => {
    for (const message of messages) await moveAgency(z.parse(agencyMove, message).downstreamEntityId);
  };
}

/** The deployed import function, over these tables; it answers refusals, too. */
export const importFunctionOf = (
  tables: Partial<Record<ImportTable, string>>,
  now: () => Date = () => new Date(),
  sendMoves = movesOn(tables, now),
  client = dynamo,
) =>
  importFunction.compose({
    tables: tablesOf(client, { ...absent, ...tables }),
    sendMoves,
    context: testContext({ now }),
  });
