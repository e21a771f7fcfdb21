import { randomBytes, randomUUID } from 'node:crypto';
import { pdf } from '../support/files.ts';
import { newId, objectsWithin } from '../support/filings.ts';
import { filing } from '../support/import-lines.ts';
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
import {
  admin,
  adminAnswer,
  call,
  errorShape,
  newOrganization,
  type Organization,
} from '../support/local-api.ts';
import { until } from '../support/until.ts';

describe('filings', () => {
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
    expect(asked).toMatchObject({
      actionRequired: true,
      escalations: [{ status: 'waiting customer input' }],
    });
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
    const attached = await write(
      'POST',
      `${agencyFilings}/${filingId}/checklist-item/file-documents`,
      agency,
      {
        sourceCategoryId: 'documents',
        sourceTaskId: 'invoice',
        fileDocumentIds: [first, second],
      },
    );
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
    expect(v2.checklist[0]?.items[1]?.attachments.map((file) => file.fileDocumentId)).toEqual([
      first,
      second,
    ]);
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
});

describe('operator filings', () => {
  /** An operator's work on filings as the customers of both sides see it. */
  let carrier: Organization;
  let agency: Organization;

  const filingId = '65f0c1d2e3a4b5c6d7e8fa01';
  const downstreamEntityId = '65f0c1d2e3a4b5c6d7e8fa02';

  const record = filing(filingId, {
    downstreamEntityId,
    policyNumber: 'SL-OP-1',
    status: 'filed',
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
  });

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

  it('a filing and the other records of its agency follow it to another organization', async () => {
    const former = agency;
    const downstreamEntityAssociationId = newId();
    const registration = { stateCode: 'TX', registrationType: 'domestic', registrationNumber: '0801234567' };
    await importRecords({ type: 'association', _id: downstreamEntityAssociationId, downstreamEntityId });
    const lines = [{ type: 'corporate-registration', downstreamEntityId, ...registration }];
    await admin('import', {
      organizationId: former.organizationId,
      firstLine: 1,
      lines: lines.map((one) => JSON.stringify(one)),
    });
    const [email, fileName] = ['maria@lone-star.example', 'a.pdf'];
    const contact = { firstName: 'Maria', lastName: 'Delgado', email, downstreamEntityId };
    const file = { category: 'E&O', fileName, contentType: 'application/pdf', sizeInBytes: 99 };
    for (const [path, body] of [
      ['contacts', contact],
      ['documents', { ...file, downstreamEntityAssociationId }],
    ] as const) {
      const { status } = await call('POST', `/v2/downstream/${path}`, { headers: former.bearer, body });
      expect(status).toBe(201);
    }
    agency = await newOrganization('downstreamEntity');
    const moved = {
      type: 'downstream-entity',
      _id: downstreamEntityId,
      legalName: 'Lone Star Brokerage',
      npn: '17654321',
      downstreamOrganizationId: agency.organizationId,
    };
    const moving = await admin('import', { firstLine: 1, lines: [JSON.stringify(moved)] });
    expect(moving).toMatchObject({ imported: 1, rejected: [] });
    const totals = (of: Organization) =>
      Promise.all(
        ['surplus-lines-filings', 'markets', 'documents', 'contacts', 'corporate-registrations'].map(
          async (path) => {
            const { json } = await call('GET', `/v2/downstream/${path}`, { headers: of.bearer });
            return (json['data'] as { total: number }).total;
          },
        ),
      );
    await until(async () => (await totals(former)).every((total) => total === 0));
    expect(await totals(agency)).toEqual([1, 1, 1, 1, 1]);
    const path = `/v2/downstream/surplus-lines-filings/${filingId}`;
    expect((await call('GET', path, { headers: former.bearer })).status).toBe(404);
    expect((await seenBy('downstream')).status).toBe(200);
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
});

describe('escalation replies', () => {
  it('50 equal replies at once under one idempotency key have one effect', async () => {
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

  it('an answer larger than one database item is replayed completely', async () => {
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
  });

  it('a refused reply may be corrected and sent again under its idempotency key', async () => {
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

  it('a reply must be JSON; a form is refused even if it holds only text', async () => {
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
});
