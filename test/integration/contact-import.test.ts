import { type ContactStore, createContactStore } from '#domain/contacts/store.ts';
import { contactsTable } from '#domain/tables.ts';
import { collect } from '#platform/data/concurrently.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { tableOf } from '#platform/data/table.ts';
import { transact } from '#platform/data/transact.ts';
import { moveContacts } from '../../functions/agency-moves/function.ts';
import {
  add,
  added,
  address,
  agencyAdds,
  agencyOrganization,
  contactsSeen,
  context,
  imported,
  importedAgency,
  victim,
} from '../support/associations-tests.ts';
import {
  agencyOf,
  ask,
  association,
  carrierOf,
  contacts,
  entity,
  ids,
  listFor,
  pageFor,
  person,
  routes,
  scopeAt,
  store,
} from '../support/contacts-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { withFaults } from '../support/faults.ts';
import { associationWith, contact as contactLine } from '../support/import-lines.ts';
import { recordsInto } from '../support/imports.ts';
import { organizationsIn } from '../support/organizations.ts';
import { id, scopesIn } from '../support/scopes.ts';
import { createTables, databaseCalls, dynamo } from '../support/tables.ts';

describe('contact import', () => {
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
    _id: id(),
    ...contactLine(`${id()}@agency.example`, associations, values),
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
          contact([{ downstreamEntityId: own, isPrimary: true }]),
        ],
        downstream,
      );
      expect(rejected.map(({ issues }) => issues[0]?.path)).toEqual([
        'associations[0].downstreamEntityId',
        'associations[0].downstreamEntityAssociationId',
        'associations[0].isPrimary',
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
      const deleted = await association(upstream, alone, undefined, id(), { isDeleted: true });
      const { rejected } = await importLines(
        [id(), deleted].map((downstreamEntityAssociationId) =>
          contact([{ downstreamEntityId: alone, downstreamEntityAssociationId }]),
        ),
      );
      expect(rejected).toHaveLength(2);
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

  it('an agency’s record leaves the scopes of other agencies unchanged', async () => {
    const own = { downstreamEntityId: await entity(downstream) };
    const theirs = { downstreamEntityId: await entity(await newOrganization('downstreamEntity')) };
    const record = contact([own, theirs]);
    await importLines([record]);
    await importLines([{ ...record, associations: [{ ...own, businessRoles: ['Claims'] }] }], downstream);
    const scopes = (await contacts.find(record._id))?.scopes;
    expect(scopes).toHaveLength(2);
    expect(scopes).toContainEqual(expect.objectContaining({ ...own, businessRoles: ['Claims'] }));
    expect(scopes).toContainEqual(expect.objectContaining(theirs));
  });

  it('an address is one contact per agency, and identifies a record without an ID', async () => {
    const entityId = await entity();
    await association(upstream, entityId);
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
    expect(rejected).toEqual([
      { line: 1, issues: [{ path: 'organizationId', message: expect.any(String) }] },
    ]);
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
});

describe('the scopes of a contact', () => {
  it('are ten for one carrier and agency: an add beyond them is made without the scope', async () => {
    const { carrier, agency, wide } = await victim();
    const branches: string[] = [];
    for (let index = 0; index < 11; index += 1) {
      branches.push(
        await added(carrier, { downstreamEntityId: agency, branchName: `B${index}`, email: wide }),
      );
    }
    const seen = (await contactsSeen(carrier)).find(({ email }) => email === wide);
    const named = seen?.associations.flatMap(({ downstreamEntityAssociationId: id = [] }) => id);
    expect(named).toEqual(branches.slice(0, 10));
  });

  it('that the agency itself names leave the carrier its ten', async () => {
    const { carrier, agency, wide, organization } = await victim();
    const branches = Array.from({ length: 11 }, (_, index) =>
      associationWith(newObjectId(new Date()), agency, { branchName: `B${index}` }),
    );
    await imported(carrier, ...branches);
    for (const { _id: upstreamDownstreamAssociationId } of branches) {
      expect((await agencyAdds(organization, { upstreamDownstreamAssociationId, email: wide })).status).toBe(
        201,
      );
    }
    const last = await added(carrier, { downstreamEntityId: agency, branchName: 'B11', email: wide });
    const seen = (await contactsSeen(carrier)).find(({ email }) => email === wide);
    expect(
      seen?.associations.map(({ downstreamEntityAssociationId }) => downstreamEntityAssociationId),
    ).toContain(last);
  });

  it('are sixty in all: an add beyond them is made without the scope, a contact is refused', async () => {
    const [carrier, organization] = await Promise.all([context.carrier(), agencyOrganization()]);
    const agency = await importedAgency(organization);
    const { entity } = scopesIn(context.tables);
    const others = await Promise.all(Array.from({ length: 60 }, () => entity(organization)));
    const email = address();
    await imported(
      undefined,
      contactLine(
        email,
        others.map((downstreamEntityId) => ({ downstreamEntityId })),
      ),
    );
    await imported(carrier, { type: 'association', downstreamEntityId: agency });
    expect((await add(carrier, { downstreamEntityId: agency, branchName: 'Waco', email })).status).toBe(201);
    expect(await contactsSeen(carrier)).toEqual([]);
    expect((await agencyAdds(organization, { downstreamEntityId: agency, email })).status).toBe(400);
  });
});

describe('contacts', () => {
  describe('sequential database calls', () => {
    const [upstream, downstream] = [id(), id()];
    let entityId: string;
    let marketId: string;
    let contactId: string;

    beforeAll(async () => {
      entityId = await entity(downstream);
      marketId = await association(upstream, entityId, downstream);
      ({ contactId } = await store([scopeAt(entityId, { downstreamOrganizationId: downstream })]));
    });

    it.each([
      ['a carrier’s list', 2, () => ask(routes.listContacts, carrierOf(upstream))],
      [
        'a carrier’s list for one association',
        2,
        () =>
          ask(routes.listContacts, carrierOf(upstream), {
            query: { downstreamEntityAssociationId: marketId },
          }),
      ],
      ['a carrier’s read', 2, () => ask(routes.getContact, carrierOf(upstream), { params: { contactId } })],
      ['an agency’s list', 2, () => ask(routes.listAgencyContacts, agencyOf(downstream))],
      [
        'an agency’s read',
        1,
        () => ask(routes.getAgencyContact, agencyOf(downstream), { params: { contactId } }),
      ],
    ])('for %s are at most %i', async (_, most, work) => {
      expect((await databaseCalls(work)).inSequence).toBeLessThanOrEqual(most);
    });
  });

  describe('lookups for other operations', () => {
    const [upstream, downstream] = [id(), id()];
    let entityId: string;
    let associationId: string;

    beforeAll(async () => {
      entityId = await entity(downstream);
      associationId = await association(upstream, entityId, downstream);
    });

    it('find an address and a domain in any case', async () => {
      const domain = `${id()}.example`;
      const { contactId, scopes } = await store([scopeAt(entityId)], { email: `Maria@${domain}` });
      const found = [{ downstreamEntityId: entityId, contactId, scopes }];
      expect(await collect<object>(contacts.withEmail(`maria@${domain.toUpperCase()}`).pages)).toEqual(found);
      expect(await collect<object>(contacts.withDomain(domain.toUpperCase()).pages)).toEqual(found);
      expect(await collect<object>(contacts.withDomain(domain.slice(1)).pages)).toEqual([]);
    });

    it('find a contact of an association as soon as it is added', async () => {
      const scope = scopeAt(entityId, {
        downstreamEntityAssociationId: associationId,
        downstreamOrganizationId: downstream,
      });
      const added = { person: person(), scope };
      const { items } = await contacts.creation(added, new Date());
      await transact(dynamo, items);
      const lookup = {
        _id: associationId,
        downstreamEntityId: entityId,
        downstreamOrganizationId: downstream,
      };
      const address = added.person.email.toUpperCase();
      expect(await contacts.contactAt(lookup, address)).toMatchObject(added.person);
      expect(await contacts.contactAt({ ...lookup, _id: id() }, address)).toBeUndefined();
      expect(await contacts.contactAt(lookup, 'nobody@agency.example')).toBeUndefined();
      await expect(contacts.creation(added, new Date())).rejects.toMatchObject({ reason: 'state_conflict' });
    });

    it('find a contact of the whole agency for each of its associations', async () => {
      const { email } = await store([scopeAt(entityId, { downstreamOrganizationId: downstream })]);
      const lookup = { _id: id(), downstreamEntityId: entityId, downstreamOrganizationId: downstream };
      expect(await contacts.contactAt(lookup, email)).toMatchObject({ email });
      expect(await contacts.contactAt({ ...lookup, downstreamEntityId: id() }, email)).toBeUndefined();
    });
  });

  describe('contacts of an entity that joins an organization', () => {
    const follow = (entityId: string, organization?: string) =>
      moveContacts(contacts, entityId, organization, () => new Date(), []);

    it('are merged with the organization’s contact of the same address', async () => {
      const [upstream, downstream] = [id(), id()];
      const [joining, own] = [await entity(), await entity(downstream)];
      const associationId = await association(upstream, joining);
      const scope = { downstreamEntityAssociationId: associationId, isPrimary: true };
      const known = await store([scopeAt(own, { downstreamOrganizationId: downstream })]);
      const joined = await store([scopeAt(joining, scope)], { email: known.email.toUpperCase() });
      await follow(joining, downstream);
      // Repeating it changes nothing.
      await follow(joining, downstream);
      const { items } = await pageFor(downstream);
      expect(ids(items)).toEqual([known.contactId]);
      expect(items[0]?.associations).toEqual([
        expect.objectContaining({ downstreamEntityId: own }),
        expect.objectContaining({ downstreamEntityId: joining, ...scope }),
      ]);
      expect(ids(await listFor(upstream))).toEqual([known.contactId]);
      expect(await contacts.find(joined.contactId)).toBeUndefined();
    });

    it('keep the primary role of a merged contact, wherever the move breaks off', async () => {
      const downstream = id();
      const joining = await entity();
      const known = await store([
        scopeAt(await entity(downstream), { downstreamOrganizationId: downstream }),
      ]);
      const market = { downstreamEntityAssociationId: id(), isPrimary: true };
      const joined = await store([scopeAt(joining, market)], { email: known.email });
      const rolesOf = async (contactId: string) =>
        (await contacts.find(contactId))?.scopes.filter(({ isPrimary }) => isPrimary) ?? [];
      for (let breaksAt = 1, isDone = false; !isDone; breaksAt += 1) {
        let writes = 0;
        const faultOf = (command: string) => {
          if (command === 'TransactWriteItemsCommand') writes += 1;
          return writes === breaksAt && !isDone ? 'after' : 'none';
        };
        isDone = await withFaults(faultOf, () =>
          follow(joining, downstream).then(
            () => true,
            () => false,
          ),
        );
        const roles = [...(await rolesOf(known.contactId)), ...(await rolesOf(joined.contactId))];
        expect(roles).toMatchObject([market]);
      }
      expect(await rolesOf(known.contactId)).toHaveLength(1);
    });
  });
});
