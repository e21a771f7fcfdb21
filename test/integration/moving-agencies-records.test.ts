import { createFilingStore } from '../../shared/domain/filings/store.ts';
import { filingsTable } from '../../shared/domain/filings/table.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';
import {
  ask,
  entity,
  filing,
  given,
  id,
  idsOf,
  move,
  newOrganization,
  place,
  routes,
  tables,
  upload,
} from '../support/moving-agencies.ts';
import { dynamo } from '../support/tables.ts';

let carrier: string;
let first: string;
let second: string;
let agency: string;

beforeEach(async () => {
  carrier = await newOrganization('upstreamEntity');
  first = await newOrganization('downstreamEntity');
  second = await newOrganization('downstreamEntity');
  agency = id();
  await given(undefined, entity(agency, first));
});

/** The mark of an imported filing as it was stored before filings followed their agency. */
const forgottenMark = (filingId: string): TransactionItem => ({
  write: {
    Update: {
      TableName: tables.filings,
      Key: toItem({ pk: `FILING_ID#${filingId}`, sk: 'IMPORT' }),
      UpdateExpression: 'REMOVE recordOwner',
    },
  },
  refused: () => new Error('refused'),
});

const body = (fields: object = {}) => ({ ...place, body: 'Here it is.', ...fields });
const reply = async (organizationId: string, filingId: string, fields?: object) =>
  (
    await ask(routes.createAgencyFilingEscalationMessage, organizationId, {
      params: { filingId },
      body: body(fields),
    })
  ).status;
const read = async (organizationId: string, filingId: string) =>
  (await ask(routes.getAgencyFiling, organizationId, { params: { filingId } })).status;

describe('a filing', () => {
  let filingId: string;
  beforeEach(async () => {
    filingId = id();
    await given(carrier, filing(filingId, agency));
  });
  const attach = async (organizationId: string, fileDocumentIds: unknown[]) =>
    (
      await ask(routes.attachAgencyFilingFiles, organizationId, {
        params: { filingId },
        body: { ...place, fileDocumentIds },
      })
    ).status;
  const setDocument = async (organizationId: string, fileDocumentId: unknown) =>
    (
      await ask(routes.replaceAgencyFilingPolicyDocument, organizationId, {
        params: { filingId },
        body: { fileDocumentId },
      })
    ).status;

  /** Everything that an organization can do with the filing: read it, list it, and write to it. */
  const expectOwnedBy = async (owner: string, other: string) => {
    expect([await read(owner, filingId), await read(other, filingId)]).toEqual([200, 404]);
    for (const query of [{}, { downstreamEntityId: agency }, { status: 'in progress', stateCode: 'TX' }]) {
      expect(await idsOf(routes.listAgencyFilings, owner, '_id', query)).toContain(filingId);
    }
    expect(await idsOf(routes.listAgencyFilings, other, '_id')).toEqual([]);
    expect(await idsOf(routes.listAgencyFilings, other, '_id', { status: 'in progress' })).toEqual([]);
    for (const [organizationId, status, set] of [
      [other, 404, 404],
      [owner, 201, 200],
    ] as const) {
      expect(await attach(organizationId, [await upload(organizationId, 'Surplus Lines')])).toBe(status);
      expect(await setDocument(organizationId, await upload(organizationId, 'Surplus Lines'))).toBe(set);
      expect(await reply(organizationId, filingId)).toBe(status);
    }
  };

  it('belongs to the organization that its agency moved to', async () => {
    await expectOwnedBy(first, second);
    await move(agency, second);
    await expectOwnedBy(second, first);
  });

  it('belongs to the organization that its agency came back to', async () => {
    await move(agency, second);
    await move(agency, first);
    await expectOwnedBy(first, second);
  });

  it('belongs to the organization that its agency joined later', async () => {
    const joining = id();
    const earlier = id();
    await given(undefined, entity(joining));
    await given(carrier, filing(earlier, joining));
    expect(await read(second, earlier)).toBe(404);
    await move(joining, second);
    expect([await read(second, earlier), await reply(second, earlier)]).toEqual([200, 201]);
    expect(await idsOf(routes.listAgencyFilings, second, '_id')).toEqual([earlier]);
  });

  it('is corrected by a second import when it was stored before its agency joined', async () => {
    const joining = id();
    const record = filing(id(), joining);
    await given(undefined, entity(joining));
    await given(carrier, record);
    const store = createFilingStore(tableOf(filingsTable, dynamo, tables.filings), () => new Date());
    const found = await store.findById(record._id);
    if (found === undefined) throw new Error('It was imported.');
    const { recordOwner: _, ...before } = found.filing;
    await store.save(found, { filing: before }, [forgottenMark(record._id)]);
    await move(joining, second);
    expect(await read(second, record._id)).toBe(404);
    await given(carrier, record);
    expect(await read(second, record._id)).toBe(200);
  });

  it('belongs to no organization when its agency left', async () => {
    await move(agency);
    expect([await read(first, filingId), await reply(first, filingId)]).toEqual([404, 404]);
    expect(await idsOf(routes.listAgencyFilings, first, '_id')).toEqual([]);
  });

  it('is an action required of the organization that its agency moved to', async () => {
    await move(agency, second);
    expect(await idsOf(routes.listAgencyActionsRequired, second, 'filingId')).toEqual([filingId]);
    expect(await idsOf(routes.listAgencyActionsRequired, first, 'filingId')).toEqual([]);
  });
});

