import * as z from 'zod/mini';
import { newObjectId } from '#platform/data/keys.ts';
import { associationOf } from '../support/import-lines.ts';
import { agency, get, main, stranger } from '../support/imported-agency.ts';
import {
  admin,
  adminAnswer,
  call,
  errorShape,
  importRecords,
  newOrganization,
} from '../support/local-api.ts';
import { until } from '../support/until.ts';

describe('registry sync', () => {
  const license = { stateCode: 'TX', licenseNumber: '4477' };

  it('a carrier synchronizes an agency and polls until entityInfo.status is success', async () => {
    const npn = '16000003';
    const { organizationId, bearer: headers } = await newOrganization('upstreamEntity');
    const record = associationOf(newObjectId(new Date()), {
      legalName: 'A firm',
      category: 'agency',
      npn,
      isNpnRequired: true,
    });
    await importRecords(organizationId, record);
    const changed = await admin('set-registry-record', { npn, record: { licenses: [license] } });
    expect(changed['record']).toMatchObject({ entity: expect.anything(), licenses: [license] });
    const association = `/v2/upstream/downstream-entity-associations/${record._id}`;

    const queued = await call('POST', `${association}/sync`, { headers });
    expect(queued).toMatchObject({ status: 202, json: { data: { entityInfo: { status: 'queued' } } } });
    const { registryDataSubscriptionId } = queued.json['data'] as { registryDataSubscriptionId: string };

    const subscriptions = async () =>
      (await call('GET', `/v2/upstream/compliance-data-subscriptions?npn=${npn}`, { headers })).json['data'];
    const ended = [{ _id: registryDataSubscriptionId, entityInfo: { status: 'success', message: null } }];
    await until(async () => {
      const [one] = (await subscriptions()) as [{ entityInfo: { status: string } }];
      return one.entityInfo.status === 'success';
    }, 100);
    expect(await subscriptions()).toMatchObject(ended);
    const { json } = await call('GET', `${association}/licenses`, { headers });
    expect(json['data']).toMatchObject([{ ...license, npn, registryDataSubscriptionId, status: 'active' }]);
  });

  it('an unknown queue cannot be redriven, and the existing ones are named', async () => {
    expect(await adminAnswer('redrive', { queue: 'nothing' })).toMatchObject({
      ok: false,
      error: {
        errorType: 'validation_error',
        details: { issues: [{ accepted: expect.arrayContaining(['registry-sync']) }] },
      },
    });
  });
});

const ask = (body: object, headers: Record<string, string> = {}) =>
  call('POST', '/v2/downstream/license-requests', { headers: { ...agency.bearer, ...headers }, body });

const idIn = ({ json }: { readonly json: Readonly<Record<string, unknown>> }): string =>
  z.parse(z.looseObject({ _id: z.string() }), json['data'])._id;

const cancel = (id: string, organization = agency) =>
  call('POST', `/v2/downstream/license-requests/${id}/cancel`, { headers: organization.bearer });

describe('a license request', () => {
  it('follows the statuses that an operator sets, and can be canceled only before a decision', async () => {
    const created = await ask({
      downstreamEntityId: main,
      type: 'renewal',
      stateCode: 'TX',
      licenseNumber: 'T1',
    });
    expect(created.status).toBe(201);
    const licenseRequestId = idIn(created);
    const move = (status: string) => adminAnswer('set-license-request-status', { licenseRequestId, status });
    expect(await move('approved')).toMatchObject({ ok: false, error: { errorType: 'conflict' } });
    expect(await move('in review')).toMatchObject({ ok: true, result: { status: 'in review' } });
    expect((await cancel(licenseRequestId, stranger)).status).toBe(404);
    expect(await move('approved')).toMatchObject({ ok: true, result: { status: 'approved' } });
    const refused = await cancel(licenseRequestId);
    expect(refused.status).toBe(409);
    expect(refused.json).toEqual(errorShape(409, 'conflict'));
    expect((await get(agency, `license-requests/${licenseRequestId}`)).json['data']).toMatchObject({
      status: 'approved',
      statusHistory: [{ status: 'submitted' }, { status: 'in review' }, { status: 'approved' }],
    });
    expect(
      await adminAnswer('set-license-request-status', {
        licenseRequestId: '0'.repeat(24),
        status: 'in review',
      }),
    ).toMatchObject({ ok: false, error: { errorType: 'not_found' } });
  });
});
