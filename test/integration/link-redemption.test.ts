import { tablesOf } from '#domain/tables.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { linkRedemptionFunction } from '../../functions/link-redemption/function.ts';
import { commandsOn } from '../support/admin.ts';
import {
  add,
  added,
  address,
  agencyOrganization,
  contactsSeen,
  context,
  imported,
  importedAgency,
  invite,
  redeem,
  routes,
  shown,
  signIn,
} from '../support/associations-tests.ts';
import { testContext } from '../support/context.ts';
import { eventsIn } from '../support/events.ts';
import { withInterruption, withLostAnswer } from '../support/faults.ts';
import { associationWith, contact } from '../support/import-lines.ts';
import { linkSecret } from '../support/link-secret.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { dynamo } from '../support/tables.ts';

const operator = (command: string, input: object) => commandsOn(context.tables)(command, input);

/** An agency that is on the platform, and a carrier that it does not work with. */
async function stranger() {
  const [carrier, organization] = await Promise.all([context.carrier(), agencyOrganization()]);
  const agency = await importedAgency(organization);
  const wide = address();
  await imported(
    undefined,
    contact(wide, [{ downstreamEntityId: agency }], { firstName: 'Samuel', lastName: 'Whitfield' }),
  );
  return { carrier, organization, agency, wide };
}

/** The same, and the carrier's invitation of the agency under an address. */
async function invited() {
  const known = await stranger();
  const email = address();
  return { ...known, email, ...(await invite(known.carrier, { downstreamEntityId: known.agency, email })) };
}

const statusOf = async (carrier: string, id: string) => (await shown(carrier, id))['status'];

describe('a redeemed invitation', () => {
  it('is the agency’s agreement, and confirms its contact', async () => {
    const { carrier, organization, agency, wide, email, id, token } = await invited();
    expect((await signIn(carrier, id, email)).status).toBe(403);
    const redeemer = { organizationId: organization, verifiedEmail: email.toUpperCase() };
    expect(await redeem(token, redeemer)).toEqual({
      ok: true,
      result: { purpose: 'invitation', downstreamEntityAssociationId: id, email, agreed: true },
    });
    expect(await statusOf(carrier, id)).toBe('active');
    expect((await signIn(carrier, id, email)).status).toBe(200);
    expect((await contactsSeen(carrier)).map((contact) => contact.email).sort()).toEqual(
      [email, wide].sort(),
    );
    const branch = await add(carrier, { downstreamEntityId: agency, branchName: 'Waco' });
    expect(branch.data).toMatchObject({ status: 'active' });
    const events = (await eventsIn(context.tables.outbox)).filter(({ entityId }) => entityId === id);
    expect(events).toMatchObject([
      { type: 'DOWNSTREAM_ENTITY_CREATED', payload: { status: 'invited' } },
      { type: 'DOWNSTREAM_ENTITY_UPDATED', payload: { status: 'active' } },
    ]);
  });

  it.each([
    ['nobody’s', () => ({})],
    ['another’s', () => ({ verifiedEmail: address() })],
  ])('by %s verified address is agreement, and confirms nobody', async (_, verified) => {
    const { carrier, organization, wide, email, id, token } = await invited();
    expect(await redeem(token, { organizationId: organization, ...verified() })).toEqual({
      ok: true,
      result: { purpose: 'invitation', downstreamEntityAssociationId: id, email: null, agreed: true },
    });
    expect(await statusOf(carrier, id)).toBe('active');
    expect((await signIn(carrier, id, email)).status).toBe(403);
    expect((await signIn(carrier, id, wide)).status).toBe(200);
  });

  it('gives a contact that existed the scope that the invitation was made without', async () => {
    const { carrier, organization, agency, wide } = await stranger();
    const { id, token } = await invite(carrier, { downstreamEntityId: agency, email: wide });
    expect(await contactsSeen(carrier)).toEqual([]);
    expect(await redeem(token, { organizationId: organization, verifiedEmail: wide })).toMatchObject({
      // The link signs nobody in: the contact was there before it.
      result: { agreed: true, email: null },
    });
    expect(await contactsSeen(carrier, { downstreamEntityAssociationId: id })).toMatchObject([
      { email: wide, associations: [{}, { downstreamEntityAssociationId: id }] },
    ]);
  });

  it('counts once: at the same moment, twice, and when its answer is lost', async () => {
    const { carrier, organization, agency } = await stranger();
    const { token } = await invite(carrier, { downstreamEntityId: agency });
    const redeemer = { organizationId: organization };
    const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(token, redeemer)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await redeem(token, redeemer)).toMatchObject({ ok: false, error: { errorType: 'not_found' } });
    // The association is active already, so nothing but the link says that it was redeemed.
    const active = await invite(carrier, {});
    await operator('activate-association', { downstreamEntityAssociationId: active.id });
    const redeemed = await Promise.all(Array.from({ length: 5 }, () => redeem(active.token)));
    expect(redeemed.filter(({ ok }) => ok)).toHaveLength(1);
    const other = await invite(carrier, {});
    expect(await withLostAnswer(() => redeem(other.token))).toMatchObject({ ok: true });
    expect(await redeem(other.token)).toMatchObject({ ok: false });
  });

  it('is logged without the contact’s address', async () => {
    const { organization, email, id, token } = await invited();
    const logger = recordingLogger();
    const handler = linkRedemptionFunction.compose({
      linkSecret,
      tables: tablesOf(dynamo, context.tables),
      context: testContext({ logger }),
    });
    expect(await handler({ token, organizationId: organization, verifiedEmail: email })).toMatchObject({
      ok: true,
      result: { email },
    });
    expect(JSON.stringify(logger.lines)).toContain(id);
    expect(JSON.stringify(logger.lines)).not.toContain(email);
  });

  it('is nothing once its association is gone', async () => {
    const { carrier, agency } = await stranger();
    const { id, token } = await invite(carrier, { downstreamEntityId: agency });
    await imported(carrier, { type: 'association', _id: id, downstreamEntityId: agency, isDeleted: true });
    expect(await redeem(token)).toMatchObject({ ok: false, error: { errorType: 'not_found' } });
  });

  it('of an operator’s goes the same way', async () => {
    const { carrier, organization, email, id, token } = await invited();
    expect(await operator('redeem-one-time-link', { token })).toMatchObject({ agreed: false });
    expect(await statusOf(carrier, id)).toBe('invited');
    const given = { token, organizationId: organization, verifiedEmail: email };
    expect(await operator('redeem-one-time-link', given)).toMatchObject({ email, agreed: true });
    expect(await statusOf(carrier, id)).toBe('active');
    expect((await signIn(carrier, id, email)).status).toBe(200);
  });
});

