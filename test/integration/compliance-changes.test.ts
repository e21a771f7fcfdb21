import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { heldKey } from '#domain/baselines/baseline.ts';
import { complianceKeys } from '#domain/compliance/stored.ts';
import { createChangeStore } from '#domain/compliance-changes/report.ts';
import { rulesNumber } from '#domain/decision/reasons.ts';
import { eventOf } from '#domain/events/payloads.ts';
import type { License } from '#domain/registry/resources.ts';
import { pack } from '#domain/registry-records/stored-records.ts';
import { tablesOf } from '#domain/tables.ts';
import { writesOf } from '#platform/data/table.ts';
import {
  addAgency,
  addAgent,
  advance,
  agencyNpn,
  agentId,
  agentNpn,
  associationId,
  baselineOf,
  carrier,
  configure,
  deliverChange,
  enqueue,
  events,
  names,
  productId,
  putLicense,
  putLicenses,
  start,
  work,
  worker,
} from '../support/compliance-changes-tests.ts';
import { withInterruption } from '../support/faults.ts';
import { newId } from '../support/filings.ts';
import { sampleLicense } from '../support/sample-records.ts';
import { dynamo } from '../support/tables.ts';

/** The license statuses of the events, in their order. */
const reportedLicenses = async () =>
  (await events()).map(({ payload }) => JSON.stringify(payload).match(/"statusName":"([^"]+)"/)?.[1]);

/** The states of each event, in their order. */
const reportedStates = async () =>
  (await events()).map(({ payload }) =>
    Array.from(JSON.stringify(payload).matchAll(/"stateCode":"(..)"/g), ([, state]) => state),
  );

/** States that ask for a license alone. */
const licensesIn = (...states: readonly License['stateCode'][]) =>
  states.map((stateCode) => ({ stateCode, linesOfAuthority: [], appointment: 'not required' as const }));

/** Has a change of an NPN reported. */
async function reportChange(npn: string): Promise<void> {
  await deliverChange(npn);
  await advance(61);
}

test('a change is emitted a minute later, with what changed, and only once', async () => {
  await putLicense(agentNpn);
  await deliverChange(agentNpn);
  await advance(59);
  expect(await events()).toEqual([]);
  await advance(2);
  const [event, ...others] = await events();
  expect(others).toEqual([]);
  expect(event).toMatchObject({ type: 'AGENT_COMPLIANCE_STATUS_CHANGE', entityId: agentId });
  const whole = { ...event, webhookType: event?.type, sequence: 1 };
  expect(z.parse(eventOf('AGENT_COMPLIANCE_STATUS_CHANGE'), whole).payload).toEqual([
    {
      agentId,
      npn: agentNpn,
      downstreamEntityAssociationIds: [associationId],
      products: [
        {
          productId,
          productName: 'Cargo',
          states: [
            {
              stateCode: 'TX',
              complianceStatus: 'COMPLIANT',
              licenseStatus: { statusName: 'Licensed' },
              appointmentStatus: { statusName: 'Not Required' },
            },
          ],
        },
      ],
    },
  ]);
  await deliverChange(agentNpn);
  await advance(120);
  expect(await events()).toHaveLength(1);
  expect(worker.queue).toEqual([]);
});

test('an agent without registry records emits nothing, and is later compared with that state', async () => {
  await reportChange(agentNpn);
  expect(await events()).toEqual([]);
  await putLicense(agentNpn);
  await reportChange(agentNpn);
  await putLicense(agentNpn, 'inactive');
  await reportChange(agentNpn);
  expect(await reportedLicenses()).toEqual(['Licensed', 'Missing License']);
});

test('further changes extend the window, up to thirty minutes', async () => {
  await putLicense(agentNpn);
  for (let minute = 0; minute < 40; minute += 0.75) {
    await deliverChange(agentNpn);
    await advance(45);
    const due = (await events()).map(({ occurredAt }) => Date.parse(occurredAt) - start);
    if (worker.clock - start < 30 * 60_000) expect(due).toEqual([]);
    else expect(due).toEqual([30 * 60_000]);
  }
  // Each window has one message, however many changes there are.
  expect(worker.queue).toHaveLength(1);
});

test('a message that could not be sent is sent when the change is redelivered', async () => {
  await putLicense(agentNpn);
  worker.send = () => Promise.reject(new Error('broken off'));
  await expect(deliverChange(agentNpn)).rejects.toThrow('broken off');
  worker.send = enqueue;
  await reportChange(agentNpn);
  expect(await events()).toHaveLength(1);
});

test('what follows from an import stays in the queue of imports', async () => {
  await putLicense(agentNpn);
  const payload = { npn: agentNpn };
  await work({ detail: { eventId: randomUUID(), upstreamEntityId: carrier, isImported: true, payload } });
  const [due = {}] = worker.ofImports.splice(0);
  expect(due).toMatchObject({ due: { npn: agentNpn, isImported: true } });
  await work(due);
  expect(worker.ofImports).toEqual([due]);
  expect(worker.queue).toEqual([]);
});

