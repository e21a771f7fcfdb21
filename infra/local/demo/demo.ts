// Folder `demo`: seeds two organizations with data that can be explored, and receives their webhooks.

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { webhookTypes } from '#domain/events/payloads.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { operatorAnswer } from '../../../functions/admin/invoke.ts';
import { sampleLines } from '../../samples.ts';
import { type createWebhookReceiver, receiverPath } from './receiver.ts';
import { lapsedLicenseIn, registryRecords, reportExpiry } from './registry.ts';

const text = z.string();

const createdOrganization = z.looseObject({ organizationId: text });

const credentials = z.object({ clientId: text, clientSecret: text, restrictedToken: text });

/** The organizations of the demo, each with a credential of each kind, and ids of what they have. */
export type Demo = Awaited<ReturnType<typeof seedDemo>>;

/** Ids of samples. */
const ids = {
  downstreamEntityId: '65f0c1d2e3a4b5c6d7e8fb01',
  downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8fc01',
  policyId: '65f0c1d2e3a4b5c6d7e8fd01',
  escalatedFiling: '65f0c1d2e3a4b5c6d7e8fe02',
  filingReadyToFile: '65f0c1d2e3a4b5c6d7e8fe03',
  /** Filed; the demo completes it. */
  filingToComplete: '65f0c1d2e3a4b5c6d7e8fe05',
  npn: '9000000001',
  unappointedSeller: {
    downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8fc03',
    policyId: '65f0c1d2e3a4b5c6d7e8fd03',
    productId: '65f0c1d2e3a4b5c6d7e8f905',
    agentId: '65f0c1d2e3a4b5c6d7e8fa06',
  },
  unlicensedSale: { policyId: '65f0c1d2e3a4b5c6d7e8fd04', agentId: '65f0c1d2e3a4b5c6d7e8fa11' },
};

interface SeedOptions {
  /** Invokes a function by the name of its folder. */
  readonly invoke: (functionName: string, payload: unknown) => Promise<unknown>;
  readonly baseUrl: string;
  readonly receiver: Pick<ReturnType<typeof createWebhookReceiver>, 'addSecret'>;
}

/**
 * Seeds a carrier with policies and filings and an agency, each with credentials and a document, through operator
 * commands and the API.
 */
export async function seedDemo({ invoke, baseUrl, receiver }: SeedOptions) {
  const command = async (name: string, input: unknown): Promise<Record<string, unknown>> => {
    const invocation =
      name === 'import' ? invoke('import', input) : invoke('admin', { command: name, input });
    const answer = z.parse(operatorAnswer, await invocation);
    if (answer.ok) return answer.result;
    throw new Error(`Seeding: ${name} was refused: ${JSON.stringify(answer.error)}`);
  };

  /** The restricted token is allowed from this machine. */
  const organization = async (name: string, category: string, naicCodes?: string[]) => {
    const answer = await command('create-organization', { name, category, naicCodes });
    const { organizationId } = z.parse(createdOrganization, answer);
    const forToken = { organizationId, name: 'Demo token', ipAddresses: ['127.0.0.1'] };
    const [client, { token }] = await Promise.all([
      command('create-api-client', { organizationId, name: 'Demo client' }),
      command('create-restricted-access-token', forToken),
    ]);
    return { organizationId, ...z.parse(credentials, { ...client, restrictedToken: token }) };
  };

  const [upstream, downstream] = await Promise.all([
    organization('Beacon Specialty', 'upstreamEntity', ['19437']),
    organization('Lone Star Brokerage', 'downstreamEntity'),
  ]);

  const today = newYorkDate(new Date());
  const importFor = async (organizationId: string, lines: readonly string[]): Promise<void> => {
    const { rejected } = await command('import', { organizationId, firstLine: 1, lines });
    if (!isDeepStrictEqual(rejected, [])) {
      throw new Error(`Seeding: records were rejected: ${JSON.stringify(rejected)}`);
    }
  };
  const agencySamples = sampleLines('downstream', today);
  const carrierSamples = sampleLines('upstream', today);
  const { laterVersions, ...lapsedLicense } = lapsedLicenseIn(carrierSamples);
  const untilLapse = carrierSamples.filter((line) => !laterVersions.includes(line));
  const carrier = demoClient(baseUrl, upstream.restrictedToken);
  const agency = demoClient(baseUrl, downstream.restrictedToken);
  // The webhook is there before the events that it gets: imports emit none.
  await Promise.all([
    registerWebhook(carrier, baseUrl, receiver),
    importFor(downstream.organizationId, agencySamples),
    importFor(upstream.organizationId, untilLapse),
  ]);

  const [fileDocumentId] = await Promise.all([
    uploadDocument(carrier, '/v2/upstream/file-documents'),
    uploadDocument(agency, '/v2/downstream/documents'),
    completeFiling(command, ids.filingToComplete),
    requestLicenses(command, agency),
    reportExpiry(invoke, lapsedLicense.expiredOn).then(() =>
      importFor(upstream.organizationId, laterVersions),
    ),
    // Nobody holds it, and the simulated registry does not recognize it by itself.
    carrier(`/v2/sandbox/registry-records/${ids.npn}`, { licenses: [] }, z.object({}), 'PUT'),
    ...registryRecords([...agencySamples, ...carrierSamples]).map((record) =>
      command('set-registry-record', record),
    ),
  ]);
  const check = { seller: { npn: '8123456' }, product: { productCode: 'CGL' }, stateCode: 'TX' };
  const { receiptId } = await carrier(
    '/v2/upstream/sale-checks',
    { checks: [check], receipt: true },
    z.looseObject({ receiptId: text }),
  );
  const { npn, policyId, downstreamEntityAssociationId, unappointedSeller, unlicensedSale } = ids;
  const filingWithOpenEscalation = {
    filingId: ids.escalatedFiling,
    sourceCategoryId: 'signatures',
    sourceTaskId: 'diligent-effort-affidavit',
  };
  return {
    upstream,
    downstream,
    /** A policy of the upstream organization. */
    policyId,
    /** The upstream organization's association with the downstream one's agency. */
    downstreamEntityAssociationId,
    /** A surplus lines filing of both. */
    filingId: ids.filingReadyToFile,
    /** A filing of both on which the service waits for a reply, and the checklist item in question. */
    filingWithOpenEscalation,
    /** A file document of the upstream organization that is not attached to a filing. */
    fileDocumentId,
    /** An NPN for which the upstream organization put a record over the simulated registry. */
    npn,
    /** The receipt of a sale check. */
    receiptId,
    lapsedLicense,
    /** A policy whose agency may sell it, and whose seller may not: the carrier did not appoint him. */
    unappointedSeller,
    /** A policy that somebody sold without a license, and that a licensed producer endorsed and renewed; and who sold it. */
    unlicensedSale,
  };
}

