import * as fc from 'fast-check';
import {
  createOrganizationAdministration,
  type OrganizationAdministration,
} from '../../functions/admin/organizations.ts';
import type { ImportOutcome } from '../../functions/import/import-records.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import {
  agentsTable,
  associationsTable,
  complianceTable,
  contactsTable,
  downstreamEntitiesTable,
  organizationsTable,
  outboxTable,
  registryRecordsTable,
} from '../../shared/data/tables.ts';
import { eventPayloads } from '../../shared/events/payloads.ts';
import type { OutboxItem } from '../../shared/events/stored.ts';
import { eventsIn } from '../support/events.ts';
import { type Fault, withFaults } from '../support/faults.ts';
import { type ImportRecords, importInto } from '../support/imports.ts';
import { createTables, dynamo } from '../support/tables.ts';

let organizations: OrganizationAdministration;
let importRecords: ImportRecords;
let outbox: string;
let owner: string;

let clock = Date.now();
const now = () => {
  clock += 1;
  return new Date(clock);
};

beforeAll(async () => {
  const tables = await createTables({
    organizations: organizationsTable,
    agents: agentsTable,
    associations: associationsTable,
    compliance: complianceTable,
    contacts: contactsTable,
    downstreamEntities: downstreamEntitiesTable,
    registryRecords: registryRecordsTable,
    outbox: outboxTable,
  });
  outbox = tables.outbox;
  organizations = createOrganizationAdministration(dynamo, tables.organizations, now);
  importRecords = importInto(tables, now);
});

const newOwner = async (category: 'upstreamEntity' | 'downstreamEntity' = 'upstreamEntity') =>
  (
    await organizations.create({
      name: 'Beacon',
      category,
      features: [],
      subscription: 'active',
      planCeiling: 1,
    })
  ).organizationId;

beforeEach(async () => {
  owner = await newOwner();
});

const id = (): string => newObjectId(new Date());
const linesOf = (records: readonly object[]) => records.map((record) => JSON.stringify(record));

/** Imports and has it told. */
const tell = (...records: readonly object[]): Promise<ImportOutcome> =>
  importRecords({
    organizationId: owner,
    firstLine: 1,
    lines: linesOf(records),
    emitEvents: true,
  });

const toldTo = async (upstream = owner): Promise<OutboxItem[]> =>
  (await eventsIn(outbox)).filter(({ upstreamEntityId }) => upstreamEntityId === upstream);

const typesTold = async (): Promise<string[]> => (await toldTo()).map(({ type }) => type);

const agent = (fields: object = {}) => ({
  type: 'agent',
  npn: '8123456',
  firstName: 'Maria',
  lastName: 'Delgado',
  ...fields,
});
const entity = (_id: string, fields: object = {}) => ({
  type: 'downstream-entity',
  _id,
  legalName: 'Lone Star Brokerage',
  npn: '17654321',
  ...fields,
});
const association = (_id: string, downstreamEntityId: string, fields: object = {}) => ({
  type: 'association',
  _id,
  downstreamEntityId,
  ...fields,
});
const license = (fields: object = {}) => ({
  type: 'license',
  npn: '8123456',
  stateCode: 'TX',
  licenseNumber: '100',
  ...fields,
});
const config = (fields: object = {}) => ({
  type: 'compliance-config',
  productId: id(),
  productName: 'GL',
  states: [],
  ...fields,
});

it('an import tells nothing unless it is asked to', async () => {
  const entityId = id();
  const records = [
    agent(),
    entity(entityId),
    association(id(), entityId),
    license(),
    config(),
    { ...license(), type: 'appointment', licenseNumber: undefined },
  ];
  const lines = linesOf(records);
  const outcome = await importRecords({ organizationId: owner, firstLine: 1, lines });
  expect(outcome).toEqual({ imported: records.length, rejected: [] });
  expect(await toldTo()).toEqual([]);
  // What is there already is no news either.
  expect(await tell(...records)).toEqual(outcome);
  expect(await toldTo()).toEqual([]);
});

