import { randomUUID } from 'node:crypto';
import { newId } from '../support/filings.ts';
import { license, product, transaction } from '../support/import-lines.ts';
import {
  admin,
  adminAnswer,
  call,
  errorShape,
  importRecords,
  invoke,
  newOrganization,
  type Organization,
} from '../support/local-api.ts';

/** Paths of the routes of associations. */
const path = '/v2/upstream/downstream-entity-associations';
const v1 = '/v1/downstream-entity-associations';

/** A new carrier. */
const carrier = (): Promise<Organization> => newOrganization('upstreamEntity');

/** The record in an answer. */
const dataOf = ({ json }: { readonly json: Readonly<Record<string, unknown>> }) =>
  json['data'] as Record<string, unknown>;
/** The records in an answer. */
const rowsOf = ({ json }: { readonly json: Readonly<Record<string, unknown>> }) =>
  json['data'] as Record<string, unknown>[];

/** Reads as an organization. */
const get = (owner: Organization, at: string) => call('GET', at, { headers: owner.bearer });

const draft = {
  downstreamEntityName: 'Hill Country Insurance',
  firstName: 'Ana',
  lastName: 'Reyes',
  email: 'ana.reyes@hill-country.example',
  category: 'agency',
  isNpnRequired: false,
};

describe('an added agency', () => {
  let owner: Organization;
  let id: string;
  beforeAll(async () => {
    owner = await carrier();
    const body = { ...draft, downstreamEntityNpn: '17654321', isNpnRequired: true, producerCode: 'P-1' };
    const added = await call('POST', `${path}/add`, { headers: owner.bearer, body });
    expect(added.status).toBe(201);
    id = String(dataOf(added)['_id']);
  });

  /** The first poll of the registry makes the subscription, perhaps between two requests. */
  const withoutSubscription = ({ registryDataSubscription: _, ...rest }: Record<string, unknown>) => rest;

  it.each([path, v1])('appears under %s, alone and in the list', async (at) => {
    const one = dataOf(await get(owner, `${at}/${id}`));
    expect(one).toMatchObject({
      _id: id,
      status: 'active',
      producerCode: 'P-1',
      downstreamEntity: { legalName: 'Hill Country Insurance', npn: '17654321' },
    });
    const found = async (query: string) => rowsOf(await get(owner, `${at}${query}`)).map(withoutSubscription);
    expect(await found('')).toEqual([withoutSubscription(one)]);
    expect(await found('?emailDomain=Hill-Country.example')).toEqual([withoutSubscription(one)]);
    expect(await found('?licenseNumber=none&stateCode=TX')).toEqual([]);
  });

  it('has a contact, who can sign in once through a link', async () => {
    const asked = Date.now();
    const answer = await get(owner, `${path}/${id}/sign-in-url?email=Ana.Reyes@hill-country.example`);
    const { url, expiresAt } = dataOf(answer);
    const made = Date.parse(String(expiresAt)) - 15 * 60_000;
    // Between request and response, except that times are in whole seconds.
    expect(made).toBeGreaterThan(asked - 1_000);
    expect(made).toBeLessThanOrEqual(Date.now());
    const token = new URL(String(url)).searchParams.get('token');
    expect(await invoke('link-redemption', { token })).toEqual({
      ok: true,
      result: { purpose: 'sign-in', downstreamEntityAssociationId: id, email: draft.email },
    });
    expect(await adminAnswer('redeem-one-time-link', { token })).toMatchObject({
      ok: false,
      error: { errorType: 'not_found' },
    });
  });

  it('keeps its codes until a PATCH changes or clears them', async () => {
    const headers = { ...owner.bearer, 'idempotency-key': randomUUID() };
    const patch = () => call('PATCH', `${path}/${id}`, { headers, body: { externalId: 'E-1' } });
    const first = await patch();
    expect(dataOf(first)).toMatchObject({ externalId: 'E-1', producerCode: 'P-1' });
    const again = await patch();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.json).toEqual(first.json);
    const cleared = await call('PATCH', `${v1}/${id}`, { headers: owner.bearer, body: { externalId: null } });
    expect(dataOf(cleared)).toMatchObject({ externalId: null, producerCode: 'P-1' });
  });

  it('can have a branch: another association with the same agency', async () => {
    const { downstreamEntity } = dataOf(await get(owner, `${path}/${id}`));
    const { _id: downstreamEntityId } = downstreamEntity as { _id: string };
    const branch = { branchName: 'Waco', parentDownstreamEntityAssociationId: id };
    const body = { ...draft, downstreamEntityId, ...branch };
    const added = await call('POST', `${path}/add`, { headers: owner.bearer, body });
    expect(added.status).toBe(201);
    expect(dataOf(added)).toMatchObject({ downstreamEntity: { _id: downstreamEntityId }, ...branch });
  });
});

