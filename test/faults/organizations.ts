import { webhookTypes } from '#domain/events/payloads.ts';
import { newObjectId } from '#platform/data/keys.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import type { EventReceiver } from '../support/event-receiver.ts';
import { admin, importRecords, newOrganization, officeAddress } from '../support/local-api.ts';
import { request } from './client.ts';
import { filingRecord, place } from './filings.ts';
import { licensesDue } from './operator.ts';

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
  /** An association with an agency of which the registry's record changes, and the agency's NPN. */
  readonly changingId: string;
  readonly changingNpn: string;
  /** Filings with an escalation, which both sides answer. */
  readonly filingIds: readonly string[];
  /** The agency of those filings, to which nothing happens. */
  readonly brokerageId: string;
  /** Headers of its organization. */
  readonly agencyToken: Readonly<Record<string, string>>;
  /** Agencies that carriers add while they are imported again, and two organizations that they come to belong to, or to none. */
  readonly agencyIds: readonly string[];
  readonly agencies: readonly string[];
  readonly clientId: string;
  readonly clientSecret: string;
  /** Agent who holds licenses that the sweep finds at a boundary, and how many. */
  readonly sweptAgentId: string;
  readonly licenses: number;
}

export const associationsPath = '/v2/upstream/downstream-entity-associations';

/** An agency as an operator imports it. */
export const agencyRecord = (
  _id: string,
  legalName: string,
  npn: string,
  downstreamOrganizationId: string | undefined,
) => ({ type: 'downstream-entity', _id, legalName, npn, downstreamOrganizationId });

const agenciesEach = 2;
const tokensEach = 4;
const associationsEach = 4;
const filingsEach = 3;

/** Makes a carrier whose webhook asks for every event, and whose licenses stand at a boundary on a day. */
export async function newCarrier(
  index: number,
  receiver: EventReceiver,
  today: CalendarDate,
): Promise<Carrier> {
  const { organizationId, token, clientId, clientSecret } = await newOrganization('upstreamEntity');
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
  receiver.addSecret(webhookId, String(webhook.data['secret']));
  const productId = newObjectId(new Date());
  const associationIds = Array.from({ length: associationsEach }, () => newObjectId(new Date()));
  const changingId = newObjectId(new Date());
  const changingNpn = String(70_000_000 + index);
  const agency = await newOrganization('downstreamEntity');
  const downstreamEntityId = newObjectId(new Date());
  const filingIds = Array.from({ length: filingsEach }, () => newObjectId(new Date()));
  const sweptAgentId = newObjectId(new Date());
  const sweptNpn = String(30_000_000 + index);
  const licenses = licensesDue(sweptNpn, today);
  await importRecords(
    organizationId,
    {
      type: 'downstream-entity',
      _id: downstreamEntityId,
      legalName: 'Lone Star Brokerage',
      downstreamOrganizationId: agency.organizationId,
    },
    ...filingIds.map((_id) => filingRecord({ _id, policyNumber: _id, downstreamEntityId })),
    { type: 'agent', _id: sweptAgentId, npn: sweptNpn, firstName: 'Ana', lastName: 'Reyes' },
    ...licenses,
    { type: 'compliance-config', productId, productName: 'Product', states: [] },
    {
      type: 'association',
      _id: changingId,
      downstreamEntity: { legalName: 'Changing', npn: changingNpn },
    },
    ...associationIds.map((_id, number) => ({
      type: 'association',
      _id,
      downstreamEntity: { legalName: `Imported ${number}`, npn: String(10_000_000 + index * 100 + number) },
    })),
  );
  const agencyIds = Array.from({ length: agenciesEach }, () => newObjectId(new Date()));
  for (const [number, _id] of agencyIds.entries()) {
    const npn = String(60_000_000 + index * 100 + number);
    await admin('import', {
      firstLine: 1,
      lines: [JSON.stringify(agencyRecord(_id, `Shared ${number}`, npn, undefined))],
    });
  }
  const another = await newOrganization('downstreamEntity');
  for (const filingId of filingIds) await admin('open-escalation', { filingId, ...place });
  return {
    organizationId,
    tokens,
    webhookId,
    path,
    productId,
    associationIds,
    changingId,
    changingNpn,
    filingIds,
    brokerageId: downstreamEntityId,
    agencyToken: agency.token,
    agencyIds,
    agencies: [agency.organizationId, another.organizationId],
    clientId,
    clientSecret,
    sweptAgentId,
    licenses: licenses.length,
  };
}
