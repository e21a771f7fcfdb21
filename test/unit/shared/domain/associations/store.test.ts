import { DynamoDBClient, GetItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { createAssociationStore } from '#domain/associations/store.ts';
import { associationKeys, type StoredAssociation } from '#domain/associations/stored.ts';
import { associationsTable } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { tableOf } from '#platform/data/table.ts';
import { retryOnConflict } from '#platform/data/transact.ts';
import { canceled } from '../../../../support/aws-errors.ts';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn().mockResolvedValue(undefined) }));

/** What an emulator does not do: have every transaction meet another one. */
const dynamo = mockClient(DynamoDBClient);
const store = createAssociationStore(
  tableOf(associationsTable, new DynamoDBClient({ region: 'us-east-1' }), 't'),
);

const at = '2026-07-01T12:00:00.000Z';
const after: StoredAssociation = {
  _id: '64b000000000000000000001',
  upstreamEntityId: '64b000000000000000000002',
  downstreamEntityId: '64b000000000000000000003',
  externalId: null,
  producerCode: null,
  branchName: null,
  parentDownstreamEntityAssociationId: null,
  status: 'active',
  agency: { npn: null, legalName: 'Lone Star Brokerage', ein: null, isNpnRequired: false, isDeleted: false },
  relationship: 'r',
  isDeleted: false,
  version: 0,
  createdAt: at,
  updatedAt: at,
};

const save = (planCeiling?: number) =>
  store.save(
    {
      before: undefined,
      after,
      now: new Date(at),
      upstreamEntityName: 'Carrier',
      ...(planCeiling === undefined ? {} : { planCeiling }),
    },
    [],
  );

beforeEach(() => {
  dynamo.reset();
  dynamo.on(TransactWriteItemsCommand).rejects(canceled('TransactionConflict'));
  dynamo.on(GetItemCommand).resolves({});
  const Key = toItem(associationKeys.count(after.upstreamEntityId));
  dynamo.on(GetItemCommand, { Key }).resolves({ Item: toItem({ liveCount: 3 }) });
});

test('an association that keeps conflicting with others of its carrier is refused if the plan is full', async () => {
  await expect(save(3)).rejects.toMatchObject({ reason: 'plan_limit_reached' });
});

test('with room in the plan it is a conflict, after which the caller decides again', async () => {
  await expect(save(4)).rejects.toMatchObject({
    name: 'VersionConflict',
    cause: { name: 'TransactionContention' },
  });
});

test('without a plan limit it is contention', async () => {
  await expect(save()).rejects.toMatchObject({ name: 'TransactionContention' });
});

test('attempts at the same association are limited in one place, with five calls each', async () => {
  const work = jest.fn(() => save(4));
  await expect(retryOnConflict(work, { attempts: 3 })).rejects.toMatchObject({
    name: 'TransactionContention',
  });
  expect(work).toHaveBeenCalledTimes(3);
  expect(dynamo.commandCalls(TransactWriteItemsCommand)).toHaveLength(3 * 5);
});
