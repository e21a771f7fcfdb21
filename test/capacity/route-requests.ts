import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Demo } from '../../infra/local/demo/demo.ts';
import { type Route, takesIdempotencyKey } from '../../shared/platform/contract/route.ts';
import { bodyFor, servedRequest } from '../support/demo.ts';
import { fill } from '../support/every-route.ts';
import { pdf } from '../support/files.ts';
import { agent, license, transaction } from '../support/import-lines.ts';
import { type CallOptions, call, importRecords, newOrganization } from '../support/local-api.ts';

/** A request that its route serves. */
export interface RouteRequest extends CallOptions {
  readonly path: string;
}

type Headers = Readonly<Record<string, string>>;

/** What stands in place of the demo's owner and the OpenAPI document's example: ids of demo records, and what must be unique. */
interface Given {
  readonly owner?: Headers;
  readonly ids?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const withId = z.looseObject({ _id: z.string() });

const objectId = (): string => randomBytes(12).toString('hex');

/** The demo's agency, as its own list shows it. */
async function agencyOf(headers: Headers): Promise<string> {
  const { json } = await call('GET', '/v2/downstream/entities', { headers });
  const [entity] = z.parse(z.object({ items: z.array(withId) }), json['data']).items;
  if (entity === undefined) throw new Error('The demo has no agency.');
  return entity._id;
}

/** A form with a small PDF, as a request has it. Another W9 would be a version of the first. */
async function formWithFile(category: 'W9' | 'Surplus Lines') {
  const form = new FormData();
  form.set('category', category);
  form.set('file', new File([new Uint8Array(pdf(randomUUID()))], 'w9.pdf'));
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? '', rawBody: await encoded.text() };
}

/** Uploads a file, which can be attached once. */
async function newFile(path: string, owner: Headers): Promise<string> {
  const { contentType, rawBody } = await formWithFile('Surplus Lines');
  const { json } = await call('POST', path, { headers: { ...owner, 'content-type': contentType }, rawBody });
  return z.parse(withId, json['data'])._id;
}

/** An agency that the carrier does not have yet. */
function newAgency(): object {
  const word = randomUUID();
  const npn = String(30_000_000 + (Number.parseInt(word.slice(0, 6), 16) % 9_000_000));
  return {
    downstreamEntityName: `Agency ${word}`,
    email: `${word}@example.com`,
    downstreamEntityNpn: npn,
    producerCode: word,
  };
}

/** A carrier that is still to appoint the agency and the agent of one of its forty policies, as no carrier of the demo is. */
async function carrierThatAppoints(): Promise<Headers> {
  const { organizationId, bearer } = await newOrganization('upstreamEntity');
  const [entityId, associationId, agentId] = [objectId(), objectId(), objectId()];
  const npn = String(randomInt(1_000_000_000, 2_000_000_000));
  await importRecords(
    organizationId,
    { type: 'downstream-entity', _id: entityId, npn, legalName: 'Lone Star Brokerage' },
    { type: 'association', _id: associationId, downstreamEntityId: entityId },
    agent({ _id: agentId, npn, downstreamEntityAssociationIds: [associationId] }),
    license({ npn }),
    {
      type: 'compliance-config',
      productId: objectId(),
      productName: 'GL',
      productCode: 'CGL',
      states: [{ stateCode: 'TX', appointment: 'on binding' }],
    },
    ...Array.from({ length: 40 }, (_, index) =>
      transaction(`P-${index}`, {
        riskStateCode: index === 0 ? 'TX' : 'OK',
        effectiveDate: '2026-01-01',
        productCode: 'CGL',
        agentNpn: npn,
        upstreamDownstreamAssociationId: associationId,
      }),
    ),
  );
  return bearer;
}

/** What a route needs beside the examples. */
async function givenFor(operation: string, demo: Demo, owner: Headers): Promise<Given> {
  const { clientId, clientSecret } = demo.upstream;
  const { filingId, ...item } = demo.filingWithOpenEscalation;
  switch (operation) {
    case 'exchangeToken':
      return { body: { clientId, clientSecret } };
    case 'addAssociation':
      return { body: newAgency() };
    case 'checkSales':
      return { body: { receipt: true } };
    case 'getSaleReceipt':
      return { ids: { receiptId: demo.receiptId } };
    case 'listRegistryChanges':
      // Before the demo's import.
      return { query: { recordedSince: new Date(Date.now() - 3_600_000).toISOString() } };
    case 'listAppointmentsDue':
      return { owner: await carrierThatAppoints() };
    case 'updateAssociation':
      return { body: { externalId: randomUUID(), producerCode: randomUUID() } };
    case 'createAgencyLicenseRequest':
      return { body: { downstreamEntityId: await agencyOf(owner), stateCode: 'AZ' } };
    case 'attachFilingFiles':
    case 'createFilingEscalationMessage':
      return {
        ids: { filingId },
        body: { ...item, fileDocumentIds: [await newFile('/v2/upstream/file-documents', owner)] },
      };
    default:
      return {};
  }
}

/**
 * A request that the demo's organization is served: ids that lists show, the OpenAPI document's example, and for a write an
 * idempotency key, as careful callers send.
 */
export async function requestFor(operationId: string, route: Route, demo: Demo): Promise<RouteRequest> {
  const { owner, ids, query } = await servedRequest(route);
  const given = await givenFor(operationId, demo, owner);
  const path = fill(route.path, (name) => given.ids?.[name] ?? ids[name] ?? '');
  const key = takesIdempotencyKey(route) ? { 'idempotency-key': randomUUID() } : {};
  const headers = { ...(given.owner ?? owner), ...key };
  if (route.form !== undefined) {
    const { contentType, rawBody } = await formWithFile('W9');
    return { path, headers: { ...headers, 'content-type': contentType }, rawBody };
  }
  const { body } = bodyFor(route);
  return {
    path,
    headers,
    query: { ...query, ...given.query },
    ...(body === undefined ? {} : { body: { ...body, ...given.body } }),
  };
}
