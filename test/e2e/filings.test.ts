import { randomBytes, randomUUID } from 'node:crypto';
import type { Filing } from '../../shared/resources/filing-detail.ts';
import { pdf } from '../support/files.ts';
import { newId, objectsWithin } from '../support/filings.ts';
import {
  admin,
  adminAnswer,
  call,
  errorShape,
  newOrganization,
  type Organization,
} from '../support/local-api.ts';

let carrier: Organization;
let agency: Organization;

const downstreamEntityId = newId();
const upstreamFilings = '/v2/upstream/surplus-lines-filings';
const agencyFilings = '/v2/downstream/surplus-lines-filings';
const secret = 'never to be seen';
const place = { sourceCategoryId: 'documents', sourceTaskId: 'affidavit' };

/** A filing record whose item `affidavit` has an escalation that waits for the customer. */
const record = (fields: object = {}) => ({
  type: 'filing',
  policyNumber: 'SL-1',
  stateCode: 'TX',
  policyTransactionType: 'bind',
  status: 'in progress',
  namedInsured: 'Acme Roofing LLC',
  carrier: 'Beacon Specialty',
  carrierNaicCode: '19437',
  grossPremium: 12_500.5,
  downstreamEntityId,
  checklist: [
    {
      sourceCategoryId: 'documents',
      name: 'Documents',
      items: [
        {
          sourceTaskId: 'affidavit',
          label: 'Signed affidavit',
          escalation: {
            status: 'waiting customer input',
            openedAt: '2026-03-01T14:05:09.123Z',
            messages: [{ authorType: 'service', body: 'Please sign.', sentAt: '2026-03-01T14:05:09.123Z' }],
          },
        },
        { sourceTaskId: 'invoice', label: 'Invoice', checked: true },
        {
          sourceTaskId: 'private',
          label: 'Review',
          escalation: {
            category: 'private',
            status: 'waiting customer input',
            messages: [{ authorType: 'service', body: secret, sentAt: '2026-03-01T14:05:09.123Z' }],
          },
        },
      ],
    },
    {
      sourceCategoryId: 'internal',
      name: secret,
      isInternal: true,
      items: [{ sourceTaskId: 'check', label: secret, checked: true }],
    },
  ],
  ...fields,
});

async function newFiling(owner = carrier, fields: object = {}): Promise<string> {
  const _id = newId();
  const outcome = await admin('import', {
    organizationId: owner.organizationId,
    firstLine: 1,
    lines: [JSON.stringify(record({ _id, ...fields }))],
  });
  expect(outcome).toEqual({ imported: 1, rejected: [] });
  return _id;
}

/** Uploads a PDF as a form and answers the id of its document. */
async function upload(owner: Organization, bytes: Buffer): Promise<string> {
  const path = owner === agency ? '/v2/downstream/documents' : '/v2/upstream/file-documents';
  const form = new FormData();
  form.set('category', 'Surplus Lines');
  form.set('file', new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }), 'affidavit.pdf');
  const response = await fetch(`${process.env['TEST_BASE_URL']}${path}`, {
    method: 'POST',
    headers: owner.bearer,
    body: form,
  });
  expect(response.status).toBe(201);
  const { data } = (await response.json()) as { readonly data: { readonly _id: string } };
  return data._id;
}

const filingIn = (json: Readonly<Record<string, unknown>>): Filing => json['data'] as Filing;

const read = async (path: string, owner: Organization): Promise<Filing> => {
  const { status, json } = await call('GET', path, { headers: owner.bearer });
  expect(status).toBe(200);
  return filingIn(json);
};

