import { randomBytes, randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { createSubscribedNpns } from '../../shared/domain/registry-records/subscriptions.ts';
import { registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { pdf } from '../support/files.ts';
import { filing, license } from '../support/import-lines.ts';
import {
  admin,
  call,
  importRecords,
  invoke,
  newOrganization,
  type Organization,
} from '../support/local-api.ts';
import { physicalName, runDatabase } from '../support/run-database.ts';
import { until } from '../support/until.ts';

/** What the API answers can be imported as it is, and changes nothing. */

const id = (): string => randomBytes(12).toString('hex');
const npnOf = (): string => String(randomInt(1_000_000_000, 2_000_000_000));
const [entityId, associationId, policyId, filingId, marketId, contactId] = [
  id(),
  id(),
  id(),
  id(),
  id(),
  id(),
];
const [agencyNpn, producerNpn] = [npnOf(), npnOf()];
const place = { sourceCategoryId: 'documents', sourceTaskId: 'affidavit' };
const answered = z.record(z.string(), z.unknown());
type Answered = z.output<typeof answered>;

let carrier: Organization;
let agency: Organization;
/** What the API answered when it was last asked for everything. */
let answeredLast: unknown;

const upstream = '/v2/upstream';
const association = `${upstream}/downstream-entity-associations/${associationId}`;
const filingPath = `${upstream}/surplus-lines-filings/${filingId}`;

/** Where each type's records are answered, to whom, and what of them a record of an import must give besides. */
interface Answer {
  readonly type: string;
  readonly path: string;
  readonly organization: () => Organization;
  /** What no answer shows and a record replaces. */
  readonly unshown?: () => object;
}

const ofCarrier = (): Organization => carrier;
const ofAgency = (): Organization => agency;

const answers: readonly Answer[] = [
  { type: 'policy', path: `${upstream}/policies/${policyId}`, organization: ofCarrier },
  {
    type: 'policy-transaction',
    path: `${upstream}/policies/${policyId}/transactions`,
    organization: ofCarrier,
  },
  { type: 'filing', path: filingPath, organization: ofCarrier },
  // One of the demo's: a new one is found a minute later.
  { type: 'carrier', path: `${upstream}/carriers?search=10786`, organization: ofCarrier },
  {
    type: 'downstream-entity',
    path: '/v2/downstream/entities',
    organization: ofAgency,
    unshown: () => ({ downstreamOrganizationId: agency.organizationId }),
  },
  { type: 'association', path: association, organization: ofCarrier },
  { type: 'market', path: '/v2/downstream/markets', organization: ofAgency },
  {
    type: 'contract-container-template',
    path: `${upstream}/contract-container-templates`,
    organization: ofCarrier,
  },
  { type: 'contact', path: `${upstream}/contacts/${contactId}`, organization: ofCarrier },
  { type: 'agent', path: `${upstream}/agents?npn=${producerNpn}`, organization: ofCarrier },
  { type: 'license', path: `${association}/licenses`, organization: ofCarrier },
  { type: 'appointment', path: `${association}/appointments`, organization: ofCarrier },
  { type: 'regulatory-action', path: `${association}/regulatory-actions`, organization: ofCarrier },
  { type: 'compliance-config', path: `${upstream}/compliance-configs`, organization: ofCarrier },
  {
    type: 'corporate-registration',
    path: '/v2/downstream/corporate-registrations',
    organization: ofAgency,
  },
];

/** What changes with a hidden part of a record alone. */
const further: readonly Omit<Answer, 'type'>[] = [
  { path: `${upstream}/agents?email=desk@example.com`, organization: ofCarrier },
  { path: '/v2/downstream/surplus-lines-filings', organization: ofAgency },
  { path: '/v2/downstream/contacts', organization: ofAgency },
];

async function get({ path, organization }: Omit<Answer, 'type'>): Promise<unknown> {
  const { status, json } = await call('GET', path, { headers: organization().bearer });
  expect(status).toBe(200);
  return json['data'];
}

/** The records of an answer: a list, a page, or a single one. */
function recordsOf(data: unknown): Answered[] {
  if (Array.isArray(data)) return z.parse(z.array(answered), data);
  const { items, transactions } = z.parse(answered, data);
  return Array.isArray(items ?? transactions)
    ? z.parse(z.array(answered), items ?? transactions)
    : [z.parse(answered, data)];
}

/** Everything that the API answers of these records, without the signatures of links. */
async function everything(): Promise<unknown> {
  const all = await Promise.all([...answers, ...further].map(get));
  return JSON.parse(JSON.stringify(all).replace(/&X-Amz-[^"]*/g, ''));
}

const importLine = (owner: Organization, record: object) =>
  admin('import', {
    organizationId: owner.organizationId,
    firstLine: 1,
    lines: [JSON.stringify(record)],
    emitEvents: true,
  });

beforeAll(async () => {
  [carrier, agency] = await Promise.all([
    newOrganization('upstreamEntity'),
    newOrganization('downstreamEntity'),
  ]);
  const policyNumber = `P-${policyId}`;
  const transaction = {
    type: 'policy-transaction',
    policyNumber,
    riskStateCode: 'TX',
    npn: agencyNpn,
    carrierName: 'Beacon Specialty',
  };
  await importRecords(
    carrier.organizationId,
    {
      type: 'downstream-entity',
      _id: entityId,
      legalName: 'Agency',
      npn: agencyNpn,
      downstreamOrganizationId: agency.organizationId,
    },
    { type: 'association', _id: associationId, downstreamEntityId: entityId, producerCode: 'P-1' },
    { type: 'contract-container-template', name: 'Agreement' },
    { type: 'policy', _id: policyId, policyNumber, currentStatus: 'active', riskStateCode: 'TX' },
    { ...transaction, policyTransactionType: 'New', policyTransactionDate: '2026-03-01' },
    { ...transaction, policyTransactionType: 'Endorsement', policyTransactionDate: '2026-04-01T12:00:00Z' },
    filingRecord,
    {
      type: 'agent',
      npn: producerNpn,
      firstName: 'Ann',
      lastName: 'Ito',
      email: 'ann.ito@example.com',
      labeledEmails: [{ label: 'desk', email: 'desk@example.com' }],
      downstreamEntityAssociationIds: [associationId],
    },
    license({
      npn: agencyNpn,
      stateCode: 'TX',
      licenseNumber: '1',
      nextRenewalDate: '2027-04-01',
      linesOfAuthority: [{ code: '16' }],
    }),
    {
      type: 'appointment',
      status: 'active',
      npn: agencyNpn,
      stateCode: 'TX',
      carrierName: 'Beacon',
      renewalDate: '2027-04-01',
    },
    { type: 'regulatory-action', npn: agencyNpn, stateCode: 'TX', actionId: '1', dateOfAction: '2025-05-02' },
    { type: 'compliance-config', productId: id(), productName: 'Liability', states: [{ stateCode: 'TX' }] },
    {
      type: 'contact',
      _id: contactId,
      firstName: 'Maria',
      lastName: 'Delgado',
      email: 'maria@example.com',
      associations: [
        { downstreamEntityId: entityId, downstreamEntityAssociationId: associationId, isPrimary: true },
      ],
    },
  );
  await importRecords(
    agency.organizationId,
    {
      type: 'market',
      _id: marketId,
      downstreamEntityId: entityId,
      upstreamEntityName: 'Elsewhere',
      marketType: 'wholesaler',
    },
    {
      type: 'corporate-registration',
      downstreamEntityId: entityId,
      stateCode: 'TX',
      registrationType: 'domestic',
    },
  );
  await replyWithFile();
  // The polls of who came in would change the answers meanwhile.
  await invoke('registry-reconciliation', { task: 'new-npns' });
  const database = runDatabase();
  const npns = createSubscribedNpns(
    tableOf(registryRecordsTable, database, await physicalName(database, 'registry-records')),
  );
  await until(async () => (await npns.notPolledSince([agencyNpn, producerNpn], new Date(0))).length === 0);
  answeredLast = await everything();
});

const filingRecord = filing(filingId, {
  downstreamEntityId: entityId,
  policyNumber: 'P-1',
  checklist: [
    {
      sourceCategoryId: place.sourceCategoryId,
      name: 'Documents',
      items: [
        {
          sourceTaskId: place.sourceTaskId,
          label: 'Affidavit',
          escalation: {
            status: 'waiting customer input',
            messages: [{ authorType: 'service', body: 'Please send it.', sentAt: '2026-03-01T00:00:00Z' }],
          },
        },
        {
          sourceTaskId: 'private',
          label: 'Private',
          escalation: { category: 'private', status: 'resolved' },
        },
      ],
    },
    { sourceCategoryId: 'internal', name: 'Internal', isInternal: true, items: [] },
  ],
});

/** The filing gets a policy document, and a message that is nothing but a file. */
async function replyWithFile(): Promise<void> {
  const { bearer } = carrier;
  const uploaded = async (): Promise<unknown> => {
    const form = new FormData();
    form.set('category', 'Surplus Lines');
    form.set('file', new Blob([new Uint8Array(pdf())]), 'a.pdf');
    const response = await fetch(`${process.env['TEST_BASE_URL']}${upstream}/file-documents`, {
      method: 'POST',
      headers: bearer,
      body: form,
    });
    const { data } = z.parse(z.object({ data: answered }), await response.json());
    return data['_id'];
  };
  const body = { ...place, fileDocumentIds: [await uploaded()] };
  const policyDocument = { fileDocumentId: await uploaded() };
  const sent = [
    await call('POST', `${filingPath}/escalation/messages`, { headers: bearer, body }),
    await call('PUT', `${filingPath}/policy-document`, { headers: bearer, body: policyDocument }),
  ];
  expect(sent.map(({ status }) => status)).toEqual([201, 200]);
}

it.each(answers)('$type: a record as the API answers it is imported and changes nothing', async (answer) => {
  const before = answeredLast;
  const all = recordsOf(await get(answer));
  // A market of a carrier on the platform is its association.
  const records = all.filter((record) => record['isOnPlatform'] !== true);
  expect(records.length).toBeGreaterThan(0);
  for (const record of records) {
    const line = { ...record, ...answer.unshown?.(), type: answer.type };
    expect(await importLine(answer.organization(), line)).toMatchObject({ imported: 1, rejected: [] });
  }
  answeredLast = await everything();
  expect(answeredLast).toEqual(before);
});

it.each(answers)('$type: a record with a field that is not known is refused', async (answer) => {
  const [record] = recordsOf(await get(answer)).filter((one) => one['isOnPlatform'] !== true);
  const line = { ...record, ...answer.unshown?.(), type: answer.type, misspelt: 1 };
  expect(await importLine(answer.organization(), line)).toMatchObject({
    imported: 0,
    rejected: [{ line: 1, issues: [{ path: 'misspelt' }] }],
  });
});
