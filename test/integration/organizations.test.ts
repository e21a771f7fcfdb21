import * as z from 'zod/mini';
import { createOrganizationSearch } from '../../functions/admin/organization-search.ts';
import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { createRecordUse } from '../../shared/platform/identity/credential-uses.ts';
import { hashSecret } from '../../shared/platform/identity/credentials.ts';
import { createOrganizations } from '../../shared/platform/identity/organizations.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { rateCountersTable } from '../../shared/platform/request/tables.ts';
import { commandsOn } from '../support/admin.ts';
import { everyItem } from '../support/every-item.ts';
import { withLostAnswer } from '../support/faults.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTable, dynamo } from '../support/tables.ts';

const created = z.looseObject({
  organizationId: z.string(),
  notes: z.optional(z.array(z.unknown())),
});

const settings = {
  category: 'upstreamEntity',
  features: [],
  subscription: 'active',
  planCeiling: 1,
} as const;

const usedAt = new Date('2026-11-26T09:00:00.000Z');

/** The table with two carriers of like names, and what operators do with it. */
async function twoCarriers() {
  const table = await createTable(organizationsTable);
  const rateCounters = tableOf(rateCountersTable, dynamo, await createTable(rateCountersTable));
  const organizations = createOrganizationAdministration(
    tableOf(organizationsTable, dynamo, table),
    () => new Date(),
  );
  const prairie = await organizations.create({ ...settings, features: [], name: 'Prairie Mutual' });
  const other = await organizations.create({ ...settings, features: [], name: 'Great Prairie Fire' });
  return {
    organizations,
    search: createOrganizationSearch(tableOf(organizationsTable, dynamo, table), rateCounters),
    recordUse: createRecordUse(rateCounters, () => usedAt, recordingLogger()),
    prairie,
    other,
  };
}

test('an operator finds an organization by a part of its name', async () => {
  const { search, prairie, other } = await twoCarriers();
  const found = async (name: string) => (await search.byName(name)).map((one) => one.organizationId);
  expect(await found('prairie m')).toEqual([prairie.organizationId]);
  expect(await found('PRAIRIE')).toEqual([other.organizationId, prairie.organizationId]);
  expect(await found('Acme')).toEqual([]);
});

test('an operator is told of other organizations of the same name, which may be the same one', async () => {
  const run = commandsOn({
    organizations: await createTable(organizationsTable),
    associations: await createTable(associationsTable),
    outbox: await createTable(outboxTable),
  });
  const create = (name: string) => run('create-organization', { name, category: 'upstreamEntity' });
  const first = z.parse(created, await create('Lakeshore Mutual'));
  expect(first.notes).toBeUndefined();
  const note = (organizationId: string) => ({
    organizationId,
    message: 'Another organization has this name.',
  });
  const second = z.parse(created, await create('LAKESHORE Mutual'));
  expect(second.notes).toEqual([note(first.organizationId)]);
  expect(z.parse(created, await create('Lakeshore')).notes).toBeUndefined();
  const renaming = (name: string) =>
    run('update-organization', { organizationId: second.organizationId, name });
  expect(await renaming('Lakeshore Fire')).toMatchObject({ name: 'Lakeshore Fire' });
  expect(await renaming('Lakeshore Fire')).not.toHaveProperty('notes');
  expect(await renaming('Lakeshore Mutual')).toMatchObject({
    name: 'Lakeshore Mutual',
    notes: [note(first.organizationId)],
  });
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
  const { organizations, search, recordUse, prairie, other } = await twoCarriers();
  const { organizationId } = prairie;
  const { clientId, clientSecret } = await organizations.createClient(organizationId, 'nightly job');
  const { tokenId, token } = await organizations.createToken(organizationId, 'office', ['198.51.100.7']);
  await organizations.createClient(other.organizationId, 'another’s');
  await organizations.revokeClient(clientId);
  await recordUse(tokenId);
  const credentials = await search.credentialsOf(organizationId);
  expect(credentials).toEqual([
    {
      kind: 'API client',
      ...{ clientId, name: 'nightly job', createdAt: expect.any(String), revokedAt: expect.any(String) },
      lastUsedAt: null,
    },
    {
      kind: 'restricted access token',
      tokenId,
      name: 'office',
      ipAddresses: ['198.51.100.7'],
      createdAt: expect.any(String),
      lastUsedAt: usedAt.toISOString(),
    },
  ]);
  await expect(search.credentialsOf('0'.repeat(24))).rejects.toMatchObject({ errorType: 'not_found' });
  const text = JSON.stringify(credentials);
  for (const secret of [clientSecret, token]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(hashSecret(secret));
  }
});

test('a token is revoked by its value, as it leaked, and the answer says whose it was', async () => {
  const { organizations, search, prairie } = await twoCarriers();
  const { organizationId } = prairie;
  const { tokenId, token } = await organizations.createToken(organizationId, 'office', []);
  const { clientId } = await organizations.createClient(organizationId, 'nightly job');
  const whose = { organizationId, organizationName: 'Prairie Mutual' };
  expect(await organizations.revokeTokenValue(token)).toEqual({ ...whose, tokenId, name: 'office' });
  expect(await organizations.revokeToken(tokenId)).toEqual({ ...whose, tokenId, name: 'office' });
  expect(await organizations.revokeClient(clientId)).toEqual({ ...whose, clientId, name: 'nightly job' });
  const revoked = await search.credentialsOf(organizationId);
  expect(revoked.map((one) => one.revokedAt)).toEqual([expect.any(String), expect.any(String)]);
  await expect(organizations.revokeTokenValue('rat_unknown')).rejects.toMatchObject({ reason: 'not_found' });
});

test('an operator’s record is created once and returned if the database’s response is lost', async () => {
  const table = await createTable(organizationsTable);
  const organizations = createOrganizationAdministration(
    tableOf(organizationsTable, dynamo, table),
    () => new Date(),
  );
  const values = {
    name: 'Test',
    category: 'upstreamEntity',
    features: [],
    subscription: 'active',
    planCeiling: 1,
  } as const;
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
