import { randomUUID } from 'node:crypto';
import { evidenceKey, evidenceValues } from '../../shared/domain/associations/evidence.ts';
import { associationKeys } from '../../shared/domain/associations/stored.ts';
import { createRedemption } from '../../shared/domain/link-redemption/redemption.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import {
  add,
  added,
  at,
  context,
  draft,
  entity,
  itemOf,
  list,
  routes,
  tally,
} from '../support/associations-tests.ts';
import { withLostAnswer } from '../support/faults.ts';
import { signInTokens } from '../support/link-secret.ts';
import { dynamo } from '../support/tables.ts';

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

  it('a link is redeemed once, even if the response is lost', async () => {
    const owner = await context.carrier();
    const { data } = await context.ask(owner, routes.inviteAssociation, { body: draft() });
    const token = new URL(String(data['url'])).searchParams.get('token') ?? '';
    const redeem = createRedemption(tablesOf(dynamo, context.tables), () => new Date(), signInTokens);
    const admitted = await withLostAnswer(() => redeem({ token }), 'TransactWriteItemsCommand');
    expect(admitted).toMatchObject({ purpose: 'invitation' });
    await expect(redeem({ token })).rejects.toMatchObject({ reason: 'not_found' });
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

  it('one of twenty identical concurrent requests succeeds; the others are transient errors', async () => {
    const owner = await context.carrier();
    const body = draft({ downstreamEntityNpn: '777' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => context.ask(owner, routes.addAssociation, { body })),
    );
    expect(tally(answers)).toEqual({ '201': 1, '409 transient_transaction_error': 19 });
    expect(await list(owner)).toHaveLength(1);
  });

  it('one of twenty concurrent invitations of the same agency succeeds', async () => {
    const owner = await context.carrier();
    const body = draft({ downstreamEntityId: await entity() });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => context.ask(owner, routes.inviteAssociation, { body })),
    );
    expect(tally(answers)).toEqual({ '201': 1, '409 transient_transaction_error': 19 });
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

  it('one of twenty concurrent requests gets the plan’s last place, the others 403', async () => {
    const owner = await context.carrier(3);
    await added(owner);
    await added(owner);
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(owner)));
    expect(tally(answers)).toEqual({ '201': 1, '403 invite_limit_reached': 19 });
    expect(await list(owner)).toHaveLength(3);
  });

  it('a retry with the same idempotency key gets the first response', async () => {
    const owner = await context.carrier();
    const identity = { organizationId: owner, category: 'upstreamEntity' as const, credentialId: 'client' };
    const headers = { 'idempotency-key': randomUUID() };
    const body = draft();
    const once = await context.ask(owner, routes.inviteAssociation, { body, headers, identity });
    const again = await context.ask(owner, routes.inviteAssociation, { body, headers, identity });
    expect(again.json).toEqual(once.json);
    expect(once.status).toBe(201);
  });
});
