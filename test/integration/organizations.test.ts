import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import { createOrganizations } from '../../shared/platform/identity/organizations.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { everyItem } from '../support/every-item.ts';
import { withLostAnswer } from '../support/faults.ts';
import { createTable, dynamo } from '../support/tables.ts';

test('an operator’s record is created once and returned if the database’s response is lost', async () => {
  const table = await createTable(organizationsTable);
  const organizations = createOrganizationAdministration(dynamo, table, () => new Date());
  const values = {
    name: 'Test',
    category: 'upstreamEntity',
    features: [],
    subscription: 'active',
    planCeiling: 1,
  } as const;
  const { organizationId } = await withLostAnswer(() => organizations.create({ ...values, features: [] }));
  expect(await createOrganizations(dynamo, table).find(organizationId)).toMatchObject(values);
  const { clientId } = await withLostAnswer(() => organizations.createClient(organizationId, 'Test'));
  const { tokenId } = await withLostAnswer(() => organizations.createToken(organizationId, 'Test', []));
  await organizations.revokeClient(clientId);
  await organizations.revokeToken(tokenId);
  // An organization, a client, a token, and the token's item by id.
  expect(await everyItem(dynamo, table)).toHaveLength(4);
});
