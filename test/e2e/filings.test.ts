import { pdf } from '../support/files.ts';
import { newId, objectsWithin } from '../support/filings.ts';
import {
  agency,
  agencyFilings,
  carrier,
  download,
  filingIn,
  newFiling,
  place,
  read,
  secret,
  upload,
  upstreamFilings,
  write,
} from '../support/imported-filings.ts';
import { admin, adminAnswer, call, errorShape } from '../support/local-api.ts';

it('a reply to an escalation with an uploaded file is visible to both sides', async () => {
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

it('an agency attaches its own uploads and sets the policy document', async () => {
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
  // A file that is already on the filing, and one of another organization.
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

it('nothing private appears in any answer', async () => {
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
    const message = 'names no item of the filing’s checklist';
    const issues = ['sourceCategoryId', 'sourceTaskId'].map((path) => ({ path, message }));
    expect(json).toEqual(errorShape(404, 'not_found', { details: { issues } }));
  }
});

it('lists reflect the changes of a filing', async () => {
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

it.each([
  ['policy-document', upstreamFilings],
  ['checklist-item/attachments', upstreamFilings],
  ['policy-document', agencyFilings],
  ['checklist-item/attachments', agencyFilings],
])('the removed route POST %s under %s answers 404, with or without a credential', async (path, base) => {
  const owner = base === agencyFilings ? agency : carrier;
  for (const headers of [owner.bearer, {}]) {
    const { status, json } = await call('POST', `${base}/${newId()}/${path}`, { headers, body: {} });
    expect(status).toBe(404);
    expect(json).toEqual(errorShape(404, 'not_found'));
  }
});
