import { randomUUID } from 'node:crypto';
import { GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { downstreamEntityAssociationRoutes } from '../../functions/downstream-entity-associations/routes.ts';
import { associationKeys } from '../../shared/associations/stored.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import { createRedemption } from '../../shared/one-time-links/store.ts';
import { type SyncJob, syncJob } from '../../shared/registry/sync-job.ts';
import { type Asked, associationsOnTables } from '../support/associations.ts';
import { withLostAnswer } from '../support/faults.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

const { routes } = downstreamEntityAssociationRoutes;

let here: Awaited<ReturnType<typeof associationsOnTables>>;

beforeAll(async () => {
  here = await associationsOnTables();
});

beforeEach(() => {
  here.stage.now = () => new Date();
  here.stage.sendToRegistrySync = async () => {};
});

let count = 0;

/** An agency that nobody has yet. */
const draft = (fields: object = {}): object => {
  count += 1;
  return {
    downstreamEntityName: `Agency ${count}`,
    firstName: 'Maria',
    lastName: 'Delgado',
    email: `contact-${count}@example.com`,
    category: 'agency',
    isNpnRequired: false,
    ...fields,
  };
};

const add = (owner: string, fields: object = {}): Promise<Asked> =>
  here.ask(owner, routes.addAssociation, { body: draft(fields) });

const added = async (owner: string, fields: object = {}): Promise<string> => {
  const { status, data, json } = await add(owner, fields);
  if (status !== 201) throw new Error(JSON.stringify(json));
  return String(data['_id']);
};

const at = (downstreamEntityAssociationId: string) => ({ params: { downstreamEntityAssociationId } });

const change = (owner: string, id: string, body: object, headers: Record<string, string> = {}) =>
  here.ask(owner, routes.updateAssociation, { ...at(id), body, headers });

const list = async (owner: string, query: Record<string, string> = {}): Promise<string[]> => {
  const { data, json } = await here.ask(owner, routes.listAssociations, { query });
  if (!Array.isArray(data)) throw new Error(JSON.stringify(json));
  return data.map(({ _id }: { _id: string }) => _id).sort();
};

const tally = (answers: readonly Asked[]): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const { status, errorType } of answers) {
    const key = `${status} ${String(errorType ?? '')}`.trim();
    found[key] = (found[key] ?? 0) + 1;
  }
  return found;
};

const itemOf = async (key: Record<string, string>): Promise<Record<string, unknown> | undefined> => {
  const { Item } = await dynamo.send(
    new GetItemCommand({ TableName: here.tables.associations, Key: toItem(key), ConsistentRead: true }),
  );
  return Item && unmarshall(Item);
};

describe('calls of the database', () => {
  it('wait for one another twice to get an association: it says which agency to read', async () => {
    const owner = await here.carrier();
    const id = await added(owner, { downstreamEntityNpn: '11000001' });
    const { calls, inSequence } = await databaseCalls(() => here.ask(owner, routes.getAssociation, at(id)));
    expect(calls).toEqual(['GetItemCommand', 'BatchGetItemCommand', 'BatchGetItemCommand']);
    expect(inSequence).toBe(2);
  });

  it('wait twice to list associations, and as often to list the records of one', async () => {
    const owner = await here.carrier();
    const id = await added(owner, { downstreamEntityNpn: '11000002' });
    expect((await databaseCalls(() => list(owner))).inSequence).toBe(2);
    const records = () => here.ask(owner, routes.listAssociationLicenses, at(id));
    expect((await databaseCalls(records)).inSequence).toBe(2);
  });

  it('wait twice to hold an agency against a product, and four times with its policies', async () => {
    const owner = await here.carrier();
    const id = await added(owner, { downstreamEntityNpn: '11000003' });
    const query = { stateCode: 'TX', productId: newObjectId(new Date()) };
    const ofProduct = await databaseCalls(async () => {
      const route = routes.listAssociationLicenseComplianceStatuses;
      expect((await here.ask(owner, route, { ...at(id), query })).status).toBe(404);
    });
    expect(ofProduct.inSequence).toBe(2);
    const ofPolicies = await databaseCalls(async () => {
      const { data } = await here.ask(owner, routes.listAssociationPolicyComplianceStatuses, at(id));
      expect(data).toEqual([]);
    });
    // The association, what is held of its agency, and a page of each of two partitions of policies.
    expect(ofPolicies.inSequence).toBe(4);
  });

  it('of a change under a key wait for one another five times', async () => {
    const owner = await here.carrier();
    const id = await added(owner);
    const headers = { 'idempotency-key': randomUUID() };
    const { inSequence } = await databaseCalls(() => change(owner, id, { externalId: 'A' }, headers));
    // Rate, key, association, what it shows beside, transaction.
    expect(inSequence).toBe(5);
  });
});

