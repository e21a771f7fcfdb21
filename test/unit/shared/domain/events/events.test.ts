import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { exampleEvent } from '#domain/events/example-payloads.ts';
import { createEventItems } from '#domain/events/outbox.ts';
import { eventOf, eventPayloads, webhookTypes } from '#domain/events/payloads.ts';
import { derivedEventId } from '#domain/events/stored.ts';
import { itemsOf } from '#platform/data/table.ts';

const upstream = '65f0c1d2e3a4b5c6d7e8f900';
const entity = '65f0c1d2e3a4b5c6d7e8f910';
const now = new Date('2026-06-01T09:00:00.000Z');

test('there are 18 types, each with a payload of its own', () => {
  expect(webhookTypes).toHaveLength(18);
  expect(Object.keys(eventPayloads).sort()).toEqual([...webhookTypes].sort());
});

test.each(webhookTypes)('the example of %s is an event of that type', (type) => {
  const event = exampleEvent(type, upstream, now);
  expect(z.parse(eventOf(type), event)).toEqual(event);
});

test('an event that does not match its schema is refused before anything is written', () => {
  const steps = createEventItems(itemsOf('outbox'));
  expect(() =>
    steps(
      [
        {
          type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
          upstreamEntityId: upstream,
          entityId: entity,
          payload: { registryDataSubscriptionId: 'no id', npn: '17654321' },
        },
      ],
      now,
    ),
  ).toThrow('ENTITY_COMPLIANCE_DATA_SYNCHRONIZED does not match its schema at registryDataSubscriptionId');
});

test('an event is written once: its transaction item is conditional', () => {
  const [step] = createEventItems(itemsOf('outbox'))(
    [
      {
        type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
        upstreamEntityId: upstream,
        entityId: entity,
        payload: { registryDataSubscriptionId: entity, npn: '17654321' },
      },
    ],
    now,
  );
  expect(step?.write.Put).toMatchObject({
    ConditionExpression: 'attribute_not_exists(#0)',
    ExpressionAttributeNames: { '#0': 'pk' },
  });
  expect(step?.refused(undefined).name).toBe('EventAlreadyEmitted');
});

test('a derived id is a UUID, the same for the same input and different for other input', async () => {
  await fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), fc.string(), (words, other) => {
      const id = derivedEventId(...words);
      expect(z.safeParse(z.uuid(), id).success).toBe(true);
      expect(derivedEventId(...words)).toBe(id);
      expect(derivedEventId(...words, other)).not.toBe(id);
    }),
  );
});
