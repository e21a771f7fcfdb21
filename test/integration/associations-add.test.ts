import { randomUUID } from 'node:crypto';
import { associationKeys } from '../../shared/associations/stored.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import { createRedemption } from '../../shared/one-time-links/store.ts';
import {
  add,
  added,
  at,
  draft,
  entity,
  here,
  itemOf,
  list,
  routes,
  tally,
} from '../support/associations-tests.ts';
import { withLostAnswer } from '../support/faults.ts';
import { dynamo } from '../support/tables.ts';

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
