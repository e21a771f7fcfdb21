import { deliveryIdOf } from '../../shared/domain/webhooks/deliveries.ts';
import { drainWithinSeconds } from '../../shared/domain/webhooks/drain-item.ts';
import type { DrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { readDueEntry } from '../../shared/domain/webhooks/due-entries.ts';
import { wantedForSeconds } from '../../shared/domain/webhooks/wake.ts';
import { databaseCalls } from '../support/tables.ts';
import { newContext } from '../support/webhooks-tests.ts';

describe('fan-out', () => {
  test('stores a delivery for each subscribed webhook, with a due entry and a message for each active one', async () => {
    const context = newContext();
    const active = await context.webhook('/fan/active');
    const disabled = await context.webhook('/fan/disabled', { isActive: false, disabledReason: 'x' });
    const other = await context.webhook('/fan/other', { types: ['DOCUMENT_UPLOADED'] });
    const event = await context.event();
    const { inSequence } = await databaseCalls(() => context.fanOut(event));
    // Read the webhooks; write the deliveries, then their entries; read who drains them, and write that they are wanted.
    expect(inSequence).toBe(5);
    expect(await context.delivery(event.eventId, active)).toMatchObject({
      status: 'pending',
      nextAttemptAt: context.now().toISOString(),
      event: { entityId: event.entityId, sequence: event.sequence },
    });
    expect(await context.delivery(event.eventId, disabled)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
    });
    expect(await context.delivery(event.eventId, other)).toBeUndefined();
    const entries = await context.entries(active);
    expect(entries.map(({ pk, sk }) => readDueEntry({ pk: String(pk), sk: String(sk) }))).toEqual([
      {
        dueAt: context.now().toISOString(),
        deliveryId: deliveryIdOf(event.eventId, active._id),
        attempt: 1,
      },
    ]);
    expect(await context.entries(disabled)).toEqual([]);
    expect(context.memory.waiting.map(({ message }) => message)).toEqual([
      { owner: context.owner, webhookId: active._id, queue: 'healthy' },
    ]);
  });

  test('sends one message for a batch, and none while one is on its way', async () => {
    const context = newContext();
    const webhook = await context.webhook('/fan/batch');
    const newEvents = () => Promise.all([context.event(), context.event(), context.event()]);
    await context.fanOut(await newEvents());
    expect(context.memory.waiting).toHaveLength(1);
    const { calls } = await databaseCalls(async () => context.fanOut(await context.event()));
    expect(context.memory.waiting).toHaveLength(1);
    expect(calls).not.toContain('UpdateItemCommand');
    context.advance(wantedForSeconds * 1_000);
    await context.fanOut(await context.event());
    expect(context.memory.waiting).toHaveLength(2);
    await context.drain();
    expect(await context.entries(webhook)).toEqual([]);
    expect(context.got('/fan/batch')).toHaveLength(5);
  });

  test('is made up for by the schedule if the queue does not take the message', async () => {
    const context = newContext();
    const webhook = await context.webhook('/fan/unsent');
    const broken: DrainQueues = { send: () => Promise.reject(new Error('no queue')) };
    const before = context.now().getTime();
    await expect(context.fanOut(await context.event(), { queues: broken })).rejects.toThrow('no queue');
    await context.drain();
    expect(await context.entries(webhook)).toEqual([]);
    expect(context.got('/fan/unsent')).toHaveLength(1);
    expect(context.now().getTime() - before).toBeLessThanOrEqual((drainWithinSeconds + 60) * 1_000);
  });

  test.each<[string, unknown, readonly string[]]>([
    ['one state', { stateCode: 'TX' }, ['all', 'TX', 'TX or LA']],
    ['another state', { stateCode: 'OK' }, ['all']],
    ['no state', { npn: '17654321' }, ['all', 'TX', 'TX or LA']],
    [
      'several states',
      [{ products: [{ states: [{ stateCode: 'OK' }, { stateCode: 'LA' }] }] }],
      ['all', 'TX or LA'],
    ],
  ])('sends an event that names %s where the filter of states has it', async (_, payload, expected) => {
    const context = newContext();
    const filters = {
      all: null,
      TX: { stateCodes: ['TX'] },
      'TX or LA': { stateCodes: ['TX', 'LA'] },
    } as const;
    const webhooks = await Promise.all(
      Object.entries(filters).map(async ([name, filter]) => ({
        name,
        webhook: await context.webhook(`/fan/${name}`, {
          filter: filter && { stateCodes: [...filter.stateCodes] },
        }),
      })),
    );
    const event = { ...(await context.event()), payload };
    await context.fanOut(event as Awaited<ReturnType<typeof context.event>>);
    const sent = await Promise.all(
      webhooks.map(async ({ name, webhook }) =>
        (await context.delivery(event.eventId, webhook)) === undefined ? [] : [name],
      ),
    );
    expect(sent.flat()).toEqual(expected);
  });

  test('delivers a duplicate event once', async () => {
    const context = newContext();
    const webhook = await context.webhook('/fan/twice');
    const event = await context.event();
    await Promise.all([context.fanOut(event), context.fanOut(event), context.fanOut(event)]);
    await context.drain();
    await context.fanOut(event);
    expect(context.memory.waiting).toEqual([]);
    expect(await context.entries(webhook)).toEqual([]);
    expect(context.got('/fan/twice')).toHaveLength(1);
    expect((await context.delivery(event.eventId, webhook))?.attempts).toHaveLength(1);
  });
});
