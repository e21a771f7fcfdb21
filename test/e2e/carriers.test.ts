import * as z from 'zod/mini';
import { carrier as carrierSchema } from '#domain/carriers/catalog.ts';
import { type AnyEvent, anyEvent } from '#domain/events/event.ts';
import { features } from '#platform/contract/route.ts';
import { endWindows } from '../support/compliance-windows.ts';
import { appointment, license as licenseLine, product } from '../support/import-lines.ts';
import {
  admin,
  adminAnswer,
  call,
  importRecords,
  newOrganization,
  type Organization,
} from '../support/local-api.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

describe('carriers', () => {
  const path = '/v2/upstream/carriers';

  const page = z.strictObject({
    items: z.array(z.strictObject(carrierSchema.shape)),
    total: z.number(),
    page: z.number(),
    limit: z.number(),
    totalPages: z.number(),
  });

  let organization: Organization;

  beforeAll(async () => {
    // No feature but public_api is needed.
    organization = await newOrganization('upstreamEntity', {
      features: features.filter((feature) => feature === 'public_api'),
    });
  });

  const list = async (query = '') => {
    const { status, json } = await call('GET', `${path}${query}`, { headers: organization.bearer });
    expect(status).toBe(200);
    return z.parse(page, json['data']);
  };

  describe('the list of carriers', () => {
    it('has the page envelope, with 50 per page by default', async () => {
      const { items, total, ...rest } = await list();
      expect(rest).toEqual({ page: 1, limit: 50, totalPages: Math.ceil(total / 50) });
      expect(items).toHaveLength(Math.min(total, 50));
      expect(total).toBeGreaterThanOrEqual(3);
    });

    it.each([['part of a NAIC code, spaces around it', '?search=%20%201078%20']])(
      'is searched by %s',
      async (_, query) => {
        expect(await list(query)).toMatchObject({
          items: [{ name: 'Harborline Surplus Insurance Company', naicCode: '10786' }],
          total: 1,
        });
      },
    );
  });

  it('a NAIC code belongs to one carrier until that carrier is deleted', async () => {
    const importCarriers = (...records: object[]) =>
      admin('import', {
        firstLine: 1,
        lines: records.map((record) => JSON.stringify({ type: 'carrier', ...record })),
      });
    const one = { _id: 'c0ffee000000000000000001', name: 'E2e One', naicCode: 'E2E-1' };
    const two = { _id: 'c0ffee000000000000000002', name: 'E2e Two', naicCode: 'E2E-1' };
    expect(await importCarriers(one)).toMatchObject({ imported: 1, rejected: [] });
    expect(await importCarriers(two)).toMatchObject({
      imported: 0,
      rejected: [{ line: 1, issues: [{ path: 'naicCode' }] }],
    });
    expect(await importCarriers({ ...one, isDeleted: true }, two)).toMatchObject({
      imported: 2,
      rejected: [],
    });
  });
});

describe('carrier identity', () => {
  const npn = '8123988';
  const agentId = 'a'.repeat(24);
  const productId = 'b'.repeat(24);

  it('an organization’s NAIC codes and EINs decide whose appointments count, and a change is sent', async () => {
    const { organizationId, bearer: headers } = await newOrganization('upstreamEntity');
    const receiver = await startReceiver(() => 204);
    const received = (): AnyEvent[] => receiver.got.map(({ body }) => z.parse(anyEvent, JSON.parse(body)));
    try {
      const body = { url: receiver.url('/hooks'), types: ['AGENT_COMPLIANCE_STATUS_CHANGE'] };
      expect((await call('POST', '/v2/upstream/webhooks', { headers, body })).status).toBe(201);
      await importRecords(
        organizationId,
        { type: 'agent', _id: agentId, npn, firstName: 'Maria', lastName: 'Delgado' },
        licenseLine({ npn, stateCode: 'TX', licenseNumber: '1', nextRenewalDate: '2999-01-01' }),
        appointment({
          npn,
          carrierName: 'Beacon Specialty Insurance Company',
          companyCode: '19437',
          ein: '75-1234567',
          status: 'Appointed',
        }),
        product(productId, {
          productName: 'General Liability',
          states: [{ stateCode: 'TX', appointment: 'required' }],
        }),
      );
      const path = `/v2/upstream/agents/${agentId}/license-compliance-statuses?stateCode=TX&productId=${productId}`;
      const status = async () => {
        const { json } = await call('GET', path, { headers });
        const [row] = json['data'] as { appointmentStatus: { statusName: string } }[];
        return row?.appointmentStatus.statusName;
      };
      // It is called Test and has no codes: the appointment is another insurer's.
      expect(await status()).toBe('Not Appointed');

      const since = new Date();
      expect(await admin('update-organization', { organizationId, naicCodes: ['19437'] })).toMatchObject({
        naicCodes: ['19437'],
        eins: [],
      });
      expect(await status()).toBe('Appointed');
      await endWindows(organizationId, [npn], since);
      await until(() => received().length > 0);
      expect(received()).toMatchObject([
        {
          webhookType: 'AGENT_COMPLIANCE_STATUS_CHANGE',
          payload: [
            {
              agentId,
              products: [
                {
                  productId,
                  states: [
                    {
                      stateCode: 'TX',
                      complianceStatus: 'COMPLIANT',
                      appointmentStatus: { statusName: 'Appointed' },
                    },
                  ],
                },
              ],
            },
          ],
        },
      ]);

      await admin('update-organization', { organizationId, naicCodes: ['22314'] });
      expect(await status()).toBe('Not Appointed');
      await admin('update-organization', { organizationId, eins: ['751234567'] });
      expect(await status()).toBe('Appointed');

      const configs = '/v2/upstream/compliance-configs';
      const states = [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'required' }];
      const replace = (insurers: object) =>
        call('PUT', `${configs}/${productId}`, {
          headers,
          body: { productName: 'General Liability', states, ...insurers },
        });
      const listed = async () => (await call('GET', configs, { headers })).json['data'];
      const written = { productId, productName: 'General Liability', states };
      expect(await replace({ carrierNaicCodes: ['10847'] })).toMatchObject({ status: 200 });
      expect(await listed()).toMatchObject([{ ...written, carrierNaicCodes: ['10847'] }]);
      expect(await status()).toBe('Not Appointed');
      expect(await replace({ carrierNaicCodes: ['19437', '10847'] })).toMatchObject({ status: 200 });
      expect(await status()).toBe('Appointed');
      expect(await replace({ carrierNaicCodes: [] })).toMatchObject({ status: 400 });
      expect(await replace({})).toMatchObject({ status: 200 });
      expect(await listed()).toMatchObject([written]);
      expect(await status()).toBe('Appointed');
    } finally {
      await receiver.close();
    }
  });

  it.each([
    ['an EIN of eight digits', { eins: ['75-123456'] }, 'eins[0]'],
    ['an empty code', { naicCodes: [''] }, 'naicCodes[0]'],
    [
      'a code that counts on no day',
      { naicCodes: ['19437', { code: '22314', from: '2026-01-02', until: '2026-01-01' }] },
      'naicCodes[1].until',
    ],
  ])('refuses %s', async (_, identity, path) => {
    const created = { name: 'Test', category: 'upstreamEntity', ...identity };
    expect(await adminAnswer('create-organization', created)).toMatchObject({
      ok: false,
      error: { errorType: 'validation_error', details: { issues: [{ path }] } },
    });
  });
});
