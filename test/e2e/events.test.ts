import { setTimeout as pause } from 'node:timers/promises';
import { newObjectId } from '../../shared/data/object-id.ts';
import { addDays, newYorkDate } from '../../shared/dates/calendar.ts';
import type { AnyEvent } from '../../shared/events/event.ts';
import { type WebhookType, webhookTypes } from '../../shared/resources/webhook.ts';
import { endWindows } from '../support/compliance-windows.ts';
import { type EventReceiver, startEventReceiver } from '../support/event-receiver.ts';
import { pdf } from '../support/files.ts';
import { admin, call, importRecords, newOrganization, type Organization } from '../support/local-api.ts';
import type { Reply } from '../support/receiver.ts';

const webhooks = '/v2/upstream/webhooks';
const associations = '/v2/upstream/downstream-entity-associations';

type Data = Readonly<Record<string, unknown>>;

/** What addresses answer that do not simply take what they get. */
const replies = new Map<string, () => Reply>();

let receiver: EventReceiver;

beforeAll(async () => {
  receiver = await startEventReceiver((path) => replies.get(path)?.() ?? 204);
});

afterAll(() => receiver.close());

/** Calls the API as an organization; what it is answered must be a success. */
async function ask(of: Organization, method: string, path: string, body?: object): Promise<Data> {
  const answer = await call(method, path, { headers: of.bearer, ...(body === undefined ? {} : { body }) });
  if (answer.status >= 300)
    throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
  return answer.json['data'] as Data;
}

let addresses = 0;

/** Registers a webhook at an address of its own. */
async function listen(
  of: Organization,
  types: readonly WebhookType[] = webhookTypes,
  reply?: () => Reply,
): Promise<{ readonly path: string; readonly webhookId: string }> {
  addresses += 1;
  const path = `/${addresses}`;
  if (reply !== undefined) replies.set(path, reply);
  const { _id, secret } = await ask(of, 'POST', webhooks, { url: receiver.url(path), types });
  receiver.know(String(_id), String(secret));
  return { path, webhookId: String(_id) };
}

const ofType =
  (...types: WebhookType[]) =>
  ({ webhookType }: AnyEvent): boolean =>
    types.includes(webhookType);

const importTold = (organizationId: string, ...records: object[]) =>
  admin('import', {
    organizationId,
    firstLine: 1,
    lines: records.map((record) => JSON.stringify(record)),
    emitEvents: true,
  });

const newNpn = (): string => String(10_000_000 + Math.floor(Math.random() * 80_000_000));

/** Uploads a file in a form. */
async function upload(of: Organization, fileName: string): Promise<string> {
  const form = new FormData();
  form.set('category', 'Surplus Lines');
  form.set('file', new File([new Uint8Array(pdf())], fileName));
  const answer = await fetch(`${process.env['TEST_BASE_URL']}/v2/upstream/file-documents`, {
    method: 'POST',
    headers: of.bearer,
    body: form,
  });
  expect(answer.status).toBe(201);
  const { data } = (await answer.json()) as { readonly data: { readonly _id: string } };
  return data._id;
}

/** What comes to be within 20 seconds. */
async function eventually<Result>(look: () => Promise<Result | undefined>): Promise<Result> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await pause(100);
  }
  throw new Error('It did not come to be.');
}

/** The newest delivery of a webhook once it looks so. */
const deliveryThat = (
  of: Organization,
  webhookId: string,
  looks: (delivery: Data) => boolean,
): Promise<Data> =>
  eventually(async () => {
    const { items } = await ask(of, 'GET', `${webhooks}/${webhookId}/deliveries`);
    return (items as Data[]).find(looks);
  });

const numberOfAttempts = ({ attempts }: Data): number => (attempts as unknown[]).length;

const draft = {
  downstreamEntityName: 'Hill Country Insurance',
  firstName: 'Ana',
  lastName: 'Reyes',
  email: 'ana.reyes@hill-country.example',
  category: 'agency',
  isNpnRequired: true,
};

