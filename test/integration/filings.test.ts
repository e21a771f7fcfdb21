import { randomUUID } from 'node:crypto';
import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createSurplusLinesFilingsFunction } from '../../functions/surplus-lines-filings/function.ts';
import type { FilingFilters } from '../../functions/surplus-lines-filings/lists.ts';
import { surplusLinesFilingRoutes } from '../../functions/surplus-lines-filings/routes.ts';
import type { Route } from '../../shared/contract/route.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import {
  downstreamEntitiesTable,
  fileDocumentsTable,
  filingsTable,
  idempotencyTable,
  outboxTable,
  rateCountersTable,
} from '../../shared/data/tables.ts';
import { transact } from '../../shared/data/transact.ts';
import { downstreamEntityKeys } from '../../shared/downstream-entities/stored.ts';
import type { ObjectStore } from '../../shared/file-documents/object-store.ts';
import { fileDocumentItem, type StoredFileDocument } from '../../shared/file-documents/stored.ts';
import { createFilingStore, type FilingStore } from '../../shared/filings/store.ts';
import type { StoredFiling, StoredMessage } from '../../shared/filings/stored.ts';
import type { Filing } from '../../shared/resources/filing.ts';
import { entityOf } from '../support/agency-records.ts';
import { apiEvent, lambdaContext } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { withFaults, withOtherWriter } from '../support/faults.ts';
import {
  attachment,
  category,
  checklistItem,
  escalation,
  filingOf,
  message,
  newId,
  objectsWithin,
} from '../support/filings.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

let filingsName: string;
let filesName: string;
let entitiesName: string;
let outbox: string;
let memory: string;
let rates: string;

beforeAll(async () => {
  [filingsName, filesName, entitiesName, outbox, memory, rates] = await Promise.all([
    createTable(filingsTable),
    createTable(fileDocumentsTable),
    createTable(downstreamEntitiesTable),
    createTable(outboxTable),
    createTable(idempotencyTable),
    createTable(rateCountersTable),
  ]);
});

/** No object of these tests has bytes: links are computed, and uploads are still awaited. */
const objectStore: ObjectStore = {
  downloadLink: async ({ objectKey }, disposition, now) => ({
    url: `https://files.example/${objectKey}?${disposition}`,
    expiresAt: now.toISOString(),
  }),
  uploadLink: () => Promise.reject(new Error('nothing is uploaded here')),
  put: () => Promise.reject(new Error('nothing is written here')),
  readStart: async () => undefined,
  copy: () => Promise.reject(new Error('nothing is copied here')),
};

interface Caller {
  readonly organizationId: string;
  readonly category: 'upstreamEntity' | 'downstreamEntity';
  readonly credentialId: string;
}

const carrier = (organizationId = newId()): Caller => ({
  organizationId,
  category: 'upstreamEntity',
  credentialId: newId(),
});
const agency = (organizationId = newId()): Caller => ({
  organizationId,
  category: 'downstreamEntity',
  credentialId: newId(),
});

const store = (): FilingStore => createFilingStore(dynamo, filingsName);

const { routes } = surplusLinesFilingRoutes;

