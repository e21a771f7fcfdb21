import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createFileDocumentsFunction } from '../../functions/file-documents/function.ts';
import { fileDocumentRoutes } from '../../functions/file-documents/routes.ts';
import { marketItem } from '../../shared/associations/stored.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import {
  associationsTable,
  downstreamEntitiesTable,
  fileDocumentsTable,
  idempotencyTable,
  outboxTable,
  rateCountersTable,
} from '../../shared/data/tables.ts';
import { transact } from '../../shared/data/transact.ts';
import { downstreamEntityKeys } from '../../shared/downstream-entities/stored.ts';
import { type AttachableFiles, createAttachableFiles } from '../../shared/file-documents/attachable.ts';
import { createUploadEventItems } from '../../shared/file-documents/events.ts';
import type { Pipeline } from '../../shared/request/pipeline.ts';
import { entityOf, marketOf } from '../support/agency-records.ts';
import { apiEvent, carrier, lambdaContext } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { eventsIn } from '../support/events.ts';
import { withFaults, withLostAnswer } from '../support/faults.ts';
import { pdf, png } from '../support/files.ts';
import { newId } from '../support/filings.ts';
import { memoryObjectStore } from '../support/memory-object-store.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

const { routes } = fileDocumentRoutes;
const owner = carrier.organizationId;
const filing = '65f0c1d2e3a4b5c6d7e8f9ff';

let pipeline: Pipeline;
let files: AttachableFiles;
let memory: ReturnType<typeof memoryObjectStore>;
let entities: string;
let associations: string;
let outbox: string;

const put = async (TableName: string, item: Record<string, unknown>): Promise<void> => {
  await dynamo.send(new PutItemCommand({ TableName, Item: toItem(item) }));
};

beforeAll(async () => {
  [entities, associations, outbox] = await Promise.all([
    createTable(downstreamEntitiesTable),
    createTable(associationsTable),
    createTable(outboxTable),
  ]);
  const [table, idempotency, rateCounters] = await Promise.all([
    createTable(fileDocumentsTable),
    createTable(idempotencyTable),
    createTable(rateCountersTable),
  ]);
  memory = memoryObjectStore();
  files = createAttachableFiles(dynamo, table, memory.store, createUploadEventItems(outbox));
  pipeline = createFileDocumentsFunction({
    clients: { dynamo, objectStore: memory.store },
    tables: {
      associations,
      downstreamEntities: entities,
      fileDocuments: table,
      outbox,
      idempotency,
      rateCounters,
    },
    context: testContext(),
  });
});

beforeEach(() => {
  delete memory.hooks.beforeCopy;
});

/** Each caller has a credential of its own, or the tests would meet the limit of writes. */
const ask = async (
  route: Parameters<typeof apiEvent>[0],
  options: Parameters<typeof apiEvent>[1] = {},
): Promise<{ status: number; data: Record<string, unknown> }> => {
  const identity = { ...carrier, credentialId: randomUUID() };
  const { status, body } = await pipeline(apiEvent(route, { identity, ...options }), lambdaContext);
  const { data } = JSON.parse(typeof body === 'string' ? body : '{}') as { data: Record<string, unknown> };
  return { status, data };
};

const announce = async (bytes: Buffer, fields: object = {}): Promise<string> => {
  const body = {
    category: 'Surplus Lines',
    fileName: 'a.pdf',
    contentType: 'application/pdf',
    sizeInBytes: bytes.length,
    ...fields,
  };
  const { data } = await ask(routes.createFileDocument, { body });
  return String(data['_id']);
};

const objectsOf = (id: string, folder: string): string[] =>
  [...memory.objects.keys()].filter((key) => key.startsWith(`${folder}/${owner}/${id}/`));

/** Announces a file and puts its bytes where its address points to. */
const uploaded = async (bytes: Buffer, announced: Buffer = bytes): Promise<string> => {
  const body = {
    category: 'Surplus Lines',
    fileName: 'a.pdf',
    contentType: 'application/pdf',
    sizeInBytes: announced.length,
  };
  const { data } = await ask(routes.createFileDocument, { body });
  const { url } = data['upload'] as { url: string };
  memory.objects.set(new URL(url).pathname.slice(1), bytes);
  return String(data['_id']);
};

const get = (id: string) => ask(routes.getFileDocument, { params: { fileDocumentId: id } });

describe('calls of the database', () => {
  it.each([
    ['a new document', {}, 3],
    ['a version', { category: 'W9' }, 4],
  ])('for %s that is written under a key are %#: at most four', async (_, fields, most) => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = {
      category: 'Surplus Lines',
      fileName: 'a.pdf',
      contentType: 'application/pdf',
      sizeInBytes: 9,
      ...fields,
    };
    const { calls } = await databaseCalls(() => ask(routes.createFileDocument, { body, headers }));
    expect(calls).toHaveLength(most);
  });

  it('for a document that was used before are one', async () => {
    const id = await uploaded(pdf());
    await get(id);
    expect((await databaseCalls(() => get(id))).calls).toEqual(['GetItemCommand']);
  });
});

