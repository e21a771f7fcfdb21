// Room `demo`: seeds two organizations with data that can be explored, and receives their webhooks.
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { type TableDesign, webhooksTable } from '../../../shared/data/tables.ts';
import { filingStatuses } from '../../../shared/resources/filing.ts';
import { agencyRecords, requestLicenses } from './agency.ts';
import { demoAssociations } from './associations.ts';
import { demoContacts } from './contacts.ts';
import { demoFiling, demoPdf, escalatedStatus, openEscalation } from './filings.ts';
import { agencyProducerRecords, carrierProducerRecords } from './producers.ts';
import { demoRegistryRecords } from './registry.ts';
import { type DemoReceiver, seedWebhooks } from './webhooks.ts';

/** What the functions for operators answer. */
export const adminAnswer = z.union([
  z.object({ ok: z.literal(true), result: z.record(z.string(), z.unknown()) }),
  z.object({
    ok: z.literal(false),
    error: z.looseObject({ errorType: z.string(), errorMessage: z.array(z.string()) }),
  }),
]);

export type AdminAnswer = z.output<typeof adminAnswer>;

type AskAdmin = (command: string, input: unknown) => Promise<AdminAnswer>;

/** Stores an item past the API. */
type PutItem = (table: TableDesign, item: Record<string, unknown>) => Promise<void>;

/** An organization with a credential of each kind; the restricted token admits this machine. */
export interface DemoOrganization {
  readonly organizationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly restrictedToken: string;
}

export interface Demo {
  readonly upstream: DemoOrganization;
  readonly downstream: DemoOrganization;
  /** A policy of the upstream organization. */
  readonly policyId: string;
  /** The upstream organization's association with the downstream one's agency. */
  readonly downstreamEntityAssociationId: string;
  /** A surplus-lines filing of both. */
  readonly filingId: string;
  /** A filing of both on which the service waits for an answer, and the checklist item that it asks about. */
  readonly filingWithOpenEscalation: {
    readonly filingId: string;
    readonly sourceCategoryId: string;
    readonly sourceTaskId: string;
  };
  /** A file document of the upstream organization, on no filing. */
  readonly fileDocumentId: string;
}

const objectId = (): string => randomBytes(12).toString('hex');

const agencies = [
  {
    agencyName: 'Lone Star Brokerage',
    agencyNpn: '17654321',
    state: 'TX',
    agentName: 'Maria Delgado',
    agentNpn: '8123456',
  },
  {
    agencyName: 'Hudson Valley Risk Partners',
    agencyNpn: '18233410',
    state: 'NY',
    agentName: 'Daniel Okafor',
    agentNpn: '9034417',
  },
  {
    agencyName: 'Pacific Crest Insurance Services',
    agencyNpn: '16550982',
    state: 'CA',
    agentName: 'Grace Lindholm',
    agentNpn: '7745120',
  },
  {
    agencyName: 'Gulf Shore Underwriters',
    agencyNpn: '19001763',
    state: 'FL',
    agentName: 'Andre Baptiste',
    agentNpn: '8812094',
  },
] as const;

const insured = [
  'Acme Roofing LLC',
  'Blue Heron Marina Inc.',
  'Cedar Ridge Apartments LP',
  'Desert Sun Solar Co.',
  'Eastgate Cold Storage LLC',
  'Foothill Family Dental PC',
  'Granite Peak Brewing Co.',
  'Harbor Freight Lines Inc.',
  'Ironwood Machine Works',
  'Juniper Street Bakery LLC',
] as const;

const lines = [
  {
    code: 'GL',
    lineOfBusiness: 'General Liability',
    productName: 'Contractors General Liability',
    premium: 12_500,
  },
  { code: 'PR', lineOfBusiness: 'Commercial Property', productName: 'Coastal Property', premium: 38_400 },
  {
    code: 'PL',
    lineOfBusiness: 'Professional Liability',
    productName: 'Miscellaneous Professional',
    premium: 7_850,
  },
  { code: 'CY', lineOfBusiness: 'Cyber', productName: 'Cyber Secure', premium: 5_200 },
] as const;

const statuses = ['active', 'active', 'bound', 'expired', 'cancelled', 'non renewed'] as const;
const matches = ['auto matched', 'user confirmed', 'unmatched', 'manual review'] as const;
const days = 86_400_000;