describe('PATCH', () => {
  it('a text sets, null clears, and what is left out stays', async () => {
    const owner = await here.carrier();
    const id = await added(owner, { externalId: 'E-1' });
    const set = await change(owner, id, { producerCode: 'P-1' });
    expect(set.data).toMatchObject({ _id: id, externalId: 'E-1', producerCode: 'P-1' });
    const cleared = await change(owner, id, { externalId: null });
    expect(cleared.data).toMatchObject({ externalId: null, producerCode: 'P-1' });
    expect((await here.ask(owner, routes.getAssociation, at(id))).data).toEqual(cleared.data);
  });

  it.each([[{}], [{ externalId: '' }], [{ producerCode: '' }], [{ status: 'active' }], [{ externalId: 5 }]])(
    '%j is refused with 400',
    async (body) => {
      const owner = await here.carrier();
      const id = await added(owner);
      expect(await change(owner, id, body)).toMatchObject({ status: 400, errorType: 'validation_error' });
    },
  );

  it.each([
    ['externalId', 'duplicate_external_id_error'],
    ['producerCode', 'duplicate_producer_code_error'],
  ])('%s is unique within a carrier, and the own value is no conflict', async (field, errorType) => {
    const [owner, other] = await Promise.all([here.carrier(), here.carrier()]);
    const [one, two, foreign] = await Promise.all([added(owner), added(owner), added(other)]);
    expect((await change(owner, one, { [field]: 'X' })).status).toBe(200);
    expect((await change(owner, one, { [field]: 'X' })).status).toBe(200);
    expect((await change(other, foreign, { [field]: 'X' })).status).toBe(200);
    expect(await change(owner, two, { [field]: 'X' })).toMatchObject({ status: 409, errorType });
    expect((await change(owner, one, { [field]: null })).status).toBe(200);
    expect((await change(owner, two, { [field]: 'X' })).status).toBe(200);
  });

  it('of ten concurrent changes to one value exactly one wins', async () => {
    const owner = await here.carrier();
    const ids = await Promise.all(Array.from({ length: 10 }, () => added(owner)));
    const answers = await Promise.all(ids.map((id) => change(owner, id, { externalId: 'ONE' })));
    expect(tally(answers)).toEqual({ '200': 1, '409 duplicate_external_id_error': 9 });
    const shown = await Promise.all(ids.map((id) => here.ask(owner, routes.getAssociation, at(id))));
    expect(shown.filter(({ data }) => data['externalId'] === 'ONE')).toHaveLength(1);
  });

  it('concurrent changes of one association are all made', async () => {
    const owner = await here.carrier();
    const id = await added(owner);
    const answers = await Promise.all([
      change(owner, id, { externalId: 'E' }),
      change(owner, id, { producerCode: 'P' }),
    ]);
    expect(tally(answers)).toEqual({ '200': 2 });
    expect((await here.ask(owner, routes.getAssociation, at(id))).data).toMatchObject({
      externalId: 'E',
      producerCode: 'P',
    });
  });

  it('whatever is set and cleared in turn, no code is ever held twice and none is lost', async () => {
    const owner = await here.carrier();
    const ids = await Promise.all([added(owner), added(owner), added(owner)]);
    const held = new Map<string, string | null>();
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 2 }),
        fc.constantFrom('externalId', 'producerCode'),
        fc.constantFrom('A', 'B', null),
        async (which, field, value) => {
          const id = ids[which] ?? '';
          const holder = ids.find((other) => value !== null && held.get(`${field} ${other}`) === value);
          const { status } = await change(owner, id, { [field]: value });
          expect(status).toBe(holder === undefined || holder === id ? 200 : 409);
          if (status === 200) held.set(`${field} ${id}`, value);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('changes the agency’s market with the association', async () => {
    const owner = await here.carrier();
    const organization = newObjectId(new Date());
    const entityId = await entity({ downstreamOrganizationId: organization });
    const id = await added(owner, { downstreamEntityId: entityId, producerCode: 'P-1' });
    const key = associationKeys.market(organization, id);
    expect(await itemOf(key)).toMatchObject({
      producerCode: 'P-1',
      upstreamEntityName: 'Beacon Specialty',
      isOnPlatform: true,
    });
    await change(owner, id, { producerCode: 'P-2' });
    expect(await itemOf(key)).toMatchObject({ producerCode: 'P-2' });
  });
});

/** An agency that is on the platform already. */
async function entity(fields: object = {}): Promise<string> {
  const _id = newObjectId(new Date());
  const now = new Date().toISOString();
  await here.put('downstreamEntities', {
    pk: `ENTITY#${_id}`,
    _id,
    legalName: 'Lone Star Brokerage',
    category: 'agency',
    npn: '17654321',
    ein: null,
    isNpnRequired: true,
    isDeleted: false,
    createdAt: now,
    updatedAt: now,
    ...fields,
  });
  return _id;
}

describe('add and invite', () => {
  it('add answers the association, with a new agency and its contact', async () => {
    const owner = await here.carrier();
    const { status, data } = await add(owner, {
      email: 'Maria.Delgado@Example.com',
      downstreamEntityNpn: '12345',
      ein: '751234567',
      branchName: 'Austin',
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      status: 'active',
      branchName: 'Austin',
      registryDataSubscription: null,
      downstreamEntity: { npn: '12345', ein: '751234567', category: 'agency' },
    });
    expect(await list(owner, { email: 'maria.delgado@EXAMPLE.com' })).toEqual([data['_id']]);
    expect((await here.ask(owner, routes.getAssociation, at(String(data['_id'])))).data).toEqual(data);
  });

  it('invite answers a link that lets in once', async () => {
    const owner = await here.carrier();
    const { status, data } = await here.ask(owner, routes.inviteAssociation, { body: draft() });
    expect(status).toBe(201);
    const token = new URL(String(data['url'])).searchParams.get('token') ?? '';
    const redeem = createRedemption(dynamo, here.tables.oneTimeLinks, () => new Date());
    const id = data['downstreamEntityAssociationId'];
    expect(await redeem(token)).toMatchObject({ purpose: 'invitation', downstreamEntityAssociationId: id });
    await expect(redeem(token)).rejects.toMatchObject({ errorType: 'not_found' });
    const shown = await here.ask(owner, routes.getAssociation, at(String(id)));
    expect(shown.data).toMatchObject({ status: 'invited' });
  });

  it('a link lets in when the answer of its redemption is lost, and not again', async () => {
    const owner = await here.carrier();
    const { data } = await here.ask(owner, routes.inviteAssociation, { body: draft() });
    const token = new URL(String(data['url'])).searchParams.get('token') ?? '';
    const redeem = createRedemption(dynamo, here.tables.oneTimeLinks, () => new Date());
    const admitted = await withLostAnswer(() => redeem(token), 'UpdateItemCommand');
    expect(admitted).toMatchObject({ purpose: 'invitation' });
    await expect(redeem(token)).rejects.toMatchObject({ errorType: 'not_found' });
  });

  it.each([
    ['downstreamEntityId', {}],
    ['contractContainerTemplateId', {}],
    ['producerAgreementId', {}],
    ['parentDownstreamEntityAssociationId', {}],
  ])('an unknown %s is not found', async (field) => {
    const owner = await here.carrier();
    const answer = await add(owner, { [field]: 'f'.repeat(24) });
    expect(answer).toMatchObject({ status: 404, errorType: 'not_found' });
    expect(await list(owner)).toEqual([]);
  });

  it('a template must be active, and its two names must not differ', async () => {
    const owner = await here.carrier();
    const template = async (isActive: boolean) => {
      const _id = newObjectId(new Date());
      const now = new Date().toISOString();
      const values = { _id, name: 'Producer agreement', description: null, isActive, isDeleted: false };
      const key = associationKeys.template(owner, _id);
      await here.put('associations', { ...key, ...values, createdAt: now, updatedAt: now });
      return _id;
    };
    const [active, inactive] = await Promise.all([template(true), template(false)]);
    expect((await add(owner, { contractContainerTemplateId: inactive })).status).toBe(404);
    expect((await add(owner, { producerAgreementId: active })).status).toBe(201);
    const both = { contractContainerTemplateId: active, producerAgreementId: inactive };
    expect((await add(owner, both)).status).toBe(400);
    const shown = await here.ask(owner, routes.listContractContainerTemplates);
    expect(shown.data).toMatchObject([{ _id: active }]);
  });

  it('an NPN that is needed must be given, unless the agency may tell it', async () => {
    const owner = await here.carrier();
    expect(await add(owner, { isNpnRequired: true })).toMatchObject({ status: 400 });
    const invited = await here.ask(owner, routes.inviteAssociation, { body: draft({ isNpnRequired: true }) });
    expect(invited.status).toBe(201);
  });

  it('with downstreamEntityId the association is made with the agency that exists, which stays as it is', async () => {
    const owner = await here.carrier();
    const downstreamEntityId = await entity();
    const { data } = await add(owner, { downstreamEntityId, downstreamEntityName: 'Another name' });
    expect(data).toMatchObject({
      downstreamEntity: { _id: downstreamEntityId, legalName: 'Lone Star Brokerage' },
    });
    const branch = await add(owner, { downstreamEntityId, branchName: 'Dallas' });
    expect(branch.status).toBe(201);
    const other = await add(owner, { downstreamEntityId, downstreamEntityNpn: '9', branchName: 'Waco' });
    expect(other).toMatchObject({ status: 400 });
    const place = await itemOf(associationKeys.ofEntity(owner, downstreamEntityId));
    expect(place?.['associationIds']).toEqual(new Set([data['_id'], branch.data['_id']]));
  });

  it('codes that another association has are refused, and nothing is written', async () => {
    const owner = await here.carrier();
    await added(owner, { externalId: 'E', producerCode: 'P' });
    expect(await add(owner, { externalId: 'E' })).toMatchObject({ errorType: 'duplicate_external_id_error' });
    expect(await add(owner, { producerCode: 'P' })).toMatchObject({
      errorType: 'duplicate_producer_code_error',
    });
    expect(await list(owner)).toHaveLength(1);
    expect(await itemOf(associationKeys.count(owner))).toMatchObject({ liveCount: 1 });
  });

  it('of fifty concurrent equal requests one is made and the others are transient', async () => {
    const owner = await here.carrier();
    const body = draft({ downstreamEntityNpn: '777' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => here.ask(owner, routes.addAssociation, { body })),
    );
    expect(tally(answers)).toEqual({ '201': 1, '409 transient_transaction_error': 49 });
    expect(await list(owner)).toHaveLength(1);
  });

  it('of twenty concurrent equal invitations of one agency one is made', async () => {
    const owner = await here.carrier();
    const body = draft({ downstreamEntityId: await entity() });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => here.ask(owner, routes.inviteAssociation, { body })),
    );
    expect(tally(answers)).toEqual({ '201': 1, '409 transient_transaction_error': 19 });
  });

  it('a duplicate ten seconds later is a conflict', async () => {
    const owner = await here.carrier();
    const body = draft();
    await here.ask(owner, routes.addAssociation, { body });
    const soon = await here.ask(owner, routes.addAssociation, { body });
    expect(soon).toMatchObject({ status: 409, errorType: 'transient_transaction_error' });
    here.stage.now = () => new Date(Date.now() + 10_000);
    const later = await here.ask(owner, routes.addAssociation, { body });
    expect(later).toMatchObject({ status: 409, errorType: 'conflict' });
  });

  it('at the plan ceiling the answer is 403 with what is expected', async () => {
    const owner = await here.carrier(0);
    const { status, json } = await add(owner);
    expect(status).toBe(403);
    expect(json).toMatchObject({
      errorType: 'invite_limit_reached',
      details: { expected: 'at most 0 associated agencies', actual: '0' },
    });
  });

  it('of twenty concurrent requests for the last place one is made and the others are told of the ceiling', async () => {
    const owner = await here.carrier(3);
    await added(owner);
    await added(owner);
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(owner)));
    expect(tally(answers)).toEqual({ '201': 1, '403 invite_limit_reached': 19 });
    expect(await list(owner)).toHaveLength(3);
  });

  it('a repeat under the same key is answered with the first answer', async () => {
    const owner = await here.carrier();
    const identity = { organizationId: owner, category: 'upstreamEntity' as const, credentialId: 'client' };
    const headers = { 'idempotency-key': randomUUID() };
    const body = draft();
    const once = await here.ask(owner, routes.inviteAssociation, { body, headers, identity });
    const again = await here.ask(owner, routes.inviteAssociation, { body, headers, identity });
    expect(again.json).toEqual(once.json);
    expect(once.status).toBe(201);
  });
});

