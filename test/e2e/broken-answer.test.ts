import { QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import { writesOf } from '../../shared/platform/data/table.ts';
import { admin, call, importRecords, newOrganization } from '../support/local-api.ts';
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

it('a record that cannot be read answers 500 in the error shape', async () => {
  const { bearer } = await organizationWithPolicies(1);
  const { status, json } = await call('GET', `/v2/upstream/policies/${unreadable}`, { headers: bearer });
  expect(status).toBe(500);
  expect(json).toMatchObject({ errorType: 'internal_server_error' });
});

it.each(['identity', 'gzip'])(
  'a list whose last page has a record that cannot be read breaks off (%s)',
  async (encoding) => {
    const response = await fetch(`${process.env['TEST_BASE_URL']}/v2/upstream/policies`, {
      headers: { ...twoPages.bearer, 'accept-encoding': encoding },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  },
);

it('an operator repairs a webhook and a file document that cannot be read', async () => {
  const { organizationId, bearer: headers } = await newOrganization('upstreamEntity');
  const body = { url: 'https://receiver.example/', types: ['AGENT_CREATED'] };
  const { json: webhook } = await call('POST', '/v2/upstream/webhooks', { headers, body });
  const { json: file } = await call('POST', '/v2/upstream/file-documents', {
    headers,
    body: {
      category: 'Surplus Lines',
      fileName: 'affidavit.pdf',
      contentType: 'application/pdf',
      sizeInBytes: 99,
    },
  });
  const ids = [webhook, file].map(({ data }) => String((data as { readonly _id: unknown })._id));
  const [webhookId, fileDocumentId] = ids;
  const places = [
    {
      table: 'webhooks',
      path: 'webhooks',
      pk: `${organizationId}#WEBHOOK`,
      sk: webhookId,
      broken: 200,
      member: 'updatedAt',
      value: '2026-03-01T12:00:00.000Z',
    },
    {
      table: 'file-documents',
      path: `file-documents/${fileDocumentId}`,
      pk: `${organizationId}#DOCUMENT`,
      sk: fileDocumentId,
      broken: 500,
      member: 'category',
      value: 'Surplus Lines',
    },
  ];
  for (const { table, path, pk, sk, broken, member, value } of places) {
    await database.send(
      new UpdateItemCommand({
        TableName: await physicalName(database, table),
        Key: toItem({ pk, sk }),
        UpdateExpression: 'SET #member = :broken',
        ExpressionAttributeNames: { '#member': member },
        ExpressionAttributeValues: toItem({ ':broken': 'long ago' }),
      }),
    );
    const read = () => call('GET', `/v2/upstream/${path}`, { headers });
    const unread = await read();
    expect(unread.status).toBe(broken);
    expect(JSON.stringify(unread.json)).not.toContain(`"_id":"${sk}"`);
    const members = { [member]: value };
    const repair = { command: 'repair-item', input: { table, pk, sk, members } };
    expect(await admin('import', repair)).toEqual({ repaired: [member] });
    expect(JSON.stringify((await read()).json)).toContain(`"_id":"${sk}"`);
  }
});
