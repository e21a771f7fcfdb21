import { createHash } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createDownstreamEntities } from '#domain/downstream-entities/stored.ts';
import { agentsTable, downstreamEntitiesTable } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { derivedObjectId, newObjectId } from '#platform/data/keys.ts';
import { tableOf } from '#platform/data/table.ts';
import type { ImportOutcome } from '../../functions/import/run/import-records.ts';
import {
  add,
  agencyOrganization,
  context,
  imported,
  privateVictim,
  routes,
  shown,
  victim,
} from '../support/associations-tests.ts';
import { given, importLines, newOwner } from '../support/carrier-records.ts';
import { everyItem } from '../support/every-item.ts';
import { license, namedAgency } from '../support/import-lines.ts';
import { importInto } from '../support/imports.ts';
import { createTables, dynamo } from '../support/tables.ts';

// What an operator is told of licenses and appointments that were imported, and mean less than it seems.
describe('import notes', () => {
  const appointment = (fields: object = {}) => ({
    type: 'appointment',
    npn: '8123456',
    stateCode: 'TX',
    companyCode: '19437',
    status: 'Appointed',
    ...fields,
  });
  const classes = (fields: object) => ({ type: 'class-kind', stateCode: 'TX', kind: 'other', ...fields });

  it('words that are not recognized are counted, whatever the case of known ones', async () => {
    const { notes, imported } = await importLines(await newOwner(), [
      license({ status: 'In Limbo' }),
      license({ npn: '8123457', status: 'In Limbo' }),
      license({ status: 'ACTIVE - Renewed', licenseNumber: '2' }),
      license({ licenseNumber: '3', linesOfAuthority: [{ code: '16', status: 'Odd' }] }),
      license({ licenseNumber: '4', licenseClassName: 'Warehouse Class' }),
      license({ licenseNumber: '5', licenseClassName: null }),
      license({ licenseNumber: '6', licenseClassName: 'Adjuster' }),
      appointment({ status: 'In Limbo' }),
    ]);
    expect(imported).toBe(8);
    const message = (text: string) => expect.stringContaining(text) as unknown;
    expect(notes).toEqual([
      { line: null, code: 'status_unrecognized', message: message('“In Limbo” of licenses'), count: 2 },
      { line: null, code: 'status_unrecognized', message: message('“Odd” of lines of authority'), count: 1 },
      {
        line: null,
        code: 'class_unrecognized',
        message: message('of the class “Warehouse Class” allow in TX'),
        count: 1,
      },
      { line: null, code: 'class_unrecognized', message: message('without a class allow in TX'), count: 1 },
      { line: null, code: 'status_unrecognized', message: message('“In Limbo” of appointments'), count: 1 },
    ]);
  });

  it('a class of which somebody said what it allows is recognized', async () => {
    const { notes } = await importLines(await newOwner(), [
      classes({ className: 'Warehouse Class' }),
      classes({}),
      license({ licenseClassName: 'WAREHOUSE CLASS' }),
      license({ licenseNumber: '5', licenseClassName: null }),
    ]);
    expect(notes).toBeUndefined();
  });

  it('an end that ends nothing is noted at its line, also when it is imported again', async () => {
    const owner = await newOwner();
    await importLines(owner, [license({ issueDate: '2020-01-01' }), appointment()]);
    const lines = [
      license({ issueDate: '2020-01-01', status: 'Revoked', statusDate: '2026-02-01' }),
      license({ licenseNumber: '999', status: 'Revoked' }),
      appointment({ companyCode: '22314', status: 'Terminated', statusChangeDate: '2026-02-01' }),
      appointment({ status: 'Terminated', statusChangeDate: '2026-02-01' }),
      // What ended, and of which the end says how long it was in force, is known by that.
      license({ licenseNumber: '998', issueDate: '2020-01-01', status: 'Revoked', statusDate: '2026-02-01' }),
    ];
    for (let times = 0; times < 2; times += 1) {
      const { notes, rejected } = await importLines(owner, lines);
      expect(rejected).toEqual([]);
      expect(notes?.map(({ line, code, count }) => [line, code, count])).toEqual([
        [2, 'end_unmatched', 1],
        [3, 'end_unmatched', 1],
      ]);
    }
  });
});

