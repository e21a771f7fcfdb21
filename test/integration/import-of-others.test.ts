import { createHash } from 'node:crypto';
import type { ImportOutcome } from '../../functions/import/import-records.ts';
import { agentsTable } from '../../shared/domain/agents/table.ts';
import { createDownstreamEntities } from '../../shared/domain/downstream-entities/store.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import { derivedObjectId, newObjectId } from '../../shared/platform/data/object-id.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
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
import { importInto } from '../support/imports.ts';
import { createTables, dynamo } from '../support/tables.ts';

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

const agencyLine = (_id: string, fields: object = {}) => ({
  type: 'downstream-entity',
  _id,
  legalName: 'Mallory Fake',
  ...fields,
});

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
    expect(await importLines(other, agencyLine(agency))).toMatchObject({ imported: 1, notes: [{ line: 1 }] });
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
    const license = (npn: string, licenseNumber: string) =>
      JSON.stringify({
        type: 'license',
        licenseClassName: 'Insurance Producer',
        residencyStatus: 'resident',
        npn,
        stateCode: 'TX',
        licenseNumber,
        status: 'active',
      });
    const lines = [
      transaction('A', '1'),
      transaction('A', '2', `,"insuredEntityName":"${large}"`),
      transaction('A', '3', `,"agencyLicenseNumber":"${long}","agencyLicensedStateCode":"TX"`),
      transaction('B', '4', `,"producerCode":"${long}"`),
      transaction('C', '5'),
      license('1', 'A-1'),
      license('1', large),
      license('2', 'B-1'),
      JSON.stringify(agencyLine(newObjectId(new Date()), { ein: large })),
      JSON.stringify(agencyLine(newObjectId(new Date()))),
    ];
    const chunk = { organizationId: carrier, firstLine: 1, lines };
    const { rejected, setAside, imported: count } = await importInto({ ...context.tables, agents })(chunk);
    const bad = rejected.map(({ line }) => line);
    // What is in a key that is not too long may still be stored.
    for (const line of [2, 9]) expect(bad).toContain(line);
    expect(setAside).toBe(1);
    for (const line of [1, 5, 6, 8, 10]) expect(bad).not.toContain(line);
    expect(count + 1 + bad.length).toBe(lines.length);
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
