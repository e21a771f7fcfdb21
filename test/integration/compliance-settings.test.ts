import { randomUUID } from 'node:crypto';
import { createClassKindsOf } from '#domain/compliance/store.ts';
import { complianceKeys } from '#domain/compliance/stored.ts';
import { classKindOf } from '#domain/decision/classes.ts';
import { complianceTable, outboxTable } from '#domain/tables.ts';
import { type Table, tableOf } from '#platform/data/table.ts';
import { organizationsTable } from '#platform/data/table-design.ts';
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
import { eventsFor } from '../support/events.ts';
import { everyItem } from '../support/every-item.ts';
import { agent, appointment } from '../support/import-lines.ts';
import { type ImportRecords, importInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { createTable, dynamo } from '../support/tables.ts';

describe('a preview', () => {
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
      agent({
        _id: sole,
        npn: '17654321',
        firstName: 'Sole',
        lastName: 'Proprietor',
        downstreamEntityAssociationIds: [loneMain, loneAustin],
      }),
    );
    const left = { type: 'association', _id: '000000000000000000000034', externalId: 'left' };
    await given(owner, { ...left, downstreamEntityId: withoutNpn, branchName: 'Left' }, ...policies);
    await given(owner, { ...left, downstreamEntityId: withoutNpn, isDeleted: true });
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
      .map(
        ({ party, agentId, downstreamEntityAssociationId, stateCode, before, after, policies: number }) => {
          const names = [before, after].map(
            ({ licenseStatus, appointmentStatus }) =>
              `${licenseStatus.statusName}/${appointmentStatus.statusName}`,
          );
          return [party, agentId ?? downstreamEntityAssociationId, stateCode, ...names, number].join(' ');
        },
      )
      .sort();

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
    await given(owner, appointment());
    const ofOthers = { ...body, states: [strict], carrierNaicCodes: ['10847'] };
    await ask(owner, routes.replaceComplianceConfig, { params: { productId: liability }, body: ofOthers });
    clock.time = new Date(clock.time.getTime() + 1_000);
    expect(summed(await preview([strict]))).toEqual([
      `agent ${maria} TX Licensed/Not Appointed Licensed/Appointed 3`,
    ]);
  });
});

