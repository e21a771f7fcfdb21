import { randomUUID } from 'node:crypto';
import { paginateListTables } from '@aws-sdk/client-dynamodb';
import { everyItem } from '../support/every-item.ts';
import { call, newOrganization } from '../support/local-api.ts';
import { runDatabase } from '../support/run-database.ts';
import { storedTexts } from '../support/stored-texts.ts';

/** Everything that someone who reads all tables could find. */
async function everyStoredText(): Promise<string[]> {
  const client = runDatabase();
  const texts: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    for (const table of TableNames) texts.push(...storedTexts(await everyItem(client, table)));
  }
  return texts;
}

it('whoever reads all tables finds no webhook secret, no invitation link, and no idempotency key', async () => {
  const carrier = await newOrganization('upstreamEntity');
  const keys: string[] = [];
  const post = async (path: string, body: object) => {
    const key = randomUUID();
    keys.push(key);
    const { status, json } = await call('POST', path, {
      headers: { ...carrier.bearer, 'idempotency-key': key },
      body,
    });
    expect(status).toBeLessThan(300);
    return json['data'] as Readonly<Record<string, string>>;
  };

  const webhooks = '/v2/upstream/webhooks';
  const created = await post(webhooks, { url: 'https://example.com/hooks', types: ['CONTRACT_SIGNED'] });
  const rotated = await post(`${webhooks}/${created['_id']}/rotate-secret`, {});
  const { url = '' } = await post('/v2/upstream/downstream-entity-associations/invite', {
    downstreamEntityName: 'Lone Star Brokerage',
    firstName: 'Ana',
    lastName: 'Reyes',
    category: 'agency',
    isNpnRequired: false,
    email: `${randomUUID()}@lonestar.example`,
  });
  const token = new URL(url).searchParams.get('token') ?? '';
  const secrets = [created['secret'], rotated['secret'], token, ...keys].map(String);
  // Not the prefix that all secrets have, but what makes them secret.
  const hidden = secrets.map((secret) => secret.replace('whsec_', '').slice(0, 30));
  expect(hidden.filter((text) => text.length >= 30)).toHaveLength(6);

  const texts = await everyStoredText();
  // The search finds what is there.
  expect(texts.some((text) => text.includes(String(created['_id'])))).toBe(true);
  expect(hidden.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
});
