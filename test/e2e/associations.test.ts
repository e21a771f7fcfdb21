import { randomBytes, randomUUID } from 'node:crypto';
import {
  adminAnswer,
  call,
  errorShape,
  importRecords,
  newOrganization,
  type Organization,
} from '../support/local-api.ts';

const path = '/v2/upstream/downstream-entity-associations';
const v1 = '/v1/downstream-entity-associations';
const objectId = (): string => randomBytes(12).toString('hex');

const carrier = (): Promise<Organization> => newOrganization('upstreamEntity');

const dataOf = ({ json }: { readonly json: Readonly<Record<string, unknown>> }) =>
  json['data'] as Record<string, unknown>;
const rowsOf = ({ json }: { readonly json: Readonly<Record<string, unknown>> }) =>
  json['data'] as Record<string, unknown>[];

const draft = {
  downstreamEntityName: 'Hill Country Insurance',
  firstName: 'Ana',
  lastName: 'Reyes',
  email: 'ana.reyes@hill-country.example',
  category: 'agency',
  isNpnRequired: false,
};

const get = (owner: Organization, at: string) => call('GET', at, { headers: owner.bearer });

describe('an agency that is added', () => {
  let owner: Organization;
  let id: string;
  beforeAll(async () => {
    owner = await carrier();
    const body = { ...draft, downstreamEntityNpn: '17654321', isNpnRequired: true, producerCode: 'P-1' };
    const added = await call('POST', `${path}/add`, { headers: owner.bearer, body });
    expect(added.status).toBe(201);
    id = String(dataOf(added)['_id']);
  });

  it.each([path, v1])('is shown under %s, alone and in the list', async (at) => {
    const one = dataOf(await get(owner, `${at}/${id}`));
    expect(one).toMatchObject({
      _id: id,
      status: 'active',
      producerCode: 'P-1',
      registryDataSubscription: null,
      downstreamEntity: { legalName: 'Hill Country Insurance', npn: '17654321' },
    });
    expect(rowsOf(await get(owner, at))).toEqual([one]);
    expect(rowsOf(await get(owner, `${at}?emailDomain=Hill-Country.example`))).toEqual([one]);
  });

  it.each([
    ['downstreamEntityNpn=17654321', 1],
    ['downstreamEntityNpn=1', 0],
    ['email=ANA.REYES@hill-country.example', 1],
    ['email=nobody@hill-country.example', 0],
    ['licenseNumber=none&stateCode=TX', 0],
  ])('is found by its NPN, its contacts and its licenses: %s', async (query, count) => {
    expect(rowsOf(await get(owner, `${v1}?${query}`))).toHaveLength(count);
  });

  it.each(['licenseNumber=1', 'stateCode=TX', 'email=a@example.com&downstreamEntityNpn=1'])(
    'is not looked for by half a filter or two: %s',
    async (query) => {
      const { status, json } = await get(owner, `${path}?${query}`);
      expect(status).toBe(400);
      expect(json).toMatchObject(errorShape(400, 'validation_error'));
    },
  );

  it('carries its contact, who signs in through a link that works once', async () => {
    const asked = Date.now();
    const answer = await get(owner, `${path}/${id}/sign-in-url?email=Ana.Reyes@hill-country.example`);
    const { url, expiresAt } = dataOf(answer);
    const made = Date.parse(String(expiresAt)) - 15 * 60_000;
    // Between question and answer, but for the second that it is given in.
    expect(made).toBeGreaterThan(asked - 1_000);
    expect(made).toBeLessThanOrEqual(Date.now());
    const token = new URL(String(url)).searchParams.get('token');
    expect(await adminAnswer('redeem-one-time-link', { token })).toEqual({
      ok: true,
      result: { purpose: 'sign-in', downstreamEntityAssociationId: id, email: draft.email },
    });
    expect(await adminAnswer('redeem-one-time-link', { token })).toMatchObject({
      ok: false,
      error: { errorType: 'not_found' },
    });
  });

  it('signs no one else in', async () => {
    const { status, json } = await get(owner, `${path}/${id}/sign-in-url?email=someone@else.example`);
    expect(status).toBe(403);
    expect(json).toEqual(
      errorShape(403, 'contact_not_authorized', {
        details: { expected: 'a contact of the association', actual: 'none' },
      }),
    );
  });

  it('is synchronized with the registry once it is asked for: 202 means that the queue has it', async () => {
    const queued = await call('POST', `${v1}/${id}/sync`, { headers: owner.bearer });
    expect(queued.status).toBe(202);
    expect(dataOf(queued)).toMatchObject({
      registryDataSubscriptionId: expect.stringMatching(/^[0-9a-f]{24}$/),
      entityInfo: { status: 'queued', jobId: expect.any(String) },
    });
    const until = Date.now() + 20_000;
    for (;;) {
      const { registryDataSubscription } = dataOf(await get(owner, `${path}/${id}`));
      const { entityInfo } = registryDataSubscription as { entityInfo: { status: string } };
      if (entityInfo.status === 'success') break;
      if (Date.now() > until) throw new Error(`The synchronization is ${entityInfo.status}.`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    for (const records of ['licenses', 'appointments', 'regulatory-actions']) {
      expect((await get(owner, `${path}/${id}/${records}`)).status).toBe(200);
    }
  });

  it('keeps its codes until a PATCH says otherwise', async () => {
    const headers = { ...owner.bearer, 'idempotency-key': randomUUID() };
    const patch = () => call('PATCH', `${path}/${id}`, { headers, body: { externalId: 'E-1' } });
    const first = await patch();
    expect(dataOf(first)).toMatchObject({ externalId: 'E-1', producerCode: 'P-1' });
    const again = await patch();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.json).toEqual(first.json);
  });

  it('gives up a code that is cleared', async () => {
    const body = { externalId: null };
    const cleared = await call('PATCH', `${v1}/${id}`, { headers: owner.bearer, body });
    expect(dataOf(cleared)).toMatchObject({ externalId: null, producerCode: 'P-1' });
  });

  it('gets a branch: another association with the agency that exists', async () => {
    const { downstreamEntity } = dataOf(await get(owner, `${path}/${id}`));
    const { _id: downstreamEntityId } = downstreamEntity as { _id: string };
    const branch = { branchName: 'Waco', parentDownstreamEntityAssociationId: id };
    const body = { ...draft, downstreamEntityId, ...branch };
    const added = await call('POST', `${path}/add`, { headers: owner.bearer, body });
    expect(added.status).toBe(201);
    expect(dataOf(added)).toMatchObject({ downstreamEntity: { _id: downstreamEntityId }, ...branch });
  });

  it('is a 409 when it is added again', async () => {
    const body = { ...draft, downstreamEntityNpn: '17654321', isNpnRequired: true };
    // A refused request is not remembered: the key serves again.
    const headers = { ...owner.bearer, 'idempotency-key': randomUUID() };
    const { status, json } = await call('POST', `${v1}/add`, { headers, body });
    expect(status).toBe(409);
    // Which of the two depends on how many seconds ago it was added.
    const errorType = expect.stringMatching(/^(transient_transaction_error|conflict)$/);
    expect(json).toEqual({ ...errorShape(409, 'conflict'), errorType });
  });
});

describe('the plan ceiling', () => {
  it('refuses the agency that is one too many, whichever way it comes', async () => {
    const owner = await carrier();
    await adminAnswer('update-organization', { organizationId: owner.organizationId, planCeiling: 1 });
    const invited = await call('POST', `${v1}/invite`, { headers: owner.bearer, body: draft });
    expect(invited.status).toBe(201);
    expect(Object.keys(dataOf(invited)).sort()).toEqual(['downstreamEntityAssociationId', 'url']);
    for (const at of [`${path}/add`, `${path}/invite`]) {
      const body = { ...draft, email: 'other@example.com' };
      const { status, json } = await call('POST', at, { headers: owner.bearer, body });
      expect(status).toBe(403);
      expect(json).toEqual(
        errorShape(403, 'invite_limit_reached', {
          details: { expected: 'at most 1 associated agencies', actual: '1' },
        }),
      );
    }
  });
});

describe('compliance', () => {
  it('holds an agency’s records against products and policies', async () => {
    const owner = await carrier();
    const [id, productId] = [objectId(), objectId()];
    const npn = String(10_000_000 + Math.floor(Math.random() * 80_000_000));
    const policy = (policyNumber: string, fields: object) => ({
      type: 'policy-transaction',
      policyNumber,
      policyTransactionType: 'New',
      policyTransactionDate: '2026-01-01',
      riskStateCode: 'TX',
      ...fields,
    });
    await importRecords(
      owner.organizationId,
      { type: 'association', _id: id, downstreamEntity: { legalName: 'Agency', npn } },
      {
        type: 'compliance-config',
        productId,
        productName: 'General Liability',
        states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
      },
      {
        type: 'license',
        npn,
        stateCode: 'TX',
        licenseNumber: '1',
        licenseClassCode: null,
        licenseClassName: null,
        status: 'active',
        residencyStatus: 'resident',
        issueDate: null,
        nextRenewalDate: '2999-01-01',
        expirationDate: null,
        linesOfAuthority: [{ code: '16', name: 'Casualty', status: 'active' }],
      },
      policy('A', { agencyNpn: npn, productName: 'GENERAL liability' }),
      policy('B', { agencyNpn: npn, productName: 'Unknown' }),
      policy('C', { upstreamDownstreamAssociationId: id }),
      policy('D', { agencyNpn: npn, upstreamDownstreamAssociationId: objectId() }),
      policy('E', { agencyNpn: npn, riskStateCode: 'OK' }),
    );
    const query = `stateCode=TX&productId=${productId}`;
    expect(rowsOf(await get(owner, `${path}/${id}/license-compliance-statuses?${query}`))).toEqual([
      {
        npn,
        productId,
        productName: 'General Liability',
        stateCode: 'TX',
        complianceStatus: 'NOT_COMPLIANT',
        licenseStatus: { statusName: 'Licensed' },
        appointmentStatus: { statusName: 'Not Appointed', statusMessages: [expect.any(String)] },
      },
    ]);
    const unknown = await get(
      owner,
      `${v1}/${id}/license-compliance-statuses?stateCode=TX&productId=${objectId()}`,
    );
    expect(unknown.json).toEqual(errorShape(404, 'not_found'));
    const rows = rowsOf(await get(owner, `${v1}/${id}/policy-compliance-statuses`));
    expect(
      rows.map(({ policyNumber, productId: product, complianceStatus }) => [
        policyNumber,
        product,
        complianceStatus,
      ]),
    ).toEqual([
      ['C', null, 'COMPLIANT'],
      ['A', productId, 'NOT_COMPLIANT'],
      ['B', null, 'COMPLIANT'],
      ['E', null, 'NOT_COMPLIANT'],
    ]);
  });

  it.each(['', '?stateCode=TX', `?productId=${objectId()}`])(
    'asks for both stateCode and productId: %s',
    async (query) => {
      const owner = await carrier();
      const { status } = await get(owner, `${path}/${objectId()}/license-compliance-statuses${query}`);
      expect(status).toBe(400);
    },
  );
});

describe('an agency on the platform', () => {
  it('sees the association as a market, and no longer once its entity is another organization’s', async () => {
    const [owner, agency, other] = await Promise.all([
      carrier(),
      newOrganization('downstreamEntity'),
      newOrganization('downstreamEntity'),
    ]);
    const [downstreamEntityId, id] = [objectId(), objectId()];
    const entity = { type: 'downstream-entity', _id: downstreamEntityId, legalName: 'Agency' };
    await importRecords(
      owner.organizationId,
      { ...entity, downstreamOrganizationId: agency.organizationId },
      { type: 'association', _id: id, downstreamEntityId },
    );
    await call('PATCH', `${path}/${id}`, { headers: owner.bearer, body: { producerCode: 'P-9' } });
    const markets = async (of: Organization) =>
      (dataOf(await get(of, '/v2/downstream/markets'))['items'] as Record<string, unknown>[]).map(
        ({ upstreamDownstreamAssociationId, producerCode }) => [
          upstreamDownstreamAssociationId,
          producerCode,
        ],
      );
    expect(await markets(agency)).toEqual([[id, 'P-9']]);
    await importRecords(owner.organizationId, {
      ...entity,
      downstreamOrganizationId: other.organizationId,
    });
    expect(await markets(agency)).toEqual([]);
    expect(await markets(other)).toEqual([[id, 'P-9']]);
  });
});

describe('templates', () => {
  it('are listed while they are active', async () => {
    const owner = await carrier();
    const [active, inactive] = [objectId(), objectId()];
    await importRecords(
      owner.organizationId,
      { type: 'contract-container-template', _id: active, name: 'Producer agreement' },
      { type: 'contract-container-template', _id: inactive, name: 'Former agreement', isActive: false },
    );
    for (const at of ['/v1', '/v2/upstream']) {
      expect(rowsOf(await get(owner, `${at}/contract-container-templates`))).toMatchObject([{ _id: active }]);
    }
  });
});
