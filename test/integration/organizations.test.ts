import * as z from 'zod/mini';
import { createCarrierIdentityOf } from '#domain/compliance/store.ts';
import { createEventItems } from '#domain/events/outbox.ts';
import { associationsTable, outboxTable, tablesOf } from '#domain/tables.ts';
import type { OrganizationCategory } from '#platform/contract/route.ts';
import { itemsOf, tableOf } from '#platform/data/table.ts';
import { organizationsTable } from '#platform/data/table-design.ts';
import { createOrganizations, hashSecret } from '#platform/identity/organizations.ts';
import {
  createOrganizationAdministration,
  createUpdateOrganization,
} from '../../functions/admin/organizations.ts';
import { commandsOn } from '../support/admin.ts';
import { add, context } from '../support/associations-tests.ts';
import { eventsIn } from '../support/events.ts';
import { everyItem } from '../support/every-item.ts';
import { withInterruption, withLostAnswer } from '../support/faults.ts';
import { createTable, dynamo } from '../support/tables.ts';

const settings = { category: 'upstreamEntity', subscription: 'active', planCeiling: 1 } as const;

describe('organizations', () => {
  const created = z.looseObject({ organizationId: z.string() });

  /** The table with two carriers of like names, and what operators do with it. */
  async function twoCarriers() {
    const table = await createTable(organizationsTable);
    const organizations = createOrganizationAdministration(
      tableOf(organizationsTable, dynamo, table),
      () => new Date(),
    );
    const prairie = await organizations.create({ ...settings, features: [], name: 'Prairie Mutual' });
    const other = await organizations.create({ ...settings, features: [], name: 'Great Prairie Fire' });
    return { organizations, prairie, other };
  }

  test('an operator finds an organization by a part of its name', async () => {
    const { organizations, prairie, other } = await twoCarriers();
    const found = async (name: string) => (await organizations.byName(name)).map((one) => one.organizationId);
    expect(await found('prairie m')).toEqual([prairie.organizationId]);
    expect(await found('PRAIRIE')).toEqual([other.organizationId, prairie.organizationId]);
    expect(await found('Acme')).toEqual([]);
  });

  test('an operator sets how a carrier’s answers are judged, within bounds', async () => {
    const run = commandsOn({
      organizations: await createTable(organizationsTable),
      associations: await createTable(associationsTable),
      outbox: await createTable(outboxTable),
    });
    const { organizationId } = z.parse(
      created,
      await run('create-organization', { name: 'Lakeshore', category: 'upstreamEntity' }),
    );
    const update = (settings: object) => run('update-organization', { organizationId, ...settings });
    const settings = { policiesNameAgents: false, verifiedWithinDays: 365 };
    expect(await update(settings)).toMatchObject(settings);
    expect(await update({ verifiedWithinDays: null })).toMatchObject({ verifiedWithinDays: null });
    for (const verifiedWithinDays of [0, 366, 1.5]) {
      await expect(update({ verifiedWithinDays })).rejects.toMatchObject({
        details: { issues: [{ path: 'verifiedWithinDays' }] },
      });
    }
  });

  test('an operator lists an organization’s credentials, revoked ones too, without secrets', async () => {
    const { organizations, prairie, other } = await twoCarriers();
    const { organizationId } = prairie;
    const { clientId, clientSecret } = await organizations.createClient(organizationId, 'nightly job');
    const { tokenId, token } = await organizations.createToken(organizationId, 'office', ['198.51.100.7']);
    await organizations.createClient(other.organizationId, 'another’s');
    await organizations.revokeClient(clientId);
    const credentials = await organizations.credentialsOf(organizationId);
    expect(credentials).toEqual([
      {
        kind: 'API client',
        ...{ clientId, name: 'nightly job', createdAt: expect.any(String), revokedAt: expect.any(String) },
      },
      {
        kind: 'restricted access token',
        ...{ tokenId, name: 'office', ipAddresses: ['198.51.100.7'], createdAt: expect.any(String) },
      },
    ]);
    await expect(organizations.credentialsOf('0'.repeat(24))).rejects.toMatchObject({
      errorType: 'not_found',
    });
    const text = JSON.stringify(credentials);
    for (const secret of [clientSecret, token]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(hashSecret(secret));
    }
  });

  test('a token is revoked by its value, as it leaked, and the answer says whose it was', async () => {
    const { organizations, prairie } = await twoCarriers();
    const { organizationId } = prairie;
    const { tokenId, token } = await organizations.createToken(organizationId, 'office', []);
    const { clientId } = await organizations.createClient(organizationId, 'nightly job');
    const whose = { organizationId };
    expect(await organizations.revokeTokenValue(token)).toEqual({ ...whose, tokenId, name: 'office' });
    expect(await organizations.revokeToken(tokenId)).toEqual({ ...whose, tokenId, name: 'office' });
    expect(await organizations.revokeClient(clientId)).toEqual({ ...whose, clientId, name: 'nightly job' });
    const revoked = await organizations.credentialsOf(organizationId);
    expect(revoked.map((one) => one.revokedAt)).toEqual([expect.any(String), expect.any(String)]);
    await expect(organizations.revokeTokenValue('rat_unknown')).rejects.toMatchObject({
      reason: 'not_found',
    });
  });

  test('an operator’s record is created once and returned if the database’s response is lost', async () => {
    const table = await createTable(organizationsTable);
    const organizations = createOrganizationAdministration(
      tableOf(organizationsTable, dynamo, table),
      () => new Date(),
    );
    const values = { ...settings, name: 'Test' };
    const { organizationId } = await withLostAnswer(() => organizations.create({ ...values, features: [] }));
    expect(
      await createOrganizations(tableOf(organizationsTable, dynamo, table)).find(organizationId),
    ).toMatchObject(values);
    const { clientId } = await withLostAnswer(() => organizations.createClient(organizationId, 'Test'));
    const { tokenId } = await withLostAnswer(() => organizations.createToken(organizationId, 'Test', []));
    await organizations.revokeClient(clientId);
    await organizations.revokeToken(tokenId);
    // An organization, a client, a token, and the token's item by id.
    expect(await everyItem(dynamo, table)).toHaveLength(4);
  });
});

describe('organization identity', () => {
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
    ).create({ ...settings, name: 'Beacon', category, features: [] });
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
    expect(await events()).toMatchObject([{ type: 'COMPLIANCE_INPUTS_CHANGED', payload: {} }]);
  });

  test('two changes at once are both made', async () => {
    const { organizationId, update, events } = await setup('upstreamEntity');
    await withInterruption(
      (command) => command === 'GetItemCommand',
      () => update(organizationId, { naicCodes: ['19437'] }),
      () => update(organizationId, { eins: ['75-1234567'] }),
    );
    expect(await update(organizationId, {})).toMatchObject({ naicCodes: ['19437'], eins: ['75-1234567'] });
    expect(await events()).toHaveLength(2);
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
    expect(await carrier.update(carrier.organizationId, { planCeiling: 5 })).toMatchObject({
      planCeiling: 5,
    });
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
});