interface Sent {
  readonly filingId?: string;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends one request through the group's pipeline. */
async function send(route: Route, caller: Caller, sent: Sent = {}) {
  const pipeline = createSurplusLinesFilingsFunction({
    clients: { dynamo, objectStore },
    tables: {
      filings: filingsName,
      fileDocuments: filesName,
      downstreamEntities: entitiesName,
      outbox,
      idempotency: memory,
      rateCounters: rates,
    },
    context: testContext(),
  });
  const event = apiEvent(route, {
    identity: caller,
    requestId: randomUUID(),
    ...(sent.filingId === undefined ? {} : { params: { filingId: sent.filingId } }),
    ...(sent.query === undefined ? {} : { query: sent.query }),
    ...(sent.body === undefined ? {} : { body: sent.body }),
    ...(sent.headers === undefined ? {} : { headers: sent.headers }),
  });
  const response = await pipeline(event, lambdaContext);
  let text = '';
  if (typeof response.body === 'string') text = response.body;
  else for await (const part of response.body) text += part;
  const json = JSON.parse(text) as { data: Filing; errorType?: string; details?: { issues?: object[] } };
  return { status: response.status, headers: response.headers, json, data: json.data };
}

/** Puts a filing with its messages into the table. */
async function given(filing: StoredFiling, messages: readonly StoredMessage[] = []): Promise<StoredFiling> {
  await store().save(undefined, { filing, messages: messages.slice(0, 80) }, []);
  for (let start = 80; start < messages.length; start += 80) {
    const previous = await store().find('upstream', filing.upstreamEntityId, filing._id);
    await store().save(previous, { filing, messages: messages.slice(start, start + 80) }, []);
  }
  return filing;
}

/** Puts an uploaded file of this owner into the table. */
async function givenFile(owner: string, fields: Partial<StoredFileDocument> = {}): Promise<string> {
  const _id = newId();
  const file = { objectKey: `files/${_id}`, fileName: 'proof.pdf', contentType: 'application/pdf' } as const;
  const document: StoredFileDocument = {
    _id,
    category: 'Surplus Lines',
    versions: [{ version: 1, uploadedAt: '2026-03-01T14:05:09.123Z', sizeInBytes: 9, ...file }],
    ...fields,
  };
  const Item = toItem(fileDocumentItem(owner, document));
  await transact(dynamo, [
    { write: { Put: { TableName: filesName, Item } }, refused: () => new Error('refused') },
  ]);
  return _id;
}

/** Everything that is stored of filings and files, to see that a refusal wrote nothing. */
async function everythingOf(...owners: string[]): Promise<string> {
  const items = await Promise.all(
    [filingsName, filesName].map(async (TableName) => {
      const { Items = [] } = await dynamo.send(new ScanCommand({ TableName, ConsistentRead: true }));
      return Items.filter(({ pk }) => owners.some((owner) => pk?.S?.startsWith(owner)));
    }),
  );
  return JSON.stringify(items);
}

const place = { sourceCategoryId: 'documents', sourceTaskId: 'affidavit' };

/** A filing of which one item's escalation waits for the customer. */
const waiting = (upstream: string, fields: Partial<StoredFiling> = {}): StoredFiling =>
  filingOf(upstream, {
    checklist: [
      category('documents', [
        checklistItem('affidavit', { escalation: escalation() }),
        checklistItem('resolved', { escalation: escalation({ status: 'resolved' }) }),
        checklistItem('quiet'),
        checklistItem('private', { escalation: escalation({ category: 'private' }) }),
      ]),
      category('internal', [checklistItem('hidden', { escalation: escalation() })], { isInternal: true }),
    ],
    ...fields,
  });

describe('the detail of a filing', () => {
  const secret = 'never to be seen';

  async function withEverything(downstreamOrganizationId: string) {
    const upstream = newId();
    const filing = filingOf(upstream, {
      downstreamOrganizationId,
      policyDocument: attachment(),
      completionArtifacts: [{ type: 'receipt', ...attachment() }],
      checklist: [
        category(
          'second',
          [
            checklistItem('b', { order: 2, checked: true, attachments: [attachment()] }),
            checklistItem('a', {
              escalation: escalation({ status: 'waiting service input' }),
              attachments: [attachment(), attachment()],
            }),
          ],
          { order: 2 },
        ),
        category(
          'first',
          [
            checklistItem('private', {
              escalation: escalation({ category: 'private', status: 'waiting customer input' }),
            }),
          ],
          { order: 1 },
        ),
        category(
          'internal',
          [checklistItem('internal', { label: secret, checked: true, escalation: escalation() })],
          { name: secret, isInternal: true, order: 0 },
        ),
      ],
    });
    await given(filing, [
      message('second', 'a', {
        sentAt: '2026-03-02T00:00:00.000Z',
        body: 'later',
        attachments: [attachment()],
      }),
      message('second', 'a', { sentAt: '2026-03-01T00:00:00.000Z', body: 'earlier' }),
      message('first', 'private', { body: secret }),
      message('internal', 'internal', { body: secret, attachments: [attachment({ fileName: secret })] }),
    ]);
    return { filing, upstream };
  }

  it('shows nothing of private escalations and internal categories, nor counts them', async () => {
    const agencyId = newId();
    const { filing, upstream } = await withEverything(agencyId);
    const answers = [
      await send(routes.getFiling, carrier(upstream), { filingId: filing._id }),
      await send(routes.getAgencyFiling, agency(agencyId), { filingId: filing._id }),
      await send(routes.getFilingV1, carrier(upstream), { filingId: filing._id }),
    ];
    for (const { status, data } of answers) {
      expect(status).toBe(200);
      expect(JSON.stringify(data)).not.toContain(secret);
      expect(data).toMatchObject({
        actionRequired: false,
        checklistProgress: { checked: 1, total: 3 },
        escalations: [
          {
            checklistItemLabel: 'Label of a',
            status: 'waiting service input',
            messages: [{ body: 'earlier' }, { body: 'later', attachments: [{ fileName: 'proof.pdf' }] }],
          },
        ],
        checklist: [
          { sourceCategoryId: 'first', items: [{ sourceTaskId: 'private', escalation: null }] },
          { sourceCategoryId: 'second', items: [{ sourceTaskId: 'a' }, { sourceTaskId: 'b' }] },
        ],
      });
      expect(data.escalations[0]).toEqual(data.checklist[1]?.items[0]?.escalation);
    }
  });

  it('names the document of every file in v2 and of none in v1', async () => {
    const { filing, upstream } = await withEverything(newId());
    const filesIn = (value: unknown) => objectsWithin(value).filter((object) => 'downloadUrl' in object);
    const v2 = await send(routes.getFiling, carrier(upstream), { filingId: filing._id });
    const v1 = await send(routes.getFilingV1, carrier(upstream), { filingId: filing._id });
    // Three attachments, a message's twice (its escalation stands in two places), policy document and artifact.
    expect(filesIn(v2.data)).toHaveLength(7);
    expect(filesIn(v1.data)).toHaveLength(7);
    for (const file of filesIn(v2.data)) expect(file['fileDocumentId']).toMatch(/^[0-9a-f]{24}$/);
    for (const object of objectsWithin(v1.data)) expect(object).not.toHaveProperty('fileDocumentId');
    expect(v1.data).toEqual(
      JSON.parse(JSON.stringify(v2.data, (key, value) => (key === 'fileDocumentId' ? undefined : value))),
    );
  });

  it('waits for the database once, with 200 items and 100 messages too', async () => {
    const upstream = newId();
    const agencyId = newId();
    const items = Array.from({ length: 200 }, (_, index) =>
      checklistItem(`t${index}`, { order: index, attachments: [attachment()], escalation: escalation() }),
    );
    const messages = Array.from({ length: 100 }, (_, index) =>
      message('c', `t${index % 7}`, {
        sentAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
        body: 'x'.repeat(2_000),
      }),
    );
    const filing = filingOf(upstream, {
      downstreamOrganizationId: agencyId,
      checklist: [category('c', items)],
    });
    await given(filing, messages);
    const reads = [
      [routes.getFiling, carrier(upstream)],
      [routes.getFilingV1, carrier(upstream)],
      [routes.getAgencyFiling, agency(agencyId)],
    ] as const;
    for (const [route, caller] of reads) {
      let answer: Awaited<ReturnType<typeof send>> | undefined;
      const { calls, inSequence } = await databaseCalls(async () => {
        answer = await send(route, caller, { filingId: filing._id });
      });
      expect({ calls, inSequence }).toEqual({ calls: ['QueryCommand'], inSequence: 1 });
      expect(answer?.data.checklist[0]?.items).toHaveLength(200);
      expect(answer?.data.escalations.flatMap((one) => one.messages)).toHaveLength(100);
    }
  });

  it('is not found by anyone but its two owners, nor once it is deleted', async () => {
    const upstream = newId();
    const agencyId = newId();
    const filing = await given(filingOf(upstream, { downstreamOrganizationId: agencyId }));
    const read = async (route: Route, caller: Caller) =>
      (await send(route, caller, { filingId: filing._id })).status;
    expect(await read(routes.getFiling, carrier(upstream))).toBe(200);
    expect(await read(routes.getAgencyFiling, agency(agencyId))).toBe(200);
    expect(await read(routes.getFiling, carrier())).toBe(404);
    expect(await read(routes.getAgencyFiling, agency())).toBe(404);
    expect(await read(routes.getAgencyFiling, agency(upstream))).toBe(404);

    const previous = await store().find('upstream', upstream, filing._id);
    await store().save(previous, { filing: { ...filing, isDeleted: true } }, []);
    expect(await read(routes.getFiling, carrier(upstream))).toBe(404);
    expect(await read(routes.getAgencyFiling, agency(agencyId))).toBe(404);
    expect((await send(routes.listFilings, carrier(upstream))).data).toEqual([]);
    expect(await store().findAnyones(filing._id)).toMatchObject({ filing: { isDeleted: true } });
  });

  it('follows its agency to another organization, with the messages from before', async () => {
    const upstream = newId();
    const [first, second] = [newId(), newId()];
    const filing = await given(waiting(upstream, { downstreamOrganizationId: first }), [
      message('documents', 'affidavit', { body: 'from before' }),
    ]);
    const previous = await store().find('upstream', upstream, filing._id);
    await store().save(previous, { filing: { ...filing, downstreamOrganizationId: second } }, []);
    const seenBy = (organizationId: string) =>
      send(routes.getAgencyFiling, agency(organizationId), { filingId: filing._id });
    // The index has not the old message under its new key: that it lacks one is seen, and the table is read.
    expect((await seenBy(second)).data.escalations[0]?.messages).toMatchObject([{ body: 'from before' }]);
    expect((await seenBy(first)).status).toBe(404);
    const listed = async (organizationId: string) =>
      (await send(routes.listAgencyFilings, agency(organizationId))).data;
    expect(await listed(first)).toMatchObject({ items: [], total: 0 });
    expect(await listed(second)).toMatchObject({ items: [{ _id: filing._id }], total: 1 });
  });

  it('whose id another owner has cannot be made', async () => {
    const filing = await given(filingOf(newId()));
    await expect(
      store().save(undefined, { filing: { ...filing, upstreamEntityId: newId() } }, []),
    ).rejects.toMatchObject({ errorType: 'conflict' });
  });
});

describe('lists of filings', () => {
  const statuses = ['filed', 'on hold'] as const;
  const states = ['TX', 'CA'] as const;
  const upstream = newId();
  const agencyId = newId();
  const all: StoredFiling[] = [];

  beforeAll(async () => {
    for (const status of statuses) {
      for (const stateCode of states) {
        for (const n of [1, 2]) {
          const base = n === 1 ? waiting(upstream) : filingOf(upstream);
          all.push({
            ...base,
            status,
            stateCode,
            policyNumber: `P-${n}`,
            externalReference: n === 1 ? `R-${stateCode}` : null,
            downstreamOrganizationId: agencyId,
          });
        }
      }
    }
    all.sort((one, other) => (one._id < other._id ? -1 : 1));
    for (const filing of all) await given(filing);
    await given(filingOf(newId(), { downstreamOrganizationId: newId() }));
  });

  const filters: FilingFilters[] = [undefined, ...statuses].flatMap((status) =>
    [undefined, ...states].flatMap((stateCode) =>
      [undefined, 'P-1', 'P'].flatMap((policyNumber) =>
        [undefined, 'R-TX'].flatMap((externalReference) =>
          [undefined, true, false].map((actionRequired) => ({
            status,
            stateCode,
            policyNumber,
            externalReference,
            actionRequired,
          })),
        ),
      ),
    ),
  );

  const matching = (filter: FilingFilters) =>
    all
      .filter(
        (one) =>
          (filter.status ?? one.status) === one.status &&
          (filter.stateCode ?? one.stateCode) === one.stateCode &&
          (filter.policyNumber ?? one.policyNumber) === one.policyNumber &&
          (filter.externalReference ?? one.externalReference) === one.externalReference &&
          (filter.actionRequired ?? one.policyNumber === 'P-1') === (one.policyNumber === 'P-1'),
      )
      .map(({ _id }) => _id);

  const queryOf = (filter: FilingFilters): Record<string, string> =>
    Object.fromEntries(
      Object.entries(filter).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
    );

  it('combine filters, each narrowing the others, for carrier and agency', async () => {
    for (const filter of filters) {
      const query = queryOf(filter);
      const [listed, page] = await Promise.all([
        send(routes.listFilings, carrier(upstream), { query }),
        send(routes.listAgencyFilings, agency(agencyId), { query }),
      ]);
      const expected = matching(filter);
      expect(listed.data).toMatchObject(expected.map((_id) => ({ _id })));
      expect(page.data).toMatchObject({
        items: expected.map((_id) => ({ _id })),
        total: expected.length,
        page: 1,
        limit: 50,
        totalPages: Math.ceil(expected.length / 50),
      });
    }
  }, 30_000);

  it('are paged for the agency, every filing on one page', async () => {
    const pages = [];
    for (const page of ['1', '2', '3', '4']) {
      const { data } = await send(routes.listAgencyFilings, agency(agencyId), {
        query: { page, limit: '3' },
      });
      expect(data).toMatchObject({ total: 8, limit: 3, totalPages: 3 });
      pages.push(data as unknown as { readonly items: readonly { readonly _id: string }[] });
    }
    expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 2, 0]);
    expect(pages.flatMap(({ items }) => items.map(({ _id }) => _id))).toEqual(all.map(({ _id }) => _id));
  });

