import * as z from 'zod/mini';
import { type AnyEvent, anyEvent } from '#domain/events/payloads.ts';
import { endWindows } from '../support/compliance-windows.ts';
import { appointment, license as licenseLine, product } from '../support/import-lines.ts';
import { admin, adminAnswer, call, importRecords, newOrganization } from '../support/local-api.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

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
