import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { MeasuredCosts } from '../../infra/capacity/measured-costs.ts';
import { type Access, clientSettings } from '../../infra/local/aws/call.ts';
import { storedBytes } from '../../shared/platform/data/stored-bytes.ts';
import { everyItem } from '../support/every-item.ts';

/** Items whose number grows with the business, by table and what their keys match. */
const kinds = {
  policy: ['policies', 'pk', /#POLICY$/],
  policyTransaction: ['policies', 'pk', /#TRANSACTION#/],
  license: ['registryrecords', 'sk', /^LICENSE#/],
  event: ['outbox', 'sk', /^EVENT#/],
  delivery: ['webhooks', 'pk', /#DELIVERY#/],
  saleReceipt: ['salereceipts', 'pk', /./],
} as const;

/** Average bytes of items of each kind, as DynamoDB counts them. */
export async function itemSizes(database: Access): Promise<MeasuredCosts['itemBytes']> {
  const client = new DynamoDBClient(clientSettings(database));
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const sizes = Object.entries(kinds).map(async ([kind, [table, key, pattern]]) => {
    const name = TableNames.find((physical) => physical.includes(`${table}Table`)) ?? table;
    const items = (await everyItem(client, name)).filter((item) => pattern.test(String(item[key])));
    const bytes = items.map((item) => storedBytes(marshall(item, { removeUndefinedValues: true })));
    return [kind, Math.round(bytes.reduce((sum, one) => sum + one, 0) / bytes.length)] as const;
  });
  return Object.fromEntries(await Promise.all(sizes)) as Record<keyof typeof kinds, number>;
}