  it('wait for the database once, and where keys select or are counted once more for what they name', async () => {
    const unfiltered = await databaseCalls(() => send(routes.listFilings, carrier(upstream)));
    expect(unfiltered).toEqual({ calls: ['QueryCommand'], inSequence: 1 });
    const query = { status: 'filed', stateCode: 'TX', actionRequired: 'true' };
    for (const [route, caller] of [
      [routes.listFilings, carrier(upstream)],
      [routes.listAgencyFilings, agency(agencyId)],
    ] as const) {
      const filtered = await databaseCalls(() => send(route, caller, { query }));
      expect(filtered).toEqual({
        calls: ['QueryCommand', 'QueryCommand', 'QueryCommand', 'BatchGetItemCommand'],
        inSequence: 2,
      });
    }
  });

  it('refuse an actionRequired that is neither true nor false', async () => {
    const { status, json } = await send(routes.listFilings, carrier(upstream), {
      query: { actionRequired: 'yes' },
    });
    expect(status).toBe(400);
    expect(json.details?.issues).toEqual([
      { path: 'actionRequired', message: expect.any(String), accepted: ['true', 'false'] },
    ]);
  });
});

describe('an agency’s filings of one of its entities', () => {
  it('are found by the entity, together with other filters; one outside the organization is not found', async () => {
    const organizationId = newId();
    const [entity, other, foreign] = [entityOf(organizationId), entityOf(organizationId), entityOf(newId())];
    for (const one of [entity, other, foreign]) {
      const item = { ...downstreamEntityKeys.entity(one._id), ...one };
      await dynamo.send(new PutItemCommand({ TableName: entitiesName, Item: toItem(item) }));
    }
    const filed = await Promise.all(
      (['TX', 'OK', 'TX'] as const).map((stateCode, index) =>
        given(
          filingOf(newId(), {
            stateCode,
            downstreamEntityId: index === 2 ? other._id : entity._id,
            downstreamOrganizationId: organizationId,
          }),
        ),
      ),
    );
    const ids = async (query: Record<string, string>) => {
      const { status, data } = await send(routes.listAgencyFilings, agency(organizationId), { query });
      expect(status).toBe(200);
      return z
        .parse(z.object({ items: z.array(z.object({ _id: z.string() })) }), data)
        .items.map(({ _id }) => _id);
    };
    const [inTexas, inOklahoma] = filed.map(({ _id }) => _id);
    expect(await ids({ downstreamEntityId: entity._id })).toEqual([inTexas, inOklahoma].sort());
    expect(await ids({ downstreamEntityId: entity._id, stateCode: 'OK' })).toEqual([inOklahoma]);
    for (const downstreamEntityId of [foreign._id, newId()]) {
      const { status, json } = await send(routes.listAgencyFilings, agency(organizationId), {
        query: { downstreamEntityId },
      });
      expect(status).toBe(404);
      expect(json.errorType).toBe('not_found');
    }
  });
});

