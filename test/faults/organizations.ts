import { newObjectId } from '../../shared/data/object-id.ts';
import { webhookTypes } from '../../shared/resources/webhook.ts';
import type { EventReceiver } from '../support/event-receiver.ts';
import { admin, importRecords, newOrganization, officeAddress } from '../support/local-api.ts';
import { request } from './client.ts';

/** A carrier that works with the API while things go wrong. */
export interface Carrier {
  readonly organizationId: string;
  /** Headers of its credentials: each may write 60 times a minute. */
  readonly tokens: readonly Readonly<Record<string, string>>[];
  readonly webhookId: string;
  /** Path at which its events arrive. */
  readonly path: string;
  readonly productId: string;
  /** Associations that are changed and synchronized; those that are added come beside them. */
  readonly associationIds: readonly string[];
}

export const associationsPath = '/v2/upstream/downstream-entity-associations';

const tokensEach = 4;
const associationsEach = 4;

/** Makes a carrier whose webhook asks for every event. */
export async function newCarrier(index: number, receiver: EventReceiver): Promise<Carrier> {
  const { organizationId, token } = await newOrganization('upstreamEntity');
  await admin('update-organization', { organizationId, planCeiling: 100_000 });
  const tokens = [token];
  while (tokens.length < tokensEach) {
    const made = await admin('create-restricted-access-token', {
      organizationId,
      name: 'Test',
      ipAddresses: [officeAddress],
    });
    tokens.push({ 'x-restricted-access-token': String(made['token']) });
  }
  const path = `/carrier-${index}`;
  const webhook = await request({
    method: 'POST',
    path: '/v2/upstream/webhooks',
    headers: token,
    body: { url: receiver.url(path), types: webhookTypes },
  });
  const webhookId = String(webhook.data['_id']);
  receiver.know(webhookId, String(webhook.data['secret']));
  const productId = newObjectId(new Date());
  const associationIds = Array.from({ length: associationsEach }, () => newObjectId(new Date()));
  await importRecords(
    organizationId,
    { type: 'compliance-config', productId, productName: 'Product', states: [] },
    ...associationIds.map((_id, number) => ({
      type: 'association',
      _id,
      downstreamEntity: { legalName: `Imported ${number}`, npn: String(10_000_000 + index * 100 + number) },
    })),
  );
  return { organizationId, tokens, webhookId, path, productId, associationIds };
}