const write = (method: 'POST' | 'PUT', path: string, owner: Organization, body: object, key?: string) =>
  call(method, path, {
    headers: { ...owner.bearer, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    body,
  });

/** What was downloaded from a presigned address, which needs no credential. */
async function download(url: string | undefined) {
  const response = await fetch(url ?? '');
  expect(response.status).toBe(200);
  return {
    bytes: Buffer.from(await response.arrayBuffer()),
    type: response.headers.get('content-type'),
    disposition: response.headers.get('content-disposition'),
  };
}

beforeAll(async () => {
  [carrier, agency] = await Promise.all([
    newOrganization('upstreamEntity'),
    newOrganization('downstreamEntity'),
  ]);
  const outcome = await admin('import', {
    firstLine: 1,
    lines: [
      JSON.stringify({
        type: 'downstream-entity',
        _id: downstreamEntityId,
        legalName: 'Lone Star Brokerage',
        downstreamOrganizationId: agency.organizationId,
      }),
    ],
  });
  expect(outcome).toEqual({ imported: 1, rejected: [] });
});

it('an escalation is answered with an uploaded file, and all sides see it', async () => {
  const filingId = await newFiling();
  const before = await read(`${upstreamFilings}/${filingId}`, carrier);
  expect(before).toMatchObject({
    actionRequired: true,
    checklistProgress: { checked: 1, total: 3 },
    escalations: [{ checklistItemLabel: 'Signed affidavit', status: 'waiting customer input' }],
    policyDocument: null,
    completionArtifacts: [],
  });
  const bytes = pdf();
  const fileDocumentId = await upload(carrier, bytes);
  const body = { ...place, body: 'Signed.', fileDocumentIds: [fileDocumentId] };
  const replied = await write('POST', `${upstreamFilings}/${filingId}/escalation/messages`, carrier, body);
  expect(replied.status).toBe(201);
  expect(filingIn(replied.json)).toMatchObject({
    actionRequired: false,
    escalations: [
      {
        status: 'waiting service input',
        messages: [
          { authorType: 'service', body: 'Please sign.' },
          { authorType: 'customer', body: 'Signed.', attachments: [{ fileDocumentId }] },
        ],
      },
    ],
  });
  for (const [path, owner] of [
    [`${upstreamFilings}/${filingId}`, carrier],
    [`${agencyFilings}/${filingId}`, agency],
  ] as const) {
    const [file] = (await read(path, owner)).escalations[0]?.messages[1]?.attachments ?? [];
    const saved = await download(file?.downloadUrl);
    expect(saved.bytes.equals(bytes)).toBe(true);
    expect(saved).toMatchObject({
      type: 'application/pdf',
      disposition: expect.stringMatching(/^attachment; filename="affidavit\.pdf"/),
    });
    expect((await download(file?.viewUrl)).disposition).toMatch(/^inline/);
  }

  const asked = await admin('message-escalation', { filingId, ...place, body: 'The second page too.' });
  expect(asked).toMatchObject({ actionRequired: true, escalations: [{ status: 'waiting customer input' }] });
  await admin('resolve-escalation', { filingId, ...place });
  const late = await write('POST', `${upstreamFilings}/${filingId}/escalation/messages`, carrier, {
    ...place,
    body: 'Too late.',
  });
  expect(late.status).toBe(400);
  expect(late.json).toMatchObject(errorShape(400, 'validation_error'));
});

it('an agency attaches files and sets the policy document with its own uploads', async () => {
  const filingId = await newFiling();
  const [first, second, policy] = await Promise.all([0, 1, 2].map(() => upload(agency, pdf())));
  const attached = await write('POST', `${agencyFilings}/${filingId}/checklist-item/file-documents`, agency, {
    sourceCategoryId: 'documents',
    sourceTaskId: 'invoice',
    fileDocumentIds: [first, second],
  });
  expect(attached.status).toBe(201);
  const path = `${agencyFilings}/${filingId}/policy-document`;
  const set = await write('PUT', path, agency, { fileDocumentId: policy });
  expect(set.status).toBe(200);
  const again = await write('PUT', path, agency, { fileDocumentId: policy });
  expect(again.status).toBe(200);
  expect(filingIn(again.json).updatedAt).toBe(filingIn(set.json).updatedAt);
  // A file that is on the filing, and one of another organization.
  expect((await write('PUT', path, agency, { fileDocumentId: first })).status).toBe(404);
  const foreign = `${upstreamFilings}/${filingId}/policy-document`;
  expect((await write('PUT', foreign, carrier, { fileDocumentId: policy })).status).toBe(404);

  const v2 = await read(`${upstreamFilings}/${filingId}`, carrier);
  expect(v2.checklist[0]?.items[1]?.attachments.map((file) => file.fileDocumentId)).toEqual([first, second]);
  expect(v2.policyDocument).toMatchObject({ fileDocumentId: policy, uploadedByType: 'customer' });
  const files = objectsWithin(v2).filter((object) => 'downloadUrl' in object);
  expect(files).toHaveLength(3);
  for (const file of files) expect(file['fileDocumentId']).toMatch(/^[0-9a-f]{24}$/);
  const v1 = await read(`/v1/surplus-lines-filings/${filingId}`, carrier);
  expect(objectsWithin(v1).filter((object) => 'downloadUrl' in object)).toHaveLength(3);
  for (const object of objectsWithin(v1)) expect(object).not.toHaveProperty('fileDocumentId');
});

it('nothing private is seen on any surface', async () => {
  const filingId = await newFiling();
  const views = [
    await call('GET', `${upstreamFilings}/${filingId}`, { headers: carrier.bearer }),
    await call('GET', `${agencyFilings}/${filingId}`, { headers: agency.bearer }),
    await call('GET', `/v1/surplus-lines-filings/${filingId}`, { headers: carrier.bearer }),
    await call('GET', upstreamFilings, { headers: carrier.bearer }),
    await call('GET', agencyFilings, { headers: agency.bearer }),
  ];
  for (const { status, text } of views) {
    expect(status).toBe(200);
    expect(text).not.toContain(secret);
    expect(text).not.toContain('isInternal');
  }
  for (const hidden of [
    { sourceCategoryId: 'documents', sourceTaskId: 'private' },
    { sourceCategoryId: 'internal', sourceTaskId: 'check' },
  ]) {
    const path = `${upstreamFilings}/${filingId}/escalation/messages`;
    const { status, json } = await write('POST', path, carrier, { ...hidden, body: 'x' });
    expect(status).toBe(404);
    expect(json).toEqual(errorShape(404, 'not_found'));
  }
});

it('lists follow what happens to a filing', async () => {
  const policyNumber = `SL-${newId()}`;
  const filingId = await newFiling(carrier, { policyNumber, externalReference: policyNumber });
  const listed = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ policyNumber, ...query }).toString();
    const all = await call('GET', `${upstreamFilings}?${search}`, { headers: carrier.bearer });
    const page = await call('GET', `${agencyFilings}?${search}`, { headers: agency.bearer });
    const { items, total } = page.json['data'] as { items: { _id: string }[]; total: number };
    expect(all.json['data']).toEqual(items);
    expect(items).toHaveLength(total);
    return items.map(({ _id }) => _id);
  };
  const waits = { stateCode: 'TX', actionRequired: 'true', externalReference: policyNumber };
  expect(await listed({ ...waits, status: 'in progress' })).toEqual([filingId]);
  await admin('set-filing-status', { filingId, status: 'ready to file' });
  expect(await listed({ ...waits, status: 'in progress' })).toEqual([]);
  expect(await listed({ ...waits, status: 'ready to file' })).toEqual([filingId]);
  await admin('resolve-escalation', { filingId, ...place });
  expect(await listed(waits)).toEqual([]);
  expect(await listed({ actionRequired: 'false' })).toEqual([filingId]);
  expect(await adminAnswer('set-filing-status', { filingId, status: 'completed' })).toMatchObject({
    ok: false,
  });
});

