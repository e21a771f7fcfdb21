import { randomUUID } from 'node:crypto';
import { marketItem } from '#domain/associations/stored.ts';
import { downstreamEntityKeys } from '#domain/downstream-entities/stored.ts';
import { transact } from '#platform/data/transact.ts';
import { refusalOf } from '#platform/request/refusal.ts';
import { entityOf, marketOf } from '../support/agency-records.ts';
import { carrier } from '../support/api-event.ts';
import { eventsAbout } from '../support/events.ts';
import { withFaults } from '../support/faults.ts';
import {
  announce,
  ask,
  files,
  filing,
  get,
  logger,
  memory,
  objectsOf,
  owner,
  put,
  routes,
  tables,
  uploaded,
} from '../support/file-documents-tests.ts';
import { apng, doc, docx, jpeg, pdf, png } from '../support/files.ts';
import { newId } from '../support/filings.ts';
import { form } from '../support/forms.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('database calls', () => {
  it('for a document that was used before are one', async () => {
    const id = await uploaded(pdf());
    await get(id);
    expect((await databaseCalls(() => get(id))).calls).toEqual(['GetItemCommand']);
  });
});

describe('the first use of an upload', () => {
  it('inspects the content again if it changes after the inspection', async () => {
    const id = await uploaded(pdf('one'));
    const [incoming] = objectsOf(id, 'incoming');
    let replaced = false;
    memory.hooks.beforeCopy = () => {
      if (!replaced) memory.objects.set(incoming ?? '', pdf('two'));
      replaced = true;
    };
    expect((await get(id)).status).toBe(200);
    const [file] = objectsOf(id, 'files');
    expect(memory.objects.get(file ?? '')).toEqual(pdf('two'));
  });

  it('accepts no other content after the inspection', async () => {
    const pretended = Buffer.concat([png(), Buffer.alloc(pdf().length - png().length)]);
    const id = await uploaded(pdf());
    const [incoming] = objectsOf(id, 'incoming');
    memory.hooks.beforeCopy = () => memory.objects.set(incoming ?? '', pretended);
    expect((await get(id)).status).toBe(400);
    expect(objectsOf(id, 'files')).toEqual([]);
  });
});

it('the bytes of an upload are logged with its organization, for an alarm on their sum', async () => {
  const id = await announce(pdf());
  expect((await get(id)).data).toMatchObject({ sizeInBytes: pdf().length });
  expect(logger.lines.at(-1)).toMatchObject({
    event: 'file_uploaded',
    organizationId: owner,
    bytes: pdf().length,
  });
});

describe('files for a filing', () => {
  it('are named if they have no content or unexpected content', async () => {
    const png1 = Buffer.concat([png(), Buffer.alloc(100)]);
    const ids = [await uploaded(pdf()), await announce(pdf()), await uploaded(png1)];
    await expect(files.read(owner, ids)).rejects.toMatchObject({
      reason: 'invalid_input',
      options: { issues: [{ path: 'fileDocumentIds[1]' }, { path: 'fileDocumentIds[2]' }] },
    });
  });

  it.each([
    ['an unknown file', owner],
    ['another organization’s file', '65f0c1d2e3a4b5c6d7e8f9fe'],
  ])('are not found: %s', async (_, organizationId) => {
    const id = organizationId === owner ? 'f'.repeat(24) : await uploaded(pdf());
    await expect(files.read(organizationId, [id])).rejects.toMatchObject({
      reason: 'not_found',
    });
  });

  it('can be used by one filing only, even concurrently', async () => {
    const id = await uploaded(pdf());
    await files.read(owner, [id]);
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) =>
        transact(dynamo, [files.use(owner, id, `${filing.slice(0, 23)}${index}`)]),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of tries) {
      if (outcome.status === 'rejected') {
        expect(refusalOf(outcome.reason)?.errorType).toMatch(/^(not_found|transient_transaction_error)$/);
      }
    }
    const [file] = await files.read(owner, [id]);
    expect(file?.usedBy).toMatch(new RegExp(`^${filing.slice(0, 23)}\\d$`));
  });
});

