import { randomInt } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { addDays, newYorkDate } from '#platform/dates/dates.ts';
import { newId } from '../support/filings.ts';
import { agent, license, product, transaction } from '../support/import-lines.ts';
import { call, importRecords, newOrganization, type Organization } from '../support/local-api.ts';

describe('policies', () => {
  let carrier: Organization;

  const policyId = '65f0c1d2e3a4b5c6d7e8f901';
  const transactionId = '65f0c1d2e3a4b5c6d7e8f902';

  const transaction = (policyNumber: string, fields: object = {}) => ({
    type: 'policy-transaction',
    policyNumber,
    policyTransactionType: 'New',
    policyTransactionDate: '2026-01-01',
    riskStateCode: 'TX',
    premiumAmountInUSD: 12_500.5,
    ...fields,
  });

  const get = (path: string) => call('GET', path, { headers: carrier.bearer });

  beforeAll(async () => {
    carrier = await newOrganization('upstreamEntity');
    await importRecords(
      carrier.organizationId,
      {
        type: 'policy',
        _id: policyId,
        policyNumber: 'GL-1',
        riskStateCode: 'TX',
        currentStatus: 'non renewed',
      },
      transaction('GL-1', { _id: transactionId }),
      ...Array.from({ length: 119 }, (_, index) => transaction('GL-1', { uniqueTransactionId: `t${index}` })),
      transaction('GL-2', { riskStateCode: 'CA' }),
      transaction('GL-3'),
    );
  });

  describe('listing policies', () => {
    it('is compressed for a client that accepts gzip, with the same content', async () => {
      const url = `${process.env['TEST_BASE_URL']}/v2/upstream/policies`;
      const { default: http } = await import('node:http');
      const raw = await new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
        http
          .get(url, { headers: { ...carrier.bearer, 'accept-encoding': 'br;q=0.5, gzip' } }, (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk: Buffer) => chunks.push(chunk));
            response.on('end', () =>
              resolve({ encoding: response.headers['content-encoding'], bytes: Buffer.concat(chunks) }),
            );
          })
          .on('error', reject);
      });
      expect(raw.encoding).toBe('gzip');
      const plain = await call('GET', '/v2/upstream/policies', {
        headers: { ...carrier.bearer, 'accept-encoding': 'identity' },
      });
      expect(plain.headers.get('content-encoding')).toBeNull();
      const zipped = JSON.parse(gunzipSync(raw.bytes).toString('utf8')) as { data: unknown };
      expect(zipped.data).toEqual(plain.json['data']);
    });
  });

  describe('reading a policy', () => {
    it('returns the fields as the OpenAPI document spells them', async () => {
      const { status, json } = await get(`/v2/upstream/policies/${policyId.toUpperCase()}`);
      expect(status).toBe(200);
      expect(json['data']).toEqual({
        _id: policyId,
        policyNumber: 'GL-1',
        currentStatus: 'non renewed',
        riskStateCode: 'TX',
        entityMatchStatus: 'unmatched',
        productMatchStatus: 'unmatched',
        transactionCount: 120,
        premiumAmountInUSD: 12_500.5,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
    });
  });

  describe('reading transactions', () => {
    it.each(['/v1/policies', '/v2/upstream/policies'])(
      'pages through %s in the order of arrival',
      async (prefix) => {
        const first = await get(`${prefix}/${policyId}/transactions`);
        expect(first.json['data']).toMatchObject({ total: 120, page: 1, limit: 50, totalPages: 3 });
        const last = await get(`${prefix}/${policyId}/transactions?page=3&limit=50`);
        const { transactions } = last.json['data'] as { transactions: { uniqueTransactionId: string }[] };
        expect(transactions).toHaveLength(20);
        expect(transactions.at(-1)).toMatchObject({
          uniqueTransactionId: 't118',
          policyId,
          dedupResult: 'new',
        });
        const beyond = await get(`${prefix}/${policyId}/transactions?page=9`);
        expect(beyond.json['data']).toMatchObject({ transactions: [], total: 120, page: 9, totalPages: 3 });
      },
    );
  });
});

