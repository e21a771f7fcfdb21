import { randomBytes, randomUUID } from 'node:crypto';
import { withFaults } from '../support/faults.ts';
import { message, newId } from '../support/filings.ts';
import {
  affidavit,
  agency,
  ask,
  carrier,
  everythingOf,
  given,
  givenFile,
  routes,
  waiting,
} from '../support/filings-tests.ts';
import { databaseCalls } from '../support/tables.ts';

describe('a reply to an escalation', () => {
  it('adds the message with its files, and the escalation waits for the service', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId), [message('documents', 'affidavit')]);
    const files = [await givenFile(caller.organizationId), await givenFile(caller.organizationId)];
    const body = { ...affidavit, body: 'Here it is.', fileDocumentIds: files };
    const { status, data } = await ask(routes.createFilingEscalationMessage, caller, {
      filingId: filing._id,
      body,
    });
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
    const again = await ask(routes.getFiling, caller, { filingId: filing._id });
    expect(again.data).toEqual(data);
    const waits = async (actionRequired: string) =>
      (await ask(routes.listFilings, caller, { query: { actionRequired } })).data;
    expect(await waits('true')).toEqual([]);
    expect(await waits('false')).toMatchObject([{ _id: filing._id }]);
  });

  it('leaves an escalation that already waits for the service as it is', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const reply = (body: string) =>
      ask(routes.createFilingEscalationMessage, caller, {
        filingId: filing._id,
        body: { ...affidavit, body },
      });
    expect((await reply('one')).status).toBe(201);
    const second = await reply('two');
    expect(second.status).toBe(201);
    expect(second.data.escalations[0]).toMatchObject({
      status: 'waiting service input',
      messages: [{ body: 'one' }, { body: 'two' }],
    });
  });

  it('is recorded with its key, however long the thread is, and refused once a filing has 500 messages', async () => {
    const caller = carrier();
    const han = () => String.fromCharCode(...Array.from(randomBytes(5_000), (byte) => 0x4e00 + byte * 80));
    const filing = await given(
      waiting(caller.organizationId),
      Array.from({ length: 499 }, (_, index) =>
        message('documents', 'affidavit', { body: index < 240 ? han() : 'short' }),
      ),
    );
    const reply = (key: string) =>
      ask(routes.createFilingEscalationMessage, caller, {
        filingId: filing._id,
        body: { ...affidavit, body: 'one' },
        headers: { 'idempotency-key': key },
      });
    const key = randomUUID();
    const first = await reply(key);
    expect(first.status).toBe(201);
    const again = await reply(key);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.data).toEqual(first.data);
    expect(await reply(randomUUID())).toMatchObject({
      status: 409,
      json: { errorType: 'conflict', details: { limit: 500 } },
    });
  });

  it('by the agency is visible to both', async () => {
    const caller = agency();
    const upstream = carrier();
    const filing = await given(waiting(upstream.organizationId, { recordOwner: caller.organizationId }));
    const fileDocumentIds = [await givenFile(caller.organizationId)];
    const body = { ...affidavit, fileDocumentIds };
    const sent = { filingId: filing._id, body };
    const { status, data } = await ask(routes.createAgencyFilingEscalationMessage, caller, sent);
    expect(status).toBe(201);
    expect(data.escalations[0]?.messages).toMatchObject([{ body: null, attachments: [{}] }]);
    expect((await ask(routes.getFiling, upstream, { filingId: filing._id })).data).toEqual(data);
    expect((await ask(routes.getAgencyFiling, caller, { filingId: filing._id })).data).toEqual(data);
  });

  const refusals: [string, number, (owner: string) => Promise<object>][] = [
    ['neither text nor files', 400, async () => affidavit],
    ['blank text', 400, async () => ({ ...affidavit, body: '  ' })],
    ['text that is too long', 400, async () => ({ ...affidavit, body: 'x'.repeat(5_001) })],
    [
      'more than ten files',
      400,
      async () => ({ ...affidavit, fileDocumentIds: Array.from({ length: 11 }, () => newId()) }),
    ],
    ['an item without an escalation', 400, async () => ({ ...affidavit, sourceTaskId: 'quiet', body: 'x' })],
    ['a resolved escalation', 400, async () => ({ ...affidavit, sourceTaskId: 'resolved', body: 'x' })],
    ['a private escalation', 404, async () => ({ ...affidavit, sourceTaskId: 'private', body: 'x' })],
    ['an unknown item', 404, async () => ({ ...affidavit, sourceTaskId: 'none', body: 'x' })],
    ['an unknown category', 404, async () => ({ ...affidavit, sourceCategoryId: 'none', body: 'x' })],
    [
      'an item of an internal category',
      404,
      async () => ({ sourceCategoryId: 'internal', sourceTaskId: 'hidden', body: 'x' }),
    ],
    ['an unknown file', 404, async () => ({ ...affidavit, body: 'x', fileDocumentIds: [newId()] })],
    [
      'a file of another owner',
      404,
      async () => ({ ...affidavit, body: 'x', fileDocumentIds: [await givenFile(newId())] }),
    ],
    [
      'a file that another filing uses, next to an unused one',
      404,
      async (owner) => ({
        ...affidavit,
        fileDocumentIds: [await givenFile(owner), await givenFile(owner, { usedBy: newId() })],
      }),
    ],
    [
      'a file that is not uploaded yet',
      400,
      async (owner) => ({
        ...affidavit,
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

  it.each(refusals)('with %s is rejected with %i, and nothing is written', async (_, expected, bodyFor) => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const body = await bodyFor(caller.organizationId);
    const before = await everythingOf(caller.organizationId);
    const headers = { 'idempotency-key': randomUUID() };
    const sent = { filingId: filing._id, body, headers };
    const { status, json } = await ask(routes.createFilingEscalationMessage, caller, sent);
    expect(status).toBe(expected);
    expect(json.errorType).toBe(expected === 400 ? 'validation_error' : 'not_found');
    expect(json.details?.issues?.[0]).toMatchObject({ path: expect.any(String) });
    expect(await everythingOf(caller.organizationId)).toEqual(before);
    // A rejected request is not recorded: the corrected one may use the same key.
    const corrected = { ...sent, body: { ...affidavit, body: 'corrected' } };
    expect((await ask(routes.createFilingEscalationMessage, caller, corrected)).status).toBe(201);
  });

  it('as a multipart form is rejected, naming the supported content type', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const { status, json } = await ask(routes.createFilingEscalationMessage, caller, {
      filingId: filing._id,
      body: { ...affidavit, body: 'x' },
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    });
    expect(status).toBe(400);
    expect(json.details?.issues).toMatchObject([{ path: 'content-type', accepted: ['application/json'] }]);
  });

  it('sent many times concurrently is stored each time', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const texts = Array.from({ length: 6 }, (_, index) => `reply ${index}`);
    const answers = await Promise.all(
      texts.map((body) =>
        ask(routes.createFilingEscalationMessage, caller, {
          filingId: filing._id,
          body: { ...affidavit, body },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 201));
    const { data } = await ask(routes.getFiling, caller, { filingId: filing._id });
    expect(data.escalations[0]?.messages.map(({ body }) => body).sort()).toEqual(texts);
  });

  it('sent 50 times concurrently under one idempotency key has one effect and answers 201 or 409', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const fileDocumentIds = [await givenFile(caller.organizationId)];
    const sent = {
      filingId: filing._id,
      body: { ...affidavit, body: 'once', fileDocumentIds },
      headers: { 'idempotency-key': randomUUID() },
    };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ask(routes.createFilingEscalationMessage, caller, sent)),
    );
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect(answers.some(({ status }) => status === 201)).toBe(true);
    const { data } = await ask(routes.getFiling, caller, { filingId: filing._id });
    expect(data.escalations[0]?.messages).toHaveLength(1);
  });

  it('that crashed between the commit and the response is not stored twice', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const sent = {
      filingId: filing._id,
      body: { ...affidavit, body: 'once' },
      headers: { 'idempotency-key': randomUUID() },
    };
    const crashed = await withFaults(
      (command) => (command === 'TransactWriteItemsCommand' ? 'after' : 'none'),
      () => ask(routes.createFilingEscalationMessage, caller, sent),
    );
    expect(crashed.status).toBe(500);
    const again = await ask(routes.createFilingEscalationMessage, caller, sent);
    expect(again.status).toBe(201);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.data.escalations[0]?.messages).toHaveLength(1);
    const { data } = await ask(routes.getFiling, caller, { filingId: filing._id });
    expect(data.escalations[0]?.messages).toHaveLength(1);
  });

  it('takes four database calls under an idempotency key: count, begin, read, write', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const fileDocumentIds = [await givenFile(caller.organizationId)];
    const reply = (body: object) =>
      databaseCalls(() =>
        ask(routes.createFilingEscalationMessage, caller, {
          filingId: filing._id,
          body: { ...affidavit, ...body },
          headers: { 'idempotency-key': randomUUID() },
        }),
      );
    expect(await reply({ body: 'x' })).toMatchObject({
      calls: ['UpdateItemCommand', 'UpdateItemCommand', 'QueryCommand', 'TransactWriteItemsCommand'],
      inSequence: 4,
    });
    expect(await reply({ fileDocumentIds })).toMatchObject({
      calls: [
        'UpdateItemCommand',
        'UpdateItemCommand',
        'QueryCommand',
        'BatchGetItemCommand',
        'TransactWriteItemsCommand',
      ],
      inSequence: 4,
    });
  });
});