describe('a reply to an escalation', () => {
  it('adds the message with its files and lets the escalation wait for the service', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId), [message('documents', 'affidavit')]);
    const files = [await givenFile(caller.organizationId), await givenFile(caller.organizationId)];
    const body = { ...place, body: 'Here it is.', fileDocumentIds: files };
    const { status, data } = await send(routes.replyToEscalation, caller, { filingId: filing._id, body });
    expect(status).toBe(201);
    expect(data.actionRequired).toBe(false);
    expect(data.updatedAt > filing.updatedAt).toBe(true);
    expect(data.escalations[0]).toMatchObject({
      status: 'waiting service input',
      messages: [
        { authorType: 'service' },
        {
          authorType: 'customer',
          body: 'Here it is.',
          attachments: files.map((fileDocumentId) => ({ fileDocumentId, uploadedByType: 'customer' })),
        },
      ],
    });
    const again = await send(routes.getFiling, caller, { filingId: filing._id });
    expect(again.data).toEqual(data);
    const waits = async (actionRequired: string) =>
      (await send(routes.listFilings, caller, { query: { actionRequired } })).data;
    expect(await waits('true')).toEqual([]);
    expect(await waits('false')).toMatchObject([{ _id: filing._id }]);
  });

  it('while the escalation waits for the service already leaves it so', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const reply = (body: string) =>
      send(routes.replyToEscalation, caller, { filingId: filing._id, body: { ...place, body } });
    expect((await reply('one')).status).toBe(201);
    const second = await reply('two');
    expect(second.status).toBe(201);
    expect(second.data.escalations[0]).toMatchObject({
      status: 'waiting service input',
      messages: [{ body: 'one' }, { body: 'two' }],
    });
  });

  it('by the agency is seen by both', async () => {
    const caller = agency();
    const upstream = carrier();
    const filing = await given(
      waiting(upstream.organizationId, { downstreamOrganizationId: caller.organizationId }),
    );
    const fileDocumentIds = [await givenFile(caller.organizationId)];
    const body = { ...place, fileDocumentIds };
    const sent = { filingId: filing._id, body };
    const { status, data } = await send(routes.replyToAgencyEscalation, caller, sent);
    expect(status).toBe(201);
    expect(data.escalations[0]?.messages).toMatchObject([{ body: null, attachments: [{}] }]);
    expect((await send(routes.getFiling, upstream, { filingId: filing._id })).data).toEqual(data);
    expect((await send(routes.getAgencyFiling, caller, { filingId: filing._id })).data).toEqual(data);
  });

  const refusals: [string, number, (owner: string) => Promise<object>][] = [
    ['neither text nor files', 400, async () => place],
    ['text of blanks', 400, async () => ({ ...place, body: '  ' })],
    ['text that is too long', 400, async () => ({ ...place, body: 'x'.repeat(5_001) })],
    ['no files in their list', 400, async () => ({ ...place, body: 'x', fileDocumentIds: [] })],
    [
      'more than ten files',
      400,
      async () => ({ ...place, fileDocumentIds: Array.from({ length: 11 }, () => newId()) }),
    ],
    ['an item without an escalation', 400, async () => ({ ...place, sourceTaskId: 'quiet', body: 'x' })],
    ['a resolved escalation', 400, async () => ({ ...place, sourceTaskId: 'resolved', body: 'x' })],
    ['a private escalation', 404, async () => ({ ...place, sourceTaskId: 'private', body: 'x' })],
    ['an unknown item', 404, async () => ({ ...place, sourceTaskId: 'none', body: 'x' })],
    ['an unknown category', 404, async () => ({ ...place, sourceCategoryId: 'none', body: 'x' })],
    [
      'an item of an internal category',
      404,
      async () => ({ sourceCategoryId: 'internal', sourceTaskId: 'hidden', body: 'x' }),
    ],
    ['an unknown file', 404, async () => ({ ...place, body: 'x', fileDocumentIds: [newId()] })],
    [
      'a file of another owner',
      404,
      async () => ({ ...place, body: 'x', fileDocumentIds: [await givenFile(newId())] }),
    ],
    [
      'a file that is on a filing, beside one that is free',
      404,
      async (owner) => ({
        ...place,
        fileDocumentIds: [await givenFile(owner), await givenFile(owner, { usedBy: newId() })],
      }),
    ],
    [
      'a file that awaits its upload',
      400,
      async (owner) => ({
        ...place,
        fileDocumentIds: [
          await givenFile(owner, {
            versions: [],
            pending: {
              objectKey: 'incoming/x',
              fileName: 'x.pdf',
              contentType: 'application/pdf',
              sizeInBytes: 9,
            },
          }),
        ],
      }),
    ],
  ];

  it.each(refusals)('with %s is refused with %i, and nothing is written', async (_, expected, bodyFor) => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const body = await bodyFor(caller.organizationId);
    const before = await everythingOf(caller.organizationId);
    const headers = { 'idempotency-key': randomUUID() };
    const sent = { filingId: filing._id, body, headers };
    const { status, json } = await send(routes.replyToEscalation, caller, sent);
    expect(status).toBe(expected);
    expect(json.errorType).toBe(expected === 400 ? 'validation_error' : 'not_found');
    expect(await everythingOf(caller.organizationId)).toEqual(before);
    // What was refused is not remembered: the corrected request may bear the same key.
    const corrected = { ...sent, body: { ...place, body: 'corrected' } };
    expect((await send(routes.replyToEscalation, caller, corrected)).status).toBe(201);
  });

  it('as a multipart form is refused with the content type that is taken', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const { status, json } = await send(routes.replyToEscalation, caller, {
      filingId: filing._id,
      body: { ...place, body: 'x' },
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    });
    expect(status).toBe(400);
    expect(json.details?.issues).toMatchObject([{ path: 'content-type', accepted: ['application/json'] }]);
  });

  it('sent many times at once: each is in, and none is lost', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const texts = Array.from({ length: 6 }, (_, index) => `reply ${index}`);
    const answers = await Promise.all(
      texts.map((body) =>
        send(routes.replyToEscalation, caller, { filingId: filing._id, body: { ...place, body } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 201));
    const { data } = await send(routes.getFiling, caller, { filingId: filing._id });
    expect(data.escalations[0]?.messages.map(({ body }) => body).sort()).toEqual(texts);
  });

  it('sent 50 times at once under one key has one effect and answers 201 or 409', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const fileDocumentIds = [await givenFile(caller.organizationId)];
    const sent = {
      filingId: filing._id,
      body: { ...place, body: 'once', fileDocumentIds },
      headers: { 'idempotency-key': randomUUID() },
    };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send(routes.replyToEscalation, caller, sent)),
    );
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect(answers.some(({ status }) => status === 201)).toBe(true);
    const { data } = await send(routes.getFiling, caller, { filingId: filing._id });
    expect(data.escalations[0]?.messages).toHaveLength(1);
  });

  it('that crashed between the commit and the answer is not sent twice', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const sent = {
      filingId: filing._id,
      body: { ...place, body: 'once' },
      headers: { 'idempotency-key': randomUUID() },
    };
    const crashed = await withFaults(
      (command) => (command === 'TransactWriteItemsCommand' ? 'after' : 'none'),
      () => send(routes.replyToEscalation, caller, sent),
    );
    expect(crashed.status).toBe(500);
    const again = await send(routes.replyToEscalation, caller, sent);
    expect(again.status).toBe(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.data.escalations[0]?.messages).toHaveLength(1);
    const { data } = await send(routes.getFiling, caller, { filingId: filing._id });
    expect(data.escalations[0]?.messages).toHaveLength(1);
  });

  it('waits for the database four times with a key: count, begin, read, write', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const fileDocumentIds = [await givenFile(caller.organizationId)];
    const reply = (body: object) =>
      databaseCalls(() =>
        send(routes.replyToEscalation, caller, {
          filingId: filing._id,
          body: { ...place, ...body },
          headers: { 'idempotency-key': randomUUID() },
        }),
      );
    expect(await reply({ body: 'x' })).toEqual({
      calls: ['UpdateItemCommand', 'PutItemCommand', 'QueryCommand', 'TransactWriteItemsCommand'],
      inSequence: 4,
    });
    expect(await reply({ fileDocumentIds })).toEqual({
      calls: [
        'UpdateItemCommand',
        'PutItemCommand',
        'QueryCommand',
        'BatchGetItemCommand',
        'TransactWriteItemsCommand',
      ],
      inSequence: 4,
    });
  });
});