it('50 equal replies at once under one key have one effect', async () => {
  const owner = await newOrganization('upstreamEntity');
  const filingId = await newFiling(owner, { downstreamEntityId: undefined });
  const key = randomUUID();
  const path = `${upstreamFilings}/${filingId}/escalation/messages`;
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => write('POST', path, owner, { ...place, body: 'once' }, key)),
  );
  for (const { status } of answers) expect([201, 409]).toContain(status);
  const done = answers.filter(({ status }) => status === 201).map(({ json }) => json);
  expect(new Set(done.map(({ requestId }) => requestId)).size).toBe(1);
  const { escalations } = await read(`${upstreamFilings}/${filingId}`, owner);
  expect(escalations[0]?.messages.filter(({ authorType }) => authorType === 'customer')).toHaveLength(1);
});

it('an answer too long for one database item is replayed whole', async () => {
  const messages = Array.from({ length: 130 }, (_, index) => ({
    authorType: 'service',
    // Random text does not compress to less than three quarters.
    body: randomBytes(3_700).toString('base64').slice(0, 4_900),
    sentAt: new Date(Date.parse('2026-03-01T00:00:00.000Z') + index * 1_000).toISOString(),
  }));
  const escalation = { status: 'waiting customer input', openedAt: '2026-03-01T00:00:00.000Z', messages };
  const items = [{ sourceTaskId: place.sourceTaskId, label: 'Signed affidavit', escalation }];
  const checklist = [{ sourceCategoryId: place.sourceCategoryId, name: 'Documents', items }];
  const filingId = await newFiling(carrier, { checklist });
  const key = randomUUID();
  const path = `${upstreamFilings}/${filingId}/escalation/messages`;
  const first = await write('POST', path, carrier, { ...place, body: 'Signed.' }, key);
  const second = await write('POST', path, carrier, { ...place, body: 'Signed.' }, key);
  expect(first.status).toBe(201);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(second.text).toBe(first.text);
  expect(filingIn(second.json).escalations[0]?.messages).toHaveLength(131);
}, 20_000);

