import * as z from 'zod/mini';
import { createOrganizationAdministration } from '../../functions/admin/organizations.ts';
import { features } from '../../shared/contract/access.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import {
  associationsTable,
  carriersTable,
  contactsTable,
  downstreamEntitiesTable,
  fileDocumentsTable,
  filingsTable,
  organizationsTable,
  outboxTable,
} from '../../shared/data/tables.ts';
import { createFilingStore } from '../../shared/filings/store.ts';
import { type Filing, type FilingStatus, filing as filingSchema } from '../../shared/resources/filing.ts';
import { commandsOn } from '../support/admin.ts';
import { importInto } from '../support/imports.ts';
import { memoryObjectStore } from '../support/memory-object-store.ts';
import { createTables, dynamo } from '../support/tables.ts';

const { store: objectStore } = memoryObjectStore();

const now = () => new Date();
const carrierId = '65f0c1d2e3a4b5c6d7e8f9c1';
const agencyId = '65f0c1d2e3a4b5c6d7e8f9c2';
const designs = {
  organizations: organizationsTable,
  associations: associationsTable,
  contacts: contactsTable,
  filings: filingsTable,
  fileDocuments: fileDocumentsTable,
  carriers: carriersTable,
  downstreamEntities: downstreamEntitiesTable,
  outbox: outboxTable,
};
let names: Record<keyof typeof designs, string>;
let upstream: string;
let downstream: string;
let organizations: ReturnType<typeof createOrganizationAdministration>;

const newOrganization = async (category: 'upstreamEntity' | 'downstreamEntity'): Promise<string> =>
  (
    await organizations.create({
      name: 'Test',
      category,
      features: [...features],
      subscription: 'active',
      planCeiling: 100,
    })
  ).organizationId;

beforeAll(async () => {
  names = await createTables(designs);
  organizations = createOrganizationAdministration(dynamo, names.organizations, now);
  upstream = await newOrganization('upstreamEntity');
  downstream = await newOrganization('downstreamEntity');
});

const importLines = (records: readonly object[], organizationId = upstream) =>
  importInto(
    names,
    now,
  )({
    organizationId,
    firstLine: 1,
    lines: records.map((record) => JSON.stringify(record)),
  });

const store = () => createFilingStore(dynamo, names.filings);

/** Has an operator's command run; it answers the filing as it then is. */
const run = async (command: string, input: object): Promise<Filing> =>
  z.parse(filingSchema, await commandsOn(names, { now, objectStore })(command, input));

const operator = {
  setStatus: (filingId: string, status: FilingStatus) => run('set-filing-status', { filingId, status }),
  openEscalation: (place: object, body?: string, category?: string) =>
    run('open-escalation', { ...place, body, category }),
  messageEscalation: (place: object, body: string) => run('message-escalation', { ...place, body }),
  resolveEscalation: (place: object) => run('resolve-escalation', place),
};

const message = (index: number) => ({
  authorType: 'service',
  body: `Question ${index}`,
  sentAt: new Date(Date.UTC(2026, 2, 1, 0, index)).toISOString(),
});

const filing = (fields: object = {}) => ({
  type: 'filing',
  _id: newObjectId(now()),
  policyNumber: 'SL-1',
  stateCode: 'TX',
  policyTransactionType: 'bind',
  namedInsured: 'Acme Roofing LLC',
  carrier: 'Beacon Specialty',
  carrierNaicCode: '12345',
  grossPremium: 10_000,
  checklist: [
    {
      sourceCategoryId: 'documents',
      name: 'Documents',
      items: [
        { sourceTaskId: 'affidavit', label: 'Signed affidavit' },
        { sourceTaskId: 'declarations', label: 'Declarations page', checked: true },
      ],
    },
    {
      sourceCategoryId: 'internal',
      name: 'Review',
      isInternal: true,
      items: [{ sourceTaskId: 'check', label: 'Check' }],
    },
  ],
  ...fields,
});

const affidavit = { sourceCategoryId: 'documents', sourceTaskId: 'affidavit' };

/** An imported filing's id. */
const imported = async (fields: object = {}): Promise<string> => {
  const record = filing(fields);
  expect(await importLines([record])).toEqual({ imported: 1, rejected: [] });
  return record._id;
};