describe('an agency’s documents', () => {
  it('can be narrowed to the markets of one of its entities', async () => {
    const organizationId = newId();
    const [entity, foreign] = [entityOf(organizationId), entityOf(newId())];
    const market = marketOf(entity._id);
    await Promise.all([
      ...[entity, foreign].map((one) =>
        put('downstreamEntities', { ...downstreamEntityKeys.entity(one._id), ...one }),
      ),
      put('associations', marketItem(organizationId, market)),
    ]);
    const identity = () => ({
      organizationId,
      category: 'downstreamEntity' as const,
      credentialId: randomUUID(),
    });
    const announced = {
      category: 'Surplus Lines',
      fileName: 'a.pdf',
      contentType: 'application/pdf',
      sizeInBytes: 9,
    };
    const upload = async (fields: object): Promise<unknown> =>
      (
        await ask(routes.createAgencyFileDocument, {
          identity: identity(),
          body: { ...announced, ...fields },
        })
      ).data['_id'];
    const ofMarket = await upload({
      downstreamEntityAssociationId: market.upstreamDownstreamAssociationId,
    });
    expect(
      await upload({
        upstreamDownstreamAssociationId: market.upstreamDownstreamAssociationId,
        category: 'W9',
      }),
    ).toEqual(
      await upload({ downstreamEntityAssociationId: market.upstreamDownstreamAssociationId, category: 'W9' }),
    );
    await upload({});
    const list = (query: Record<string, string>) =>
      ask(routes.listAgencyFileDocuments, { identity: identity(), query });
    const { upstreamDownstreamAssociationId } = market;
    const { items, total } = (await list({})).data as { items: Record<string, unknown>[]; total: number };
    expect(total).toBe(3);
    expect(items.filter((item) => item['upstreamDownstreamAssociationId'] === null)).toHaveLength(1);
    expect((await list({ downstreamEntityId: entity._id })).data).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ _id: ofMarket, upstreamDownstreamAssociationId }),
      ]) as unknown,
      total: 2,
    });
    const two = { upstreamDownstreamAssociationId, downstreamEntityAssociationId: entity._id };
    expect(
      await ask(routes.createAgencyFileDocument, { identity: identity(), body: { ...announced, ...two } }),
    ).toMatchObject({ status: 400 });
    expect(await list({ downstreamEntityId: foreign._id })).toMatchObject({ status: 404 });
  });
});

const eventsOf = (id: unknown) => eventsAbout(tables.outbox, id);

