import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { policyKeys } from '#domain/policies/stored.ts';
import { policiesTable } from '#domain/tables.ts';
import { changeMark } from '#platform/changes/change-index.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { tableOf, writesOf } from '#platform/data/table.ts';
import { createPolicyStore } from '../../functions/policies/store.ts';
import { type FollowedTables, followedTables, functionsOn } from '../support/followed-lists.ts';
import { organizationsIn } from '../support/organizations.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('updated since streaming', () => {
  const start = new Date('2026-07-01T12:00:00.000Z');
  const changes = 500;

  let tables: FollowedTables;
  let carrier: string;

  beforeAll(async () => {
    tables = await followedTables();
    carrier = await organizationsIn(tables.organizations)();
    const _id = derivedObjectId('first');
    const { importFor } = functionsOn(tables, dynamo, () => start);
    await importFor(carrier, { type: 'policy', _id, policyNumber: 'P', riskStateCode: 'TX' });
    const Key = toItem(policyKeys.policy(carrier, _id));
    const { Item = {} } = await dynamo.send(new GetItemCommand({ TableName: tables.policies, Key }));
    const items = Array.from({ length: changes }, (_, index) => {
      const id = derivedObjectId('policy', String(index));
      const at = new Date(start.getTime() + index);
      return {
        ...unmarshall(Item),
        ...policyKeys.policy(carrier, id),
        _id: id,
        ...changeMark(carrier, id, at),
      };
    });
    await writesOf(dynamo, tables.policies).putAll(items);
  });

  const since = start.toISOString();

  it('the first page is there before a second one is read, however many records changed', async () => {
    const pages = createPolicyStore(tableOf(policiesTable, dynamo, tables.policies)).itemsChangedSince(
      carrier,
      since,
    );
    const { calls, inSequence } = await databaseCalls(async () => {
      for await (const page of pages) {
        expect(page).toHaveLength(100);
        break;
      }
    });
    expect(calls.filter((call) => call === 'BatchGetItemCommand')).toHaveLength(1);
    // The keys of the first page of each partition, those of the next one, and the records.
    expect(inSequence).toBeLessThanOrEqual(3);
  });
});
