import { newObjectId } from '#platform/data/keys.ts';
import { addDays, newYorkDate } from '#platform/dates/dates.ts';
import { license as licenseLine, namedAgency } from '../support/import-lines.ts';
import { admin, call, importRecords, invoke, newOrganization } from '../support/local-api.ts';
import { until } from '../support/until.ts';

// The daily polls of the registry, as the deployed functions make them: by operator command, schedule, and queue.

const today = newYorkDate(new Date());
const license = { stateCode: 'TX', licenseNumber: '4477', licenseClassName: 'Insurance Producer' };
const agent = { type: 'agent', firstName: 'Maria', lastName: 'Delgado' };

/** A new carrier with an agent of this NPN. */
async function carrierWithAgent(npn: string) {
  const { organizationId, bearer: headers } = await newOrganization('upstreamEntity');
  const agentId = newObjectId(new Date());
  await importRecords(organizationId, { ...agent, _id: agentId, npn });
  const licenses = async () =>
    (await call('GET', `/v2/upstream/agents/${agentId}/licenses`, { headers })).json['data'];
  return { organizationId, headers, agentId, licenses };
}

const setLicenses = (npn: string, licenses: readonly object[]) =>
  admin('set-registry-record', { npn, record: { licenses, appointments: [] } });

it('the evening’s dispatch and its queue bring an agency’s own licenses up to date too', async () => {
  const npn = '73000002';
  const { organizationId, bearer: headers } = await newOrganization('downstreamEntity');
  const entityId = newObjectId(new Date());
  await importRecords(
    organizationId,
    namedAgency(entityId, 'Lone Star Brokerage', {
      category: 'agency',
      npn,
      downstreamOrganizationId: organizationId,
    }),
    licenseLine({ npn, ...license, nextRenewalDate: addDays(today, -1) }),
  );
  await setLicenses(npn, [{ ...license, nextRenewalDate: addDays(today, 700) }]);
  await invoke('registry-reconciliation', { task: 'dispatch' });
  await until(async () => {
    const { json } = await call('GET', '/v2/downstream/licenses', { headers });
    return JSON.stringify(json['data']).includes(addDays(today, 700));
  });
});

it('an agent that comes in has the licenses that the registry reports, without anybody asking', async () => {
  const npn = '73000003';
  await setLicenses(npn, [license]);
  const { licenses, headers } = await carrierWithAgent(npn);
  await invoke('registry-reconciliation', { task: 'new-npns' });
  await until(async () => JSON.stringify(await licenses()).includes(license.licenseNumber));
  expect(await licenses()).toMatchObject([{ ...license, npn }]);
  const found = await call('GET', `/v2/upstream/compliance-data-subscriptions?npn=${npn}`, { headers });
  expect(found.json['data']).toMatchObject([
    { entityInfo: { status: 'success' }, lastSynchronizationDate: expect.any(String) },
  ]);
});