describe('agents', () => {
  it('are told of when they are added and when their record changes, and as often as that', async () => {
    const at = id();
    const first = agent({ externalId: 'AGT', downstreamEntityAssociationIds: [at] });
    await tell(first);
    await tell(first);
    await tell(agent({ ...first, email: 'maria@example.com' }));
    await tell(agent({ ...first, email: 'maria@example.com', updatedAt: '2026-01-01' }));
    await tell(agent({ ...first, isDeleted: true }));
    await tell(first);
    const told = await toldTo();
    expect(told.map(({ type }) => type)).toEqual(['AGENT_CREATED', 'AGENT_UPDATED', 'AGENT_CREATED']);
    expect(told[0]?.payload).toEqual({
      agentId: told[0]?.entityId,
      npn: '8123456',
      firstName: 'Maria',
      middleName: null,
      lastName: 'Delgado',
      externalId: 'AGT',
      downstreamEntityAssociationIds: [at],
    });
  });

  it('are told of once by imports that meet', async () => {
    const records = Array.from({ length: 10 }, (_, index) => agent({ npn: String(500 + index) }));
    await Promise.all([tell(...records), tell(...records), tell(...records)]);
    expect(await typesTold()).toEqual(records.map(() => 'AGENT_CREATED'));
  });

  it('with as many addresses as are taken leave room for their event', async () => {
    const emails = (start: number) =>
      Array.from({ length: 48 }, (_, index) => ({ label: 'w', email: `a${start + index}@example.com` }));
    expect((await tell(agent({ labeledEmails: emails(0) }))).rejected).toEqual([]);
    const _id = (await toldTo())[0]?.entityId;
    expect((await tell(agent({ _id, npn: '99', labeledEmails: emails(100) }))).rejected).toEqual([]);
    expect(await typesTold()).toEqual(['AGENT_CREATED', 'AGENT_UPDATED']);
  });

  it('whatever breaks off and is imported again, each change has its event and each event its change', async () => {
    const expected: string[] = [];
    let held: string | undefined;
    const record = fc.record({
      firstName: fc.constantFrom('Maria', 'Marie'),
      externalId: fc.constantFrom('A', null),
      isDeleted: fc.boolean(),
    });
    const faults = fc.array(fc.constantFrom<Fault>('none', 'before', 'after'), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(record, faults, async ({ isDeleted, ...fields }, befalls) => {
        const line = agent({ ...fields, ...(isDeleted ? { isDeleted } : {}) });
        for (const fault of [...befalls, 'none' as const]) {
          const faultOf = (command: string) => (command === 'TransactWriteItemsCommand' ? fault : 'none');
          await withFaults(faultOf, () => tell(line)).catch(() => undefined);
        }
        const says = isDeleted ? undefined : JSON.stringify(fields);
        if (says !== undefined && says !== held) expected.push(held === undefined ? 'CREATED' : 'UPDATED');
        held = says;
      }),
      { numRuns: 40 },
    );
    expect(await typesTold()).toEqual(expected.map((word) => `AGENT_${word}`));
  });

  it('of an agency are told to nobody', async () => {
    owner = await newOwner('downstreamEntity');
    expect((await tell(agent(), license())).rejected).toEqual([]);
    expect(await toldTo()).toEqual([]);
  });
});

describe('associations', () => {
  it('are told of when they are added, change, or are back', async () => {
    const [entityId, _id] = [id(), id()];
    const line = association(_id, entityId, { externalId: 'E' });
    await tell(entity(entityId), line);
    await tell(line);
    await tell({ ...line, updatedAt: '2026-01-01' });
    await tell({ ...line, status: 'inactive' });
    await tell({ ...line, isDeleted: true });
    await tell(line);
    const told = await toldTo();
    expect(told.map(({ type }) => type)).toEqual([
      'DOWNSTREAM_ENTITY_CREATED',
      'DOWNSTREAM_ENTITY_UPDATED',
      'DOWNSTREAM_ENTITY_CREATED',
    ]);
    expect(told[1]).toMatchObject({
      entityId: _id,
      payload: { externalId: 'E', status: 'inactive', downstreamEntity: { _id: entityId, npn: '17654321' } },
    });
    for (const { payload } of told) {
      expect(eventPayloads.DOWNSTREAM_ENTITY_CREATED.parse(payload)).toEqual(payload);
    }
  });
});

