import { paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { outboxItem } from '../../shared/domain/events/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { addDays, newYorkDate } from '../../shared/platform/dates/calendar.ts';
import { license as licenseLine } from '../support/import-lines.ts';
import { admin, adminAnswer, importRecords, newOrganization } from '../support/local-api.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';

// Past the permission check: what no receiver would get again.
const dynamo = runDatabase();
let outbox = '';
let organizationId: string;

beforeAll(async () => {
  outbox = await physicalName(dynamo, 'outbox');
});

beforeEach(async () => {
  ({ organizationId } = await newOrganization('upstreamEntity'));
});

/** Events of the organization whose types begin so, as they were written. */
async function events(prefix: string) {
  const pages = paginateScan(
    { client: dynamo },
    {
      TableName: outbox,
      FilterExpression: 'begins_with(pk, :owner) AND begins_with(sk, :event) AND begins_with(#type, :type)',
      ExpressionAttributeNames: { '#type': 'type' },
      ExpressionAttributeValues: toItem({ ':owner': organizationId, ':event': 'EVENT#', ':type': prefix }),
    },
  );
  const found = [];
  for await (const { Items = [] } of pages) {
    found.push(...Items.map((item) => z.parse(outboxItem, unmarshall(item))));
  }
  return found.sort((one, other) => (one.occurredAt < other.occurredAt ? -1 : 1));
}

const today = newYorkDate(new Date());
const license = licenseLine({ stateCode: 'TX' });
const agent = { type: 'agent', firstName: 'Maria', lastName: 'Delgado' };
const newAgent = async (npn: string): Promise<string> => {
  const _id = newObjectId(new Date());
  await importRecords(organizationId, { ...agent, _id, npn });
  return _id;
};

it('run-license-sweep emits one event for each license at a boundary', async () => {
  const agentId = await newAgent('71000001');
  await importRecords(
    organizationId,
    {
      type: 'association',
      downstreamEntity: { legalName: 'Lone Star Brokerage', category: 'agency', npn: '71000002' },
    },
    { ...license, npn: '71000001', licenseNumber: '1', nextRenewalDate: addDays(today, 60) },
    { ...license, npn: '71000001', licenseNumber: '2', nextRenewalDate: addDays(today, 59) },
    { ...license, npn: '71000002', licenseNumber: '3', nextRenewalDate: addDays(today, -1) },
    // Nobody's: no event names it.
    { ...license, npn: '71000004', licenseNumber: '4', nextRenewalDate: addDays(today, -1) },
  );
  const { events: first } = await admin('run-license-sweep', { asOf: today });
  expect(Number(first)).toBeGreaterThanOrEqual(2);
  await admin('run-license-sweep', {});
  expect(await events('AGENT_LICENSE')).toMatchObject([
    { type: 'AGENT_LICENSE_EXPIRING', payload: { agentId, licenseNumber: '1', daysUntilExpiration: 60 } },
  ]);
  expect(await events('DOWNSTREAM_ENTITY_LICENSE')).toMatchObject([
    { type: 'DOWNSTREAM_ENTITY_LICENSE_EXPIRED', payload: { licenseNumber: '3', daysUntilExpiration: -1 } },
  ]);
});

it('run-registry-reconciliation emits events for a new action and for its amendment', async () => {
  const npn = '71000003';
  const agentId = await newAgent(npn);
  const action = { stateCode: 'TX', actionId: '9', disposition: 'Warning' };
  const set = (regulatoryActions: object[]) =>
    admin('set-registry-record', { npn, record: { regulatoryActions } });
  await set([action]);
  await admin('run-registry-reconciliation', {});
  await set([{ ...action, disposition: 'Penalty' }]);
  await admin('run-registry-reconciliation', { asOf: new Date().toISOString() });
  await admin('run-registry-reconciliation', {});
  expect(await events('AGENT_REGULATORY_ACTION')).toMatchObject([
    { type: 'AGENT_REGULATORY_ACTION_ADDED', payload: { agentId, actionId: '9', disposition: 'Warning' } },
    {
      type: 'AGENT_REGULATORY_ACTION_UPDATED',
      payload: { changedFields: ['disposition'], previousValues: { disposition: 'Warning' } },
    },
  ]);
});

it('execute-contract signs for one party or both, and emits its events once', async () => {
  const downstreamEntityAssociationId = newObjectId(new Date());
  await importRecords(organizationId, {
    type: 'association',
    _id: downstreamEntityAssociationId,
    downstreamEntity: { legalName: 'Lone Star Brokerage', category: 'agency' },
  });
  const execute = (more: object = {}) =>
    admin('execute-contract', { downstreamEntityAssociationId, ...more });
  expect(await execute({ party: 'upstream' })).toMatchObject({ status: 'open', signedByDownstreamAt: null });
  const executed = await execute();
  expect(executed).toMatchObject({ status: 'executed', contractContainerTemplateId: null });
  expect(await execute()).toEqual(executed);
  expect(await events('CONTRACT_SIGNED')).toHaveLength(1);
  expect(await events('PRODUCER_AGREEMENT_EXECUTED')).toHaveLength(1);
  const unknown = { downstreamEntityAssociationId: newObjectId(new Date()) };
  expect(await adminAnswer('execute-contract', unknown)).toMatchObject({
    ok: false,
    error: { errorType: 'not_found' },
  });
});
