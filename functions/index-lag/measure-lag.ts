import { type DynamoDBClient, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { changeMark } from '../../shared/platform/changes/change-mark.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { getItem } from '../../shared/platform/data/get-item.ts';
import { parseStored, storedItem } from '../../shared/platform/data/stored.ts';
import type { TableDesign } from '../../shared/platform/data/table-design.ts';

/**
 * Owners of the items of each table that are written only to be looked for in the index. Each is in a partition of its own, of
 * the table and of the index: one of them can lag while the others do not.
 */
const probes = Array.from({ length: 8 }, (_, number) => `PROBE#${number}`);

const mark = storedItem('index-lag-mark', () => ({ changedAt: z.string() }));

/**
 * Milliseconds for which a table's index of changes has not shown a mark that the last call wrote, in the partition where it is
 * latest; 0 if it shows them all. Only then is a partition's next mark written, so one that does not catch up is late by more
 * with every call.
 *
 * @throws SDK errors.
 */
export async function indexLagMs(
  client: DynamoDBClient,
  table: string,
  design: Pick<TableDesign, 'sortKey'>,
  now: Date,
): Promise<number> {
  const lags = await Promise.all(probes.map((probe) => lagOfProbe(client, table, design, probe, now)));
  return Math.max(...lags);
}

async function lagOfProbe(
  client: DynamoDBClient,
  table: string,
  { sortKey }: Pick<TableDesign, 'sortKey'>,
  probe: string,
  now: Date,
): Promise<number> {
  const key = { pk: probe, ...(sortKey === undefined ? {} : { sk: probe }) };
  const { changeKey, changedAt } = changeMark(probe, probe, now);
  const [written, { Items = [] }] = await Promise.all([
    getItem(client, table, key, mark, { consistent: true }),
    client.send(
      new QueryCommand({
        TableName: table,
        IndexName: 'by-change',
        KeyConditionExpression: 'changeKey = :partition',
        ExpressionAttributeValues: toItem({ ':partition': changeKey }),
        ScanIndexForward: false,
        Limit: 1,
      }),
    ),
  ]);
  const shown = Items[0] === undefined ? '' : parseStored(mark, unmarshall(Items[0])).changedAt;
  if (written !== undefined && shown < written.changedAt)
    return now.getTime() - Date.parse(written.changedAt);
  await client.send(
    new UpdateItemCommand({
      TableName: table,
      Key: toItem(key),
      UpdateExpression: 'SET changeKey = :changeKey, changedAt = :changedAt',
      ExpressionAttributeValues: toItem({ ':changeKey': changeKey, ':changedAt': changedAt }),
    }),
  );
  return 0;
}