type DemoClient = ReturnType<typeof demoClient>;

/** The API as an organization calls it with its restricted token, which is allowed from this machine. */
const demoClient =
  (baseUrl: string, restrictedToken: string) =>
  /** Sends JSON or a form. @throws Error when the response is not successful, or its data does not match the schema */
  async <Schema extends z.core.$ZodType>(
    path: string,
    body: object,
    data: Schema,
    method = 'POST',
  ): Promise<z.output<Schema>> => {
    const isForm = body instanceof FormData;
    const headers = { 'x-restricted-access-token': restrictedToken };
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: isForm ? headers : { ...headers, 'content-type': 'application/json' },
      body: isForm ? body : JSON.stringify(body),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`Seeding: ${method} ${path} returned ${response.status}: ${answer}`);
    return z.parse(data, z.parse(z.looseObject({ data: z.unknown() }), JSON.parse(answer)).data);
  };

/** Registers a webhook: every event goes to the demo's receiver. */
async function registerWebhook(
  carrier: DemoClient,
  baseUrl: string,
  receiver: SeedOptions['receiver'],
): Promise<void> {
  const createdWebhook = z.looseObject({ _id: text, secret: text });
  const webhook = { url: `${baseUrl}${receiverPath}`, types: webhookTypes };
  const { _id, secret } = await carrier('/v2/upstream/webhooks', webhook, createdWebhook);
  receiver.addSecret(_id, secret);
}

/** Requests licenses as the agency, one after the other; an operator then puts the first one in review. */
async function requestLicenses(command: Command, agency: DemoClient): Promise<void> {
  const request = (body: object) =>
    agency(
      '/v2/downstream/license-requests',
      { downstreamEntityId: ids.downstreamEntityId, type: 'new', ...body },
      z.looseObject({ _id: text }),
    );
  const notes = 'Needed before the next binding season.';
  const { _id: licenseRequestId } = await request({ stateCode: 'CO', linesOfAuthority: ['16'], notes });
  await request({ stateCode: 'UT', linesOfAuthority: ['16'] });
  await command('set-license-request-status', { licenseRequestId, status: 'in review' });
}

/** Runs a command of operators. */
type Command = (name: string, input: unknown) => Promise<unknown>;

/** A page that every PDF viewer shows. Lines of the cross-reference table end with a space. */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 44>>stream
BT /F1 18 Tf 72 720 Td (Demo document) Tj ET
endstreamendobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
xref
0 6
0000000000 65535 f \n\
0000000009 00000 n \n\
0000000052 00000 n \n\
0000000101 00000 n \n\
0000000211 00000 n \n\
0000000300 00000 n \n\
trailer<</Size 6/Root 1 0 R>>
startxref
361
%%EOF
`;

/** Uploads a document as the client's organization and returns its id. */
async function uploadDocument(client: DemoClient, path: string): Promise<string> {
  const form = new FormData();
  form.set('category', 'Surplus Lines');
  form.set('file', new File([pdf], 'affidavit.pdf', { type: 'application/pdf' }));
  return (await client(path, form, z.looseObject({ _id: z.string() })))._id;
}

const announcedFile = z.looseObject({
  fileDocumentId: z.string(),
  upload: z.looseObject({ url: z.string() }),
});

/** Completes a filing as an operator does: uploads its artifact and then sets the status. */
async function completeFiling(command: Command, filingId: string): Promise<void> {
  const type = 'accepted stamped';
  const announcement = await command('announce-completion-artifact', {
    filingId,
    type,
    fileName: 'accepted-stamped.pdf',
    contentType: 'application/pdf',
    sizeInBytes: pdf.length,
  });
  const { fileDocumentId, upload } = z.parse(announcedFile, announcement);
  const headers = { 'content-type': 'application/pdf' };
  const { ok, status } = await fetch(upload.url, { method: 'PUT', headers, body: pdf });
  if (!ok) throw new Error(`Seeding: uploading the artifact returned ${status}.`);
  await command('add-completion-artifact', { filingId, type, fileDocumentId });
  await command('set-filing-status', { filingId, status: 'completed' });
}