describe('import of filings', () => {
  it('takes in what a filing refers to from the same file, whatever their order', async () => {
    const record = filing({ downstreamEntityId: agencyId });
    const lines = [
      record,
      {
        type: 'downstream-entity',
        _id: agencyId,
        legalName: 'Lone Star Brokerage',
        npn: '17654321',
        downstreamOrganizationId: downstream,
      },
      { type: 'carrier', _id: carrierId, name: 'Beacon Specialty', naicCode: '12345' },
    ];
    expect(await importLines(lines)).toEqual({ imported: 3, rejected: [] });
    const [up, down] = await Promise.all([
      store().find('upstream', upstream, record._id),
      store().find('downstream', downstream, record._id),
    ]);
    expect(up?.filing).toMatchObject({ version: 1, downstreamOrganizationId: downstream });
    expect(down).toEqual(up);
    expect(await importLines(lines)).toEqual({ imported: 3, rejected: [] });
    expect(await store().find('upstream', upstream, record._id)).toEqual(up);
  });

  it('takes in more messages than a transaction holds, once', async () => {
    const escalation = {
      status: 'waiting customer input',
      openedAt: '2026-03-01',
      messages: Array.from({ length: 100 }, (_, index) => message(index)),
    };
    const record = filing({
      checklist: [
        {
          sourceCategoryId: 'documents',
          name: 'Documents',
          items: [{ sourceTaskId: 'affidavit', label: 'Signed affidavit', escalation }],
        },
      ],
    });
    expect(await importLines([record])).toEqual({ imported: 1, rejected: [] });
    const found = await store().find('upstream', upstream, record._id);
    expect(found?.filing.messageCount).toBe(100);
    expect(found?.messages.map(({ body }) => body)).toEqual(
      Array.from({ length: 100 }, (_, index) => `Question ${index}`),
    );
    expect(await importLines([{ ...record, namedInsured: 'Acme Roofing Inc.' }])).toMatchObject({
      imported: 1,
    });
    const amended = await store().find('upstream', upstream, record._id);
    expect(amended?.filing.namedInsured).toBe('Acme Roofing Inc.');
    expect(amended?.messages).toEqual(found?.messages);
  });

  it('amends a filing without undoing what happened to it since', async () => {
    const record = filing();
    await importLines([record]);
    await operator.setStatus(record._id, 'in progress');
    await operator.openEscalation({ filingId: record._id, ...affidavit }, 'Please sign.');
    await importLines([{ ...record, totalTaxDue: 485 }]);
    const found = await store().find('upstream', upstream, record._id);
    expect(found?.filing).toMatchObject({ status: 'in progress', totalTaxDue: 485 });
    expect(found?.filing.checklist[0]?.items[0]?.escalation?.status).toBe('waiting customer input');
    expect(found?.messages).toHaveLength(1);
  });

  it('hides a soft-deleted filing', async () => {
    const record = filing();
    await importLines([record]);
    await importLines([{ ...record, isDeleted: true }]);
    expect(await store().find('upstream', upstream, record._id)).toBeUndefined();
    await expect(operator.setStatus(record._id, 'in progress')).rejects.toMatchObject({
      errorType: 'not_found',
    });
  });

  it('names the bad lines', async () => {
    const taken = await imported();
    const other = await newOrganization('upstreamEntity');
    const outcome = await importLines(
      [
        filing({ downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f9ff' }),
        filing({ _id: taken }),
        filing({ checklist: [{ sourceCategoryId: 'a', name: 'A', items: [{ sourceTaskId: 'b' }] }] }),
        filing({ status: 'finished' }),
        filing({ completionArtifacts: [{ type: 'receipt' }] }),
        { type: 'downstream-entity', legalName: 'No agency', downstreamOrganizationId: upstream },
        { type: 'carrier', name: 'No code' },
        filing({ upstreamEntityId: downstream }),
        filing(),
      ],
      other,
    );
    expect(outcome).toMatchObject({
      imported: 1,
      rejected: [
        { line: 1, issues: [{ path: 'downstreamEntityId' }] },
        { line: 2, issues: [{ path: '_id' }] },
        { line: 3, issues: [{ path: 'checklist[0].items[0].label' }] },
        { line: 4, issues: [{ path: 'status', accepted: expect.arrayContaining(['filed']) }] },
        { line: 5, issues: [{ path: 'completionArtifacts' }] },
        { line: 6, issues: [{ path: 'downstreamOrganizationId' }] },
        { line: 7, issues: [{ path: 'naicCode' }] },
        { line: 8, issues: [{ path: 'organizationId' }] },
      ],
    });
  });
});

describe('the status of a filing', () => {
  it('goes the way that the table of transitions says, and to completion with an artifact', async () => {
    const filingId = await imported();
    const steps: FilingStatus[] = ['in progress', 'on hold', 'in progress', 'ready to file', 'filed'];
    for (const status of steps) expect((await operator.setStatus(filingId, status)).status).toBe(status);
    await expect(operator.setStatus(filingId, 'in progress')).rejects.toMatchObject({
      errorType: 'conflict',
    });
    await expect(operator.setStatus(filingId, 'completed')).rejects.toMatchObject({
      errorType: 'conflict',
    });
    const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');
    const type = 'accepted stamped';
    const announced = await commandsOn(names, { now, objectStore })('announce-completion-artifact', {
      filingId,
      type,
      fileName: 'stamped.pdf',
      contentType: 'application/pdf',
      sizeInBytes: pdf.length,
    });
    const { fileDocumentId, upload } = z.parse(
      z.object({ fileDocumentId: z.string(), upload: z.object({ url: z.string() }) }),
      announced,
    );
    const add = () => run('add-completion-artifact', { filingId, type, fileDocumentId });
    await expect(add()).rejects.toMatchObject({ errorType: 'validation_error' });
    await objectStore.put(new URL(upload.url).pathname.slice(1), pdf, 'application/pdf');
    expect((await add()).completionArtifacts).toEqual([
      {
        type: 'accepted stamped',
        fileName: 'stamped.pdf',
        fileDocumentId,
        uploadedAt: expect.any(String),
        downloadUrl: expect.stringContaining(`files/${upstream}/${fileDocumentId}`),
        viewUrl: expect.any(String),
      },
    ]);
    await expect(add()).rejects.toMatchObject({ errorType: 'not_found' });
    expect((await operator.setStatus(filingId, 'completed')).status).toBe('completed');
    await expect(operator.setStatus(filingId, 'canceled')).rejects.toMatchObject({ errorType: 'conflict' });
  });

  it('is refused for a filing that does not exist', async () => {
    await expect(operator.setStatus(newObjectId(now()), 'filed')).rejects.toMatchObject({
      errorType: 'not_found',
    });
  });
});

describe('escalations', () => {
  it('are opened, talked about, resolved and opened again', async () => {
    const filingId = await imported();
    const place = { filingId, ...affidavit };
    const opened = await operator.openEscalation(place, 'Please sign.');
    expect(opened.actionRequired).toBe(true);
    expect(opened.escalations).toMatchObject([
      {
        status: 'waiting customer input',
        resolvedAt: null,
        messages: [{ authorType: 'service', body: 'Please sign.', attachments: [] }],
      },
    ]);
    await expect(operator.openEscalation(place)).rejects.toMatchObject({
      errorType: 'conflict',
    });
    const told = await operator.messageEscalation(place, 'A reminder.');
    expect(told.escalations[0]?.messages.map(({ body }) => body)).toEqual(['Please sign.', 'A reminder.']);
    const resolved = await operator.resolveEscalation(place);
    expect(resolved).toMatchObject({ actionRequired: false, escalations: [{ status: 'resolved' }] });
    await expect(operator.messageEscalation(place, 'More.')).rejects.toMatchObject({
      errorType: 'conflict',
    });
    await expect(operator.openEscalation(place, undefined, 'private')).rejects.toMatchObject({
      errorType: 'conflict',
    });
    const again = await operator.openEscalation(place, 'Once more.');
    expect(again.escalations[0]).toMatchObject({ status: 'waiting customer input', resolvedAt: null });
    expect(again.escalations[0]?.messages).toHaveLength(3);
  });

  it('that are private show nowhere', async () => {
    const filingId = await imported();
    const shown = await operator.openEscalation({ filingId, ...affidavit }, 'Between us.', 'private');
    expect(shown).toMatchObject({ actionRequired: false, escalations: [] });
    expect(JSON.stringify(shown)).not.toContain('Between us');
  });

  it('are refused on an item that the filing does not have', async () => {
    const filingId = await imported();
    await expect(
      operator.openEscalation({ filingId, ...affidavit, sourceTaskId: 'unknown' }),
    ).rejects.toMatchObject({ details: { issues: [{ path: 'sourceTaskId' }] } });
  });

  it('lose no message when operators meet', async () => {
    const filingId = await imported();
    const place = { filingId, ...affidavit };
    await operator.openEscalation(place);
    await Promise.all(
      Array.from({ length: 5 }, (_, index) => operator.messageEscalation(place, `Message ${index}`)),
    );
    const found = await store().find('upstream', upstream, filingId);
    expect(found?.messages).toHaveLength(5);
    expect(found?.filing).toMatchObject({ messageCount: 5, version: 7 });
  });
});