describe('an agency on the platform', () => {
  it('show a carrier under the name that an operator corrected, and in its place', async () => {
    const [owner, other, agency] = await Promise.all([
      carrier(),
      carrier(),
      newOrganization('downstreamEntity'),
    ]);
    const downstreamEntityId = newId();
    const entity = { type: 'downstream-entity', _id: downstreamEntityId, legalName: 'Agency' };
    await importRecords(agency.organizationId, entity);
    const association = { type: 'association', downstreamEntityId };
    await importRecords(owner.organizationId, association, { ...association, branchName: 'Austin' });
    await importRecords(other.organizationId, association);
    const names = async () =>
      (dataOf(await get(agency, '/v2/downstream/markets'))['items'] as { upstreamEntityName: string }[]).map(
        ({ upstreamEntityName }) => upstreamEntityName,
      );
    const rename = ({ organizationId }: Organization, name: string) =>
      admin('update-organization', { organizationId, name });
    expect(await rename(owner, 'Aacme')).toMatchObject({ name: 'Aacme' });
    await rename(other, 'Beacon');
    expect(await names()).toEqual(['Aacme', 'Aacme', 'Beacon']);
    await rename(owner, 'Zenith');
    expect(await names()).toEqual(['Beacon', 'Zenith', 'Zenith']);
  });
});

describe('templates', () => {
  it('are listed while active', async () => {
    const owner = await carrier();
    const [active, inactive] = [newId(), newId()];
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

describe('compliance of an association', () => {
  it('compares an agency’s records with products and policies', async () => {
    const owner = await carrier();
    const [id, productId] = [newId(), newId()];
    const npn = String(10_000_000 + Math.floor(Math.random() * 80_000_000));
    await importRecords(
      owner.organizationId,
      { type: 'association', _id: id, downstreamEntity: { legalName: 'Agency', npn } },
      product(productId, {
        productName: 'General Liability',
        states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
      }),
      license({
        npn,
        licenseNumber: '1',
        licenseClassCode: null,
        licenseClassName: 'Insurance Agency',
        issueDate: null,
        nextRenewalDate: '2999-01-01',
        expirationDate: null,
        linesOfAuthority: [{ code: '16', name: 'Casualty', status: 'active' }],
      }),
      transaction('A', { agencyNpn: npn, productName: 'GENERAL liability' }),
      transaction('B', { agencyNpn: npn, productName: 'Unknown' }),
      transaction('C', { upstreamDownstreamAssociationId: id }),
      transaction('D', { agencyNpn: npn, upstreamDownstreamAssociationId: newId() }),
      transaction('E', { agencyNpn: npn, riskStateCode: 'OK' }),
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
        basis: 'current',
        configBasis: 'version',
      },
    ]);
    const before = `${query}&knownAt=2026-01-01T00:00:00Z`;
    expect(rowsOf(await get(owner, `${path}/${id}/license-compliance-statuses?${before}`))).toMatchObject([
      { licenseStatus: { statusName: 'Missing License' } },
    ]);
    const unknown = await get(
      owner,
      `${v1}/${id}/license-compliance-statuses?stateCode=TX&productId=${newId()}`,
    );
    const issues = [{ path: 'productId', message: 'does not exist or is not yours' }];
    expect(unknown.json).toEqual(errorShape(404, 'not_found', { details: { issues } }));
    const rows = rowsOf(await get(owner, `${v1}/${id}/policy-compliance-statuses`));
    expect(
      rows.map(({ policyNumber, productId: product, complianceStatus }) => [
        policyNumber,
        product,
        complianceStatus,
      ]),
    ).toEqual([
      ['A', productId, 'NOT_COMPLIANT'],
      ['B', null, 'NOT_COMPLIANT'],
      ['C', null, 'NOT_COMPLIANT'],
      ['E', null, 'NOT_COMPLIANT'],
    ]);
  });
});
