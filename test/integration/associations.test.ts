import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { evidenceKey, evidenceValues } from '#domain/associations/match-evidence.ts';
import { associationKeys } from '#domain/associations/stored.ts';
import { tablesOf } from '#domain/tables.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { createRedemption } from '../../functions/link-redemption/function.ts';
import {
  add,
  added,
  at,
  change,
  context,
  draft,
  entity,
  itemOf,
  list,
  routes,
  tally,
} from '../support/associations-tests.ts';
import { runs } from '../support/extent.ts';
import { signInTokens } from '../support/link-secret.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

/** A carrier whose first association has these codes, and the id of its second one. */
async function oneOf(
  code: string,
): Promise<[owner: Awaited<ReturnType<typeof context.carrier>>, id: string]> {
  const owner = await context.carrier();
  await added(owner, { externalId: code, producerCode: code });
  return [owner, await added(owner)];
}

describe('sequential database calls', () => {
  it('are two to get an association, because the first names the agency', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { downstreamEntityNpn: '11000001' });
    const { calls, inSequence } = await databaseCalls(() =>
      context.ask(owner, routes.getAssociation, at(id)),
    );
    expect(calls).toEqual(['GetItemCommand', 'BatchGetItemCommand', 'BatchGetItemCommand']);
    expect(inSequence).toBe(2);
  });

  it('are two to list associations, and two to list the records of one', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { downstreamEntityNpn: '11000002' });
    expect((await databaseCalls(() => list(owner))).inSequence).toBe(2);
    const records = () => context.ask(owner, routes.listAssociationLicenses, at(id));
    expect((await databaseCalls(records)).inSequence).toBe(2);
  });

  it('are two to compare an agency with a product, and five with its policies', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { downstreamEntityNpn: '11000003' });
    const query = { stateCode: 'TX', productId: newObjectId(new Date()) };
    const ofProduct = await databaseCalls(async () => {
      const route = routes.listAssociationLicenseComplianceStatuses;
      expect((await context.ask(owner, route, { ...at(id), query })).status).toBe(404);
    });
    expect(ofProduct.inSequence).toBe(2);
    const ofPolicies = await databaseCalls(async () => {
      const { data } = await context.ask(owner, routes.listAssociationPolicyComplianceStatuses, at(id));
      expect(data).toEqual([]);
    });
    // The association, its agency's records, a page of each of two partitions of policies, and the place of an open list.
    expect(ofPolicies.inSequence).toBe(5);
  });

  it('are five for a change under an idempotency key', async () => {
    const owner = await context.carrier();
    const id = await added(owner);
    const headers = { 'idempotency-key': randomUUID() };
    const { inSequence } = await databaseCalls(() => change(owner, id, { externalId: 'A' }, { headers }));
    // Rate limit, key, association, its related records, transaction.
    expect(inSequence).toBe(5);
  });
});

