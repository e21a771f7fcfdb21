import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { jobsOf } from '../../shared/domain/registry-reconciliation/jobs.ts';
import { reconcile, reconcileAll } from '../../shared/domain/registry-reconciliation/reconcile.ts';
import { registryKeys, subscriptionIdOf } from '../../shared/domain/registry-records/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { StoredItemError } from '../../shared/platform/data/stored.ts';
import { JobUnfinished } from '../../shared/platform/queue/scheduled-jobs.ts';
import {
  action,
  at,
  carrier,
  deps,
  failures,
  otherCarrier,
  polled,
  reconcileOn,
  registered,
  subscribe,
  tables,
} from '../support/registry-records-tests.ts';
import { dynamo } from '../support/tables.ts';

const npns = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

beforeEach(async () => {
  for (const npn of npns) {
    await subscribe(npn);
    registered.set(npn, { actions: [action()] });
  }
});

test('a subscriber that cannot be read stops neither the others of its NPN nor other NPNs', async () => {
  await subscribe('1', otherCarrier);
  await dynamo.send(
    new UpdateItemCommand({
      TableName: tables.registryRecords,
      Key: toItem(registryKeys.subscription(carrier, subscriptionIdOf(carrier, '1'))),
      UpdateExpression: 'SET entityModel = :unknown',
      ExpressionAttributeValues: toItem({ ':unknown': 'unknown' }),
    }),
  );
  expect(await reconcileOn(2)).toMatchObject({ npns: 9, added: 9, failed: 1 });
  expect(failures).toEqual([expect.any(StoredItemError)]);
  // Its job is retried, and only its NPN is polled again.
  polled.length = 0;
  const [job] = jobsOf(npns, { asOf: at(2), startedAt: at(2), position: 0 });
  await expect(job && reconcile(job, deps())).rejects.toThrow(JobUnfinished);
  expect(polled).toEqual(['1']);
});

test('a job that fails as a whole stops none of the others', async () => {
  const whole = deps();
  const totals = await reconcileAll(at(2), {
    ...whole,
    npns: {
      ...whole.npns,
      async *waiting(reason, shard) {
        if (reason !== 'NEW' || shard > 0) return;
        yield npns.map((npn) => ({ npn, since: '' }));
        yield [{ npn: '10', since: '' }];
      },
      notPolledSince: async (some, time) => {
        if (some.includes('10')) throw new Error('Not now.');
        return whole.npns.notPolledSince(some, time);
      },
    },
  });
  expect(totals).toMatchObject({ npns: 10, added: 9, failed: 1 });
  expect(failures).toHaveLength(1);
});
