import {
  createOrganizationAdministration,
  createUpdateOrganization,
} from '../../functions/admin/organizations.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import type { OrganizationCategory } from '../../shared/platform/contract/access.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { itemsOf } from '../../shared/platform/data/table-items.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { eventsIn } from '../support/events.ts';
import { createTable, dynamo } from '../support/tables.ts';

const now = () => new Date('2026-07-01T12:00:00.000Z');

async function setup(category: OrganizationCategory) {
  const [table, associations, outbox] = await Promise.all([
    createTable(organizationsTable),
    createTable(associationsTable),
    createTable(outboxTable),
  ]);
  const update = createUpdateOrganization(
    tablesOf(dynamo, { organizations: table, associations }),
    createEventItems(itemsOf(outbox)),
    now,
  );
  const { organizationId } = await createOrganizationAdministration(
    tableOf(organizationsTable, dynamo, table),
    now,
  ).create({
    name: 'Beacon',
    category,
    features: [],
    subscription: 'active',
    planCeiling: 1,
  });
  return { organizationId, update, events: () => eventsIn(outbox) };
}

test('a carrier’s other codes or EINs have everyone’s compliance checked again', async () => {
  const { organizationId, update, events } = await setup('upstreamEntity');
  expect(await update(organizationId, { naicCodes: ['19437'] })).toMatchObject({
    organizationId,
    name: 'Beacon',
    naicCodes: ['19437'],
    eins: [],
    planCeiling: 1,
  });
  expect(await events()).toMatchObject([
    { type: 'COMPLIANCE_INPUTS_CHANGED', upstreamEntityId: organizationId, payload: {} },
  ]);
  expect(await update(organizationId, { eins: ['75-1234567'] })).toMatchObject({
    naicCodes: ['19437'],
    eins: ['75-1234567'],
  });
  expect(await events()).toHaveLength(2);
});

test('so does another name, by which appointments count where there is neither', async () => {
  const { organizationId, update, events } = await setup('upstreamEntity');
  expect(await update(organizationId, { name: 'Beacon Mutual' })).toMatchObject({ name: 'Beacon Mutual' });
  expect(await events()).toMatchObject([
    { type: 'COMPLIANCE_INPUTS_CHANGED', payload: { carrierBefore: { name: 'Beacon', naicCodes: [] } } },
  ]);
});

test('other changes, and those of an agency, concern nobody’s compliance', async () => {
  const carrier = await setup('upstreamEntity');
  expect(await carrier.update(carrier.organizationId, { planCeiling: 5 })).toMatchObject({ planCeiling: 5 });
  expect(await carrier.events()).toEqual([]);
  const agency = await setup('downstreamEntity');
  await agency.update(agency.organizationId, { name: 'Beacon Brokerage', eins: ['75-1234567'] });
  expect(await agency.events()).toEqual([]);
});

test('an organization that does not exist is not made', async () => {
  const { update, events } = await setup('upstreamEntity');
  await expect(update('65f0c1d2e3a4b5c6d7e8f9ff', { naicCodes: ['1'] })).rejects.toMatchObject({
    errorType: 'not_found',
  });
  expect(await events()).toEqual([]);
});