describe('the list', () => {
  it('finds agencies by NPN, license, address and domain, each the caller’s alone', async () => {
    const [owner, other] = await Promise.all([here.carrier(), here.carrier()]);
    const fields = { downstreamEntityNpn: '4711', email: 'person@lone-star.example' };
    const [mine, foreign] = [await added(owner, fields), await added(other, fields)];
    const unrelated = await added(owner);
    await here.put('registryRecords', {
      pk: `${owner}#NPN#4711`,
      sk: 'LICENSE#TX#99#1',
      licenseNumberKey: `${owner}#TX#99`,
    });
    expect(await list(owner)).toEqual([mine, unrelated].sort());
    expect(await list(owner, { downstreamEntityNpn: '4711' })).toEqual([mine]);
    expect(await list(owner, { licenseNumber: '99', stateCode: 'TX' })).toEqual([mine]);
    expect(await list(other, { licenseNumber: '99', stateCode: 'TX' })).toEqual([]);
    expect(await list(owner, { email: 'PERSON@lone-star.example' })).toEqual([mine]);
    expect(await list(owner, { emailDomain: 'LONE-STAR.example' })).toEqual([mine]);
    expect(await list(other, { emailDomain: 'lone-star.example' })).toEqual([foreign]);
    expect(await list(owner, { downstreamEntityNpn: '1' })).toEqual([]);
  });

  it('shows an association by an address only where its contact is the association’s or the whole agency’s', async () => {
    const [owner, other] = await Promise.all([here.carrier(), here.carrier()]);
    const downstreamEntityId = await entity();
    const email = 'only-theirs@example.com';
    const [mine, theirs] = [
      await added(owner, { downstreamEntityId }),
      await added(other, { downstreamEntityId, email }),
    ];
    expect(await list(owner, { email })).toEqual([]);
    expect(await list(other, { email })).toEqual([theirs]);
    expect(await list(owner)).toEqual([mine]);
  });

  it.each([
    [{ downstreamEntityNpn: '1', email: 'a@example.com' }, ['downstreamEntityNpn', 'email']],
    [{ emailDomain: 'example.com', email: 'a@example.com' }, ['emailDomain', 'email']],
    [{ licenseNumber: '1' }, ['stateCode']],
    [{ stateCode: 'TX' }, ['licenseNumber']],
    [
      { licenseNumber: '1', stateCode: 'TX', downstreamEntityNpn: '1' },
      ['downstreamEntityNpn', 'licenseNumber'],
    ],
  ])('%j is refused naming %j', async (query, paths) => {
    const owner = await here.carrier();
    const { status, json } = await here.ask(owner, routes.listAssociations, { query });
    expect(status).toBe(400);
    expect(json).toMatchObject({ details: { issues: paths.map((path) => ({ path })) } });
  });
});

