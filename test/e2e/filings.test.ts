import * as z from 'zod/mini';
import { announce, documentIn, send } from '../support/file-documents.ts';
import { pdf } from '../support/files.ts';
import { newId } from '../support/filings.ts';
import { filing, namedAgency } from '../support/import-lines.ts';
import {
  agency,
  agencyFilings,
  carrier,
  download,
  filingIn,
  newFiling,
  place,
  read,
  upload,
  upstreamFilings,
  write,
} from '../support/imported-filings.ts';
import {
  admin,
  adminAnswer,
  call,
  errorShape,
  importRecords,
  newOrganization,
  newOrganizations,
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

  it('a carrier sets a policy document by its first use, an agency attaches its upload, and an operator adds an artifact', async () => {
    const filingId = await newFiling();
    const bytes = pdf();
    const announced = await announce(carrier, { sizeInBytes: bytes.length });
    const { _id: announcedId } = documentIn(announced);
    const setPolicyDocument = () =>
      write('PUT', `${upstreamFilings}/${filingId}/policy-document`, carrier, {
        fileDocumentId: announcedId,
      });
    expect((await setPolicyDocument()).status).toBe(400);
    await send(announced, bytes);
    expect((await setPolicyDocument()).status).toBe(200);
    const attachedId = await upload(agency, bytes);
    const attached = await write(
      'POST',
      `${agencyFilings}/${filingId}/checklist-item/file-documents`,
      agency,
      {
        sourceCategoryId: 'documents',
        sourceTaskId: 'invoice',
        fileDocumentIds: [attachedId],
      },
    );
    expect(attached.status).toBe(201);
    const artifact = { filingId, type: 'receipt' };
    const file = { fileName: 'a.pdf', contentType: 'application/pdf', sizeInBytes: bytes.length };
    const { fileDocumentId, upload: address } = z.parse(
      z.object({ fileDocumentId: z.string(), upload: z.object({ url: z.string() }) }),
      await admin('announce-completion-artifact', { ...artifact, ...file }),
    );
    const added = { ...artifact, fileDocumentId };
    expect(await adminAnswer('add-completion-artifact', added)).toMatchObject({ ok: false });
    const headers = { 'content-type': 'application/pdf' };
    await fetch(address.url, { method: 'PUT', headers, body: Uint8Array.from(bytes) });
    const answer = await admin('add-completion-artifact', added);
    const { completionArtifacts } = z.parse(
      z.object({ completionArtifacts: z.array(z.object({ downloadUrl: z.string() })) }),
      answer,
    );
    expect((await download(completionArtifacts[0]?.downloadUrl)).bytes.equals(bytes)).toBe(true);
    expect(await read(`${upstreamFilings}/${filingId}`, carrier)).toMatchObject({
      checklist: [{ items: [{}, { attachments: [{ fileDocumentId: attachedId }] }, {}] }],
      policyDocument: { fileDocumentId: announcedId, uploadedByType: 'customer' },
      completionArtifacts: [{ fileDocumentId }],
    });
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

  const seenBy = async (side: 'upstream' | 'downstream') => {
    const { bearer } = side === 'upstream' ? carrier : agency;
    return call('GET', `/v2/${side}/surplus-lines-filings/${filingId}`, { headers: bearer });
  };

  beforeAll(async () => {
    [carrier, agency] = await newOrganizations('upstreamEntity', 'downstreamEntity');
    await importRecords(
      carrier.organizationId,
      record,
      namedAgency(downstreamEntityId, 'Lone Star Brokerage', {
        downstreamOrganizationId: agency.organizationId,
      }),
      { type: 'carrier', name: 'Beacon Specialty', naicCode: '19437' },
    );
  });

  it('a filing and the other records of its agency follow it to another organization', async () => {
    const former = agency;
    const downstreamEntityAssociationId = newId();
    const registration = { stateCode: 'TX', registrationType: 'domestic', registrationNumber: '0801234567' };
    const association = { type: 'association', _id: downstreamEntityAssociationId, downstreamEntityId };
    await importRecords(carrier.organizationId, association);
    await importRecords(former.organizationId, {
      type: 'corporate-registration',
      downstreamEntityId,
      ...registration,
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
    const asked = {
      filingId,
      sourceCategoryId: 'signatures',
      sourceTaskId: 'affidavit',
      body: 'Please sign.',
    };
    await admin('open-escalation', asked);
    agency = await newOrganization('downstreamEntity');
    const moved = namedAgency(downstreamEntityId, 'Lone Star Brokerage', {
      npn: '17654321',
      downstreamOrganizationId: agency.organizationId,
    });
    await importRecords(undefined, moved);
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
});
