import { newObjectId } from '#platform/data/keys.ts';
import { associationOf } from '../support/import-lines.ts';
import { admin, adminAnswer, call, importRecords, newOrganization } from '../support/local-api.ts';
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
