import * as fc from 'fast-check';
import { publish } from '../../functions/event-publisher/publish.ts';
import type { OutboxEvent } from '../../shared/domain/events/stored.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import {
  emit,
  now,
  publishDeps,
  publishWaiting,
  recordingBus,
  stream,
  table,
  waiting,
} from '../support/deferred-events-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { runs } from '../support/extent.ts';
import { type Fault, withFaults } from '../support/faults.ts';
import { dynamo } from '../support/tables.ts';

it('deferred events that break off at any call are all published, each under one number', async () => {
  const entityId = newObjectId(now());
  const ids: string[] = [];
  const events = stream();
  const { bus, accepted } = recordingBus();
  /** Calls of the database until everything is published, with one that breaks off. */
  const publishAll = async (broken: number, fault: Fault): Promise<number> => {
    ids.push(await emit(true, { entityId }), await emit(false, { entityId }));
    let calls = 0;
    const faultNow = (command: string): Fault => {
      if (command === 'ScanCommand') return 'none';
      calls += 1;
      return calls === broken ? fault : 'none';
    };
    await withFaults(faultNow, async () => {
      let left: OutboxEvent[] = [];
      do {
        await publishWaiting(bus).catch(() => undefined);
        left.push(...(await events.next()));
        const { failed } = await publish(left, publishDeps(bus));
        left = left.filter(({ eventId }) => failed.has(eventId));
      } while (left.length + (await waiting()).length > 0);
    });
    return calls;
  };
  const calls = await publishAll(0, 'none');
  for (let broken = 1; broken <= calls; broken += 1) {
    for (const fault of ['before', 'after'] as const) await publishAll(broken, fault);
  }
  const numbers = new Map(accepted.map(({ eventId, sequence }) => [eventId, sequence]));
  expect(ids.map((eventId) => numbers.get(eventId))).toEqual(ids.map((_, index) => index + 1));
  // Nothing says any more of a published event that it was deferred.
  expect((await everyItem(dynamo, table)).filter(({ sk }) => String(sk).startsWith('DEFERRED#'))).toEqual([]);
});

it('numbers follow the order of the changes, whatever is released and published when', async () => {
  const step = fc.constantFrom(
    'request',
    'import',
    'release one',
    'release all',
    'publish one',
    'publish all',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const entityId = newObjectId(now());
      const events = stream();
      await events.next();
      const ids: string[] = [];
      const queue: OutboxEvent[] = [];
      const { bus, accepted } = recordingBus();
      const releaseSome = (count: number) => publishWaiting(bus, count);
      const publishSome = async (count: number): Promise<void> => {
        queue.push(...(await events.next()));
        await publish(queue.splice(0, count), publishDeps(bus));
      };
      for (const one of [...steps, 'release all', 'publish all'] as const) {
        if (one === 'request' || one === 'import') ids.push(await emit(one === 'import', { entityId }));
        else if (one === 'release all') await releaseSome(Number.POSITIVE_INFINITY);
        else if (one === 'release one') await releaseSome(1);
        else await publishSome(one === 'publish one' ? 1 : Number.POSITIVE_INFINITY);
      }
      const numbers = new Map(accepted.map(({ eventId, sequence }) => [eventId, sequence]));
      expect(ids.map((eventId) => numbers.get(eventId))).toEqual(ids.map((_, index) => index + 1));
      expect(accepted).toHaveLength(ids.length);
    }),
    runs(6),
  );
});