/** The element at an index, from the start again after the end. */
function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('There is nothing to choose from.');
  return value;
}

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The transactions of one policy, one to four, as a carrier's system would report them; the last is the newest. */
function transactions(index: number, upstreamEntityId: string): Record<string, unknown>[] {
  const agency = at(agencies, index);
  const line = at(lines, Math.floor(index / agencies.length) + index);
  const policyNumber = `${line.code}-2026-${String(100_100 + index * 37)}`;
  const effective = Date.UTC(2025, 9, 1) + index * 9 * days;
  const last = index % 7 === 3 ? 'Cancellation' : 'Audit';
  const types = ['New', 'Endorsement', 'Endorsement', last].slice(0, 1 + (index % 4));
  return types.map((policyTransactionType, ordinal) => ({
    type: 'policy-transaction',
    _id: objectId(),
    upstreamEntityId,
    policyNumber,
    policyTransactionType,
    policyTransactionDate: isoDay(effective + ordinal * 45 * days),
    uniqueTransactionId: `${policyNumber}-${ordinal + 1}`,
    riskStateCode: agency.state,
    entityMatchStatus: at(matches, index),
    matchedAgents: [],
    agentMatchStatus: 'unmatched',
    agencyName: agency.agencyName,
    agencyNpn: agency.agencyNpn,
    agencyLicensedStateCode: agency.state,
    agentName: agency.agentName,
    agentNpn: agency.agentNpn,
    insuredEntityName: at(insured, index),
    carrierName: 'Beacon Specialty Insurance Company',
    lineOfBusiness: line.lineOfBusiness,
    productName: line.productName,
    uploadSource: 'demo',
    effectiveDate: isoDay(effective),
    expiryDate: isoDay(effective + 365 * days),
    premiumAmountInUSD: Math.round((line.premium * (1 + (index % 5) / 10) + ordinal * 175.5) * 100) / 100,
    aggregateCoverageInUSD: 2_000_000,
    coveragePerClaimInUSD: 1_000_000,
  }));
}

const policyCount = 40;

const carriers = [
  { name: 'Beacon Specialty Insurance Company', naicCode: '19437', domicileStateCode: 'DE' },
  { name: 'Harborline Surplus Insurance Company', naicCode: '10786', domicileStateCode: 'IL' },
  { name: 'Meridian Excess Lines Inc.', naicCode: '26883', groupName: 'Meridian Group' },
] as const;

/**
 * Seeds a carrier with policies and filings and an agency, each with credentials and a document, through the operator's
 * commands and the API alone, but for deliveries of events that have taken place.
 */
