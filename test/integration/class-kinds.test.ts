// What is said of classes of licenses, as an import takes it in and the decision reads it.

import { createClassKindsOf } from '../../shared/domain/compliance/class-kinds.ts';
import { complianceKeys } from '../../shared/domain/compliance/stored.ts';
import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { classKindOf } from '../../shared/domain/decision/classes.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { type Table, tableOf } from '../../shared/platform/data/table.ts';
import { organizationsTable } from '../../shared/platform/identity/table.ts';
import { eventsFor } from '../support/events.ts';
import { type ImportRecords, importInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { createTable, dynamo } from '../support/tables.ts';

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
    ['COMPLIANCE_INPUTS_CHANGED', { stateCode: 'AR' }],
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
    ['COMPLIANCE_INPUTS_CHANGED', { stateCode: 'AR' }],
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
