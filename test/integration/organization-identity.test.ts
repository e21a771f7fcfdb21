import * as z from 'zod/mini';
import {
  createOrganizationAdministration,
  createUpdateOrganization,
} from '../../functions/admin/organizations.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { formerIdentity } from '../../shared/domain/decision/carrier.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import type { OrganizationCategory } from '../../shared/platform/contract/access.ts';
import { compare } from '../../shared/platform/data/compare.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { itemsOf } from '../../shared/platform/data/table-items.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { add, context } from '../support/associations-tests.ts';
import { eventsIn } from '../support/events.ts';
import { everyItem } from '../support/every-item.ts';
import { withInterruption } from '../support/faults.ts';
import { createTable, dynamo } from '../support/tables.ts';

const identityChange = z.object({ carrierBefore: formerIdentity });

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
  const carrierIdentityOf = createCarrierIdentityOf(tableOf(organizationsTable, dynamo, table));
  return {
    organizationId,
    update,
    events: () => eventsIn(outbox),
    carrierOf: () => carrierIdentityOf(organizationId),
  };
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

test('of two changes at once each ends the identity that it replaced', async () => {
  const { organizationId, update, events } = await setup('upstreamEntity');
  await withInterruption(
    (command) => command === 'GetItemCommand',
    () => update(organizationId, { naicCodes: ['19437'] }),
    () => update(organizationId, { eins: ['75-1234567'] }),
  );
  const ended = (await events()).map(({ payload }) => z.parse(identityChange, payload).carrierBefore);
  const [first, second] = ended.sort((one, other) => compare(one.until, other.until));
  expect([first, second]).toMatchObject([
    { name: 'Beacon', naicCodes: [], eins: [] },
    { name: 'Beacon', naicCodes: ['19437'], eins: [] },
  ]);
  expect(first?.until).not.toBe(second?.until);
});

test('of two names at once the agencies see the one that the carrier has', async () => {
  const carrier = await context.carrier();
  await add(carrier);
  await add(carrier);
  const update = createUpdateOrganization(
    tablesOf(dynamo, context.tables),
    createEventItems(itemsOf(context.tables.outbox)),
    () => new Date(),
  );
  await withInterruption(
    (command) => command === 'QueryCommand',
    () => update(carrier, { name: 'Beacon Mutual' }),
    () => update(carrier, { name: 'Beacon Fire' }),
  );
  const markets = (await everyItem(dynamo, context.tables.associations)).filter(
    ({ upstreamEntityId, upstreamEntityName }) =>
      upstreamEntityId === carrier && upstreamEntityName !== undefined,
  );
  expect(markets.map(({ upstreamEntityName }) => upstreamEntityName)).toEqual([
    'Beacon Mutual',
    'Beacon Mutual',
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

test('a carrier’s settings are those of now, and no change of them has compliance checked', async () => {
  const { organizationId, update, events, carrierOf } = await setup('upstreamEntity');
  expect(await carrierOf()).toMatchObject({ policiesNameAgents: true, verifiedWithinDays: null });
  expect(await update(organizationId, { policiesNameAgents: false, verifiedWithinDays: 7 })).toMatchObject({
    policiesNameAgents: false,
    verifiedWithinDays: 7,
  });
  expect(await carrierOf()).toMatchObject({ policiesNameAgents: false, verifiedWithinDays: 7 });
  await update(organizationId, { verifiedWithinDays: null });
  expect(await carrierOf()).toMatchObject({ policiesNameAgents: false, verifiedWithinDays: null });
  expect(await events()).toEqual([]);
});