describe('files of a filing', () => {
  it('are attached to a checklist item, all at once', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const fileDocumentIds = [await givenFile(caller.organizationId), await givenFile(caller.organizationId)];
    const body = { ...place, fileDocumentIds };
    const { status, data } = await send(routes.attachFiles, caller, { filingId: filing._id, body });
    expect(status).toBe(201);
    const { attachments } = data.checklist[0]?.items[0] ?? { attachments: [] };
    expect(attachments.map((file) => file.fileDocumentId)).toEqual(fileDocumentIds);
    expect(new Set(attachments.map(({ _id }) => _id)).size).toBe(2);
    const again = await send(routes.attachFiles, caller, { filingId: filing._id, body });
    expect(again.status).toBe(404);
  });

  it.each([
    ['named twice', 400, place],
    ['on an internal item', 404, { sourceCategoryId: 'internal', sourceTaskId: 'hidden' }],
  ])('%s are refused with %i', async (_, expected, where) => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const file = await givenFile(caller.organizationId);
    const fileDocumentIds = expected === 400 ? [file, file.toUpperCase()] : [file];
    const body = { ...where, fileDocumentIds };
    expect((await send(routes.attachFiles, caller, { filingId: filing._id, body })).status).toBe(expected);
  });

  it('are no more than a filing can hold', async () => {
    const caller = carrier();
    const attachments = Array.from({ length: 500 }, () => attachment());
    const filing = await given(
      filingOf(caller.organizationId, {
        checklist: [category('documents', [checklistItem('affidavit', { attachments })])],
      }),
    );
    const fileDocumentIds = [await givenFile(caller.organizationId)];
    const body = { ...place, fileDocumentIds };
    const { status, json } = await send(routes.attachFiles, caller, { filingId: filing._id, body });
    expect({ status, errorType: json.errorType }).toEqual({ status: 422, errorType: 'unprocessable_entity' });
  });

  it('are taken once, whoever asks at the same time', async () => {
    const caller = carrier();
    const filings = await Promise.all([0, 1, 2, 3].map(() => given(waiting(caller.organizationId))));
    const file = await givenFile(caller.organizationId);
    const [first, second, third, fourth] = filings.map(({ _id }) => _id);
    const answers = await Promise.all([
      send(routes.replyToEscalation, caller, {
        filingId: first ?? '',
        body: { ...place, fileDocumentIds: [file] },
      }),
      send(routes.attachFiles, caller, {
        filingId: second ?? '',
        body: { ...place, fileDocumentIds: [file] },
      }),
      send(routes.setPolicyDocument, caller, { filingId: third ?? '', body: { fileDocumentId: file } }),
      send(routes.setPolicyDocument, caller, { filingId: fourth ?? '', body: { fileDocumentId: file } }),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(3);
    const { Items = [] } = await dynamo.send(
      new ScanCommand({ TableName: filingsName, ConsistentRead: true }),
    );
    expect(Items.filter((item) => JSON.stringify(item).includes(file))).toHaveLength(1);
  });

  it('can be the policy document; set again, it changes nothing', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const fileDocumentId = await givenFile(caller.organizationId);
    const set = (id: string) =>
      send(routes.setPolicyDocument, caller, {
        filingId: filing._id,
        body: { fileDocumentId: id },
        headers: { 'idempotency-key': randomUUID() },
      });
    const first = await set(fileDocumentId);
    expect(first.status).toBe(200);
    expect(first.data.policyDocument).toMatchObject({ fileDocumentId, uploadedByType: 'customer' });
    const before = await everythingOf(caller.organizationId);
    expect(await set(fileDocumentId)).toMatchObject({ status: 200, json: { data: first.data } });
    expect(await everythingOf(caller.organizationId)).toEqual(before);

    const replacement = await givenFile(caller.organizationId);
    expect((await set(replacement)).data.policyDocument).toMatchObject({ fileDocumentId: replacement });
    // The former one was on a filing.
    expect((await set(fileDocumentId)).status).toBe(404);
  });

  it('that are the policy document of another filing, or still awaited, are not taken', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const pending = {
      objectKey: 'incoming/x',
      fileName: 'x',
      contentType: 'application/pdf',
      sizeInBytes: 9,
    };
    const used = await givenFile(caller.organizationId, { usedBy: newId() });
    const awaited = await givenFile(caller.organizationId, {
      versions: [],
      pending: { ...pending, contentType: 'application/pdf' },
    });
    const set = (fileDocumentId: string) =>
      send(routes.setPolicyDocument, caller, { filingId: filing._id, body: { fileDocumentId } });
    expect((await set(used)).status).toBe(404);
    expect(await set(awaited)).toMatchObject({
      status: 400,
      json: { details: { issues: [{ path: 'fileDocumentId' }] } },
    });
  });
});

describe('writers that meet', () => {
  it('are told so when others were faster each time', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const { status, json } = await withOtherWriter(
      async () => {
        const current = await store().find('upstream', caller.organizationId, filing._id);
        if (current !== undefined) await store().save(current, current, []);
      },
      () => send(routes.replyToEscalation, caller, { filingId: filing._id, body: { ...place, body: 'x' } }),
    );
    expect({ status, errorType: json.errorType }).toEqual({
      status: 409,
      errorType: 'transient_transaction_error',
    });
  }, 20_000);
});