describe('records that move with their agency', () => {
  it('are its markets, whether or not their carrier is on the platform', async () => {
    const [association, market] = [id(), id()];
    await given(carrier, { type: 'association', _id: association, downstreamEntityId: agency });
    await given(first, {
      type: 'market',
      _id: market,
      downstreamEntityId: agency,
      upstreamEntityName: 'Off the platform',
    });
    await move(agency, second);
    const key = 'upstreamDownstreamAssociationId';
    expect(await idsOf(routes.listAgencyMarkets, second, key)).toEqual([association, market].sort());
    expect(await idsOf(routes.listAgencyMarkets, first, key)).toEqual([]);
    const document = await upload(second, 'Other Document', market);
    expect(document).toEqual(expect.any(String));
    expect(await upload(first, 'Other Document', association)).toBe(404);
    expect(
      await idsOf(routes.listAgencyFileDocuments, second, '_id', { downstreamEntityId: agency }),
    ).toEqual([document]);
  });

  it('are the files that were uploaded for its markets, not those that were uploaded for none', async () => {
    const association = id();
    await given(carrier, { type: 'association', _id: association, downstreamEntityId: agency });
    const file = String(await upload(first, 'Other Document', association));
    const kept = String(await upload(first, 'Other Document'));
    await move(agency, second);
    const download = async (organizationId: string, fileDocumentId: string) =>
      (await ask(routes.getAgencyFileDocumentDownloadUrl, organizationId, { params: { fileDocumentId } }))
        .status;
    expect([await download(first, file), await download(second, file)]).toEqual([404, 200]);
    expect([await download(first, kept), await download(second, kept)]).toEqual([200, 404]);
    expect(await idsOf(routes.listAgencyFileDocuments, first, '_id')).toEqual([kept]);
    expect(await idsOf(routes.listAgencyFileDocuments, second, '_id')).toEqual([file]);
    // The next version of the file is one, whoever uploads it.
    expect(await upload(second, 'Other Document', association)).toBe(file);
  });

  it('are its license requests', async () => {
    const request = { downstreamEntityId: agency, type: 'new', stateCode: 'OK' };
    await given(undefined, entity(agency, first, { npn: '17654321' }));
    const { data } = await ask(routes.createAgencyLicenseRequest, first, { body: request });
    const params = { licenseRequestId: String(data['_id']) };
    await given(undefined, entity(agency, second, { npn: '17654321' }));
    const get = async (organizationId: string) =>
      (await ask(routes.getAgencyLicenseRequest, organizationId, { params })).status;
    const cancel = async (organizationId: string) =>
      (await ask(routes.cancelAgencyLicenseRequest, organizationId, { params })).status;
    expect([await get(first), await get(second), await cancel(first)]).toEqual([404, 200, 404]);
    expect(await idsOf(routes.listAgencyLicenseRequests, first, '_id')).toEqual([]);
    expect(await idsOf(routes.listAgencyLicenseRequests, second, '_id')).toEqual([data['_id']]);
    expect((await ask(routes.createAgencyLicenseRequest, second, { body: request })).status).toBe(409);
    expect(await cancel(second)).toBe(200);
    expect(await cancel(first)).toBe(404);
  });

  it('are its corporate registrations', async () => {
    const registration = id();
    await given(first, {
      type: 'corporate-registration',
      _id: registration,
      downstreamEntityId: agency,
      stateCode: 'TX',
      registrationType: 'domestic',
      registrationNumber: '0801234567',
    });
    await move(agency, second);
    expect(await idsOf(routes.listAgencyCorporateRegistrations, first, '_id')).toEqual([]);
    expect(await idsOf(routes.listAgencyCorporateRegistrations, second, '_id')).toEqual([registration]);
  });

  it('are its contacts', async () => {
    const person = (email: string, downstreamEntityId: string) => ({
      firstName: 'Maria',
      lastName: 'Delgado',
      email,
      downstreamEntityId,
    });
    const other = id();
    await given(undefined, entity(other, first));
    const add = async (organizationId: string, email: string, entityId: string) =>
      await ask(routes.createAgencyContact, organizationId, { body: person(email, entityId) });
    const there = String((await add(first, 'a@agency.example', agency)).data['contactId']);
    const both = String((await add(first, 'b@agency.example', agency)).data['contactId']);
    await add(first, 'b@agency.example', other);
    await move(agency, second);
    const get = (organizationId: string, contactId: string) =>
      ask(routes.getAgencyContact, organizationId, { params: { contactId } });
    expect([(await get(first, there)).status, (await get(second, there)).status]).toEqual([404, 200]);
    expect(await idsOf(routes.listAgencyContacts, first, 'contactId')).toEqual([both]);
    expect(await idsOf(routes.listAgencyContacts, second, 'contactId')).toEqual([there, both].sort());
    expect((await get(first, both)).data['associations']).toMatchObject([{ downstreamEntityId: other }]);
    expect((await get(second, both)).data['associations']).toMatchObject([{ downstreamEntityId: agency }]);
    expect((await add(first, 'c@agency.example', agency)).status).toBe(404);
    expect((await add(second, 'c@agency.example', agency)).status).toBe(201);
  });

  it('are not its former organization’s producers, who no longer show the agency', async () => {
    const producer = id();
    await given(first, {
      type: 'agent',
      _id: producer,
      npn: '8123456',
      firstName: 'Maria',
      lastName: 'Delgado',
      downstreamEntityIds: [agency],
    });
    await move(agency, second);
    const { data } = await ask(routes.listAgencyProducers, first, {});
    expect(data['items']).toMatchObject([{ _id: producer, downstreamEntityIds: [] }]);
    expect(await idsOf(routes.listAgencyProducers, second, '_id')).toEqual([]);
  });
});