describe('what happens is emitted', () => {
  const today = newYorkDate(new Date());
  const [agencyNpn, agentNpn] = [newNpn(), newNpn()];
  const productId = newObjectId(new Date());
  let owner: Organization;
  let stranger: Organization;
  let all: { readonly path: string };
  let some: { readonly path: string };
  let elsewhere: { readonly path: string };
  let associationId: string;
  let agentId: string;

  beforeAll(async () => {
    [owner, stranger] = await Promise.all([
      newOrganization('upstreamEntity'),
      newOrganization('upstreamEntity'),
    ]);
    all = await listen(owner);
    some = await listen(owner, ['AGENT_CREATED', 'DOCUMENT_UPLOADED']);
    elsewhere = await listen(stranger);
  });

  const heard = async (type: WebhookType, matches: (event: AnyEvent) => boolean = () => true) => {
    const [first] = await receiver.until(all.path, (event) => event.webhookType === type && matches(event));
    return first?.event;
  };

  it('an agency that is added, and one that changes', async () => {
    const { _id } = await ask(owner, 'POST', `${associations}/add`, {
      ...draft,
      downstreamEntityNpn: agencyNpn,
    });
    associationId = String(_id);
    expect(await heard('DOWNSTREAM_ENTITY_CREATED')).toMatchObject({
      upstreamEntityId: owner.organizationId,
      sequence: 1,
      payload: { downstreamEntityAssociationId: associationId, downstreamEntity: { npn: agencyNpn } },
    });
    await ask(owner, 'PATCH', `${associations}/${associationId}`, { externalId: 'E-1' });
    expect(await heard('DOWNSTREAM_ENTITY_UPDATED')).toMatchObject({
      sequence: 1,
      payload: { externalId: 'E-1' },
    });
  });

  it('a PATCH that changes nothing tells nothing; the next change is numbered on', async () => {
    await ask(owner, 'PATCH', `${associations}/${associationId}`, { externalId: 'E-1' });
    await ask(owner, 'PATCH', `${associations}/${associationId}`, { externalId: null });
    const told = await receiver.until(all.path, ofType('DOWNSTREAM_ENTITY_UPDATED'), { count: 2 });
    expect(told.map(({ event }) => [event.sequence, event.payload])).toMatchObject([
      [1, { externalId: 'E-1' }],
      [2, { externalId: null }],
    ]);
  });

  it('a file that is uploaded', async () => {
    const fileDocumentId = await upload(owner, 'bond.pdf');
    expect(await heard('DOCUMENT_UPLOADED')).toMatchObject({
      payload: { fileDocumentId, category: 'Surplus Lines', version: 1, fileName: 'bond.pdf' },
    });
  });

  it('a contract that both parties have signed', async () => {
    const execute = (party: string) =>
      admin('execute-contract', { downstreamEntityAssociationId: associationId, party });
    await execute('upstream');
    const { _id } = await execute('downstream');
    await execute('downstream');
    const payload = { downstreamEntityAssociationId: associationId, contractContainerInstanceId: _id };
    expect(await heard('CONTRACT_SIGNED')).toMatchObject({ sequence: 1, payload });
    expect(await heard('PRODUCER_AGREEMENT_EXECUTED')).toMatchObject({ sequence: 1, payload });
  });

  it('producers that an operator imports so that it is told', async () => {
    agentId = newObjectId(new Date());
    const agent = { type: 'agent', _id: agentId, npn: agentNpn, firstName: 'Maria', lastName: 'Delgado' };
    await importTold(owner.organizationId, agent);
    expect(await heard('AGENT_CREATED')).toMatchObject({ payload: { agentId, npn: agentNpn } });
    await importTold(owner.organizationId, agent);
    await importTold(owner.organizationId, { ...agent, lastName: 'Delgado-Reyes' });
    expect(await heard('AGENT_UPDATED')).toMatchObject({
      sequence: 1,
      payload: { lastName: 'Delgado-Reyes' },
    });
  });

  it('licenses at their boundaries, each once however often the sweep runs', async () => {
    const license = { stateCode: 'TX', status: 'active', residencyStatus: 'resident' };
    const due = [
      { ...license, licenseNumber: '1', nextRenewalDate: addDays(today, 60) },
      { ...license, licenseNumber: '2', nextRenewalDate: addDays(today, -1) },
    ];
    await admin('set-registry-record', {
      npn: agencyNpn,
      record: {
        entity: { kind: 'firm', name: 'Hill Country Insurance' },
        licenses: due,
        appointments: [],
        regulatoryActions: [],
      },
    });
    const { registryDataSubscriptionId } = await ask(owner, 'POST', `${associations}/${associationId}/sync`);
    expect(await heard('ENTITY_COMPLIANCE_DATA_SYNCHRONIZED')).toMatchObject({
      sequence: 1,
      payload: { registryDataSubscriptionId, npn: agencyNpn },
    });
    await importRecords(
      owner.organizationId,
      ...due.map((one) => ({ type: 'license', npn: agentNpn, ...one })),
    );
    await admin('run-license-sweep', {});
    await admin('run-license-sweep', {});
    for (const [type, days] of [
      ['EXPIRING', 60],
      ['EXPIRED', -1],
    ] as const) {
      const told = { daysUntilExpiration: days, nextRenewalDate: addDays(today, days), status: 'active' };
      expect(await heard(`AGENT_LICENSE_${type}`)).toMatchObject({
        payload: { agentId, npn: agentNpn, ...told },
      });
      expect(await heard(`DOWNSTREAM_ENTITY_LICENSE_${type}`)).toMatchObject({
        payload: { downstreamEntityAssociationId: associationId, npn: agencyNpn, ...told },
      });
    }
  });

  it('a regulatory action that a state reports, and amends', async () => {
    const action = { stateCode: 'TX', actionId: '4471', disposition: 'Warning', fileRef: 'TX-1' };
    const report = (changes: object) =>
      Promise.all(
        [agencyNpn, agentNpn].map((npn) =>
          admin('set-registry-record', { npn, record: { regulatoryActions: [{ ...action, ...changes }] } }),
        ),
      );
    await report({});
    await admin('run-registry-reconciliation', {});
    await admin('run-registry-reconciliation', {});
    await report({ disposition: 'Penalty', fileRef: null });
    await admin('run-registry-reconciliation', {});
    const whose = {
      AGENT: { agentId },
      DOWNSTREAM_ENTITY: { downstreamEntityAssociationId: associationId },
    } as const;
    for (const model of ['AGENT', 'DOWNSTREAM_ENTITY'] as const) {
      expect(await heard(`${model}_REGULATORY_ACTION_ADDED`)).toMatchObject({
        payload: { ...whose[model], actionId: '4471', disposition: 'Warning' },
      });
      expect(await heard(`${model}_REGULATORY_ACTION_UPDATED`)).toMatchObject({
        sequence: 1,
        payload: {
          ...whose[model],
          disposition: 'Penalty',
          changedFields: ['disposition', 'fileRef'],
          previousValues: { disposition: 'Warning', fileRef: 'TX-1' },
        },
      });
    }
  });

  it('compliance that changes, of producers and agencies, when the window is over', async () => {
    const states = [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }];
    await importRecords(owner.organizationId, {
      type: 'compliance-config',
      productId,
      productName: 'General Liability',
      states: [],
    });
    const config = `/v2/upstream/compliance-configs/${productId}`;
    const first = new Date();
    await ask(owner, 'PUT', config, { productName: 'General Liability', states });
    await endWindows(owner.organizationId, [agencyNpn, agentNpn], first);
    const product = { productId, productName: 'General Liability' };
    const licensed = {
      stateCode: 'TX',
      complianceStatus: 'COMPLIANT',
      licenseStatus: { statusName: 'Licensed' },
    };
    expect(await heard('AGENT_COMPLIANCE_STATUS_CHANGE')).toMatchObject({
      sequence: 1,
      payload: [{ agentId, npn: agentNpn, products: [{ ...product, states: [licensed] }] }],
    });
    expect(await heard('DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE')).toMatchObject({
      sequence: 1,
      payload: [
        {
          downstreamEntityAssociationId: associationId,
          legalName: 'Hill Country Insurance',
          branchName: null,
          products: [{ ...product, states: [licensed] }],
        },
      ],
    });
    const second = new Date();
    await ask(owner, 'PUT', config, { productName: 'General Liability', states: [] });
    await endWindows(owner.organizationId, [agencyNpn, agentNpn], second);
    const removed = { stateCode: 'TX', licenseStatus: { statusName: 'STATE_REMOVED' } };
    expect(await heard('AGENT_COMPLIANCE_STATUS_CHANGE', ({ sequence }) => sequence === 2)).toMatchObject({
      payload: [{ products: [{ ...product, states: [removed] }] }],
    });
  });

  it('every type was caused, each event came signed and as its schema says, numbered without gaps', async () => {
    const told = new Map(receiver.deliveredTo(all.path).map(({ event }) => [event.eventId, event]));
    const events = Array.from(told.values());
    expect(new Set(events.map(({ webhookType }) => webhookType))).toEqual(new Set(webhookTypes));
    const numbers = new Map<string, number[]>();
    for (const { webhookType, sequence, payload } of events) {
      const about = (Array.isArray(payload) ? payload[0] : payload) as Data;
      // What an event is about, as far as there is more than one of it here.
      const entity = about['downstreamEntityAssociationId'] ?? about['agentId'] ?? '';
      const key = `${webhookType} ${about['licenseNumber'] ?? ''} ${entity}`;
      numbers.set(key, [...(numbers.get(key) ?? []), sequence]);
    }
    for (const given of numbers.values()) {
      expect(given.sort((one, other) => one - other)).toEqual(given.map((_, index) => index + 1));
    }
  });

  it('a webhook hears of the types that it asks for, and another organization of nothing', async () => {
    const told = await receiver.until(some.path, () => true, { count: 2 });
    expect(new Set(told.map(({ event }) => event.webhookType))).toEqual(
      new Set(['AGENT_CREATED', 'DOCUMENT_UPLOADED']),
    );
    expect(receiver.got.filter(({ path }) => path === elsewhere.path)).toEqual([]);
  });
});

