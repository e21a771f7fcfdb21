// A carrier's main job, by a client whose types are generated from the published document: exchange, list, upload, reply,
// read back, download. The end-to-end test generates the types, compiles this and runs it.
import createClient from 'openapi-fetch';
import type { paths } from '../../dist/typed-client/api.d.ts';

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
};

/** The data of an answer; a refusal ends the job. */
function answered<Data>(answer: {
  readonly data?: { readonly data: Data } | undefined;
  readonly error?: unknown;
}): Data {
  if (answer.data === undefined) throw new Error(`Refused: ${JSON.stringify(answer.error)}`);
  return answer.data.data;
}

const api = createClient<paths, 'application/json'>({
  baseUrl: setting('BASE_URL'),
  querySerializer: { array: { style: 'form', explode: false } },
});

const { accessToken } = answered(
  await api.POST('/v2/auth/jwt', {
    body: { clientId: setting('CLIENT_ID'), clientSecret: setting('CLIENT_SECRET') },
  }),
);
api.use({
  onRequest({ request }) {
    request.headers.set('authorization', `Bearer ${accessToken}`);
    return request;
  },
});

const { next: newest } = answered(
  await api.GET('/v2/upstream/events', { params: { query: { after: 'latest' } } }),
);

const [waiting] = answered(
  await api.GET('/v2/upstream/surplus-lines-filings', { params: { query: { actionRequired: true } } }),
);
if (waiting === undefined) throw new Error('No filing waits for an answer.');
const path = { filingId: waiting._id };
const filing = answered(await api.GET('/v2/upstream/surplus-lines-filings/{filingId}', { params: { path } }));
const asked = filing.checklist
  .flatMap(({ sourceCategoryId, items }) => items.map((item) => ({ sourceCategoryId, ...item })))
  .find(({ escalation }) => escalation?.status === 'waiting customer input');
if (asked === undefined) throw new Error('The filing shows no open escalation.');
const { sourceCategoryId, sourceTaskId } = asked;

const file = new TextEncoder().encode(`%PDF-1.4\n% ${crypto.randomUUID()}\n%%EOF\n`);
const uploaded = answered(
  await api.POST('/v2/upstream/file-documents', {
    body: {
      category: 'Surplus Lines',
      fileName: 'affidavit.pdf',
      contentType: 'application/pdf',
      sizeInBytes: file.length,
    },
  }),
);
if (uploaded.upload === undefined) throw new Error('No address to upload to was answered.');
const put = await fetch(uploaded.upload.url, {
  method: 'PUT',
  headers: { 'content-type': 'application/pdf' },
  body: file,
});
if (!put.ok) throw new Error(`The upload was answered ${put.status}: ${await put.text()}`);

answered(
  await api.POST('/v2/upstream/surplus-lines-filings/{filingId}/escalation/messages', {
    params: { path, header: { 'idempotency-key': crypto.randomUUID() } },
    body: { sourceCategoryId, sourceTaskId, body: 'Signed.', fileDocumentIds: [uploaded._id] },
  }),
);

const after = answered(await api.GET('/v2/upstream/surplus-lines-filings/{filingId}', { params: { path } }));
const escalation = after.checklist
  .find((category) => category.sourceCategoryId === sourceCategoryId)
  ?.items.find((item) => item.sourceTaskId === sourceTaskId)?.escalation;
const reply = escalation?.messages.at(-1);
const attachment = reply?.attachments.find(({ fileDocumentId }) => fileDocumentId === uploaded._id);
if (attachment === undefined) throw new Error('The reply does not show its file.');
const download = await fetch(attachment.downloadUrl);
const downloaded = new Uint8Array(await download.arrayBuffer());

const events = answered(
  await api.GET('/v2/upstream/events', {
    params: { query: { after: String(newest), types: ['AGENT_CREATED', 'DOCUMENT_UPLOADED'] } },
  }),
);

process.stdout.write(
  JSON.stringify({
    areEventsRead: events.next >= newest,
    authorType: reply?.authorType,
    escalationStatus: escalation?.status,
    actionRequired: after.actionRequired,
    contentType: download.headers.get('content-type'),
    isEqual: Buffer.compare(downloaded, file) === 0,
  }),
);