describe('DOCUMENT_UPLOADED', () => {
  it('is emitted at once for a file in a form, and for each further version', async () => {
    const first = await ask(routes.createFileDocument, form('Cyber'));
    const second = await ask(routes.createFileDocument, form('Cyber'));
    expect([first.status, second.status]).toEqual([201, 201]);
    const { _id } = second.data;
    const events = await eventsOf(_id);
    expect(events.map(({ payload }) => payload)).toEqual(
      [1, 2].map((version) => expect.objectContaining({ version })),
    );
    expect(events[0]).toMatchObject({
      type: 'DOCUMENT_UPLOADED',
      upstreamEntityId: owner,
      payload: {
        fileDocumentId: _id,
        category: 'Cyber',
        fileName: 'a.pdf',
        contentType: 'application/pdf',
        sizeInBytes: pdf().length,
        downstreamEntityAssociationId: null,
      },
    });
    expect(events[0]?.payload).toMatchObject({
      uploadedAt: (first.data['versions'] as { uploadedAt: string }[])[0]?.uploadedAt,
    });
  });

  it('is emitted once for each concurrent version, and not for a retry under the same key', async () => {
    const identity = { ...carrier, credentialId: randomUUID() };
    const { binaryBody, headers } = form('Crime & Fidelity');
    const key = { 'idempotency-key': randomUUID() };
    const sendOnce = () =>
      ask(routes.createFileDocument, { identity, binaryBody, headers: { ...headers, ...key } });
    const [first] = await Promise.all([
      sendOnce(),
      ask(routes.createFileDocument, { binaryBody, headers }),
      ask(routes.createFileDocument, { binaryBody, headers }),
    ]);
    const { data } = await sendOnce();
    expect(data).toEqual(first.data);
    const document = await get(String(data['_id']));
    const versions = (document.data['versions'] as { version: number }[]).map(({ version }) => version);
    const events = await eventsOf(data['_id']);
    expect(events.map(({ payload }) => (payload as { version: number }).version).sort()).toEqual(versions);
  });

  it('is emitted once for an announced file, on its first use by anyone', async () => {
    const id = await uploaded(pdf());
    expect(await eventsOf(id)).toEqual([]);
    await Promise.all([...Array.from({ length: 4 }, () => get(id)), files.read(owner, [id])]);
    await get(id);
    expect(await eventsOf(id)).toMatchObject([{ upstreamEntityId: owner, payload: { version: 1 } }]);
  });

  it.each(['before', 'after'] as const)(
    'is emitted once if the use fails %s its write and is retried',
    async (fault) => {
      const id = await uploaded(pdf());
      const faultOf = (command: string) => (command === 'TransactWriteItemsCommand' ? fault : 'none');
      expect((await withFaults(faultOf, () => get(id))).status).toBe(500);
      expect((await get(id)).data).toMatchObject({ versions: [{ version: 1 }] });
      expect(await eventsOf(id)).toHaveLength(1);
    },
  );

  it('is not emitted for unexpected content or while no content was uploaded', async () => {
    const other = await uploaded(Buffer.concat([png(), Buffer.alloc(100)]));
    const awaited = await announce(pdf());
    await Promise.all([get(other), get(awaited)]);
    expect([...(await eventsOf(other)), ...(await eventsOf(awaited))]).toEqual([]);
  });

  it('is emitted to a carrier for an agency’s file in its market only', async () => {
    const [organizationId, upstreamEntityId] = [newId(), newId()];
    const entity = entityOf(organizationId);
    const onPlatform = { ...marketOf(entity._id), upstreamEntityId, isOnPlatform: true };
    const offPlatform = marketOf(entity._id);
    await Promise.all([
      put('downstreamEntities', { ...downstreamEntityKeys.entity(entity._id), ...entity }),
      ...[onPlatform, offPlatform].map((market) => put('associations', marketItem(organizationId, market))),
    ]);
    const upload = async (fields: object): Promise<unknown> => {
      const identity = {
        organizationId,
        category: 'downstreamEntity' as const,
        credentialId: randomUUID(),
      };
      const bytes = pdf(JSON.stringify(fields));
      const body = {
        category: 'W9',
        fileName: 'a.pdf',
        contentType: 'application/pdf',
        sizeInBytes: bytes.length,
        ...fields,
      };
      const { data } = await ask(routes.createAgencyFileDocument, { identity, body });
      const { url } = data['upload'] as { url: string };
      memory.objects.set(new URL(url).pathname.slice(1), bytes);
      const fileDocumentId = String(data['_id']);
      const { status } = await ask(routes.getAgencyFileDocumentDownloadUrl, {
        identity,
        params: { fileDocumentId },
      });
      expect(status).toBe(200);
      return fileDocumentId;
    };
    const { upstreamDownstreamAssociationId: downstreamEntityAssociationId } = onPlatform;
    const emitted = await upload({ downstreamEntityAssociationId });
    expect(await eventsOf(emitted)).toMatchObject([
      { upstreamEntityId, payload: { category: 'W9', downstreamEntityAssociationId } },
    ]);
    const silent = [
      await upload({ downstreamEntityAssociationId: offPlatform.upstreamDownstreamAssociationId }),
      await upload({}),
    ];
    for (const id of silent) expect(await eventsOf(id)).toEqual([]);
  });
});

