import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import { exportOrganizations, importOrganizations } from '../../infra/restore/organizations.ts';
import { hashSecret } from '../../shared/platform/identity/credentials.ts';
import { createOrganizationStore } from '../../shared/platform/identity/organization-store.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { createTables, dynamo } from '../support/tables.ts';

// Organizations and credentials, taken from one account to another.

const administration = (table: string) => createOrganizationAdministration(dynamo, table, () => new Date());

async function exported(table: string): Promise<string[]> {
  const found: string[] = [];
  for await (const line of exportOrganizations(dynamo, table)) found.push(line);
  return found;
}

let tables: { readonly lost: string; readonly fresh: string };
let lines: string[];
let organizationId: string;
let client: { readonly clientId: string; readonly clientSecret: string };
let token: { readonly tokenId: string; readonly token: string };

beforeAll(async () => {
  tables = await createTables({ lost: organizationsTable, fresh: organizationsTable });
  const { create, createClient, createToken, revokeClient } = administration(tables.lost);
  const created = await create({
    name: 'Acme',
    category: 'upstreamEntity',
    features: ['public_api', 'policies'],
    subscription: 'active',
    planCeiling: 100,
    naicCodes: ['12345'],
  });
  organizationId = created.organizationId;
  client = await createClient(organizationId, 'Nightly job');
  token = await createToken(organizationId, 'Office', ['192.0.2.1']);
  await revokeClient((await createClient(organizationId, 'Former job')).clientId);
  lines = await exported(tables.lost);
});

it('exports every organization and credential, and no secret', () => {
  expect(lines.map((line) => JSON.parse(line).type).sort()).toEqual([
    'api-client',
    'api-client',
    'organization',
    'restricted-access-token',
  ]);
  expect(lines.join()).not.toContain(client.clientSecret);
  expect(lines.join()).not.toContain(token.token);
});

it('imports them once, and everybody signs in as before', async () => {
  const { lost, fresh } = tables;
  expect(await importOrganizations(dynamo, fresh, lines)).toEqual({ imported: 4, present: 0 });
  expect(await importOrganizations(dynamo, fresh, lines)).toEqual({ imported: 0, present: 4 });
  expect((await exported(fresh)).sort()).toEqual(lines.toSorted());

  const [before, after] = [lost, fresh].map((table) => createOrganizationStore(dynamo, table));
  expect(await after?.findOrganization(organizationId)).toEqual(
    await before?.findOrganization(organizationId),
  );
  expect(await after?.findClient(client.clientId)).toMatchObject({
    secretHash: hashSecret(client.clientSecret),
  });
  await administration(fresh).revokeToken(token.tokenId);
  expect(await after?.findToken(hashSecret(token.token))).toHaveProperty('revokedAt');
});

it('leaves a record as it is that has changed meanwhile, and says which', async () => {
  await expect(importOrganizations(dynamo, tables.fresh, lines)).rejects.toThrow(
    /^0 records were imported, 3 were there:\n {2}line \d: restricted-access-token is in the table and differs$/,
  );
});

it('writes nothing when a line cannot be read', async () => {
  const { empty } = await createTables({ empty: organizationsTable });
  const bad = ['{', '{"type":"license"}', '{"type":"organization"}', '{"type":"api-client","clientId":"c"}'];
  const refused = importOrganizations(dynamo, empty, [...lines, ...bad]);
  await expect(refused).rejects.toThrow(
    'line 6: type must be one of organization, api-client, restricted-access-token',
  );
  await expect(refused).rejects.toThrow('line 5 is not JSON');
  await expect(refused).rejects.toThrow('line 7: organizationId is missing');
  await expect(refused).rejects.toThrow('line 8: organizationId (invalid_type)');
  expect((await dynamo.send(new ScanCommand({ TableName: empty }))).Items).toEqual([]);
});