test('a window whose message was lost gets another with the next change', async () => {
  await putLicense(agentNpn);
  await deliverChange(agentNpn);
  worker.queue = [];
  worker.clock += 17 * 60_000;
  await reportChange(agentNpn);
  expect(await events()).toHaveLength(1);
});

test('concurrent workers emit a change once', async () => {
  await putLicense(agentNpn);
  await deliverChange(agentNpn);
  const [next] = worker.queue.splice(0);
  worker.clock = start + 60_000;
  if (next === undefined) throw new Error('There is no message.');
  await Promise.all(Array.from({ length: 6 }, () => work(next.message)));
  expect(await events()).toHaveLength(1);
});

/** Reports what changed, while something else happens before it has read the configs. */
async function reportWhile(happens: () => Promise<void>): Promise<void> {
  await deliverChange(agentNpn);
  worker.clock += 60_000;
  const [next] = worker.queue.splice(0);
  const readsConfigs = (command: string, input: object) =>
    command === 'QueryCommand' && JSON.stringify(input).includes(complianceKeys.config(carrier, '').pk);
  await withInterruption(readsConfigs, happens, () => work(next?.message ?? {}));
}

test('a silent change while another is being reported is not reported with it', async () => {
  await configure(licensesIn('TX', 'OK'));
  await advance(1);
  await putLicense(agentNpn);
  await reportWhile(() => putLicenses(agentNpn, [{ stateCode: 'OK' }], { isSilent: true }));
  expect(await reportedStates()).toEqual([['TX']]);
  await reportChange(agentNpn);
  expect(await events()).toHaveLength(1);
});

test('a change during an emission is emitted with it or after it', async () => {
  await putLicense(agentNpn);
  await reportWhile(async () => {
    await putLicense(agentNpn, 'inactive');
    await deliverChange(agentNpn);
  });
  await advance(61);
  // The license is inactive again by the end of the window: nothing changed.
  expect(await events()).toEqual([]);
});

test('an NPN that no producer or agency of the carrier holds is forgotten', async () => {
  await putLicense('42');
  await reportChange('42');
  expect(await events()).toEqual([]);
  const changes = createChangeStore(tablesOf(dynamo, names).compliance);
  expect(await changes.find(carrier, '42')).toBeUndefined();
  expect(await baselineOf('42')).toBeUndefined();
});

test('A1: an agency that was imported without events is reported when it loses its license', async () => {
  await addAgency();
  await putLicense(agencyNpn, 'active', true);
  await advance(3_600);
  await putLicense(agencyNpn, 'inactive');
  await reportChange(agencyNpn);
  expect(await reportedLicenses()).toEqual(['Missing License']);
});

test('A1: nobody changed the license of an imported agent: on the day after its end the loss is reported', async () => {
  await putLicense(agentNpn, 'active', true);
  worker.clock = Date.parse('2030-01-02T10:00:00.000Z');
  await reportChange(agentNpn);
  expect(await reportedLicenses()).toEqual(['Expired License']);
});

test('what is imported without events is not reported, and a difference that was waiting still is', async () => {
  await configure(licensesIn('TX', 'OK'));
  await advance(1);
  await putLicense(agentNpn);
  await deliverChange(agentNpn);
  // Within the window, of the same state and of nothing else.
  await advance(30);
  await configure(
    [
      { stateCode: 'TX', linesOfAuthority: [], appointment: 'on binding' },
      { stateCode: 'OK', linesOfAuthority: [], appointment: 'on binding' },
    ],
    { isSilent: true },
  );
  await advance(40);
  expect(await reportedStates()).toEqual([['TX']]);
  await reportChange(agentNpn);
  expect(await reportedStates()).toEqual([['TX']]);
});

test('a config imported without events counts upon what was recorded by then, though that is not reported yet', async () => {
  await putLicense(agentNpn);
  await reportChange(agentNpn);
  const before = await events();
  // No answer changes: no line of authority is asked for.
  const line = { ...sampleLicense().linesOfAuthority[0], code: '16' } as License['linesOfAuthority'][number];
  await putLicenses(agentNpn, [{ nextRenewalDate: '2030-01-01', linesOfAuthority: [line] }]);
  await deliverChange(agentNpn);
  await advance(30);
  await configure([{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'not required' }], {
    isSilent: true,
  });
  await advance(61);
  expect(await events()).toEqual(before);
});

