import * as fc from 'fast-check';
import { runs } from '../support/extent.ts';
import { type Fault, withFaults } from '../support/faults.ts';
import {
  changed,
  entity,
  events,
  eventTypes,
  id,
  importWithEvents,
  inputs,
} from '../support/import-events-tests.ts';
import { agent, associationWith as association, license } from '../support/import-lines.ts';

it('agents emit exactly one event per change, whatever fails and is imported again', async () => {
  const expected: string[] = [];
  let held: string | undefined;
  const record = fc.record({
    firstName: fc.constantFrom('Maria', 'Marie'),
    externalId: fc.constantFrom('A', null),
    isDeleted: fc.boolean(),
  });
  const faults = fc.array(fc.constantFrom<Fault>('none', 'before', 'after'), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(record, faults, async ({ isDeleted, ...fields }, faultsInTurn) => {
      const line = agent({ ...fields, ...(isDeleted ? { isDeleted } : {}) });
      for (const fault of [...faultsInTurn, 'none' as const]) {
        const faultOf = (command: string) => (command === 'TransactWriteItemsCommand' ? fault : 'none');
        await withFaults(faultOf, () => importWithEvents(line)).catch(() => undefined);
      }
      const says = isDeleted ? undefined : JSON.stringify(fields);
      if (says !== undefined && says !== held) expected.push(held === undefined ? 'CREATED' : 'UPDATED');
      held = says;
    }),
    runs(3),
  );
  expect(await eventTypes()).toEqual(expected.map((word) => `AGENT_${word}`));
});

it.each(['before', 'after'] as const)(
  'a change of an agency emits one event for each of 12 associations, even if a call fails %s it takes effect',
  async (fault) => {
    const entityId = id();
    const ids = Array.from({ length: 12 }, id);
    await importWithEvents(
      entity(entityId),
      ...ids.map((_id, index) => association(_id, entityId, { branchName: `${index}` })),
    );
    const changed = entity(entityId, { legalName: `Renamed ${fault}` });
    // The failing call is a later one each time, until the import is over before it: each of the first, and then fewer.
    for (let at = 1; ; at += 1 + Math.floor(at / 4)) {
      let call = 0;
      const faultOf = () => {
        call += 1;
        return call === at ? fault : 'none';
      };
      const outcome = await withFaults(faultOf, () => importWithEvents(changed)).catch(() => undefined);
      if (outcome !== undefined && call < at) break;
    }
    const updates = (await events()).filter(({ type }) => type === 'DOWNSTREAM_ENTITY_UPDATED');
    expect(updates.map(({ entityId: about }) => about).sort()).toEqual([...ids].sort());
  },
);

it('licenses are looked at once for a change, even if the import fails; once more if an earlier import is recorded later', async () => {
  const records = Array.from({ length: 120 }, (_, index) => license({ licenseNumber: String(index) }));
  let transactions = 0;
  const faultOf = (command: string) => {
    if (command !== 'TransactWriteItemsCommand') return 'none';
    transactions += 1;
    return transactions === 1 ? 'before' : transactions === 2 ? 'after' : 'none';
  };
  await expect(withFaults(faultOf, () => importWithEvents(...records))).rejects.toThrow('broke off');
  await Promise.all([importWithEvents(...records), importWithEvents(...records)]);
  const looks = await inputs();
  expect([1, 2]).toContain(looks.length);
  for (const look of looks) expect(look).toEqual(changed('8123456'));
});
