import { agentKeys } from '../../shared/domain/agents/stored.ts';
import { sweepAll } from '../../shared/domain/license-sweep/sweep.ts';
import {
  newSubscription,
  subscriptionIdOf,
  subscriptionItem,
} from '../../shared/domain/registry-records/stored.ts';
import { writesOf } from '../../shared/platform/data/table-writes.ts';
import { appointmentOf, licenseOf } from '../support/agency-records.ts';
import { eventsIn } from '../support/events.ts';
import { recordedItems } from '../support/holders.ts';
import { lookingInto, sweepOnNewTables, sweptShard } from '../support/license-sweep.ts';
import { dynamo } from '../support/tables.ts';

const carrier = '65f0c1d2e3a4b5c6d7e8f900';
const agency = '65f0c1d2e3a4b5c6d7e8f999';
const npn = '17654321';

const shards = new Set([carrier, agency].map((owner) => sweptShard(owner, npn)));

type Records = 'license' | 'appointment';

/**
 * What the sweeps of these days emit of a license or an appointment with that renewal date, with the date that the events
 * name.
 */
async function sweepsOf(kind: Records, date: string, ...days: readonly string[]): Promise<string[]> {
  let morning = new Date();
  const { tables, deps } = await sweepOnNewTables(
    () => morning,
    (error) => {
      throw error;
    },
  );
  const owner = { dataOwnerId: carrier, dataOwnerModel: 'upstreamEntity' } as const;
  const registryDataSubscriptionId = subscriptionIdOf(carrier, npn);
  const holder = { ...agentKeys.npn(carrier, npn), agentId: '65f0c1d2e3a4b5c6d7e8f903' };
  await writesOf(dynamo, tables.agents).putAll([holder]);
  const held = { npn, registryDataSubscriptionId };
  const licenses = kind === 'license' ? [licenseOf({ ...held, nextRenewalDate: date })] : [];
  const appointments =
    kind === 'license'
      ? []
      : ['16', '17'].map((lineOfAuthorityCode) =>
          appointmentOf({ ...held, lineOfAuthorityCode, renewalDate: date }),
        );
  await writesOf(dynamo, tables.registryRecords).putAll([
    subscriptionItem(carrier, newSubscription(owner, npn, null), new Date()),
    ...recordedItems(carrier, { licenses, appointments }),
    ...recordedItems(agency, { appointments }),
  ]);

  const emitted: string[] = [];
  for (const day of days) {
    const before = new Set((await eventsIn(tables.outbox)).map(({ eventId }) => eventId));
    // 05:00 in New York's summer.
    morning = new Date(`${day}T09:00:00.000Z`);
    await sweepAll(morning, { ...deps, store: lookingInto(shards, deps.store) });
    const events = (await eventsIn(tables.outbox)).filter(({ eventId }) => !before.has(eventId));
    emitted.push(
      ...events.map(({ type, payload }) => `${day} ${type} ${Object(payload).nextRenewalDate ?? npn}`).sort(),
    );
  }
  return emitted;
}

const days = ['2027-03-31', '2027-04-01', '2027-04-02'] as const;

// The calendar date that is written counts, whatever time or zone follows it.
test.each([
  ['2027-03-31', '2027-04-01'],
  ['2027-03-31T00:00:00Z', '2027-04-01'],
  ['2027-03-31T23:00:00-04:00', '2027-04-01'],
  ['2027-04-01T03:00:00Z', '2027-04-02'],
])('a license whose renewal date is %s is expired on %s', async (nextRenewalDate, day) => {
  const date = nextRenewalDate.slice(0, 10);
  expect(await sweepsOf('license', nextRenewalDate, ...days)).toEqual([
    `${day} AGENT_LICENSE_EXPIRED ${date}`,
    `${day} COMPLIANCE_INPUTS_CHANGED ${npn}`,
  ]);
});

test.each([
  ['2027-03-31', '2027-04-01'],
  ['2027-04-01T03:00:00Z', '2027-04-02'],
])('the compliance of whoever is appointed until %s is checked on %s, once', async (renewalDate, day) => {
  expect(await sweepsOf('appointment', renewalDate, ...days, '2027-04-02')).toEqual([
    `${day} COMPLIANCE_INPUTS_CHANGED ${npn}`,
  ]);
});
