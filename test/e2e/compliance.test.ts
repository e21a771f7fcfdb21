import { randomInt, randomUUID } from 'node:crypto';
import { newId } from '../support/filings.ts';
import { agent, license, product, transaction } from '../support/import-lines.ts';
import {
  admin,
  call,
  importOutcome,
  importRecords,
  newOrganization,
  type Organization,
} from '../support/local-api.ts';

describe('compliance', () => {
  let carrier: Organization;

  const productId = '65f0c1d2e3a4b5c6d7e8f905';
  const tx = { stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' };

  beforeAll(async () => {
    carrier = await newOrganization('upstreamEntity');
    await importRecords(
      carrier.organizationId,
      { type: 'compliance-config', productId, productName: 'General Liability', states: [tx] },
      license({ npn: '17654321', stateCode: 'TX', licenseNumber: '1' }),
    );
  });

  const get = (path: string) => call('GET', path, { headers: carrier.bearer });
  const send = (method: string, path: string, body: object, headers = {}) =>
    call(method, path, { headers: { ...carrier.bearer, ...headers }, body });

  it('what an operator says of a class of licenses for everybody is told to every carrier', async () => {
    // A state in which no suite has licenses, so that no answer changes.
    const said = { stateCode: 'AK', className: 'Class of a test', kind: 'producer' };
    const records = [{ type: 'class-kind', ...said }];
    expect(await importOutcome(undefined, records, { emitEvents: true })).toMatchObject({
      imported: 1,
      rejected: [],
    });
  });

  describe('the carrier’s own lists', () => {
    it('are read whole, narrowed, and followed, as JSON and as a table', async () => {
      const list = '/v2/upstream/licenses';
      const narrowed = `agentId=${productId}&stateCode=TX`;
      const { json, headers } = await get(list);
      expect(json['data']).toMatchObject([{ npn: '17654321', agentId: null, licenseNumber: '1' }]);
      for (const query of [narrowed, `downstreamEntityAssociationId=${productId}`, 'npn=1'])
        expect((await get(`${list}?${query}`)).json['data']).toEqual([]);
      const since = `recordedSince=${headers.get('x-recorded-until')}`;
      expect((await get(`${list}?${since}`)).json['data']).toMatchObject([{ licenseNumber: '1' }]);
      for (const other of ['appointments', 'regulatory-actions'])
        expect(await get(`/v2/upstream/${other}?${since}`)).toMatchObject({ status: 200 });
      const accept = 'text/csv';
      const table = await call('GET', list, { headers: { ...carrier.bearer, accept } });
      expect(table.text.split('\r\n')).toEqual([
        expect.stringMatching(/^npn,agentId,firstName,lastName,/),
        expect.stringMatching(/^17654321,,,,/),
        '',
      ]);
    });
  });

  describe('POST npn-lookup', () => {
    it.each(['/v2/upstream/npn-lookup', '/v1/npn-lookup'])('%s answers each NPN once', async (path) => {
      const { status, json, headers } = await send('POST', path, {
        npns: ['17654321', '8123456', '17654321'],
      });
      expect(status).toBe(200);
      const found = json['data'] as { npn: string; result: string; name: string | null }[];
      expect(found.map(({ npn }) => npn)).toEqual(['17654321', '8123456']);
      for (const { result, name } of found) {
        expect(['firm', 'individual', 'not found']).toContain(result);
        expect(name === null).toBe(result === 'not found');
      }
      expect(headers.get('x-ratelimit-limit')).toBe('60');
    });
  });
});

describe('sale checks', () => {
  it('answers whoever is named by any name, and keeps what was asked with a key', async () => {
    const carrier = await newOrganization('upstreamEntity');
    const [agentId, associationId] = [newId(), newId()];
    const npn = String(randomInt(1_000_000_000, 2_000_000_000));
    await importRecords(
      carrier.organizationId,
      { type: 'association', _id: associationId, downstreamEntity: { legalName: 'Lone Star', npn } },
      agent({ _id: agentId, npn, externalId: 'AGT-1', downstreamEntityAssociationIds: [associationId] }),
      license({ npn }),
      product(newId(), { states: [{ stateCode: 'TX', appointment: 'not required' }] }),
    );
    const named = [
      { seller: { agentId } },
      { seller: { externalId: 'AGT-1' } },
      { seller: { npn }, agency: { npn } },
      { seller: { npn }, agency: { downstreamEntityAssociationId: associationId } },
    ];
    const ask = async (more: object) => {
      const checks = named.map((one) => ({ ...one, product: { productName: 'GL' }, stateCode: 'TX' }));
      return call('POST', '/v2/upstream/sale-checks', {
        headers: { ...carrier.bearer, 'idempotency-key': key },
        body: { checks, ...more },
      });
    };
    const key = randomUUID();
    // A refusal does not use the key up.
    expect((await ask({ asOf: '2999-01-01' })).status).toBe(400);
    const { status, json } = await ask({ receipt: true });
    expect({ status, ...json }).toMatchObject({
      status: 200,
      data: { checks: named.map(() => ({ answer: 'yes' })), receiptId: expect.any(String) },
    });
    expect((await ask({ receipt: true })).json).toEqual(json);
  });

  it('names the writing company, and tells operators what a config asks in vain', async () => {
    const { organizationId, bearer } = await newOrganization('upstreamEntity');
    const npn = String(randomInt(1_000_000_000, 2_000_000_000));
    const productId = newId();
    const associationId = newId();
    await importRecords(
      organizationId,
      { type: 'association', _id: associationId, downstreamEntity: { legalName: 'Lone Star', npn } },
      agent({ npn, downstreamEntityAssociationIds: [associationId] }),
      license({ npn }),
      product(productId, {
        states: [{ stateCode: 'TX', linesOfAuthority: ['no such line'], appointment: 'not required' }],
      }),
      transaction('GL-1', { agencyNpn: npn, agentNpn: npn, productName: 'GL', carrierName: 'Beacon' }),
    );
    const book = await call('GET', '/v2/upstream/policy-compliance-statuses', { headers: bearer });
    expect(book.json['data']).toMatchObject([{ policyNumber: 'GL-1', complianceStatus: 'NOT_COMPLIANT' }]);
    const carrierNaicCode = String(randomInt(10_000, 99_999));
    const check = { seller: { npn }, product: { productId }, stateCode: 'TX', carrierNaicCode };
    const ask = async (more: object) =>
      (
        await call('POST', '/v2/upstream/sale-checks', {
          headers: bearer,
          body: { checks: [check], ...more },
        })
      ).json;
    expect(await ask({})).toMatchObject({
      data: { checks: [{ answer: 'no', company: { carrierNaicCode, name: null } }] },
    });
    const reasons = expect.arrayContaining([expect.objectContaining({ code: 'license_missing' })]) as unknown;
    expect(await ask({ knownAt: '2026-01-01T00:00:00Z' })).toMatchObject({ data: { checks: [{ reasons }] } });
    expect(JSON.stringify(await admin('check-config', { organizationId, productId }))).toContain(
      'no such line',
    );
    expect(await admin('list-unread', { organizationId })).toMatchObject({ unreadable: [] });
  });
});
