import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { agent, license } from '../support/import-lines.ts';
import { admin, call, importRecords, newOrganization } from '../support/local-api.ts';

const id = (): string => randomBytes(12).toString('hex');

it('answers whoever is named by any name, and keeps what was asked with a key', async () => {
  const carrier = await newOrganization('upstreamEntity');
  const [agentId, associationId] = [id(), id()];
  const npn = String(randomInt(1_000_000_000, 2_000_000_000));
  await importRecords(
    carrier.organizationId,
    { type: 'association', _id: associationId, downstreamEntity: { legalName: 'Lone Star', npn } },
    agent({ _id: agentId, npn, externalId: 'AGT-1', downstreamEntityAssociationIds: [associationId] }),
    license({ npn }),
    {
      type: 'compliance-config',
      productId: id(),
      productName: 'GL',
      states: [{ stateCode: 'TX', appointment: 'not required' }],
    },
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

it('names the writing company, and tells operators what a config asks in vain and whose answers other rules changed', async () => {
  const { organizationId, bearer } = await newOrganization('upstreamEntity');
  const npn = String(randomInt(1_000_000_000, 2_000_000_000));
  const productId = id();
  const associationId = id();
  await importRecords(
    organizationId,
    { type: 'association', _id: associationId, downstreamEntity: { legalName: 'Lone Star', npn } },
    agent({ npn, downstreamEntityAssociationIds: [associationId] }),
    license({ npn }),
    {
      type: 'compliance-config',
      productId,
      productName: 'GL',
      states: [{ stateCode: 'TX', linesOfAuthority: ['no such line'], appointment: 'not required' }],
    },
  );
  const carrierNaicCode = String(randomInt(10_000, 99_999));
  const { json } = await call('POST', '/v2/upstream/sale-checks', {
    headers: bearer,
    body: { checks: [{ seller: { npn }, product: { productId }, stateCode: 'TX', carrierNaicCode }] },
  });
  expect(json).toMatchObject({
    data: { checks: [{ answer: 'no', company: { carrierNaicCode, name: null } }] },
  });
  expect(JSON.stringify(await admin('check-config', { organizationId, productId }))).toContain(
    'no such line',
  );
  expect(await admin('rules-changes', { organizationId })).toMatchObject({ changes: [] });
  expect(await admin('list-unread', { organizationId })).toMatchObject({ setAside: [] });
});
