import { webhookTypes } from '#domain/events/payloads.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import type { EventReceiver } from '../support/event-receiver.ts';
import { agent, associationOf, filing, license, product } from '../support/import-lines.ts';
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
  /** Associations that are patched and synchronized. */
  readonly associationIds: readonly string[];
  /** Filings with an escalation. */
  readonly filingIds: readonly string[];
  /** Agency of imported associations. */
  readonly brokerageId: string;
  /** Association with the agency whose record at the registry changes, that agency's NPN, its seller's, and what it sells. */
  readonly changing: {
    readonly associationId: string;
    readonly npn: string;
    readonly sellerNpn: string;
    readonly productId: string;
  };
  /** Licenses that stand at a boundary on the day of the run. */
  readonly dueLicenses: readonly string[];
}

/** Checklist item of the filings' escalations. */
export const place = { sourceCategoryId: 'signatures', sourceTaskId: 'affidavit' } as const;
const checklist = [
  {
    sourceCategoryId: place.sourceCategoryId,
    name: 'Signatures',
    items: [{ sourceTaskId: place.sourceTaskId, label: 'Signed affidavit' }],
  },
];

const newIds = (count: number): string[] => Array.from({ length: count }, () => newObjectId(new Date()));

/** Makes a carrier whose webhook asks for every event. */
export async function newCarrier(
  index: number,
  receiver: EventReceiver,
  today: CalendarDate,
): Promise<Carrier> {
  const { organizationId, token } = await newOrganization('upstreamEntity');
  await admin('update-organization', { organizationId, planCeiling: 100_000 });
  const tokens = [token];
  for (const name of ['Second', 'Third', 'Fourth']) {
    const made = { organizationId, name, ipAddresses: [officeAddress] };
    const { token: another = '' } = await admin('create-restricted-access-token', made);
    tokens.push({ 'x-restricted-access-token': another });
  }
  const path = `/carrier-${index}`;
  const body = { url: receiver.url(path), types: webhookTypes };
  const webhook = await request('POST', '/v2/upstream/webhooks', { headers: token, body });
  const webhookId = String(webhook.data['_id']);
  receiver.addSecret(webhookId, String(webhook.data['secret']));

  const [associationIds, filingIds] = [newIds(4), newIds(3)];
  const [brokerageId = '', associationId = '', productId = ''] = newIds(3);
  const [sellerNpn, sweptNpn] = [String(71_000_000 + index), String(30_000_000 + index)];
  const npnOf = (number: number) => String(10_000_000 + index * 100 + number);
  const changing = { associationId, npn: npnOf(99), sellerNpn, productId };
  const dueLicenses = [60, -1].map((days) => ({
    licenseNumber: `${sweptNpn}TX${days}`,
    nextRenewalDate: addDays(today, days),
  }));
  const state = { stateCode: 'TX', linesOfAuthority: [], licenseOf: 'agency', homeState: 'ignored' };
  await importRecords(
    organizationId,
    { type: 'downstream-entity', _id: brokerageId, legalName: 'Lone Star Brokerage' },
    ...filingIds.map((_id) => filing(_id, { policyNumber: _id, downstreamEntityId: brokerageId, checklist })),
    agent({ npn: sweptNpn }),
    ...dueLicenses.map((due) => license({ npn: sweptNpn, ...due })),
    product(productId, { productName: 'Product', states: [{ ...state, appointment: 'not required' }] }),
    ...[associationId, ...associationIds].map((_id, number) =>
      associationOf(_id, {
        legalName: `Imported ${number}`,
        npn: number === 0 ? changing.npn : npnOf(number),
      }),
    ),
    agent({ npn: sellerNpn, downstreamEntityAssociationIds: [associationId] }),
  );
  for (const filingId of filingIds) await admin('open-escalation', { filingId, ...place });
  return {
    organizationId,
    tokens,
    webhookId,
    path,
    associationIds,
    filingIds,
    brokerageId,
    changing,
    dueLicenses: dueLicenses.map(({ licenseNumber }) => licenseNumber),
  };
}