describe('deliveries', () => {
  let owner: Organization;

  beforeEach(async () => {
    owner = await newOrganization('upstreamEntity');
  });

  const test = (webhookId: string) => ask(owner, 'POST', `${webhooks}/${webhookId}/test`, {});

  it('a receiver that fails gets the event again after 5 seconds, the same and signed anew; a redirect is a failure and not followed, and Retry-After is honoured', async () => {
    const elsewhere = await listen(owner);
    let fails = 2;
    const failing = await listen(owner, ['AGENT_CREATED'], () => (fails-- > 1 ? 500 : 204));
    let redirects = 2;
    const redirecting = await listen(owner, ['AGENT_CREATED'], () =>
      redirects-- > 1 ? { status: 302, headers: { location: receiver.url(elsewhere.path) } } : 204,
    );
    let busy = 2;
    const waiting = await listen(owner, ['AGENT_CREATED'], () =>
      busy-- > 1 ? { status: 503, headers: { 'retry-after': '8' } } : 204,
    );
    await Promise.all([failing, redirecting, waiting].map(({ webhookId }) => test(webhookId)));
    for (const [{ path, webhookId }, statusCode, seconds] of [
      [failing, 500, 5],
      [redirecting, 302, 5],
      [waiting, 503, 8],
    ] as const) {
      const [first, second, ...more] = await receiver.until(path, () => true, { count: 2 });
      expect(more).toEqual([]);
      expect(second?.body).toBe(first?.body);
      expect(Number(second?.timestamp) - Number(first?.timestamp)).toBeGreaterThanOrEqual(seconds);
      expect(await deliveryThat(owner, webhookId, ({ status }) => status === 'succeeded')).toMatchObject({
        attempts: [{ statusCode }, { statusCode: 204, error: null }],
        nextAttemptAt: null,
      });
    }
    expect(receiver.got.filter(({ path }) => path === elsewhere.path)).toEqual([]);
  });

  it('410 disables the webhook; its events are kept, and replayed once it is enabled again', async () => {
    let gone = true;
    const { path, webhookId } = await listen(owner, ['DOCUMENT_UPLOADED'], () => (gone ? 410 : 204));
    const since = new Date(Date.now() - 1_000).toISOString();
    await upload(owner, 'first.pdf');
    const disabled = await eventually(async () => {
      const webhook = await ask(owner, 'GET', `${webhooks}/${webhookId}`);
      return webhook['isActive'] === false ? webhook : undefined;
    });
    expect(disabled['disabledReason']).toContain('410');
    const missed = await upload(owner, 'second.pdf');
    await deliveryThat(owner, webhookId, (delivery) => numberOfAttempts(delivery) === 0);
    expect(receiver.got.filter((got) => got.path === path)).toHaveLength(1);

    gone = false;
    await ask(owner, 'PATCH', `${webhooks}/${webhookId}`, { isActive: true });
    const span = { since, until: new Date(Date.now() + 1_000).toISOString() };
    const nothing = await ask(owner, 'POST', `${webhooks}/${webhookId}/replay`, {
      ...span,
      types: ['AGENT_CREATED'],
    });
    expect(nothing).toMatchObject({ queued: 0 });
    const replayed = await ask(owner, 'POST', `${webhooks}/${webhookId}/replay`, {
      ...span,
      status: 'pending',
    });
    expect(replayed).toMatchObject({ queued: 1, hasMore: false });
    const [told] = await receiver.until(
      path,
      ({ payload }) => (payload as Data)['fileDocumentId'] === missed,
    );
    expect(told?.event.sequence).toBe(1);
  });

  it('a redelivery brings the same event once more', async () => {
    const { path, webhookId } = await listen(owner, ['DOCUMENT_UPLOADED']);
    await upload(owner, 'bond.pdf');
    const { _id } = await deliveryThat(owner, webhookId, ({ status }) => status === 'succeeded');
    await ask(owner, 'POST', `${webhooks}/${webhookId}/deliveries/${_id}/redeliver`);
    const [first, second] = await receiver.until(path, () => true, { count: 2 });
    expect(second?.body).toBe(first?.body);
    await deliveryThat(owner, webhookId, (delivery) => numberOfAttempts(delivery) === 2);
  });

  it('a rotated secret signs at once', async () => {
    const { path, webhookId } = await listen(owner, ['DOCUMENT_UPLOADED']);
    const { secret } = await ask(owner, 'POST', `${webhooks}/${webhookId}/rotate-secret`);
    receiver.know(webhookId, String(secret));
    await upload(owner, 'bond.pdf');
    expect(await receiver.until(path, () => true)).toHaveLength(1);
  });
});
