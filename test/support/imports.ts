import { createImportFunction, type ImportTable } from '../../functions/import/function.ts';
import type { ImportOutcome } from '../../functions/import/import-records.ts';
import { testContext } from './context.ts';
import { dynamo } from './tables.ts';

/** Takes in a chunk of an operator's file. */
export type ImportRecords = (chunk: object) => Promise<ImportOutcome>;

const absent: Readonly<Record<ImportTable, string>> = {
  agents: 'no-agents',
  associations: 'no-associations',
  carriers: 'no-carriers',
  compliance: 'no-compliance',
  contacts: 'no-contacts',
  downstreamEntities: 'no-downstream-entities',
  filings: 'no-filings',
  licensing: 'no-licensing',
  organizations: 'no-organizations',
  outbox: 'no-outbox',
  policies: 'no-policies',
  registryRecords: 'no-registry-records',
};

/** Imports as the deployed function does, into these tables; what goes into another one fails. */
export function importInto(
  tables: Partial<Record<ImportTable, string>>,
  now: () => Date = () => new Date(),
): ImportRecords {
  const answer = importFunctionOf(tables, now);
  return async (chunk) => {
    const outcome = await answer(chunk);
    if (!outcome.ok) throw new Error(`The import was refused: ${JSON.stringify(outcome.error)}`);
    if (!('imported' in outcome.result)) throw new Error('The import answered something else.');
    return outcome.result;
  };
}

/** The deployed import function, over these tables; it answers refusals, too. */
export const importFunctionOf = (
  tables: Partial<Record<ImportTable, string>>,
  now: () => Date = () => new Date(),
) =>
  createImportFunction({
    clients: { dynamo },
    tables: { ...absent, ...tables },
    context: testContext({ now }),
  });
