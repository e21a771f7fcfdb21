import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { paginateListTables } from '@aws-sdk/client-dynamodb';
import { everyItem } from '../support/every-item.ts';
import { admin, call, importOutcome, newOrganization, officeAddress } from '../support/local-api.ts';
import { runDatabase } from '../support/run-database.ts';
import { storedTexts } from '../support/stored-texts.ts';

describe('logs', () => {
  /** Everything that any function has logged so far, by function. */
  async function logs(): Promise<Map<string, string>> {
    const directory = process.env['TEST_LOGS'] ?? '';
    const names = await readdir(directory);
    return new Map(
      await Promise.all(
        names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as [string, string]),
      ),
    );
  }

  const linesOf = (text: string): Record<string, unknown>[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  /** Logs are written by other threads; a line may take a moment. */
  async function eventually(check: () => Promise<void>): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await check();
      } catch (error) {
        if (attempt === 1_000) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  it('a request logs one line: what it was, who made it, and which version served it for how long', async () => {
    const { bearer, organizationId, clientId } = await newOrganization('upstreamEntity');
    const { json } = await call('GET', '/v2/upstream/policies?riskStateCode=TX', { headers: bearer });
    await eventually(async () => {
      const lines = linesOf((await logs()).get('policies.log') ?? '');
      expect(lines.filter(({ requestId }) => requestId === json['requestId'])).toEqual([
        expect.objectContaining({
          level: 'INFO',
          event: 'request',
          method: 'GET',
          route: '/v2/upstream/policies',
          operationId: 'listPolicies',
          routeClass: 'list',
          version: '1',
          status: 200,
          durationMs: expect.any(Number),
          organizationId,
          credentialId: clientId,
        }),
      ]);
    });
  });

  it('an import logs a line with the position in the file and the counts', async () => {
    const { organizationId } = await newOrganization('upstreamEntity');
    const lines = [{ type: 'nothing' }, { type: 'policy', policyNumber: 'L-1', riskStateCode: 'TX' }];
    const outcome = await importOutcome(organizationId, lines, { firstLine: 501 });
    expect(outcome).toMatchObject({ imported: 1, rejected: [{ line: 501 }] });
    await eventually(async () => {
      expect(linesOf((await logs()).get('import.log') ?? '')).toContainEqual(
        expect.objectContaining({
          event: 'operator_command',
          command: 'import',
          outcome: 'done',
          organizationId,
          firstLine: 501,
          imported: 1,
          importedByType: { policy: 1 },
          rejected: 1,
        }),
      );
    });
  });

  it('no log contains a secret, a token, a body, a name, or an address', async () => {
    const { organizationId } = await admin('create-organization', {
      name: 'Unmistakable Mutual',
      category: 'upstreamEntity',
    });
    const { clientId = '', clientSecret = '' } = await admin('create-api-client', {
      organizationId,
      name: 'Unmistakable client',
    });
    const { token = '' } = await admin('create-restricted-access-token', {
      organizationId,
      name: 'Unmistakable token',
      ipAddresses: [officeAddress],
    });
    await importOutcome(organizationId, [
      {
        type: 'policy',
        policyNumber: 'UNMISTAKABLE-1',
        riskStateCode: 'TX',
        insuredEntityName: 'Unmistakable Roofing',
      },
      { type: 'policy', policyNumber: 'UNMISTAKABLE-2', unmistakable: true },
    ]);
    const exchanged = await call('POST', '/v2/auth/jwt', { body: { clientId, clientSecret } });
    const { accessToken } = exchanged.json['data'] as { accessToken: string };
    await call('POST', '/v2/auth/jwt', { body: { clientId, clientSecret: 'unmistakable-wrong-secret' } });
    const headers = { authorization: `Bearer ${accessToken}` };
    await call('GET', '/v2/upstream/policies?policyNumber=UNMISTAKABLE-1', { headers });
    await call('GET', '/v2/upstream/policies?unmistakable=UNMISTAKABLE-3', { headers });
    await call('GET', '/v2/upstream/policies', {
      headers: { 'x-restricted-access-token': token },
      from: '203.0.113.77',
    });
    const quotes = await Promise.all(
      ['', '&npn=none', '&misspelt=UNMISTAKABLE-4'].map((more) => {
        const named =
          'externalId=UNMISTAKABLE-5&productCode=UNMISTAKABLE-6&producerCode=UNMISTAKABLE-7&stateCode=TX';
        return call('GET', `/v2/upstream/sale-checks?${named}${more}`, { headers });
      }),
    );
    expect(quotes.map(({ status }) => status)).toEqual([200, 400, 400]);
    const last = await call('GET', '/v2/heartbeat');

    await eventually(async () => {
      const found = await logs();
      expect(found.get('auth.log')).toContain(last.json['requestId']);
      for (const { json } of quotes) expect(found.get('sale-checks.log')).toContain(json['requestId']);
    });
    const text = [...(await logs()).values()].join('\n');
    for (const secret of [clientSecret, token, accessToken, 'wrong-secret', '203.0.113.77']) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/Unmistakable (Mutual|client|token|Roofing)|UNMISTAKABLE-\d/);
  });
});

describe('secrets at rest', () => {
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
});
