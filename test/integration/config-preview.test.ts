import { randomUUID } from 'node:crypto';
import type { PreviewedChange } from '../../functions/compliance/routes.ts';
import { ask, clock, given, newOwner, tables } from '../support/carrier-records.ts';
import {
  carrierLines,
  daniel,
  gulf,
  liability,
  loneAustin,
  loneMain,
  maria,
  routes,
  sold,
} from '../support/compliance-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

const texas = { stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' };
const strict = { ...texas, appointment: 'required' };
const unknown = '0'.repeat(24);

const policies = [
  sold('ONE', { upstreamDownstreamAssociationId: loneMain, agentNpn: '8123456' }),
  sold('BRANCH', { upstreamDownstreamAssociationId: loneAustin, agentNpn: '8123456' }),
  sold('BY-NPN', { agencyNpn: '17654321', agentNpn: '8123456', entityMatchStatus: 'user confirmed' }),
  // In no agency's list until a person has decided whose it is.
  sold('REVIEW', { agencyNpn: '17654321', agencyName: 'Gulf Shore Insurance Agency', agentNpn: '8123456' }),
  sold('CYBER', { upstreamDownstreamAssociationId: loneMain, productCode: 'CY' }),
  sold('OKLAHOMA', { upstreamDownstreamAssociationId: loneMain, riskStateCode: 'OK' }),
  sold('GONE', { upstreamDownstreamAssociationId: gulf }),
  { type: 'policy', policyNumber: 'GONE', isDeleted: true },
];

const sole = '000000000000000000000039';
const [withoutNpn, atWithoutNpn] = ['000000000000000000000003', '000000000000000000000033'];

let owner: string;

beforeAll(async () => {
  owner = await newOwner();
  await given(
    owner,
    ...carrierLines,
    { type: 'downstream-entity', _id: withoutNpn, npn: null, legalName: 'No NPN' },
    { type: 'association', _id: atWithoutNpn, downstreamEntityId: withoutNpn, externalId: 'none' },
    {
      type: 'agent',
      _id: sole,
      npn: '17654321',
      firstName: 'Sole',
      lastName: 'Proprietor',
      downstreamEntityAssociationIds: [loneMain, loneAustin],
    },
  );
  await given(owner, ...policies);
});

const preview = async (states: readonly object[], productId = liability) => {
  const { status, data } = await ask(owner, routes.previewComplianceConfig, {
    params: { productId },
    body: { states },
    headers: { 'idempotency-key': randomUUID() },
  });
  expect(status).toBe(200);
  return data as PreviewedChange[];
};

/** Who changes, where, from what to what, and the number of policies. */
const summed = (rows: readonly PreviewedChange[]) =>
  rows
    .map(({ party, agentId, downstreamEntityAssociationId, stateCode, before, after, policies: number }) => {
      const names = [before, after].map(
        ({ licenseStatus, appointmentStatus }) =>
          `${licenseStatus.statusName}/${appointmentStatus.statusName}`,
      );
      return [party, agentId ?? downstreamEntityAssociationId, stateCode, ...names, number].join(' ');
    })
    .sort();

describe('a preview', () => {
  it('returns each agent and association whose status would change, with its policies', async () => {
    expect(summed(await preview([strict]))).toEqual(
      [
        `agency ${loneMain} TX Licensed/Not Required Licensed/Not Appointed 2`,
        `agency ${loneAustin} TX Licensed/Not Required Licensed/Not Appointed 2`,
        `agency ${gulf} TX Expired License/Not Required Expired License/Not Appointed 0`,
        `agency ${atWithoutNpn} TX License Not Known/Not Required License Not Known/Appointment Not Known 0`,
        // Maria works for the agency, whichever branch a policy is of.
        `agent ${maria} TX Licensed/Not Required Licensed/Not Appointed 3`,
        `agent ${sole} TX Licensed/Not Required Licensed/Not Appointed 0`,
        `agent ${daniel} TX Missing License/Not Required Missing License/Not Appointed 0`,
      ].sort(),
    );
  });

  it('of a product without a config is compared with a state that is not configured', async () => {
    const rows = await preview([strict], unknown);
    expect(rows).toHaveLength(7);
    for (const { before } of rows) {
      expect(before.licenseStatus.statusName).toBe('State Not Configured');
    }
    expect(await preview([], unknown)).toEqual([]);
    // Another carrier's product is one without a config.
    const foreign = '1'.repeat(24);
    const config = { type: 'compliance-config', productId: foreign, productName: 'Theirs', states: [strict] };
    await given(await newOwner(), config);
    expect(await preview([strict], foreign)).toEqual(rows);
  });

  it('accepts what a replacement accepts', async () => {
    for (const states of [
      [strict, strict],
      [{ ...strict, misspelled: 1 }],
      [{ ...strict, linesOfAuthority: ['a\u0000'] }],
      [{ ...strict, linesOfAuthority: [' '] }],
      Array.from({ length: 61 }, () => strict),
    ]) {
      const params = { productId: liability };
      const refused = await ask(owner, routes.previewComplianceConfig, { params, body: { states } });
      const body = { productName: 'GL', states };
      const alike = await ask(owner, routes.replaceComplianceConfig, { params, body });
      expect(refused.status).toBe(400);
      expect(refused).toMatchObject({ details: (alike as { details?: unknown }).details });
    }
    const named = { states: [strict], productName: 'GL' };
    const params = { productId: liability };
    expect(await ask(owner, routes.previewComplianceConfig, { params, body: named })).toMatchObject({
      status: 400,
    });
  });

  it('writes nothing, and remembers no idempotency key', async () => {
    const { rateCounters: _, ...written } = tables;
    const everything = async () =>
      JSON.stringify(await Promise.all(Object.values(written).map((name) => everyItem(dynamo, name))));
    const before = await everything();
    const headers = { 'idempotency-key': randomUUID() };
    const once = { params: { productId: liability }, headers };
    const first = await ask(owner, routes.previewComplianceConfig, { ...once, body: { states: [strict] } });
    const second = await ask(owner, routes.previewComplianceConfig, { ...once, body: { states: [] } });
    expect(await everything()).toBe(before);
    expect(first.data).toHaveLength(7);
    // In a state that is not listed, nobody may sell.
    expect(second).toMatchObject({ status: 200 });
    expect(second.data).toHaveLength(7);
  });

  it('reads the records of each NPN once, though an agent has that of an agency', async () => {
    const rows: PreviewedChange[][] = [];
    const { queries } = await databaseCalls(async () => rows.push(await preview([strict])));
    const ofNpn = (npn: string) => queries.filter(({ values }) => values.includes(`${owner}#NPN#${npn}`));
    for (const npn of ['17654321', '8123456', '19001763', '9034417']) expect(ofNpn(npn)).toHaveLength(1);
    expect(rows.flat()).toHaveLength(7);
  });

  it('says what the lists say once the config is replaced, and of what it was before', async () => {
    const proposed = [
      { ...strict, appointmentOf: 'agency' },
      { ...strict, stateCode: 'OK' },
    ];
    const forth = await preview(proposed);
    const body = { productName: 'General Liability', productCode: 'CGL', states: proposed };
    await ask(owner, routes.replaceComplianceConfig, { params: { productId: liability }, body });
    clock.time = new Date(clock.time.getTime() + 1_000);
    const back = await preview([texas]);
    const turned = back.map(({ before, after, ...row }) => ({ ...row, before: after, after: before }));
    expect(turned).toHaveLength(forth.length);
    expect(turned).toEqual(expect.arrayContaining(forth));
    expect(forth.filter(({ party, stateCode }) => party === 'agent' && stateCode === 'TX')).toEqual([]);
    expect(forth.map(({ stateCode }) => stateCode)).toContain('OK');
    expect(await preview(proposed)).toEqual([]);
  });
});