describe('policy book', () => {
  it('lists the policies of a carrier with what is due, and adds them up', async () => {
    const carrier = await newOrganization('upstreamEntity');
    const [entityId, associationId, agentId, productId] = [newId(), newId(), newId(), newId()];
    const npn = String(randomInt(1_000_000_000, 2_000_000_000));
    const today = newYorkDate(new Date());
    const sold = {
      policyTransactionDate: today,
      effectiveDate: today,
      premiumAmountInUSD: 100.1,
      productCode: 'CGL',
    };
    await importRecords(
      carrier.organizationId,
      { type: 'downstream-entity', _id: entityId, npn, legalName: 'Lone Star Brokerage' },
      { type: 'association', _id: associationId, downstreamEntityId: entityId },
      agent({ _id: agentId, npn, downstreamEntityAssociationIds: [associationId] }),
      license({ npn }),
      product(productId, {
        productCode: 'CGL',
        states: [{ stateCode: 'TX', appointment: 'on binding', appointWithinDays: 30 }],
      }),
      transaction('MATCHED', { ...sold, agentNpn: npn, upstreamDownstreamAssociationId: associationId }),
      transaction('BY-NPN', { ...sold, agencyNpn: npn, agentNpn: npn, entityMatchStatus: 'user confirmed' }),
      transaction('UNMATCHED', sold),
    );
    const asked = async (path: string) =>
      (await call('GET', `/v2/upstream/${path}`, { headers: carrier.bearer })).json['data'];
    const judged = {
      upstreamDownstreamAssociationId: associationId,
      complianceStatus: 'COMPLIANT',
      appointmentStatus: { statusName: 'Appointment on Binding' },
    };
    expect(await asked('policy-compliance-statuses')).toMatchObject([
      { policyNumber: 'MATCHED', ...judged, agents: [{ agentId, complianceStatus: 'COMPLIANT' }] },
      { policyNumber: 'BY-NPN', ...judged },
      { policyNumber: 'UNMATCHED', complianceStatus: null, upstreamDownstreamAssociationId: null },
    ]);
    expect(await asked('policy-compliance-summary')).toMatchObject({
      policies: 3,
      premiumAmountInUSD: 300.3,
      groups: [
        { complianceStatus: 'COMPLIANT', policies: 2, premiumAmountInUSD: 200.2 },
        { complianceStatus: null, policies: 1, premiumAmountInUSD: 100.1 },
      ],
    });
    const due = { party: 'agency', downstreamEntityAssociationId: associationId, dueOn: addDays(today, 30) };
    expect(await asked('appointments-due')).toMatchObject([
      { policyNumber: 'MATCHED', ...due },
      { policyNumber: 'MATCHED', ...due, party: 'agent', agentId },
      { policyNumber: 'BY-NPN', ...due },
      { policyNumber: 'BY-NPN', ...due, party: 'agent', agentId },
    ]);

    const preview = await call('POST', `/v2/upstream/compliance-configs/${productId}/preview`, {
      headers: carrier.bearer,
      body: { states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'required' }] },
    });
    const after = { appointmentStatus: { statusName: 'Not Appointed' } };
    expect(preview.json['data']).toMatchObject([
      { party: 'agent', agentId, policies: 2, after },
      { party: 'agency', downstreamEntityAssociationId: associationId, policies: 2, after },
    ]);
  });

  it('has all renewals of a policy by whoever sold it, also where more are corrected than one write takes', async () => {
    const { organizationId, bearer: headers } = await newOrganization('upstreamEntity');
    const [associationId, first, second] = [newId(), newId(), newId()];
    const npns = new Map([first, second].map((agentId) => [agentId, String(randomInt(1e9, 2e9))]));
    const sale = (month: number, agentId?: string) =>
      transaction('MONTHLY', {
        uniqueTransactionId: `month ${month}`,
        policyTransactionType: month === 0 ? 'New' : 'Renewal',
        policyTransactionDate: new Date(Date.UTC(2016, month, 1)).toISOString().slice(0, 10),
        upstreamDownstreamAssociationId: associationId,
        ...(agentId === undefined ? {} : { agentNpn: npns.get(agentId) }),
      });
    await importRecords(
      organizationId,
      { type: 'association', _id: associationId, downstreamEntity: { legalName: 'Agency', npn: '1' } },
      ...Array.from(npns, ([_id, npn]) =>
        agent({ _id, npn, downstreamEntityAssociationIds: [associationId] }),
      ),
      ...Array.from({ length: 110 }, (_, month) => sale(month, month === 0 ? first : undefined)),
    );
    await importRecords(organizationId, sale(0, second));
    const { json } = await call('GET', '/v2/upstream/policy-sales', { headers });
    const sellers = (json['data'] as { agents: { agentId: string }[] }[]).map(({ agents }) =>
      agents.map(({ agentId }) => agentId),
    );
    expect(sellers).toEqual(Array(110).fill([second]));
  });
});