describe('sync', () => {
  const sync = (owner: string, id: string) => here.ask(owner, routes.syncAssociation, at(id));

  const queue = (): SyncJob[] => {
    const jobs: SyncJob[] = [];
    here.stage.sendToRegistrySync = async (sent) => {
      jobs.push(...z.parse(z.array(syncJob), sent));
    };
    return jobs;
  };

  it('queues a job once and answers its subscription; the same again while it is under way', async () => {
    const owner = await here.carrier();
    const id = await added(owner, { downstreamEntityNpn: '31' });
    const jobs = queue();
    const first = await sync(owner, id);
    const second = await sync(owner, id);
    expect(first.status).toBe(202);
    expect(second.data).toEqual(first.data);
    expect(jobs).toEqual([
      {
        jobId: (first.data['entityInfo'] as { jobId: string }).jobId,
        organizationId: owner,
        registryDataSubscriptionId: first.data['registryDataSubscriptionId'],
        npn: '31',
      },
    ]);
    const shown = await here.ask(owner, routes.getAssociation, at(id));
    expect(shown.data).toMatchObject({
      registryDataSubscription: { entityModel: 'downstreamEntity', entityInfo: { status: 'queued' } },
    });
  });

  it('concurrent requests make one job, whoever sends it', async () => {
    const owner = await here.carrier();
    const id = await added(owner, { downstreamEntityNpn: '32' });
    const jobs = queue();
    const answers = await Promise.all(Array.from({ length: 10 }, () => sync(owner, id)));
    expect(tally(answers)).toEqual({ '202': 10 });
    expect(new Set(jobs.map(({ jobId }) => jobId)).size).toBe(1);
  });

  it('a queue that does not say yes is 503, and the next request may queue anew', async () => {
    const owner = await here.carrier();
    const id = await added(owner, { downstreamEntityNpn: '33' });
    here.stage.sendToRegistrySync = () => Promise.reject(new Error('down'));
    expect(await sync(owner, id)).toMatchObject({ status: 503, errorType: 'service_unavailable' });
    const shown = await here.ask(owner, routes.getAssociation, at(id));
    expect(shown.data).toMatchObject({ registryDataSubscription: { entityInfo: { status: 'failed' } } });
    const jobs = queue();
    expect((await sync(owner, id)).status).toBe(202);
    expect(jobs).toHaveLength(1);
  });

  it('sends the same job again when an earlier request crashed before it was sent', async () => {
    const owner = await here.carrier();
    const id = await added(owner, { downstreamEntityNpn: '34' });
    const jobs = queue();
    const { data } = await sync(owner, id);
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: here.tables.registryRecords }));
    const stored = Items.map((item) => unmarshall(item)).find(
      (item) => item['_id'] === data['registryDataSubscriptionId'],
    );
    await here.put('registryRecords', { ...stored, isSent: false });
    await sync(owner, id);
    expect(jobs).toHaveLength(2);
    expect(jobs[1]).toEqual(jobs[0]);
    await sync(owner, id);
    expect(jobs).toHaveLength(2);
  });

  it('a synchronization that is an hour old is taken for lost', async () => {
    const owner = await here.carrier();
    const id = await added(owner, { downstreamEntityNpn: '35' });
    const jobs = queue();
    await sync(owner, id);
    here.stage.now = () => new Date(Date.now() + 61 * 60_000);
    await sync(owner, id);
    expect(new Set(jobs.map(({ jobId }) => jobId)).size).toBe(2);
  });

  it('an agency without an NPN is a conflict', async () => {
    const owner = await here.carrier();
    expect(await sync(owner, await added(owner))).toMatchObject({ status: 409, errorType: 'conflict' });
  });
});

