import { withFaults } from '../support/faults.ts';
import { entity, events, id, importWithEvents } from '../support/import-events-tests.ts';
import { associationWith as association } from '../support/import-lines.ts';

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
