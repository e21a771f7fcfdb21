import { type ContactStore, createContactStore } from '../../shared/domain/contacts/store.ts';
import { contactsTable } from '../../shared/domain/contacts/table.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { everyItem } from '../support/every-item.ts';
import { recordsInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { id, scopesIn } from '../support/scopes.ts';
import { createTables, dynamo } from '../support/tables.ts';

let contacts: ContactStore;
let importRecords: ReturnType<typeof recordsInto>;
let newOrganization: ReturnType<typeof organizationsIn>;
const tables = { contacts: '', associations: '', downstreamEntities: '' };
const { entity, association } = scopesIn(tables);

let upstream: string;
let downstream: string;

beforeAll(async () => {
  const { organizations, ...others } = await createTables([
    'organizations',
    'contacts',
    'associations',
    'downstreamEntities',
  ]);
  Object.assign(tables, others);
  contacts = createContactStore(tableOf(contactsTable, dynamo, tables.contacts));
  importRecords = recordsInto({ ...tables, organizations });
  newOrganization = organizationsIn(organizations);
  upstream = await newOrganization('upstreamEntity');
  downstream = await newOrganization('downstreamEntity');
});

const contact = (associations: readonly object[], values: object = {}) => ({
  type: 'contact',
  _id: id(),
  firstName: 'Maria',
  lastName: 'Delgado',
  email: `${id()}@agency.example`,
  associations,
  ...values,
});

const importLines = (records: readonly object[], organizationId?: string) =>
  importRecords(organizationId, records);

/** All stored items of a contact. */
async function itemsOf(contactId: string): Promise<Record<string, unknown>[]> {
  return (await everyItem(dynamo, tables.contacts)).filter((item) => item['contactId'] === contactId);
}

it('imports a contact with all its items, and changes nothing the second time', async () => {
  const entityId = await entity(downstream);
  const associationId = await association(upstream, entityId, downstream);
  const record = contact(
    [
      { downstreamEntityId: entityId, businessRoles: ['Claims'] },
      { downstreamEntityId: entityId, downstreamEntityAssociationId: associationId, isPrimary: true },
    ],
    { isDeliverable: true },
  );
  expect(await importLines([record], upstream)).toMatchObject({ imported: 1, rejected: [] });
  const items = await itemsOf(record._id);
  // The contact by itself, entity, organization, address, and as the market's primary contact.
  expect(items).toHaveLength(5);
  expect(await contacts.find(record._id)).toMatchObject({ isDeliverable: true, version: 1 });
  expect(await importLines([record], upstream)).toMatchObject({ imported: 1, rejected: [] });
  expect(await itemsOf(record._id)).toEqual(items);
});

it('a changed record rewrites every item and releases what the contact held before', async () => {
  const [first, second] = [await entity(downstream), await entity(downstream)];
  const associationId = await association(upstream, first, downstream);
  const record = contact([
    { downstreamEntityId: first, downstreamEntityAssociationId: associationId, isPrimary: true },
  ]);
  await importLines([record], upstream);
  const email = `${id()}@agency.example`;
  const moved = { ...record, email, associations: [{ downstreamEntityId: second }], lastName: 'Vega' };
  expect(await importLines([moved], downstream)).toMatchObject({ imported: 1, rejected: [] });
  const items = await itemsOf(record._id);
  expect(items.map(({ pk }) => pk).sort()).toEqual(
    [`CONTACT#${record._id}`, `ENTITY#${second}`, `${downstream}#CONTACT`, `${downstream}#EMAIL`].sort(),
  );
  for (const item of items.filter(({ lastName }) => lastName !== undefined)) {
    expect(item).toMatchObject({ lastName: 'Vega', email });
  }
  const heir = contact([
    { downstreamEntityId: first, downstreamEntityAssociationId: associationId, isPrimary: true },
  ]);
  expect(await importLines([{ ...heir, email: record.email }], upstream)).toMatchObject({
    imported: 1,
    rejected: [],
  });
});

it('a deleted contact is hidden, releases its address and market, and can be restored', async () => {
  const entityId = await entity(downstream);
  const associationId = await association(upstream, entityId, downstream);
  const scope = {
    downstreamEntityId: entityId,
    downstreamEntityAssociationId: associationId,
    isPrimary: true,
  };
  const record = contact([scope]);
  await importLines([record], upstream);
  expect(await importLines([{ ...record, isDeleted: true }], upstream)).toMatchObject({
    imported: 1,
    rejected: [],
  });
  expect(await contacts.find(record._id)).toBeUndefined();
  expect(await itemsOf(record._id)).toHaveLength(1);
  expect(await importLines([record], upstream)).toMatchObject({ imported: 1, rejected: [] });
  expect(await itemsOf(record._id)).toHaveLength(5);
});

it('a second primary contact of a market is rejected on its own line', async () => {
  const entityId = await entity();
  const associationId = await association(upstream, entityId);
  const primary = {
    downstreamEntityId: entityId,
    downstreamEntityAssociationId: associationId,
    isPrimary: true,
  };
  const records = Array.from({ length: 5 }, () => contact([{ downstreamEntityId: entityId }, primary]));
  const { imported, rejected } = await importLines(records, upstream);
  expect(imported).toBe(1);
  expect(rejected).toEqual(
    [2, 3, 4, 5].map((line) => ({
      line,
      issues: [{ path: 'associations[1].isPrimary', message: expect.any(String) }],
    })),
  );
  expect(await contacts.find(records[0]?._id ?? '')).toBeDefined();
});

describe('a scope', () => {
  it.each([
    ['an unknown entity', async () => ({ downstreamEntityId: id() }), 'downstreamEntityId'],
    [
      'another carrier’s association',
      async () => {
        const downstreamEntityId = await entity();
        const stranger = await newOrganization('upstreamEntity');
        await association(upstream, downstreamEntityId);
        return {
          downstreamEntityId,
          downstreamEntityAssociationId: await association(stranger, downstreamEntityId),
        };
      },
      'downstreamEntityAssociationId',
    ],
    [
      'an association with another entity',
      async () => ({
        downstreamEntityId: await entity(),
        downstreamEntityAssociationId: await association(upstream, await entity()),
      }),
      'downstreamEntityAssociationId',
    ],
  ])('of a carrier with %s is rejected', async (_, scopeOf, field) => {
    const { rejected } = await importLines([contact([await scopeOf()])], upstream);
    expect(rejected).toEqual([
      { line: 1, issues: [{ path: `associations[0].${field}`, message: expect.any(String) }] },
    ]);
  });

  it('of an agency must name its own entities and markets', async () => {
    const own = await entity(downstream);
    const foreign = await entity(await newOrganization('downstreamEntity'));
    const market = await association(upstream, own, downstream);
    const good = [{ downstreamEntityId: own, downstreamEntityAssociationId: market }];
    expect(await importLines([contact(good)], downstream)).toMatchObject({ imported: 1, rejected: [] });
    const { rejected } = await importLines(
      [
        contact([{ downstreamEntityId: foreign }]),
        contact([{ downstreamEntityId: own, downstreamEntityAssociationId: id() }]),
      ],
      downstream,
    );
    expect(rejected.map(({ issues }) => issues[0]?.path)).toEqual([
      'associations[0].downstreamEntityId',
      'associations[0].downstreamEntityAssociationId',
    ]);
  });

  it('in a file without an owner may name any existing entity and market', async () => {
    const [onPlatform, alone] = [await entity(downstream), await entity()];
    const scopes = [
      {
        downstreamEntityId: onPlatform,
        downstreamEntityAssociationId: await association(upstream, onPlatform, downstream),
      },
      { downstreamEntityId: alone, downstreamEntityAssociationId: await association(upstream, alone) },
    ];
    expect(await importLines([contact(scopes)])).toMatchObject({ imported: 1, rejected: [] });
    const { rejected } = await importLines([
      contact([{ downstreamEntityId: alone, downstreamEntityAssociationId: id() }]),
    ]);
    expect(rejected).toHaveLength(1);
  });
});

it('a carrier’s record leaves other carriers’ scopes unchanged, and cannot take over a contact', async () => {
  const stranger = await newOrganization('upstreamEntity');
  const entityId = await entity();
  const [own, theirs] = [await association(upstream, entityId), await association(stranger, entityId)];
  const scope = (downstreamEntityAssociationId: string, ...businessRoles: string[]) => ({
    downstreamEntityId: entityId,
    downstreamEntityAssociationId,
    businessRoles,
  });
  const record = contact([scope(own), scope(theirs)]);
  await importLines([record]);
  await importLines([{ ...record, associations: [scope(own, 'Claims')] }], upstream);
  expect((await contacts.find(record._id))?.scopes).toEqual(
    expect.arrayContaining([
      expect.objectContaining(scope(own, 'Claims')),
      expect.objectContaining(scope(theirs)),
    ]),
  );
  await importLines([{ ...record, associations: [scope(own)], isDeleted: true }], upstream);
  expect((await contacts.find(record._id))?.scopes).toEqual([expect.objectContaining(scope(theirs))]);

  const { rejected } = await importLines(
    [{ ...record, email: 'other@agency.example', associations: [scope(own)] }],
    upstream,
  );
  expect(rejected).toEqual([{ line: 1, issues: [{ path: '_id', message: expect.any(String) }] }]);
});

it('an address is one contact per agency, and identifies a record without an ID', async () => {
  const entityId = await entity();
  const record = contact([{ downstreamEntityId: entityId }]);
  await importLines([record], upstream);
  const { rejected } = await importLines([{ ...record, _id: id() }], upstream);
  expect(rejected).toEqual([{ line: 1, issues: [{ path: 'email', message: expect.any(String) }] }]);
  const { _id, ...nameless } = record;
  expect(
    await importLines([{ ...nameless, email: record.email.toUpperCase(), lastName: 'Vega' }], upstream),
  ).toMatchObject({
    imported: 1,
    rejected: [],
  });
  expect(await contacts.find(_id)).toMatchObject({ lastName: 'Vega' });
});

it('an organization of the wrong category is named on every line', async () => {
  const { rejected } = await importLines([contact([{ downstreamEntityId: id() }])], id());
  expect(rejected).toEqual([{ line: 1, issues: [{ path: 'organizationId', message: expect.any(String) }] }]);
});

it.each([
  ['no scope', [], 'associations'],
  [
    'the same scope twice',
    [{ downstreamEntityId: 'a'.repeat(24) }, { downstreamEntityId: 'A'.repeat(24) }],
    'associations',
  ],
  [
    'more scopes than can be stored',
    Array.from({ length: 61 }, () => ({ downstreamEntityId: id() })),
    'associations',
  ],
  ['a misspelled field', [{ downstreamEntityId: id(), primary: true }], 'associations[0].primary'],
])('a record with %s is rejected', async (_, associations, path) => {
  const { rejected } = await importLines([contact(associations)], upstream);
  expect(rejected).toEqual([{ line: 1, issues: [expect.objectContaining({ path })] }]);
});