it('a sign-in link counts once, at the same moment too', async () => {
  const { carrier, organization, email, id, token } = await invited();
  await redeem(token, { organizationId: organization, verifiedEmail: email });
  const { data } = await signIn(carrier, id, email);
  const link = new URL(String(data['url'])).searchParams.get('token') ?? '';
  const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(link)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
});

describe('a sign-in link', () => {
  const linkOf = async (carrier: string, id: string, email: string): Promise<string> => {
    const { status, data } = await signIn(carrier, id, email);
    expect(status).toBe(200);
    return new URL(String(data['url'])).searchParams.get('token') ?? '';
  };
  /** A carrier's association with an agency that nobody else knows, with the agency's id and its contact's address. */
  const ownAgency = async () => {
    const [carrier, email] = [await context.carrier(), address()];
    const { data } = await add(carrier, { email });
    const { _id: downstreamEntityId } = data['downstreamEntity'] as { readonly _id: string };
    return { carrier, email, id: String(data['_id']), downstreamEntityId };
  };
  const refused = { ok: false, error: { errorType: 'not_found' } };

  it('admits nobody whom the association is no longer a contact’s', async () => {
    const { carrier, email, id, downstreamEntityId } = await ownAgency();
    const other = await added(carrier, { downstreamEntityId, branchName: 'Waco', email: address() });
    const contactOf = (...ids: string[]) =>
      contact(
        email,
        ids.map((downstreamEntityAssociationId) => ({
          downstreamEntityId,
          downstreamEntityAssociationId,
        })),
      );
    await imported(undefined, contactOf(id, other));
    const link = await linkOf(carrier, id, email);
    const elsewhere = await linkOf(carrier, other, email);
    await imported(undefined, contactOf(other));
    expect((await signIn(carrier, id, email)).status).toBe(403);
    expect(await redeem(link)).toMatchObject(refused);
    expect(await redeem(elsewhere)).toMatchObject({ ok: true, result: { email } });
  });

  it('admits nobody whose contact is deleted while it is redeemed', async () => {
    const { carrier, id, downstreamEntityId } = await ownAgency();
    const person = contact(address(), [{ downstreamEntityId, downstreamEntityAssociationId: id }], {
      _id: newObjectId(new Date()),
    });
    await imported(undefined, person);
    const link = await linkOf(carrier, id, person.email);
    const answer = await withInterruption(
      (_, input) => JSON.stringify(input).includes(`#EMAIL`),
      () => imported(undefined, { ...person, isDeleted: true }),
      () => redeem(link),
    );
    expect(answer).toMatchObject(refused);
  });

  it('admits nobody whom only a carrier named, once others know the agency', async () => {
    const { carrier, email, id, downstreamEntityId } = await ownAgency();
    const link = await linkOf(carrier, id, email);
    await imported(await context.carrier(), { type: 'association', downstreamEntityId });
    expect((await signIn(carrier, id, email)).status).toBe(403);
    expect(await redeem(link)).toMatchObject(refused);
  });

  it('admits nobody once its association is gone', async () => {
    const { carrier, email, id, downstreamEntityId } = await ownAgency();
    const link = await linkOf(carrier, id, email);
    await imported(carrier, { type: 'association', _id: id, downstreamEntityId, isDeleted: true });
    expect(await redeem(link)).toMatchObject(refused);
  });
});