test('what a call of a long import writes after a config without events is reported', async () => {
  await reportChange(agentNpn);
  const begunAt = new Date(worker.clock);
  await advance(60);
  // Something else of the agent is reported while the import goes on.
  await putLicenses(agentNpn, [{ stateCode: 'GA', nextRenewalDate: '2030-01-01' }]);
  await reportChange(agentNpn);
  await configure(licensesIn('TX', 'OK'), { isSilent: true });
  await advance(60);
  await putLicenses(agentNpn, [{ stateCode: 'OK', nextRenewalDate: '2030-01-01' }], { begunAt });
  await reportChange(agentNpn);
  expect(await reportedStates()).toEqual([['OK']]);
});

test('there and back within a window is not reported, also where the way back was imported without events', async () => {
  await putLicense(agentNpn, 'active', true);
  await advance(60);
  await putLicense(agentNpn, 'inactive');
  await deliverChange(agentNpn);
  await advance(30);
  await putLicense(agentNpn, 'active', true);
  await advance(60);
  expect(await events()).toEqual([]);
});

test('an agent and an agency with one NPN are reported each by what is asked of them', async () => {
  await addAgency();
  await addAgent(newId(), agencyNpn);
  await configure([
    { stateCode: 'TX', linesOfAuthority: [], appointment: 'required', appointmentOf: 'agency' },
  ]);
  await advance(1);
  await putLicense(agencyNpn);
  await reportChange(agencyNpn);
  const statuses = (await events()).map(({ type, payload }) => [
    type,
    JSON.stringify(payload).match(/"complianceStatus":"(\w+)"/)?.[1],
  ]);
  expect(statuses.sort()).toEqual([
    ['AGENT_COMPLIANCE_STATUS_CHANGE', 'COMPLIANT'],
    ['DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE', 'NOT_COMPLIANT'],
  ]);
});

test('the end of a resident license also changes the states of the holder’s non-resident licenses', async () => {
  await configure(licensesIn('TX', 'GA'));
  const record = (...licenses: readonly Partial<License>[]) =>
    putLicenses(
      agentNpn,
      licenses.map((fields) => ({ nextRenewalDate: null, ...fields })),
    );
  await record({}, { stateCode: 'GA', licenseNumber: 'GA-1', residencyStatus: 'non-resident' });
  await reportChange(agentNpn);
  await record({ status: 'Revoked' });
  await reportChange(agentNpn);
  const [, event] = await events();
  const { payload } = event as unknown as { payload: { products: { states: object[] }[] }[] };
  expect(payload[0]?.products[0]?.states).toMatchObject([
    { stateCode: 'TX', complianceStatus: 'NOT_COMPLIANT', licenseStatus: { statusName: 'Missing License' } },
    {
      stateCode: 'GA',
      complianceStatus: 'NOT_COMPLIANT',
      // No complete statement says that it ended.
      licenseStatus: { statusName: 'License Not Known' },
    },
  ]);
});

describe('a baseline of earlier rules', () => {
  /** When a baseline was made, of what had been recorded before. */
  const reportedAt = new Date(start - 60 * 86_400_000).toISOString();
  const recordedAt = new Date(start - 90 * 86_400_000);

  const npn = '2000000';

  const putLicenseOfClass = (licenseClassName: string, licenseNumber: string, at = new Date(start)) =>
    putLicenses(
      npn,
      [
        {
          licenseClassName,
          licenseClassCode: null,
          licenseNumber,
          nextRenewalDate: null,
          expirationDate: null,
        },
      ],
      { at },
    );

  const heldOf = (status: string) =>
    pack({ [heldKey('agent', productId, 'TX')]: status, [heldKey('agency', productId, 'TX')]: status });

  /** A producer with an adjuster’s license, whom earlier rules reported as compliant. */
  beforeEach(async () => {
    await addAgent(newId(), npn);
    await putLicenseOfClass('Adjuster', '1', recordedAt);
    await writesOf(dynamo, names.compliance).putAll([
      {
        ...complianceKeys.reported(carrier, npn),
        version: 1,
        at: reportedAt,
        knownAt: reportedAt,
        carrier: { name: 'Beacon', naicCodes: [], eins: [] },
        rules: rulesNumber - 1,
        statuses: heldOf('COMPLIANT/Licensed/Not Required'),
      },
    ]);
  });

  it('makes a baseline of earlier rules again silently', async () => {
    await deliverChange(npn);
    await advance(61);
    expect(await events()).toEqual([]);
    expect(await baselineOf(npn)).toMatchObject({
      rules: rulesNumber,
      statuses: heldOf('NOT_COMPLIANT/Wrong License Class/Not Required'),
    });
  });

  it('sends what changed since, by the present rules alone', async () => {
    await putLicenseOfClass('Insurance Producer', '77');
    await deliverChange(npn);
    await advance(61);
    expect((await events()).map(({ payload }) => JSON.stringify(payload))).toEqual([
      expect.stringContaining('"complianceStatus":"COMPLIANT"'),
    ]);
  });
});
