import * as z from 'zod/mini';
import { anyEvent } from '../../shared/domain/events/event.ts';
import { sameJson } from '../support/event-receiver.ts';
import { admin, newOrganization, type Organization } from '../support/local-api.ts';
import { until } from '../support/until.ts';
import { ask, listen, receiver, upload, webhooks } from '../support/webhook-events.ts';

const page = z.object({ items: z.array(anyEvent), next: z.int(), hasMore: z.boolean() });

const read = async (of: Organization, query = '') =>
  z.parse(page, await ask(of, 'GET', `/v2/upstream/events${query}`));

/** The feed once it has that many events. */
async function feedOf(of: Organization, count: number) {
  await until(async () => (await read(of)).next >= count, 100);
  return (await read(of)).items;
}

const importProducer = (organizationId: string, npn: string) =>
  admin('import', {
    organizationId,
    firstLine: 1,
    lines: [JSON.stringify({ type: 'agent', npn, firstName: 'Rosa', lastName: 'Quintero' })],
    emitEvents: true,
  });

it('an event in the feed equals the body that a webhook got, also that of an import', async () => {
  const owner = await newOrganization('upstreamEntity');
  const { path } = await listen(owner, ['DOCUMENT_UPLOADED', 'AGENT_CREATED']);
  await upload(owner, 'feed.pdf');
  await importProducer(owner.organizationId, '8400101');
  const received = await receiver.until(path, () => true, { count: 2 });
  const items = await feedOf(owner, 2);
  expect(items).toHaveLength(2);
  for (const { event, body } of received) {
    const item = items.find(({ eventId }) => eventId === event.eventId);
    expect(sameJson(item, JSON.parse(body))).toBe(true);
  }
});

it('an organization without a webhook, or with a disabled one, reads its events and those after a position', async () => {
  const [without, disabled] = [
    await newOrganization('upstreamEntity'),
    await newOrganization('upstreamEntity'),
  ];
  const { webhookId } = await listen(disabled);
  await ask(disabled, 'PATCH', `${webhooks}/${webhookId}`, { isActive: false });
  for (const owner of [without, disabled]) {
    expect(await read(owner)).toEqual({ items: [], next: 0, hasMore: false });
    const ids = [await upload(owner, 'one.pdf'), await upload(owner, 'two.pdf')];
    await importProducer(owner.organizationId, '8400102');
    const items = await feedOf(owner, 3);
    const documents = items.filter(({ webhookType }) => webhookType === 'DOCUMENT_UPLOADED');
    const uploaded = documents.map(({ payload }) => (payload as { fileDocumentId: string }).fileDocumentId);
    expect(uploaded.sort()).toEqual(ids.sort());
    expect(items.map(({ upstreamEntityId }) => upstreamEntityId)).toEqual(
      Array(3).fill(owner.organizationId),
    );
    expect(await read(owner, '?after=2')).toMatchObject({ items: [items[2]], next: 3, hasMore: false });
    expect(await read(owner, '?types=AGENT_CREATED')).toMatchObject({
      items: [{ webhookType: 'AGENT_CREATED', sequence: 1 }],
      next: 3,
    });
    expect(await read(owner, '?limit=1')).toMatchObject({ items: [items[0]], next: 1, hasMore: true });
  }
});