describe('file names', () => {
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

  const cases: readonly (readonly [sent: string, bytes: Buffer, type: string, kept: string])[] = [
    ['invoice.html', pdf(), 'application/pdf', 'invoice.html.pdf'],
    ['blob', pdf(), 'application/pdf', 'blob.pdf'],
    ['a.pdf.exe', pdf(), 'application/pdf', 'a.pdf.exe.pdf'],
    ['A.PDF', pdf(), 'application/pdf', 'A.PDF'],
    ['a.docx', doc(), 'application/msword', 'a.docx.doc'],
    ['a.Doc', doc(), 'application/msword', 'a.Doc'],
    ['a.doc', docx(), word, 'a.doc.docx'],
    ['a.DOCX', docx(), word, 'a.DOCX'],
    ['a.jpg', jpeg(), 'image/jpeg', 'a.jpg'],
    ['a.JPEG', jpeg(), 'image/jpeg', 'a.JPEG'],
    ['a.jpe', jpeg(), 'image/jpeg', 'a.jpe.jpg'],
    ['a.jpg', png(), 'image/png', 'a.jpg.png'],
    ['a.Png', png(), 'image/png', 'a.Png'],
    ['animated.png', apng(), 'image/png', 'animated.png'],
    ['scan.pdf', Buffer.concat([Buffer.from('\r\n'), pdf()]), 'application/pdf', 'scan.pdf'],
    // Names have at most 255 characters, the extension included.
    ['n'.repeat(255), pdf(), 'application/pdf', `${'n'.repeat(251)}.pdf`],
    ['🏢'.repeat(255), pdf(), 'application/pdf', `${'🏢'.repeat(251)}.pdf`],
    [`${'n'.repeat(251)}.pdf`, pdf(), 'application/pdf', `${'n'.repeat(251)}.pdf`],
  ];

  describe('the name of a file ends with an extension of its type', () => {
    it.each(cases)('%s in a form (%#)', async (sent, bytes, contentType, kept) => {
      const { status, data } = await ask(routes.createFileDocument, form('Surplus Lines', bytes, sent));
      expect(status).toBe(201);
      expect(data).toMatchObject({ fileName: kept, contentType, versions: [{ fileName: kept }] });
    });

    it.each(cases)('%s announced (%#)', async (fileName, bytes, contentType, kept) => {
      const body = { category: 'Surplus Lines', fileName, contentType, sizeInBytes: bytes.length };
      const { status, data } = await ask(routes.createFileDocument, { body });
      expect([status, data['fileName']]).toEqual([201, kept]);
      const { url } = data['upload'] as { url: string };
      memory.objects.set(new URL(url).pathname.slice(1), bytes);
      expect((await get(String(data['_id']))).data).toMatchObject({ versions: [{ fileName: kept }] });
    });
  });

  const tooLong = 'must be 1 to 255 characters without slashes';

  it.each([
    ['a\u202Efdp.exe', 'has invisible characters'],
    ['a\u200B.pdf', 'has invisible characters'],
    ['\u00AD.pdf', 'has invisible characters'],
    ['n'.repeat(256), tooLong],
    ['a/b.pdf', tooLong],
  ])('the name %j is refused in both ways', async (fileName, message) => {
    const body = { category: 'W9', fileName, contentType: 'application/pdf', sizeInBytes: 10 };
    expect(await ask(routes.createFileDocument, { body })).toMatchObject({
      status: 400,
      json: { details: { issues: [{ path: 'fileName', message }] } },
    });
    expect(await ask(routes.createFileDocument, form('W9', pdf(), fileName))).toMatchObject({
      status: 400,
      json: { details: { issues: [{ path: 'file', message: `has a name that ${message}` }] } },
    });
  });

  it('a line break in the name of a form’s file, as browsers escape it, is refused by that name', async () => {
    const { status, json } = await ask(routes.createFileDocument, form('W9', pdf(), '100%0Apple.pdf'));
    const issue = { path: 'file', message: 'has a name that has control characters' };
    expect([status, json['details']]).toEqual([400, { issues: [issue] }]);
  });
});
