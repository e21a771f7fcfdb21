import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { tablesOf } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { indexLagFunction } from '../../functions/index-lag/function.ts';
import { testContext } from '../support/context.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTables, dynamo } from '../support/tables.ts';

it('a table whose index does not show a mark of the minute before is logged', async () => {
  const tables = await createTables([
    'agents',
    'associations',
    'downstreamEntities',
    'filings',
    'policies',
    'registryRecords',
  ]);
  let time = Date.parse('2026-07-01T00:00:00.000Z');
  const logged = async () => {
    const logger = recordingLogger();
    const context = testContext({ now: () => new Date(time), logger });
    await indexLagFunction.compose({ tables: tablesOf(dynamo, tables), context })();
    time += 60_000;
    return logger.lines;
  };
  expect(await logged()).toEqual([]);
  // As if the index had not taken it in yet.
  await dynamo.send(
    new UpdateItemCommand({
      TableName: tables.policies,
      Key: toItem({ pk: 'PROBE#3', sk: 'PROBE#3' }),
      UpdateExpression: 'REMOVE changeKey',
    }),
  );
  expect(await logged()).toMatchObject([
    { level: 'error', event: 'index_lags', table: 'policies', lagMs: 60_000 },
  ]);
  // What does not catch up is late by more with every call.
  expect(await logged()).toMatchObject([{ table: 'policies', lagMs: 120_000 }]);
});