export async function seedDemo(
  askAdmin: AskAdmin,
  baseUrl: string,
  putItem: PutItem,
  receiver: DemoReceiver,
): Promise<Demo> {
  const command = async (name: string, input: unknown): Promise<Record<string, unknown>> => {
    const answer = await askAdmin(name, input);
    if (answer.ok) return answer.result;
    throw new Error(`Seeding: ${name} was refused: ${JSON.stringify(answer.error)}`);
  };

  const organization = async (name: string, category: string): Promise<DemoOrganization> => {
    const { organizationId } = z.parse(
      z.looseObject({ organizationId: z.string() }),
      await command('create-organization', { name, category }),
    );
    const [client, token] = await Promise.all([
      command('create-api-client', { organizationId, name: 'Demo client' }),
      command('create-restricted-access-token', {
        organizationId,
        name: 'Demo token',
        ipAddresses: ['127.0.0.1'],
      }),
    ]);
    return {
      organizationId,
      ...z.parse(z.object({ clientId: z.string(), clientSecret: z.string() }), client),
      restrictedToken: z.parse(z.looseObject({ token: z.string() }), token).token,
    };
  };

  const [upstream, downstream] = await Promise.all([
    organization('Beacon Specialty', 'upstreamEntity'),
    organization('Lone Star Brokerage', 'downstreamEntity'),
  ]);

  const policyId = objectId();
  const reported = Array.from({ length: policyCount }, (_, index) =>
    transactions(index, upstream.organizationId),
  );
  const records: Record<string, unknown>[] = [
    ...reported.map(([first], index) => ({
      type: 'policy',
      _id: index === 0 ? policyId : objectId(),
      policyNumber: first?.['policyNumber'],
      riskStateCode: first?.['riskStateCode'],
      entityMatchStatus: first?.['entityMatchStatus'],
      currentStatus: at(statuses, index),
      productMatchStatus: 'auto matched',
    })),
    ...reported.flat(),
  ];
  const downstreamEntityId = objectId();
  const downstreamEntityAssociationId = objectId();
  const filingIds = new Map(filingStatuses.map((status) => [status, objectId()]));
  const filingIn = (status: (typeof filingStatuses)[number]): string => filingIds.get(status) ?? '';
  records.push(
    ...carriers.map((carrier) => ({ type: 'carrier', ...carrier })),
    {
      type: 'downstream-entity',
      _id: downstreamEntityId,
      legalName: 'Lone Star Brokerage',
      npn: '17654321',
      downstreamOrganizationId: downstream.organizationId,
    },
    ...Array.from(filingIds, ([status, filingId]) => ({
      ...demoFiling(status, { filingId, downstreamEntityId }),
    })),
    ...demoAssociations({ downstreamEntityId, downstreamEntityAssociationId }),
    ...demoContacts({ downstreamEntityId, downstreamEntityAssociationId }),
  );
  const importFor = async (organizationId: string, given: readonly object[]): Promise<void> => {
    const imported = await command('import', {
      organizationId,
      firstLine: 1,
      lines: given.map((record) => JSON.stringify(record)),
    });
    const { rejected } = z.parse(z.looseObject({ rejected: z.array(z.unknown()) }), imported);
    if (rejected.length > 0) throw new Error(`Seeding: records were rejected: ${JSON.stringify(rejected)}`);
  };
  const carried = [...records, ...carrierProducerRecords(downstreamEntityAssociationId, new Date())];
  await importFor(upstream.organizationId, carried);
  await importFor(downstream.organizationId, agencyProducerRecords(downstreamEntityId, new Date()));
  await importFor(downstream.organizationId, agencyRecords(downstreamEntityId, Date.now()));

  const complete = async (filingId: string): Promise<void> => {
    const file = demoPdf('Accepted and stamped');
    const type = 'accepted stamped';
    const announced = await command('announce-completion-artifact', {
      filingId,
      type,
      fileName: 'accepted-stamped.pdf',
      contentType: 'application/pdf',
      sizeInBytes: file.length,
    });
    const { fileDocumentId, upload } = z.parse(announcedFile, announced);
    const { ok, status } = await fetch(upload.url, {
      method: 'PUT',
      headers: { 'content-type': 'application/pdf' },
      body: file,
    });
    if (!ok) throw new Error(`Seeding: the upload of an artifact was answered ${status}.`);
    await command('add-completion-artifact', { filingId, type, fileDocumentId });
    await command('set-filing-status', { filingId, status: 'completed' });
  };
  const [fileDocumentId] = await Promise.all([
    uploadDocument(baseUrl, upstream, '/v2/upstream/file-documents'),
    uploadDocument(baseUrl, downstream, '/v2/downstream/documents'),
    complete(filingIn('completed')),
    requestLicenses(command, baseUrl, downstream, downstreamEntityId),
    seedWebhooks(baseUrl, upstream, receiver, (item) => putItem(webhooksTable, item)),
    ...demoRegistryRecords(carried).map((told) => command('set-registry-record', told)),
  ]);
  return {
    upstream,
    downstream,
    policyId,
    downstreamEntityAssociationId,
    filingId: filingIn('ready to file'),
    filingWithOpenEscalation: { filingId: filingIn(escalatedStatus), ...openEscalation },
    fileDocumentId,
  };
}

const announcedFile = z.looseObject({
  fileDocumentId: z.string(),
  upload: z.looseObject({ url: z.string() }),
});

/** Uploads a document as an organization does it itself; answers its id. */
async function uploadDocument(
  baseUrl: string,
  { clientId, clientSecret }: DemoOrganization,
  path: string,
): Promise<string> {
  const post = async <Schema extends z.core.$ZodType>(
    to: string,
    init: RequestInit,
    data: Schema,
  ): Promise<z.output<Schema>> => {
    const response = await fetch(`${baseUrl}${to}`, { ...init, method: 'POST' });
    const text = await response.text();
    if (!response.ok) throw new Error(`Seeding: ${to} was answered ${response.status}: ${text}`);
    return z.parse(data, z.parse(z.looseObject({ data: z.unknown() }), JSON.parse(text)).data);
  };
  const credential = {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
  };
  const token = await post('/v2/auth/jwt', credential, z.object({ accessToken: z.string() }));
  const form = new FormData();
  form.set('category', 'W9');
  form.set('file', new File([demoPdf('W-9')], 'w9.pdf', { type: 'application/pdf' }));
  const headers = { authorization: `Bearer ${token.accessToken}` };
  return (await post(path, { headers, body: form }, z.looseObject({ _id: z.string() })))._id;
}