describe('a change of an agency', () => {
  it('is told to the carriers of all its associations, as the agency is then', async () => {
    const entityId = id();
    const [one, two, three] = [id(), id(), id()];
    const other = await newOwner();
    await tell(
      entity(entityId),
      association(one, entityId, { branchName: 'A' }),
      association(two, entityId, { branchName: 'B' }),
      association(three, entityId, { upstreamEntityId: other }),
    );
    const changed = entity(entityId, { legalName: 'Lone Star', npn: '99' });
    await tell(changed);
    await tell(changed);
    await tell({ ...changed, updatedAt: '2026-01-01' });
    const updates = [...(await toldTo()), ...(await toldTo(other))].filter(
      ({ type }) => type === 'DOWNSTREAM_ENTITY_UPDATED',
    );
    expect(updates.map(({ entityId: about }) => about).sort()).toEqual([one, two, three].sort());
    for (const { payload } of updates) {
      expect(payload).toMatchObject({ downstreamEntity: { legalName: 'Lone Star', npn: '99' } });
    }
  });

  it('is told when it comes along with an association, and nothing is told of one that goes', async () => {
    const downstreamEntity = { _id: id(), legalName: 'Gulf Shore', npn: '5' };
    const line = { type: 'association', _id: id(), downstreamEntity };
    await tell(line);
    await tell({ ...line, downstreamEntity: { ...downstreamEntity, legalName: 'Gulf Coast' } });
    const deleted = { type: 'downstream-entity', ...downstreamEntity, isDeleted: true };
    await tell(deleted);
    await tell({ ...deleted, isDeleted: false });
    expect(await typesTold()).toEqual([
      'DOWNSTREAM_ENTITY_CREATED',
      'DOWNSTREAM_ENTITY_UPDATED',
      'DOWNSTREAM_ENTITY_CREATED',
    ]);
  });

  it.each(['before', 'after'] as const)(
    'with more associations than a transaction takes is told once each, whatever call breaks off %s its work',
    async (fault) => {
      const entityId = id();
      const ids = Array.from({ length: 95 }, id);
      await tell(
        entity(entityId),
        ...ids.map((_id, index) => association(_id, entityId, { branchName: `${index}` })),
      );
      const changed = entity(entityId, { legalName: `Renamed ${fault}` });
      // Each time it comes one call further, until nothing is left to break off.
      for (let at = 1; ; at += 1) {
        let call = 0;
        const faultOf = () => {
          call += 1;
          return call === at ? fault : 'none';
        };
        const outcome = await withFaults(faultOf, () => tell(changed)).catch(() => undefined);
        if (outcome !== undefined && call < at) break;
      }
      const updates = (await toldTo()).filter(({ type }) => type === 'DOWNSTREAM_ENTITY_UPDATED');
      expect(updates.map(({ entityId: about }) => about).sort()).toEqual([...ids].sort());
    },
  );
});

describe('licenses and appointments', () => {
  const inputs = async () => (await toldTo()).map(({ type, payload }) => ({ type, payload }));
  const changed = (npn: string) => ({ type: 'COMPLIANCE_INPUTS_CHANGED', payload: { npn } });

  it('have the compliance of each NPN looked at once, where one changed', async () => {
    const records = [
      ...Array.from({ length: 20 }, (_, index) => license({ licenseNumber: String(index) })),
      license({ npn: '17654321' }),
    ];
    await tell(...records);
    expect(await inputs()).toEqual(expect.arrayContaining([changed('8123456'), changed('17654321')]));
    expect(await inputs()).toHaveLength(2);
    await tell(...records);
    expect(await inputs()).toHaveLength(2);
    await tell(...records.slice(0, 3), license({ licenseNumber: '3', status: 'inactive' }));
    expect((await inputs()).slice(2)).toEqual([changed('8123456')]);
    await tell({ type: 'appointment', npn: '17654321', stateCode: 'TX', companyCode: '1' });
    expect((await inputs()).slice(3)).toEqual([changed('17654321')]);
  });

  it('are told of with what changed, once, when the import breaks off or meets another', async () => {
    const records = Array.from({ length: 120 }, (_, index) => license({ licenseNumber: String(index) }));
    let transactions = 0;
    const faultOf = (command: string) => {
      if (command !== 'TransactWriteItemsCommand') return 'none';
      transactions += 1;
      return transactions === 1 ? 'before' : transactions === 2 ? 'after' : 'none';
    };
    await expect(withFaults(faultOf, () => tell(...records))).rejects.toThrow('broke off');
    await Promise.all([tell(...records), tell(...records)]);
    // Fifty licenses a transaction.
    expect(await inputs()).toEqual([changed('8123456'), changed('8123456'), changed('8123456')]);
  });

  it('of the disciplinary kind are the daily registry reconciliation’s to tell', async () => {
    await tell({ type: 'regulatory-action', npn: '8123456', stateCode: 'TX', actionId: '1' });
    expect(await inputs()).toEqual([]);
  });
});

test('compliance configs have everybody’s compliance looked at, once an import', async () => {
  const records = [config(), config(), config()];
  await tell(...records);
  await tell(...records);
  expect((await toldTo()).map(({ type, payload }) => ({ type, payload }))).toEqual([
    { type: 'COMPLIANCE_INPUTS_CHANGED', payload: {} },
  ]);
});