describe('PATCH', () => {
  it('sets text, clears with null, and leaves omitted fields unchanged', async () => {
    const owner = await context.carrier();
    const id = await added(owner, { externalId: 'E-1' });
    const set = await change(owner, id, { producerCode: 'P-1' });
    expect(set.data).toMatchObject({ _id: id, externalId: 'E-1', producerCode: 'P-1' });
    const cleared = await change(owner, id, { externalId: null });
    expect(cleared.data).toMatchObject({ externalId: null, producerCode: 'P-1' });
    expect((await context.ask(owner, routes.getAssociation, at(id))).data).toEqual(cleared.data);
  });

  it.each([[{}], [{ externalId: '' }], [{ producerCode: '' }], [{ status: 'active' }], [{ externalId: 5 }]])(
    'rejects %j with 400',
    async (body) => {
      const owner = await context.carrier();
      const id = await added(owner);
      expect(await change(owner, id, body)).toMatchObject({ status: 400, errorType: 'validation_error' });
    },
  );

  it.each([
    ['externalId', 'duplicate_external_id_error'],
    ['producerCode', 'duplicate_producer_code_error'],
  ])('keeps %s unique within a carrier, and accepts the current value', async (field, errorType) => {
    const [owner, other] = await Promise.all([context.carrier(), context.carrier()]);
    const [one, two, foreign] = await Promise.all([added(owner), added(owner), added(other)]);
    expect((await change(owner, one, { [field]: 'X' })).status).toBe(200);
    expect((await change(owner, one, { [field]: 'X' })).status).toBe(200);
    expect((await change(other, foreign, { [field]: 'X' })).status).toBe(200);
    expect(await change(owner, two, { [field]: 'X' })).toMatchObject({
      status: 409,
      json: { errorType, details: { downstreamEntityAssociationId: one } },
    });
    expect((await change(owner, one, { [field]: null })).status).toBe(200);
    expect((await change(owner, two, { [field]: 'X' })).status).toBe(200);
  });

  it.each(['\u200B', '\u2060', '\u00AD', '\u180E', '\u202E', '\u3164'])(
    'rejects a code that differs in %j, which nobody sees',
    async (invisible) => {
      const [owner, id] = await oneOf('AG-1');
      for (const field of ['externalId', 'producerCode']) {
        expect(await change(owner, id, { [field]: `AG${invisible}-1` })).toMatchObject({ status: 400 });
      }
    },
  );

  it('rejects a code that another association has, and a producer code in another case and in full-width characters', async () => {
    const [owner, id] = await oneOf('AG-1');
    for (const [field, code] of [
      ['externalId', 'AG-1'],
      ['producerCode', 'ＡＧ－１'],
      ['producerCode', 'ag-1'],
    ] as const) {
      expect(await change(owner, id, { [field]: code })).toMatchObject({ status: 409 });
    }
    // Other systems may tell ids apart by case.
    expect((await change(owner, id, { externalId: 'ag-1' })).status).toBe(200);
  });

  it('writes the own code of an association in another way, and frees it', async () => {
    const owner = await context.carrier();
    const [one, other] = [await added(owner, { producerCode: 'AG-1' }), await added(owner)];
    expect(await change(owner, one, { producerCode: 'ａｇ-1' })).toMatchObject({
      status: 200,
      data: { producerCode: 'ａｇ-1' },
    });
    expect((await change(owner, one, { producerCode: null })).status).toBe(200);
    expect((await change(owner, other, { producerCode: 'AG-1' })).status).toBe(200);
    // One character that is compared as eighteen.
    expect((await change(owner, one, { producerCode: '\uFDFA'.repeat(200) })).status).toBe(200);
  });

  it('never assigns a code twice or loses one, whatever is set and cleared', async () => {
    const owner = await context.carrier();
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
      runs(8, 200),
    );
  });

  it('updates the agency’s market together with the association', async () => {
    const owner = await context.carrier();
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

describe('the list', () => {
  it('finds agencies by NPN, license, address, and domain, for the caller only', async () => {
    const [owner, other] = await Promise.all([context.carrier(), context.carrier()]);
    const fields = { downstreamEntityNpn: '4711', email: 'person@lone-star.example' };
    const [mine, foreign] = [await added(owner, fields), await added(other, fields)];
    const unrelated = await added(owner);
    await context.put('registryRecords', {
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

  it('finds an agency by its codes, for the caller only, until they change', async () => {
    const [owner, other] = await Promise.all([context.carrier(), context.carrier()]);
    const mine = await added(owner, { externalId: 'E-1', producerCode: 'P-1' });
    const lower = await added(owner, { externalId: 'e-1', producerCode: 'E-1' });
    await added(other, { externalId: 'E-1', producerCode: 'P-1' });
    expect(await list(owner, { externalId: 'E-1' })).toEqual([mine]);
    expect(await list(owner, { externalId: ' e-1' })).toEqual([lower]);
    expect(await list(owner, { producerCode: 'ｐ－1' })).toEqual([mine]);
    const numbered = await added(owner, { downstreamEntityNpn: '11000009' });
    expect(await list(owner, { downstreamEntityNpn: '0011-000009' })).toEqual([numbered]);
    expect(await list(owner, { externalId: 'P-1' })).toEqual([]);
    await change(owner, mine, { producerCode: 'P-2', externalId: null });
    expect(await list(owner, { producerCode: 'P-1' })).toEqual([]);
    expect(await list(owner, { externalId: 'E-1' })).toEqual([]);
    expect(await list(owner, { producerCode: 'p-2' })).toEqual([mine]);
  });

  it('takes three sequential database calls by a code: its holder, the association, and what it shows', async () => {
    const owner = await context.carrier();
    await added(owner, { producerCode: 'P-1' });
    const { calls, inSequence } = await databaseCalls(() => list(owner, { producerCode: 'P-1' }));
    expect(calls).toEqual(['GetItemCommand', 'GetItemCommand', 'BatchGetItemCommand']);
    expect(inSequence).toBe(3);
  });

  it('finds an address only for associations of the contact or its whole agency', async () => {
    const [owner, other] = await Promise.all([context.carrier(), context.carrier()]);
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
    [{ externalId: 'E-1', producerCode: 'P-1' }, ['externalId', 'producerCode']],
    [{ producerCode: ' ' }, ['producerCode']],
    [{ licenseNumber: '1' }, ['stateCode']],
    [{ stateCode: 'TX' }, ['licenseNumber']],
    [
      { licenseNumber: '1', stateCode: 'TX', downstreamEntityNpn: '1' },
      ['downstreamEntityNpn', 'licenseNumber'],
    ],
  ])('%j is rejected naming %j', async (query, paths) => {
    const owner = await context.carrier();
    const { status, json } = await context.ask(owner, routes.listAssociations, { query });
    expect(status).toBe(400);
    expect(json).toMatchObject({ details: { issues: paths.map((path) => ({ path })) } });
  });
});

describe('add and invite', () => {
  it('add returns the association, with a new agency and its contact', async () => {
    const owner = await context.carrier();
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
    expect((await context.ask(owner, routes.getAssociation, at(String(data['_id'])))).data).toEqual(data);
  });

  it('invite returns a link that can be redeemed once', async () => {
    const owner = await context.carrier();
    const { status, data } = await context.ask(owner, routes.inviteAssociation, { body: draft() });
    expect(status).toBe(201);
    const token = new URL(String(data['url'])).searchParams.get('token') ?? '';
    const redeem = createRedemption(tablesOf(dynamo, context.tables), () => new Date(), signInTokens);
    const id = data['downstreamEntityAssociationId'];
    const statusNow = async () =>
      (await context.ask(owner, routes.getAssociation, at(String(id)))).data['status'];
    expect(await statusNow()).toBe('invited');
    expect(await redeem({ token })).toMatchObject({
      purpose: 'invitation',
      downstreamEntityAssociationId: id,
    });
    await expect(redeem({ token })).rejects.toMatchObject({ reason: 'not_found' });
    expect(await statusNow()).toBe('active');
  });

  it('an agency has at most 1,000 branches at a carrier, and 5,000 associations a name', async () => {
    const owner = await context.carrier();
    const { data } = await add(owner, { downstreamEntityName: 'Many Branches' });
    const { _id: downstreamEntityId } = data['downstreamEntity'] as { _id: string };
    const ids = (length: number) => new Set(Array.from({ length }, () => newObjectId(new Date())));
    const branch = () => add(owner, { downstreamEntityId, branchName: randomUUID() });
    await context.put('associations', {
      ...associationKeys.ofEntity(owner, downstreamEntityId),
      downstreamEntityId,
      associationIds: new Set([String(data['_id']), ...ids(998)]),
    });
    expect((await branch()).status).toBe(201);
    const full = { status: 409, errorType: 'conflict' };
    expect(await branch()).toMatchObject({ ...full, json: { details: { limit: 1_000 } } });
    const [name = ''] = evidenceValues('NAME', 'Many Branches');
    await context.put('associations', { ...evidenceKey(owner, 'NAME', name), associationIds: ids(5_000) });
    const sameName = await add(owner, { downstreamEntityName: 'Many Branches' });
    expect(sameName).toMatchObject({ ...full, json: { details: { limit: 5_000 } } });
  });

  it.each([
    ['downstreamEntityId', {}],
    ['contractContainerTemplateId', {}],
    ['producerAgreementId', {}],
    ['parentDownstreamEntityAssociationId', {}],
  ])('an unknown %s is not found', async (field) => {
    const owner = await context.carrier();
    const answer = await add(owner, { [field]: 'f'.repeat(24) });
    expect(answer).toMatchObject({ status: 404, errorType: 'not_found' });
    expect(await list(owner)).toEqual([]);
  });

  it('a template must be active, and its two fields must agree', async () => {
    const owner = await context.carrier();
    const template = async (isActive: boolean) => {
      const _id = newObjectId(new Date());
      const now = new Date().toISOString();
      const values = { _id, name: 'Producer agreement', description: null, isActive, isDeleted: false };
      const key = associationKeys.template(owner, _id);
      await context.put('associations', { ...key, ...values, createdAt: now, updatedAt: now });
      return _id;
    };
    const [active, inactive] = await Promise.all([template(true), template(false)]);
    expect((await add(owner, { contractContainerTemplateId: inactive })).status).toBe(404);
    expect((await add(owner, { producerAgreementId: active })).status).toBe(201);
    const both = { contractContainerTemplateId: active, producerAgreementId: inactive };
    expect((await add(owner, both)).status).toBe(400);
    const shown = await context.ask(owner, routes.listContractContainerTemplates);
    expect(shown.data).toMatchObject([{ _id: active }]);
  });

  it('an NPN is required if the agency needs one, unless the agency may provide it', async () => {
    const owner = await context.carrier();
    expect(await add(owner, { isNpnRequired: true })).toMatchObject({ status: 400 });
    const invited = await context.ask(owner, routes.inviteAssociation, {
      body: draft({ isNpnRequired: true }),
    });
    expect(invited.status).toBe(201);
  });

  it('downstreamEntityId associates the existing agency and leaves it unchanged', async () => {
    const owner = await context.carrier();
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

  it('codes of another association are rejected, and nothing is written', async () => {
    const owner = await context.carrier();
    const details = {
      downstreamEntityAssociationId: await added(owner, { externalId: 'E', producerCode: 'P' }),
    };
    expect(await add(owner, { externalId: 'E' })).toMatchObject({
      json: { errorType: 'duplicate_external_id_error', details },
    });
    expect(await add(owner, { producerCode: 'P' })).toMatchObject({
      json: { errorType: 'duplicate_producer_code_error', details },
    });
    expect(await list(owner)).toHaveLength(1);
    expect(await itemOf(associationKeys.count(owner))).toMatchObject({ liveCount: 1 });
  });

  it('one of six identical concurrent requests succeeds; the others are transient errors', async () => {
    const owner = await context.carrier();
    const body = draft({ downstreamEntityNpn: '777' });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => context.ask(owner, routes.addAssociation, { body })),
    );
    expect(tally(answers)).toEqual({ '201': 1, '409 transient_transaction_error': 5 });
    expect(await list(owner)).toHaveLength(1);
  });

  it('a duplicate ten seconds later is a conflict', async () => {
    const owner = await context.carrier();
    const body = draft();
    const first = await context.ask(owner, routes.addAssociation, { body });
    const details = { downstreamEntityAssociationId: first.data['_id'] };
    const soon = await context.ask(owner, routes.addAssociation, { body });
    expect(soon).toMatchObject({ status: 409, errorType: 'transient_transaction_error', json: { details } });
    context.controls.now = () => new Date(Date.now() + 10_000);
    const later = await context.ask(owner, routes.addAssociation, { body });
    expect(later).toMatchObject({ status: 409, errorType: 'conflict', json: { details } });
  });

  it('at the plan’s ceiling the answer is 403 with the documented error', async () => {
    const owner = await context.carrier(0);
    const { status, json } = await add(owner);
    expect(status).toBe(403);
    expect(json).toMatchObject({
      errorType: 'invite_limit_reached',
      details: { expected: 'at most 0 associated agencies', actual: '0' },
    });
  });

  it('one of six concurrent requests gets the plan’s last place, the others 403', async () => {
    const owner = await context.carrier(3);
    await added(owner);
    await added(owner);
    const answers = await Promise.all(Array.from({ length: 6 }, () => add(owner)));
    expect(tally(answers)).toEqual({ '201': 1, '403 invite_limit_reached': 5 });
    expect(await list(owner)).toHaveLength(3);
  });
});
