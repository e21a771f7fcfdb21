import { randomBytes, randomInt } from 'node:crypto';
import { addDays, newYorkDate } from '../../shared/platform/dates/calendar.ts';
import { agent, license, transaction } from '../support/import-lines.ts';
import { call, importRecords, newOrganization } from '../support/local-api.ts';

const id = (): string => randomBytes(12).toString('hex');

it('lists the policies of a carrier with what is due, and adds them up', async () => {
  const carrier = await newOrganization('upstreamEntity');
  const [entityId, associationId, agentId, productId] = [id(), id(), id(), id()];
  const npn = String(randomInt(1_000_000_000, 2_000_000_000));
  const today = newYorkDate(new Date());
  const sold = {
    policyTransactionDate: today,
    effectiveDate: today,
    premiumAmountInUSD: 100.1,
    productCode: 'CGL',
  };
  await importRecords(
    carrier.organizationId,
    { type: 'downstream-entity', _id: entityId, npn, legalName: 'Lone Star Brokerage' },
    { type: 'association', _id: associationId, downstreamEntityId: entityId },
    agent({ _id: agentId, npn, downstreamEntityAssociationIds: [associationId] }),
    license({ npn }),
    {
      type: 'compliance-config',
      productId,
      productName: 'GL',
      productCode: 'CGL',
      states: [{ stateCode: 'TX', appointment: 'on binding', appointWithinDays: 30 }],
    },
    transaction('MATCHED', { ...sold, agentNpn: npn, upstreamDownstreamAssociationId: associationId }),
    transaction('BY-NPN', { ...sold, agencyNpn: npn, agentNpn: npn, entityMatchStatus: 'user confirmed' }),
    transaction('UNMATCHED', sold),
  );
  const asked = async (path: string) =>
    (await call('GET', `/v2/upstream/${path}`, { headers: carrier.bearer })).json['data'];
  const judged = {
    upstreamDownstreamAssociationId: associationId,
    complianceStatus: 'COMPLIANT',
    appointmentStatus: { statusName: 'Appointment on Binding' },
  };
  expect(await asked('policy-compliance-statuses')).toMatchObject([
    { policyNumber: 'MATCHED', ...judged, agents: [{ agentId, complianceStatus: 'COMPLIANT' }] },
    { policyNumber: 'BY-NPN', ...judged },
    { policyNumber: 'UNMATCHED', complianceStatus: null, upstreamDownstreamAssociationId: null },
  ]);
  expect(await asked('policy-compliance-summary')).toMatchObject({
    policies: 3,
    premiumAmountInUSD: 300.3,
    groups: [
      { complianceStatus: 'COMPLIANT', policies: 2, premiumAmountInUSD: 200.2 },
      { complianceStatus: null, policies: 1, premiumAmountInUSD: 100.1 },
    ],
  });
  const due = { party: 'agency', downstreamEntityAssociationId: associationId, dueOn: addDays(today, 30) };
  expect(await asked('appointments-due')).toMatchObject([
    { policyNumber: 'MATCHED', ...due },
    { policyNumber: 'MATCHED', ...due, party: 'agent', agentId },
    { policyNumber: 'BY-NPN', ...due },
    { policyNumber: 'BY-NPN', ...due, party: 'agent', agentId },
  ]);

  const preview = await call('POST', `/v2/upstream/compliance-configs/${productId}/preview`, {
    headers: carrier.bearer,
    body: { states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'required' }] },
  });
  const after = { appointmentStatus: { statusName: 'Not Appointed' } };
  expect(preview.json['data']).toMatchObject([
    { party: 'agent', agentId, policies: 2, after },
    { party: 'agency', downstreamEntityAssociationId: associationId, policies: 2, after },
  ]);
});