describe('the first use of an upload', () => {
  it('makes one version when many come at once', async () => {
    const id = await uploaded(pdf());
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const { data } of answers) expect(data).toMatchObject({ versions: [{ version: 1 }] });
    expect((await get(id)).data['versions']).toHaveLength(1);
  });

  it('looks again when the content changes after the look', async () => {
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

  it('lets no other content in after the look', async () => {
    const pretended = Buffer.concat([png(), Buffer.alloc(pdf().length - png().length)]);
    const id = await uploaded(pdf());
    const [incoming] = objectsOf(id, 'incoming');
    memory.hooks.beforeCopy = () => memory.objects.set(incoming ?? '', pretended);
    expect((await get(id)).status).toBe(400);
    expect(objectsOf(id, 'files')).toEqual([]);
  });
});

/** What was told of a document. */
const toldOf = async (id: unknown) => (await eventsIn(outbox)).filter(({ entityId }) => entityId === id);

/** A form with a file of this category. */
function form(category: string) {
  const parts = [
    `Content-Disposition: form-data; name="category"\r\n\r\n${category}`,
    `Content-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n${pdf().toString('latin1')}`,
  ];
  return {
    headers: { 'Content-Type': 'multipart/form-data; boundary=part' },
    rawBody: `${parts.map((part) => `--part\r\n${part}\r\n`).join('')}--part--\r\n`,
  };
}

describe('DOCUMENT_UPLOADED', () => {
  it('tells of a file in a form at once, and of each further version', async () => {
    const first = await ask(routes.createFileDocument, form('Cyber'));
    const second = await ask(routes.createFileDocument, form('Cyber'));
    expect([first.status, second.status]).toEqual([201, 201]);
    const { _id } = second.data;
    const told = await toldOf(_id);
    expect(told.map(({ payload }) => payload)).toEqual(
      [1, 2].map((version) => expect.objectContaining({ version })),
    );
    expect(told[0]).toMatchObject({
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
    expect(told[0]?.payload).toMatchObject({
      uploadedAt: (first.data['versions'] as { uploadedAt: string }[])[0]?.uploadedAt,
    });
  });

  it('tells of versions that meet, each once, and of a repeat under a key not again', async () => {
    const identity = { ...carrier, credentialId: randomUUID() };
    const { rawBody, headers } = form('Crime & Fidelity');
    const key = { 'idempotency-key': randomUUID() };
    const sendOnce = () =>
      ask(routes.createFileDocument, { identity, rawBody, headers: { ...headers, ...key } });
    const [first] = await Promise.all([
      sendOnce(),
      ask(routes.createFileDocument, { rawBody, headers }),
      ask(routes.createFileDocument, { rawBody, headers }),
    ]);
    const { data } = await sendOnce();
    expect(data).toEqual(first.data);
    const document = await get(String(data['_id']));
    const versions = (document.data['versions'] as { version: number }[]).map(({ version }) => version);
    const told = await toldOf(data['_id']);
    expect(told.map(({ payload }) => (payload as { version: number }).version).sort()).toEqual(versions);
  });

  it('tells of an announced file when it is first used, once, whoever uses it first', async () => {
    const id = await uploaded(pdf());
    expect(await toldOf(id)).toEqual([]);
    await Promise.all([...Array.from({ length: 4 }, () => get(id)), files.read(owner, [id])]);
    await get(id);
    expect(await toldOf(id)).toMatchObject([{ upstreamEntityId: owner, payload: { version: 1 } }]);
  });

  it.each(['before', 'after'] as const)(
    'tells once when the use breaks off %s its write and comes again',
    async (fault) => {
      const id = await uploaded(pdf());
      const faultOf = (command: string) => (command === 'TransactWriteItemsCommand' ? fault : 'none');
      expect((await withFaults(faultOf, () => get(id))).status).toBe(500);
      expect((await get(id)).data).toMatchObject({ versions: [{ version: 1 }] });
      expect(await toldOf(id)).toHaveLength(1);
    },
  );

  it('tells once where the answer of the database is lost', async () => {
    const id = await uploaded(pdf());
    expect((await withLostAnswer(() => get(id))).status).toBe(200);
    expect(await toldOf(id)).toHaveLength(1);
  });

  it('tells nothing of content that is not what was announced, nor while nothing has come', async () => {
    const other = await uploaded(Buffer.concat([png(), Buffer.alloc(100)]));
    const awaited = await announce(pdf());
    await Promise.all([get(other), get(awaited)]);
    expect([...(await toldOf(other)), ...(await toldOf(awaited))]).toEqual([]);
  });

  it('tells a carrier of a file that an agency uploads for its market, and nobody of any other', async () => {
    const [organizationId, upstreamEntityId] = [newId(), newId()];
    const entity = entityOf(organizationId);
    const onPlatform = { ...marketOf(entity._id), upstreamEntityId, isOnPlatform: true };
    const offPlatform = marketOf(entity._id);
    await Promise.all([
      put(entities, { ...downstreamEntityKeys.entity(entity._id), ...entity }),
      ...[onPlatform, offPlatform].map((market) => put(associations, marketItem(organizationId, market))),
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
      const { data } = await ask(routes.createDocument, { identity, body });
      const { url } = data['upload'] as { url: string };
      memory.objects.set(new URL(url).pathname.slice(1), bytes);
      const fileDocumentId = String(data['_id']);
      const { status } = await ask(routes.getDocumentDownloadUrl, { identity, params: { fileDocumentId } });
      expect(status).toBe(200);
      return fileDocumentId;
    };
    const { upstreamDownstreamAssociationId: downstreamEntityAssociationId } = onPlatform;
    const heard = await upload({ downstreamEntityAssociationId });
    expect(await toldOf(heard)).toMatchObject([
      { upstreamEntityId, payload: { category: 'W9', downstreamEntityAssociationId } },
    ]);
    const unheard = [
      await upload({ downstreamEntityAssociationId: offPlatform.upstreamDownstreamAssociationId }),
      await upload({}),
    ];
    for (const id of unheard) expect(await toldOf(id)).toEqual([]);
  });
});

describe('files for a filing', () => {
  it('come in the order they were asked for', async () => {
    const ids = [await uploaded(pdf('one')), await uploaded(pdf('two'))].reverse();
    const found = await files.read(owner, ids);
    expect(found.map(({ fileDocumentId }) => fileDocumentId)).toEqual(ids);
    expect(found[0]).toMatchObject({ fileName: 'a.pdf', contentType: 'application/pdf' });
    expect(found[0]).not.toMatchObject({ usedBy: expect.anything() });
  });

  it('are named where they await their upload or hold something else', async () => {
    const png1 = Buffer.concat([png(), Buffer.alloc(100)]);
    const ids = [await uploaded(pdf()), await announce(pdf()), await uploaded(png1)];
    await expect(files.read(owner, ids)).rejects.toMatchObject({
      errorType: 'validation_error',
      details: { issues: [{ path: 'fileDocumentIds[1]' }, { path: 'fileDocumentIds[2]' }] },
    });
  });

  it.each([
    ['an unknown one', owner],
    ['another organization’s', '65f0c1d2e3a4b5c6d7e8f9fe'],
  ])('do not exist for who does not own them: %s', async (_, organizationId) => {
    const id = organizationId === owner ? 'f'.repeat(24) : await uploaded(pdf());
    await expect(files.read(organizationId, [id])).rejects.toMatchObject({ errorType: 'not_found' });
  });

  it('can be taken once, however many try', async () => {
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
        expect(outcome.reason).toMatchObject({
          errorType: expect.stringMatching(/^(not_found|transient_transaction_error)$/),
        });
      }
    }
    const [file] = await files.read(owner, [id]);
    expect(file?.usedBy).toMatch(new RegExp(`^${filing.slice(0, 23)}\\d$`));
  });
});

describe('an agency’s documents of one of its entities', () => {
  it('are those uploaded for its markets; an entity outside the organization is not found', async () => {
    const organizationId = newId();
    const [entity, foreign] = [entityOf(organizationId), entityOf(newId())];
    const market = marketOf(entity._id);
    await Promise.all([
      ...[entity, foreign].map((one) => put(entities, { ...downstreamEntityKeys.entity(one._id), ...one })),
      put(associations, marketItem(organizationId, market)),
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
      (await ask(routes.createDocument, { identity: identity(), body: { ...announced, ...fields } })).data[
        '_id'
      ];
    const ofMarket = await upload({
      downstreamEntityAssociationId: market.upstreamDownstreamAssociationId,
    });
    await upload({});
    const list = (query: Record<string, string>) =>
      ask(routes.listDocuments, { identity: identity(), query });
    expect((await list({})).data).toMatchObject({ total: 2 });
    expect((await list({ downstreamEntityId: entity._id })).data).toMatchObject({
      items: [{ _id: ofMarket }],
      total: 1,
    });
    expect(await list({ downstreamEntityId: foreign._id })).toMatchObject({ status: 404 });
  });
});
