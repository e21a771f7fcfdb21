import { Webhook } from 'standardwebhooks';
import { deployDestination } from '../support/destinations.ts';
import { readEvent } from '../support/event-receiver.ts';
import { call, newOrganization, type Organization } from '../support/local-api.ts';
import { until } from '../support/until.ts';
import { ask, type Data, upload, webhooks } from '../support/webhook-events.ts';

const types = ['DOCUMENT_UPLOADED'];

let owner: Organization;

beforeAll(async () => {
  owner = await newOrganization('upstreamEntity');
});

/** Waits until the newest delivery of a webhook is as it should be. */
async function deliveryThat(webhookId: unknown, matches: (delivery: Data) => boolean): Promise<Data> {
  let found: Data | undefined;
  await until(async () => {
    const { items } = await ask(owner, 'GET', `${webhooks}/${webhookId}/deliveries`);
    found = (items as Data[]).find(matches);
    return found !== undefined;
  }, 100);
  return found ?? {};
}

const isDelivered = ({ status }: Data): boolean => status === 'succeeded';

describe('a destination', () => {
  it('a queue that the document’s template makes gets events with the headers as attributes', async () => {
    const { destination, receive } = await deployDestination(owner);
    const { _id, secret, ...shown } = await ask(owner, 'POST', webhooks, { destination, types });
    expect(shown).toMatchObject({ url: null, destination, isActive: true });
    await upload(owner, 'queued.pdf');
    const [message] = await receive();
    const { Body = '', MessageAttributes = {} } = message ?? {};
    expect(readEvent(Body)).toMatchObject({ webhookType: 'DOCUMENT_UPLOADED' });
    const headers = Object.fromEntries(
      Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [name, StringValue]),
    );
    expect(Object.keys(headers)).toHaveLength(6);
    expect(headers['X-Service-Webhook-Id']).toBe(_id);
    expect(new Webhook(String(secret)).verify(Body, headers)).toEqual(JSON.parse(Body));
    expect(await deliveryThat(_id, isDelivered)).toMatchObject({
      attempts: [{ statusCode: 200, error: null, responseBody: message?.MessageId }],
    });
  });

  it('a FIFO queue gets the entity as the group', async () => {
    const { destination, receive } = await deployDestination({ ...owner, isFifo: true });
    const { _id } = await ask(owner, 'POST', webhooks, { destination, types });
    await upload(owner, 'ordered.pdf');
    const [message] = await receive();
    const { payload, eventId } = readEvent(message?.Body ?? '');
    expect(payload).toMatchObject({ fileDocumentId: message?.Attributes?.MessageGroupId });
    const { _id: deliveryId } = await deliveryThat(_id, isDelivered);
    await ask(owner, 'POST', `${webhooks}/${_id}/deliveries/${deliveryId}/redeliver`);
    const [again] = await receive();
    expect(readEvent(again?.Body ?? '').eventId).toBe(eventId);
  });

  it('a bus gets events under their type', async () => {
    const { destination, receive } = await deployDestination({ ...owner, ofBus: true });
    const { _id } = await ask(owner, 'POST', webhooks, { destination, types });
    await upload(owner, 'put.pdf');
    const [message] = await receive();
    const event = JSON.parse(message?.Body ?? '');
    expect(event).toMatchObject({ source: 'insurance-compliance', 'detail-type': 'DOCUMENT_UPLOADED' });
    expect(readEvent(JSON.stringify(event.detail)).upstreamEntityId).toBe(owner.organizationId);
    await deliveryThat(_id, isDelivered);
  });

  it('one whose role is gone is refused, and is sent to again when the role is back', async () => {
    const { destination, createRole, deleteRole, receive } = await deployDestination(owner);
    const { _id } = await ask(owner, 'POST', webhooks, { destination, types });
    await ask(owner, 'POST', `${webhooks}/${_id}/test`, {});
    await receive();
    await deleteRole();
    const { _id: deliveryId } = await ask(owner, 'POST', `${webhooks}/${_id}/test`, {});
    const refused = await deliveryThat(
      _id,
      (one) => one['_id'] === deliveryId && Boolean((one['attempts'] as Data[])[0]),
    );
    expect(refused).toMatchObject({ status: 'pending', attempts: [{ statusCode: 400, error: 'refused' }] });
    const change = (isActive: boolean) =>
      call('PATCH', `${webhooks}/${_id}`, { headers: owner.bearer, body: { isActive } });
    await change(false);
    expect(await change(true)).toMatchObject({ status: 400 });
    await createRole();
    expect(await change(true)).toMatchObject({ status: 200 });
    await receive();
    expect(await deliveryThat(_id, (one) => one['_id'] === deliveryId && isDelivered(one))).toMatchObject({
      attempts: [{ error: 'refused' }, { statusCode: 200, error: null }],
    });
  });

  it('is rejected if its role may be assumed by others, or not by this organization', async () => {
    const other = await newOrganization('upstreamEntity');
    const { organizationId } = owner;
    const open = await deployDestination({ organizationId: null });
    const foreign = await deployDestination(other);
    for (const { destination } of [open, foreign]) {
      const answer = await call('POST', webhooks, { headers: owner.bearer, body: { destination, types } });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(`"path":"destination.roleArn"`);
      expect(answer.text).toContain(`the external id ${organizationId}`);
    }
  });

  it('v1 knows no webhook with one', async () => {
    const { destination } = await deployDestination(owner);
    const { _id } = await ask(owner, 'POST', webhooks, { destination, types });
    const listed = await ask(owner, 'GET', '/v1/webhooks');
    expect(listed).not.toEqual(expect.arrayContaining([expect.objectContaining({ _id })]));
    const patch = { headers: owner.bearer, body: { isActive: false } };
    expect(await call('PATCH', `/v1/webhooks/${_id}`, patch)).toMatchObject({ status: 404 });
    expect(await ask(owner, 'GET', `${webhooks}/${_id}`)).toMatchObject({ isActive: true, destination });
  });
});
