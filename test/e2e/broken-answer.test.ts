import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { admin, call, newOrganization } from '../support/local-api.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';

/** DynamoDB Local without the permission check, to write an invalid record. */
const database = runDatabase();

const organizationWithPolicies = async (count: number) => {
  const organization = await newOrganization('upstreamEntity');
  const { organizationId } = organization;
  for (let start = 0; start < count; start += 500) {
    const lines = Array.from({ length: Math.min(500, count - start) }, (_, index) =>
      JSON.stringify({
        type: 'policy',
        policyNumber: `P-${String(start + index).padStart(5, '0')}`,
        riskStateCode: 'TX',
      }),
    );
    await admin('import', { organizationId, firstLine: 1, lines });
  }
  await database.send(
    new PutItemCommand({
      TableName: await physicalName(database, 'policies'),
      // The last of the list, and not a policy.
      Item: {
        pk: { S: `${organizationId}#POLICY` },
        sk: { S: 'invalid' },
        listKey: { S: organizationId },
        policyNumber: { S: 'Z' },
      },
    }),
  );
  return organization;
};

/** Its list takes two pages of the database, of which the second fails. */
let failingMidway: Awaited<ReturnType<typeof organizationWithPolicies>>;

beforeAll(async () => {
  failingMidway = await organizationWithPolicies(1_100);
});

it('a list that fails at once answers 500 in the error shape', async () => {
  const { bearer } = await organizationWithPolicies(1);
  const { status, json } = await call('GET', '/v2/upstream/policies', { headers: bearer });
  expect(status).toBe(500);
  expect(json).toMatchObject({ errorType: 'internal_server_error' });
});

it.each(['identity', 'gzip'])(
  'a list that fails midway ends the connection (%s) and never looks complete',
  async (encoding) => {
    const { bearer } = failingMidway;
    const response = await fetch(`${process.env['TEST_BASE_URL']}/v2/upstream/policies`, {
      headers: { ...bearer, 'accept-encoding': encoding },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  },
);