describe('sign-in-url', () => {
  const signIn = (owner: string, id: string, email: string) =>
    here.ask(owner, routes.getAssociationSignInUrl, { ...at(id), query: { email } });

  it('signs a contact of the association in, once, for fifteen minutes', async () => {
    const owner = await here.carrier();
    const id = await added(owner, { email: 'signs.in@example.com' });
    const { status, data } = await signIn(owner, id, 'Signs.In@example.com');
    expect(status).toBe(200);
    const token = new URL(String(data['url'])).searchParams.get('token') ?? '';
    const later = new Date(Date.now() + 16 * 60_000);
    const expired = createRedemption(dynamo, here.tables.oneTimeLinks, () => later);
    await expect(expired(token)).rejects.toMatchObject({ errorType: 'not_found' });
    const redeem = createRedemption(dynamo, here.tables.oneTimeLinks, () => new Date());
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => redeem(token)));
    expect(tries.filter((one) => one.status === 'fulfilled')).toMatchObject([
      { value: { purpose: 'sign-in', downstreamEntityAssociationId: id, email: 'signs.in@example.com' } },
    ]);
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: here.tables.oneTimeLinks }));
    expect(JSON.stringify(Items)).not.toContain(token);
  });

  it('is refused for an address that is no contact’s there', async () => {
    const owner = await here.carrier();
    const id = await added(owner);
    const { status, json } = await signIn(owner, id, 'stranger@example.com');
    expect(status).toBe(403);
    expect(json).toMatchObject({
      errorType: 'contact_not_authorized',
      details: { expected: 'a contact of the association', actual: 'none' },
    });
    expect((await signIn(await here.carrier(), id, 'stranger@example.com')).status).toBe(404);
  });
});
