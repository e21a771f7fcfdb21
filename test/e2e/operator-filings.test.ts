import {
  admin,
  adminAnswer,
  call,
  errorShape,
  newOrganization,
  type Organization,
} from '../support/local-api.ts';

/** An operator's work on filings as the customers of both sides see it. */
let carrier: Organization;
let agency: Organization;

const filingId = '65f0c1d2e3a4b5c6d7e8fa01';
const downstreamEntityId = '65f0c1d2e3a4b5c6d7e8fa02';

const record = {
  type: 'filing',
  _id: filingId,
  downstreamEntityId,
  policyNumber: 'SL-OP-1',
  stateCode: 'TX',
  policyTransactionType: 'bind',
  status: 'filed',
  namedInsured: 'Acme Roofing LLC',
  carrier: 'Beacon Specialty',
  carrierNaicCode: '19437',
  grossPremium: 10_000,
  checklist: [
    {
      sourceCategoryId: 'signatures',
      name: 'Signatures',
      items: [{ sourceTaskId: 'affidavit', label: 'Signed affidavit', checked: true }],
    },
    {
      sourceCategoryId: 'review',
      name: 'Quality review',
      isInternal: true,
      items: [{ sourceTaskId: 'second', label: 'Second pair of eyes' }],
    },
  ],
};

const importRecords = (...records: object[]) =>
  admin('import', {
    organizationId: carrier.organizationId,
    firstLine: 1,
    lines: records.map((one) => JSON.stringify(one)),
  });

const seenBy = async (side: 'upstream' | 'downstream') => {
  const { bearer } = side === 'upstream' ? carrier : agency;
  return call('GET', `/v2/${side}/surplus-lines-filings/${filingId}`, { headers: bearer });
};

beforeAll(async () => {
  [carrier, agency] = await Promise.all([
    newOrganization('upstreamEntity'),
    newOrganization('downstreamEntity'),
  ]);
  const outcome = await importRecords(
    record,
    {
      type: 'downstream-entity',
      _id: downstreamEntityId,
      legalName: 'Lone Star Brokerage',
      downstreamOrganizationId: agency.organizationId,
    },
    { type: 'carrier', name: 'Beacon Specialty', naicCode: '19437' },
  );
  expect(outcome).toMatchObject({ imported: 3, rejected: [] });
});

it('an imported filing is visible to both sides, without its internal part', async () => {
  const [up, down] = await Promise.all([seenBy('upstream'), seenBy('downstream')]);
  expect(up.json['data']).toMatchObject({ checklistProgress: { checked: 1, total: 1 } });
  expect(up.text).not.toContain('Quality review');
  expect(down.json['data']).toEqual(up.json['data']);
});

it('an escalation needs action from both sides until it is resolved', async () => {
  const place = { filingId, sourceCategoryId: 'signatures', sourceTaskId: 'affidavit' };
  for (const [command, actionRequired, status] of [
    ['open-escalation', true, 'waiting customer input'],
    ['message-escalation', true, 'waiting customer input'],
    ['resolve-escalation', false, 'resolved'],
  ] as const) {
    await admin(command, { ...place, body: command });
    for (const side of ['upstream', 'downstream'] as const) {
      const { json } = await seenBy(side);
      expect({ command, side, data: json['data'] }).toMatchObject({
        command,
        side,
        data: { actionRequired, escalations: [{ status }] },
      });
    }
  }
  expect(await adminAnswer('resolve-escalation', place)).toMatchObject({
    ok: false,
    error: { errorType: 'conflict' },
  });
});

it('a filing is completed with an artifact, which the operator can open too', async () => {
  const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');
  const type = 'accepted stamped';
  const { fileDocumentId, upload } = (await admin('announce-completion-artifact', {
    filingId,
    type,
    fileName: 'stamped.pdf',
    contentType: 'application/pdf',
    sizeInBytes: pdf.length,
  })) as unknown as { fileDocumentId: string; upload: { url: string } };
  expect(await adminAnswer('add-completion-artifact', { filingId, type, fileDocumentId })).toMatchObject({
    ok: false,
    error: { errorType: 'validation_error' },
  });
  const put = await fetch(upload.url, {
    method: 'PUT',
    headers: { 'content-type': 'application/pdf' },
    body: pdf,
  });
  expect(put.status).toBe(200);
  const { completionArtifacts } = (await admin('add-completion-artifact', {
    filingId,
    type,
    fileDocumentId,
  })) as unknown as { completionArtifacts: { downloadUrl: string }[] };
  const downloaded = await fetch(completionArtifacts[0]?.downloadUrl ?? '');
  expect(Buffer.from(await downloaded.arrayBuffer())).toEqual(pdf);
  await admin('set-filing-status', { filingId, status: 'completed' });
  const { json } = await seenBy('downstream');
  expect(json['data']).toMatchObject({
    status: 'completed',
    completionArtifacts: [{ type, fileName: 'stamped.pdf', fileDocumentId }],
  });
});

it('a filing follows its agency to another organization at once', async () => {
  const former = agency;
  agency = await newOrganization('downstreamEntity');
  const moved = {
    type: 'downstream-entity',
    _id: downstreamEntityId,
    legalName: 'Lone Star Brokerage',
    downstreamOrganizationId: agency.organizationId,
  };
  const moving = await admin('import', { firstLine: 1, lines: [JSON.stringify(moved)] });
  expect(moving).toMatchObject({ imported: 1, rejected: [] });
  const path = `/v2/downstream/surplus-lines-filings/${filingId}`;
  expect((await call('GET', path, { headers: former.bearer })).status).toBe(404);
  expect((await seenBy('downstream')).status).toBe(200);
  const list = await call('GET', '/v2/downstream/surplus-lines-filings', { headers: agency.bearer });
  expect(list.json['data']).toMatchObject({ total: 1, items: [{ _id: filingId }] });
});

it('a soft-deleted filing disappears for both sides', async () => {
  await importRecords({ ...record, isDeleted: true });
  for (const side of ['upstream', 'downstream'] as const) {
    const { status, json } = await seenBy(side);
    expect(status).toBe(404);
    expect(json).toEqual(errorShape(404, 'not_found'));
  }
  const { json } = await call('GET', '/v2/upstream/surplus-lines-filings', { headers: carrier.bearer });
  expect(json['data']).toEqual([]);
});