// What is said of classes of licenses, as an import takes it in and the decision reads it.
describe('class kinds', () => {
  let newOwner: ReturnType<typeof organizationsIn>;
  let importRecords: ImportRecords;
  let kindsOf: ReturnType<typeof createClassKindsOf>;
  let outbox: string;
  let compliance: Table;

  const now = new Date('2026-07-01T12:00:00.000Z');

  beforeAll(async () => {
    const [name, organizations, events] = await Promise.all([
      createTable(complianceTable),
      createTable(organizationsTable),
      createTable(outboxTable),
    ]);
    outbox = events;
    newOwner = organizationsIn(organizations);
    importRecords = importInto({ compliance: name, organizations, outbox }, () => now);
    compliance = tableOf(complianceTable, dynamo, name);
    kindsOf = createClassKindsOf(compliance);
  });

  const imported = (organizationId: string | undefined, said: readonly object[], options: object = {}) =>
    importRecords({
      ...(organizationId === undefined ? {} : { organizationId }),
      ...options,
      firstLine: 1,
      lines: said.map((one) => JSON.stringify({ type: 'class-kind', ...one })),
    });

  /** What a license of a class is taken for. */
  const kindOf = async (
    owner: string,
    licenseClassName: string | null,
    licenseClassCode: string | null = null,
  ) => classKindOf({ stateCode: 'AR', licenseClassCode, licenseClassName }, await kindsOf(owner));

  const warehouse = { stateCode: 'AR', className: 'Warehouse Class' };

  it('count for the organization that says it, ignoring case, and for everybody where nobody names one', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    expect(await imported(owner, [{ ...warehouse, kind: 'other' }])).toMatchObject({
      imported: 1,
      rejected: [],
    });
    expect([await kindOf(owner, 'WAREHOUSE CLASS'), await kindOf(other, 'Warehouse Class')]).toEqual([
      'other',
      'unrecognized',
    ]);
    expect(await imported(undefined, [{ ...warehouse, kind: 'producer' }])).toMatchObject({ rejected: [] });
    // The organization's own word wins.
    expect([await kindOf(owner, 'Warehouse Class'), await kindOf(other, 'Warehouse Class')]).toEqual([
      'other',
      'producer',
    ]);
  });

  it('are said of a code, of a name, or of licenses without a class', async () => {
    const owner = await newOwner();
    await imported(owner, [
      { stateCode: 'AR', classCode: '77', kind: 'adjuster' },
      { stateCode: 'AR', kind: 'producer' },
      { stateCode: 'TX', classCode: '78', kind: 'adjuster' },
    ]);
    expect(await kindOf(owner, 'Producer', '77')).toBe('adjuster');
    expect(await kindOf(owner, 'Producer', '78')).toBe('producer');
    expect(await kindOf(owner, null)).toBe('producer');
  });

  it('keep their versions; what was said last is not recorded again', async () => {
    const owner = await newOwner();
    await imported(owner, [{ ...warehouse, kind: 'other' }]);
    await imported(owner, [{ ...warehouse, kind: 'other' }], { emitEvents: true });
    await imported(owner, [{ ...warehouse, kind: 'adjuster' }], { emitEvents: true });
    const own = (await kindsOf(owner)).filter(({ isOwn }) => isOwn);
    expect(own).toMatchObject([
      { ...warehouse, classCode: null, kind: 'other', isSilent: true },
      { ...warehouse, classCode: null, kind: 'adjuster', isSilent: false },
    ]);
    const [first = '', second = ''] = own.map(({ recordedAt }) => recordedAt);
    expect(first <= second).toBe(true);
    expect(await kindOf(owner, 'Warehouse Class')).toBe('adjuster');
    // Everybody's compliance is checked once, for the change that was to be sent.
    expect((await eventsFor(outbox, owner)).map(({ type, payload }) => [type, payload])).toEqual([
      ['COMPLIANCE_INPUTS_CHANGED', {}],
    ]);
  });

  it.each([
    ['kind', { ...warehouse, kind: 'bail' }],
    ['stateCode', { className: 'X', kind: 'other' }],
    ['upstreamEntityId', { ...warehouse, kind: 'other', upstreamEntityId: 'f'.repeat(24) }],
  ])('are refused with a fault, and it is named: %s', async (path, line) => {
    const owner = await newOwner();
    expect(await imported(owner, [line, { ...warehouse, kind: 'other' }])).toMatchObject({
      imported: 1,
      rejected: [{ line: 1, issues: [{ path }] }],
    });
  });

  it('are taken back by a deletion, of which the versions before stay', async () => {
    const owner = await newOwner();
    const yard = { stateCode: 'AR', className: 'Yard Class' };
    const given = { ...yard, _id: 'a'.repeat(24), createdAt: '2026-01-01T00:00:00Z', isDeleted: false };
    expect(await imported(owner, [{ ...given, kind: 'other' }])).toMatchObject({ rejected: [] });
    expect(await kindOf(owner, 'Yard Class')).toBe('other');
    const deletion = { ...yard, kind: 'other', isDeleted: true };
    await imported(owner, [deletion]);
    await imported(owner, [deletion]);
    // There is nothing of this class to take back.
    await imported(owner, [{ ...deletion, className: 'Never Named' }]);
    const own = (await kindsOf(owner)).filter(({ isOwn }) => isOwn);
    expect(own.map(({ kind }) => kind)).toEqual(['other', null]);
    expect(await kindOf(owner, 'Yard Class')).toBe('unrecognized');
  });

  it('that are everybody’s have every carrier’s compliance checked, only where events are to be sent', async () => {
    const [carrier, silent] = [await newOwner(), { ...warehouse, className: 'Silent Class', kind: 'other' }];
    const agency = await newOwner('downstreamEntity');
    await imported(undefined, [silent]);
    expect(await eventsFor(outbox, carrier)).toEqual([]);
    const loud = { ...warehouse, className: 'Depot Class', kind: 'other' };
    expect(await imported(undefined, [loud], { emitEvents: true })).toMatchObject({ rejected: [] });
    expect((await eventsFor(outbox, carrier)).map(({ type, payload }) => [type, payload])).toEqual([
      ['COMPLIANCE_INPUTS_CHANGED', {}],
    ]);
    expect(await eventsFor(outbox, agency)).toEqual([]);
  });

  it('have a bound in bytes, which is not exceeded', async () => {
    const owner = await newOwner();
    const said = {
      stateCode: 'AR',
      classCode: null,
      className: 'x'.repeat(300),
      kind: 'other',
      isSilent: true,
    };
    const versions = Array.from({ length: 490 }, () => ({ ...said, recordedAt: now.toISOString() }));
    await compliance.put({ ...complianceKeys.classKinds(owner), versions, revision: 1 });
    expect(
      await imported(owner, [{ stateCode: 'AR', className: 'y'.repeat(300), kind: 'other' }]),
    ).toMatchObject({
      rejected: [{ line: 1, issues: [{ message: expect.stringContaining('204800 bytes') }] }],
    });
  });
});