it('a refused reply may be corrected and sent again under its key', async () => {
  const filingId = await newFiling();
  const announced = await call('POST', '/v2/upstream/file-documents', {
    headers: carrier.bearer,
    body: {
      category: 'Surplus Lines',
      fileName: 'late.pdf',
      contentType: 'application/pdf',
      sizeInBytes: 1_000,
    },
  });
  const { _id } = announced.json['data'] as { readonly _id: string };
  const key = randomUUID();
  const path = `${upstreamFilings}/${filingId}/escalation/messages`;
  const refused = await write('POST', path, carrier, { ...place, fileDocumentIds: [_id] }, key);
  expect(refused.status).toBe(400);
  expect(refused.json).toMatchObject({ details: { issues: [{ path: 'fileDocumentIds[0]' }] } });
  expect((await write('POST', path, carrier, { ...place, body: 'Later.' }, key)).status).toBe(201);
});

it('the escalation reply takes JSON alone: a form is refused, even with text only', async () => {
  const filingId = await newFiling();
  const form = new FormData();
  form.set('sourceCategoryId', place.sourceCategoryId);
  form.set('sourceTaskId', place.sourceTaskId);
  form.set('body', 'text only');
  const url = `${process.env['TEST_BASE_URL']}${upstreamFilings}/${filingId}/escalation/messages`;
  const response = await fetch(url, { method: 'POST', headers: carrier.bearer, body: form });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject(
    errorShape(400, 'validation_error', {
      details: { issues: [{ path: 'content-type', accepted: ['application/json'] }] },
    }),
  );
});

it.each([
  ['policy-document', upstreamFilings],
  ['checklist-item/attachments', upstreamFilings],
  ['policy-document', agencyFilings],
  ['checklist-item/attachments', agencyFilings],
])(
  'the removed upload route POST %s under %s is not found, with or without a credential',
  async (path, base) => {
    const owner = base === agencyFilings ? agency : carrier;
    for (const headers of [owner.bearer, {}]) {
      const { status, json } = await call('POST', `${base}/${newId()}/${path}`, { headers, body: {} });
      expect(status).toBe(404);
      expect(json).toEqual(errorShape(404, 'not_found'));
    }
  },
);
