import { DynamoDBClient, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { admin, call, newOrganization } from '../support/local-api.ts';

/** The database itself, past every check, to spoil a record in it. */
const database = new DynamoDBClient({
  endpoint: process.env['TEST_DYNAMODB'] ?? '',
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

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
  const { TableNames = [] } = await database.send(new ListTablesCommand({}));
  await database.send(
    new PutItemCommand({
      TableName: TableNames.find((name) => name.includes('policiesTable')),
      // The last of the list, and no policy.
      Item: {
        pk: { S: `${organizationId}#POLICY` },
        sk: { S: 'spoilt' },
        listKey: { S: organizationId },
        policyNumber: { S: 'Z' },
      },
    }),
  );
  return organization;
};

it('a list that fails at once is answered 500 in the error shape', async () => {
  const { bearer } = await organizationWithPolicies(1);
  const { status, json } = await call('GET', '/v2/upstream/policies', { headers: bearer });
  expect(status).toBe(500);
  expect(json).toMatchObject({ errorType: 'internal_server_error' });
}, 20_000);

it.each(['identity', 'gzip'])(
  'a list that fails midway breaks off (%s), and never looks complete',
  async (encoding) => {
    const { bearer } = await organizationWithPolicies(1_100);
    const response = await fetch(`${process.env['TEST_BASE_URL']}/v2/upstream/policies`, {
      headers: { ...bearer, 'accept-encoding': encoding },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  },
  30_000,
);
