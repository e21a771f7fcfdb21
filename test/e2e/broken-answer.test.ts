import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { writesOf } from '#platform/data/table.ts';
import { importRecords, newOrganization } from '../support/local-api.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';

/** DynamoDB Local without the permission check, to write many policies and an invalid record. */
const database = runDatabase();

const unreadable = 'f'.repeat(24);

const organizationWithPolicies = async (count: number) => {
  const organization = await newOrganization('upstreamEntity');
  const { organizationId } = organization;
  const numberOf = (index: number) => `P-${String(index).padStart(5, '0')}`;
  await importRecords(organizationId, { type: 'policy', policyNumber: numberOf(0), riskStateCode: 'TX' });
  const TableName = await physicalName(database, 'policies');
  const pk = `${organizationId}#POLICY`;
  const { Items: [imported = {}] = [] } = await database.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: toItem({ ':pk': pk }),
    }),
  );
  const others = Array.from({ length: count - 1 }, (_, index) => {
    const _id = newObjectId(new Date());
    return { ...unmarshall(imported), sk: _id, _id, policyNumber: numberOf(index + 1) };
  });
  // The last of the list, and not a policy.
  const invalid = { pk, sk: unreadable, listKey: organizationId, policyNumber: 'Z' };
  await writesOf(database, TableName).putAll([...others, invalid]);
  return organization;
};

/** Its list takes two pages of the database. */
let twoPages: Awaited<ReturnType<typeof organizationWithPolicies>>;

beforeAll(async () => {
  twoPages = await organizationWithPolicies(1_100);
});

it.each([
  ['application/json', 'identity'],
  ['application/json', 'gzip'],
  ['text/csv', 'identity'],
  ['text/csv', 'gzip'],
])(
  'a list whose last page has a record that cannot be read breaks off (%s, %s)',
  async (accept, encoding) => {
    const response = await fetch(`${process.env['TEST_BASE_URL']}/v2/upstream/policies`, {
      headers: { ...twoPages.bearer, accept, 'accept-encoding': encoding },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain(accept);
    await expect(response.text()).rejects.toThrow('terminated');
  },
);