it.each([{}, { token: '' }, { token: 'unknown' }])('%j redeems nothing', async (input) => {
  const handler = linkRedemptionFunction.compose({
    linkSecret,
    tables: tablesOf(dynamo, context.tables),
    context: testContext(),
  });
  expect(await handler(input)).toMatchObject({ ok: false });
});

describe('an executed contract', () => {
  it('is the agency’s agreement when the agency signs, not when the carrier does', async () => {
    const { carrier, agency } = await stranger();
    const id = await added(carrier, { downstreamEntityId: agency });
    const execution = { downstreamEntityAssociationId: id };
    await operator('execute-contract', { ...execution, party: 'upstream' });
    expect(await statusOf(carrier, id)).toBe('invited');
    await operator('execute-contract', { ...execution, party: 'downstream' });
    expect(await statusOf(carrier, id)).toBe('active');
    const types = (await eventsIn(context.tables.outbox)).flatMap(({ entityId, type }) =>
      entityId === id ? [type] : [],
    );
    expect(types.sort()).toEqual([
      'CONTRACT_SIGNED',
      'DOWNSTREAM_ENTITY_CREATED',
      'DOWNSTREAM_ENTITY_UPDATED',
      'PRODUCER_AGREEMENT_EXECUTED',
    ]);
  });
});

describe('activate-association', () => {
  it('answers the association, active from then on, and may be repeated', async () => {
    const { carrier, agency, wide } = await stranger();
    const id = await added(carrier, { downstreamEntityId: agency });
    const input = { downstreamEntityAssociationId: id };
    const answer = await operator('activate-association', input);
    expect(answer).toMatchObject({ _id: id, status: 'active', downstreamEntity: { ein: '75-1234567' } });
    expect(await operator('activate-association', input)).toEqual(answer);
    expect(await shown(carrier, id)).toEqual(answer);
    expect((await signIn(carrier, id, wide)).status).toBe(200);
  });

  it('does not know an unknown one', async () => {
    const unknown = { downstreamEntityAssociationId: 'f'.repeat(24) };
    await expect(operator('activate-association', unknown)).rejects.toMatchObject({ errorType: 'not_found' });
  });
});

describe('the plan', () => {
  const refused = { status: 403, errorType: 'invite_limit_reached' };

  it('counts an agency once, however many branches it has, and only while one of them is not inactive', async () => {
    const carrier = await context.carrier(1);
    const agency = await importedAgency();
    await added(carrier, { downstreamEntityId: agency });
    await Promise.all(
      Array.from({ length: 3 }, (_, index) =>
        added(carrier, { downstreamEntityId: agency, branchName: `B${index}` }),
      ),
    );
    expect(await add(carrier)).toMatchObject(refused);
    const inactive = (id: string, status: string) => associationWith(id, agency, { branchName: id, status });
    const all = await associationsOf(carrier);
    expect(all).toHaveLength(4);
    await imported(carrier, ...all.slice(1).map((id) => inactive(id, 'inactive')));
    expect(await add(carrier)).toMatchObject(refused);
    await imported(carrier, ...all.slice(0, 1).map((id) => inactive(id, 'inactive')));
    expect((await add(carrier)).status).toBe(201);
    expect(await add(carrier)).toMatchObject(refused);
  });

  it('is exact when branches of agencies are added at the same moment', async () => {
    const carrier = await context.carrier(2);
    const agencies = await Promise.all(Array.from({ length: 4 }, () => importedAgency()));
    const answers = await Promise.all(
      agencies.flatMap((agency) =>
        ['Austin', 'Dallas'].map(async (branchName) => ({
          agency,
          ...(await add(carrier, { downstreamEntityId: agency, branchName })),
        })),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ agency }) => agency)).size).toBe(2);
    // Every branch of an agency that the plan has room for is made.
    expect(made).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(4);
  });
});

/** The ids of a carrier's associations. */
async function associationsOf(carrier: string): Promise<string[]> {
  const { data } = await context.ask(carrier, routes.listAssociations);
  return (data as unknown as { _id: string }[]).map(({ _id }) => _id);
}