describe('import of deletions', () => {
  const held = {
    license: license({ npn: '8123456', issueDate: '2020-01-01' }),
    appointment: {
      type: 'appointment',
      npn: '8123456',
      stateCode: 'TX',
      companyCode: '19437',
      status: 'Appointed',
      effectiveDate: '2020-01-01',
    },
  };

  it('notes a line that deletes nothing, also when it is imported again, and none that deletes something', async () => {
    const owner = await newOwner();
    await given(owner, ...Object.values(held));
    const lines = [
      { ...held.license, isDeleted: true },
      { ...held.license, issueDate: null, isDeleted: true },
      { ...held.license, stateCode: 'GA', isDeleted: true },
      { ...held.appointment, isDeleted: true },
      { ...held.appointment, status: 'Terminated', isDeleted: true },
    ];
    for (let times = 0; times < 2; times += 1) {
      const { notes, rejected } = await importLines(owner, lines);
      expect(rejected).toEqual([]);
      expect(notes?.map(({ line, code }) => [line, code])).toEqual([
        [2, 'deletion_unmatched'],
        [3, 'deletion_unmatched'],
        [5, 'deletion_unmatched'],
      ]);
    }
  });
});

describe('import of others', () => {
  const importLines = (
    organizationId: string | undefined,
    ...lines: readonly (object | string)[]
  ): Promise<ImportOutcome> =>
    importInto(context.tables)({
      ...(organizationId === undefined ? {} : { organizationId }),
      firstLine: 1,
      lines: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))),
    });

  const agencyOf = async (id: string) =>
    (
      await createDownstreamEntities(
        tableOf(downstreamEntitiesTable, dynamo, context.tables.downstreamEntities),
      ).findAll([id])
    ).get(id);

  const agencyLine = (_id: string, fields: object = {}) => namedAgency(_id, 'Mallory Fake', fields);

  describe('an import for a carrier, of an agency that others have a say in', () => {
    it.each(['of an organization', 'of another carrier'])(
      '%s, uses it and changes nothing of it',
      async (of) => {
        const { agency } = of === 'of an organization' ? await victim() : await privateVictim();
        const stranger = await context.carrier();
        const before = await agencyOf(agency);
        const organization = await agencyOrganization();
        const whole = agencyLine(agency, { npn: '1', ein: null, downstreamOrganizationId: organization });
        const outcome = await importLines(
          stranger,
          whole,
          agencyLine(agency, { downstreamOrganizationId: null, isDeleted: true }),
          { type: 'association', downstreamEntity: { _id: agency, legalName: 'Mallory Fake', npn: '1' } },
        );
        expect(outcome).toMatchObject({
          imported: 3,
          rejected: [],
          notes: [1, 2, 3].map((line) => ({ line, code: 'not_changed', count: 1 })),
        });
        expect(await agencyOf(agency)).toEqual(before);
        const association = outcome.ids.find(({ line }) => line === 3)?._id ?? '';
        expect(await shown(stranger, association)).toMatchObject({ downstreamEntity: { _id: agency } });
        expect(await importLines(stranger, whole)).toMatchObject({ imported: 1, rejected: [] });
        expect(await agencyOf(agency)).toEqual(before);
      },
    );

    it('meets on an NPN: the list of the second changes nothing', async () => {
      const [one, other] = await Promise.all([context.carrier(), context.carrier()]);
      const npn = String(Date.now()).slice(-8);
      const line = {
        type: 'association',
        downstreamEntity: { legalName: 'Lone Star', npn, ein: '75-1234567' },
      };
      const first = await importLines(one, line);
      const again = { ...line, downstreamEntity: { legalName: 'Lone Star Inc.', npn } };
      const second = await importLines(other, again);
      expect(second).toMatchObject({ imported: 1, notes: [{ line: 1 }] });
      expect(await shown(one, first.ids[0]?._id ?? '')).toMatchObject({
        downstreamEntity: { legalName: 'Lone Star', ein: '75-1234567' },
      });
      expect((await shown(other, second.ids[0]?._id ?? ''))['status']).toBe('active');
    });

    it('cannot be found by an id that is computed from its NPN', async () => {
      const npn = String(Date.now()).slice(-8);
      const agency = { type: 'downstream-entity', legalName: 'Lone Star', npn };
      const [first, second] = [await importLines(undefined, agency), await importLines(undefined, agency)];
      // Each of these imports is a function of its own, as of another invocation.
      expect(second.ids).toEqual(first.ids);
      const computed = [
        derivedObjectId('downstream-entity', npn),
        createHash('sha256').update(npn).digest('hex').slice(0, 24),
      ];
      expect(computed).not.toContain(first.ids[0]?._id);
      for (const downstreamEntityId of computed) {
        expect((await add(await context.carrier(), { downstreamEntityId })).status).toBe(404);
      }
    });

    it('changes its own, and absent fields keep their values', async () => {
      const { carrier, agency } = await privateVictim();
      await imported(
        carrier,
        agencyLine(agency, { npn: '123', ein: '75-1234567', category: 'agency network' }),
      );
      await imported(carrier, agencyLine(agency, { isNpnRequired: false }), agencyLine(agency));
      expect(await agencyOf(agency)).toMatchObject({
        legalName: 'Mallory Fake',
        npn: '123',
        ein: '75-1234567',
        category: 'agency network',
        isNpnRequired: false,
      });
      await imported(carrier, agencyLine(agency, { ein: null }));
      expect(await agencyOf(agency)).toMatchObject({ npn: '123', ein: null });
    });
  });

  describe('the organization of an agency', () => {
    it('is given up by an explicit null alone, in its own import or an operator’s', async () => {
      const { organization, agency } = await victim();
      const other = await agencyOrganization();
      for (const importer of [undefined, organization]) {
        await imported(importer, agencyLine(agency));
        expect(await agencyOf(agency)).toMatchObject({ downstreamOrganizationId: organization });
      }
      // Nor does another agency's organization take it.
      expect(await importLines(other, agencyLine(agency))).toMatchObject({
        imported: 1,
        notes: [{ line: 1 }],
      });
      expect(await agencyOf(agency)).toMatchObject({ downstreamOrganizationId: organization });
      await imported(organization, agencyLine(agency, { downstreamOrganizationId: null }));
      expect(await agencyOf(agency)).not.toHaveProperty('downstreamOrganizationId');
      await imported(undefined, agencyLine(agency, { downstreamOrganizationId: other }));
      await imported(undefined, agencyLine(agency, { downstreamOrganizationId: null }));
      expect(await agencyOf(agency)).not.toHaveProperty('downstreamOrganizationId');
    });
  });

  it('a line that names another carrier than the import’s is rejected, each by itself', async () => {
    const { carrier, agency } = await privateVictim();
    const other = await context.carrier();
    const association = { type: 'association', downstreamEntityId: agency, branchName: 'Waco' };
    const lines = [
      { ...association, upstreamEntityId: carrier },
      { ...association, upstreamEntityId: other },
    ];
    expect(await importLines(other, ...lines)).toMatchObject({
      imported: 1,
      rejected: [{ line: 1, issues: [{ path: 'upstreamEntityId' }] }],
    });
    const { data } = await context.ask(carrier, routes.listAssociations);
    expect(data).toHaveLength(1);
  });

  describe('a line with something that is not stored', () => {
    const transaction = (policyNumber: string, premium: string, fields = '') =>
      `{"type":"policy-transaction","policyNumber":"${policyNumber}","policyTransactionType":"New","policyTransactionDate":"2026-01-01","riskStateCode":"TX","premiumAmountInUSD":${premium}${fields}}`;

    it.each(['1e308', '9007199254740993', '1e-200', '-1e13', '1e400'])(
      '%s, is rejected alone',
      async (number) => {
        const carrier = await context.carrier();
        const { agents, ...tables } = { ...context.tables, ...(await createTables({ agents: agentsTable })) };
        const outcome = await importInto({ ...tables, agents })({
          organizationId: carrier,
          firstLine: 1,
          lines: [
            transaction('A', '1'),
            transaction('A', number),
            transaction('B', '1000000000000'),
            `{"type":"regulatory-action","npn":"1","stateCode":"TX","actionId":"1","originOfAction":null,"reasonForAction":null,"disposition":null,"dateOfAction":null,"effectiveDate":null,"enterDate":null,"fileRef":null,"penaltyFineForfeitureInUSD":${number},"lengthOfOrderInDays":null}`,
          ],
        });
        expect(outcome).toMatchObject({
          imported: 2,
          rejected: [
            { line: 2, issues: [{ path: 'premiumAmountInUSD' }] },
            { line: 4, issues: [{ path: 'penaltyFineForfeitureInUSD' }] },
          ],
        });
      },
    );

    it('an item or a key that is too large, is rejected alone', async () => {
      const carrier = await context.carrier();
      const { agents } = await createTables({ agents: agentsTable });
      const large = 'x'.repeat(420_000);
      const long = 'x'.repeat(3_000);
      const licenseText = (npn: string, licenseNumber: string) =>
        JSON.stringify(license({ npn, licenseNumber }));
      const lines = [
        transaction('A', '1'),
        transaction('A', '2', `,"insuredEntityName":"${large}"`),
        transaction('A', '3', `,"agencyLicenseNumber":"${long}","agencyLicensedStateCode":"TX"`),
        transaction('B', '4', `,"producerCode":"${long}"`),
        transaction('C', '5'),
        licenseText('1', 'A-1'),
        licenseText('1', large),
        licenseText('2', 'B-1'),
        JSON.stringify(agencyLine(newObjectId(new Date()), { ein: large })),
        JSON.stringify(agencyLine(newObjectId(new Date()))),
      ];
      const chunk = { organizationId: carrier, firstLine: 1, lines };
      const { rejected, imported: count } = await importInto({ ...context.tables, agents })(chunk);
      const bad = rejected.map(({ line }) => line);
      // What is in a key that is not too long may still be stored.
      for (const line of [2, 7, 9]) expect(bad).toContain(line);
      for (const line of [1, 5, 6, 8, 10]) expect(bad).not.toContain(line);
      expect(count + bad.length).toBe(lines.length);
    });

    it('the item beside it cannot be read, is rejected alone, and names the item', async () => {
      const carrier = await context.carrier();
      const { agents } = await createTables({ agents: agentsTable });
      const { policies } = context.tables;
      const importTexts = (...lines: readonly string[]) =>
        importInto({ ...context.tables, agents })({ organizationId: carrier, firstLine: 1, lines });
      await importTexts(transaction('A', '1'));
      const items = await everyItem(dynamo, policies);
      const item = items.find(({ pk }) => pk === `${carrier}#POLICY`);
      await dynamo.send(
        new PutItemCommand({ TableName: policies, Item: toItem({ ...item, riskStateCode: 'ZZ' }) }),
      );
      const message = `${item?.['pk']} ${item?.['sk']} does not match its schema at riskStateCode`;
      expect(await importTexts(transaction('A', '2'), transaction('B', '3'))).toMatchObject({
        imported: 1,
        rejected: [{ line: 1, issues: [{ path: '', message: expect.stringContaining(message) }] }],
      });
    });
  });

  it('an add beside it finds what the import left', async () => {
    const { agency } = await victim();
    const stranger = await context.carrier();
    await importLines(stranger, agencyLine(agency));
    expect((await add(stranger, { downstreamEntityId: agency })).data).toMatchObject({
      status: 'invited',
      downstreamEntity: { legalName: 'Lone Star Brokerage' },
    });
  });
});
