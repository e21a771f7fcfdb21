import { tablesOf } from '#domain/tables.ts';
import type { FunctionContext } from '#platform/config/context.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { type ImportTable, importFunction } from '../../functions/import/function.ts';
import { sampleLines } from '../../infra/samples.ts';
import { dynamo } from '../support/tables.ts';

type Tables = Readonly<Record<ImportTable, string>>;

/** Imports the samples of a carrier and its agency. */
export async function seedRecords(
  owners: { readonly carrier: string; readonly agency: string },
  { tables, context }: { readonly tables: Tables; readonly context: FunctionContext },
): Promise<void> {
  const importRecords = importFunction.compose({
    tables: tablesOf(dynamo, tables),
    sendMoves: () => Promise.resolve(),
    context,
  });
  const importFor = async (organizationId: string, lines: readonly string[]): Promise<void> => {
    const answer = await importRecords({ organizationId, firstLine: 1, lines });
    if (!JSON.stringify(answer).includes('"rejected":[]'))
      throw new Error(`Rejected: ${JSON.stringify(answer)}`);
  };
  const today = newYorkDate(context.now());
  await importFor(owners.agency, sampleLines('downstream', today));
  await importFor(owners.carrier, sampleLines('upstream', today));
}
