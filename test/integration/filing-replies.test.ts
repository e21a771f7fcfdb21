import { randomUUID } from 'node:crypto';
import { toItem } from '#platform/data/dynamo.ts';
import { storedBytes } from '#platform/data/stored.ts';
import { largestItem } from '#platform/data/table.ts';
import { everyItem } from '../support/every-item.ts';
import { withFaults, withOtherWriter } from '../support/faults.ts';
import {
  attachment,
  category,
  checklistItem,
  escalation,
  filingOf,
  message,
  newId,
} from '../support/filings.ts';
import {
  affidavit,
  agency,
  ask,
  carrier,
  everythingOf,
  given,
  givenFile,
  routes,
  store,
  tables,
  waiting,
} from '../support/filings-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

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

  it.each([
    ['a task of a category that is seen', { sourceTaskId: 'none' }, ['sourceTaskId']],
    ['a private escalation', { sourceTaskId: 'private' }, ['sourceTaskId']],
    ['an internal category', { sourceCategoryId: 'internal' }, ['sourceCategoryId', 'sourceTaskId']],
  ])('with %s names what is wrong', async (_, key, paths) => {
    const caller = carrier();
    const { _id: filingId } = await given(waiting(caller.organizationId));
    const body = { ...affidavit, ...key, body: 'x' };
    const { json } = await ask(routes.createFilingEscalationMessage, caller, { filingId, body });
    expect(json).toMatchObject({ details: { issues: paths.map((path) => ({ path })) } });
  });

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

/** Replies with these parts, to an escalation and with a file of the caller's. */
async function reply(parts: (fileDocumentId: string) => object) {
  const caller = carrier();
  const filing = await given(waiting(caller.organizationId));
  const fileDocumentId = await givenFile(caller.organizationId);
  const body = { ...affidavit, ...parts(fileDocumentId) };
  const { status, data } = await ask(routes.createFilingEscalationMessage, caller, {
    filingId: filing._id,
    body,
  });
  return { status, messages: status === 201 ? data.escalations[0]?.messages : undefined };
}

describe('a reply needs text or a file, and the other part may be empty', () => {
  it.each(['', '  \n'])('a file and the text %j are accepted, as a message without text', async (body) => {
    expect(await reply((file) => ({ body, fileDocumentIds: [file] }))).toMatchObject({
      status: 201,
      messages: [{ body: null, attachments: [{ fileName: expect.any(String) }] }],
    });
  });

  it.each([
    {},
    { body: '' },
    { body: ' ' },
    { fileDocumentIds: [] },
    { body: '', fileDocumentIds: [] },
    { body: ' ', fileDocumentIds: [] },
  ])('neither is refused: %j', async (parts) => {
    expect((await reply(() => parts)).status).toBe(400);
  });
});

describe('files of a filing', () => {
  it('are attached to a checklist item, all at once', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const fileDocumentIds = [await givenFile(caller.organizationId), await givenFile(caller.organizationId)];
    const body = { ...affidavit, fileDocumentIds };
    const { status, data } = await ask(routes.attachFilingFiles, caller, { filingId: filing._id, body });
    expect(status).toBe(201);
    const { attachments } = data.checklist[0]?.items[0] ?? { attachments: [] };
    expect(attachments.map((file) => file.fileDocumentId)).toEqual(fileDocumentIds);
    expect(new Set(attachments.map(({ _id }) => _id)).size).toBe(2);
  });

  it('that are on a filing already are told from those that are not the caller’s', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const [used, free] = [
      await givenFile(caller.organizationId, { usedBy: newId() }),
      await givenFile(caller.organizationId),
    ];
    const foreign = await givenFile(newId(), { usedBy: newId() });
    const attach = async (...fileDocumentIds: string[]) => {
      const body = { ...affidavit, fileDocumentIds };
      const { status, json } = await ask(routes.attachFilingFiles, caller, { filingId: filing._id, body });
      return [status, json.details?.issues?.length, json.details?.onFiling];
    };
    expect(await attach(free, foreign)).toEqual([404, 1, undefined]);
    expect(await attach(foreign, free, used)).toEqual([404, 2, [used]]);
    expect(await attach(used, free)).toEqual([404, 1, [used]]);
  });

  it.each([
    ['named twice', 400, affidavit],
    ['on an internal item', 404, { sourceCategoryId: 'internal', sourceTaskId: 'hidden' }],
  ])('%s are rejected with %i', async (_, expected, where) => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const file = await givenFile(caller.organizationId);
    const fileDocumentIds = expected === 400 ? [file, file.toUpperCase()] : [file];
    const body = { ...where, fileDocumentIds };
    expect((await ask(routes.attachFilingFiles, caller, { filingId: filing._id, body })).status).toBe(
      expected,
    );
  });

  it('are at most 200, those of messages among them', async () => {
    const caller = carrier();
    const attachments = Array.from({ length: 190 }, () => attachment());
    const filing = await given(
      waiting(caller.organizationId, {
        checklist: [
          category(affidavit.sourceCategoryId, [
            checklistItem(affidavit.sourceTaskId, { attachments, escalation: escalation() }),
          ]),
        ],
      }),
      [message('documents', 'affidavit', { attachments: Array.from({ length: 9 }, () => attachment()) })],
    );
    const attach = async () => {
      const fileDocumentIds = [await givenFile(caller.organizationId)];
      return ask(routes.attachFilingFiles, caller, {
        filingId: filing._id,
        body: { ...affidavit, fileDocumentIds },
      });
    };
    expect((await attach()).status).toBe(201);
    expect(await attach()).toMatchObject({
      status: 409,
      json: { errorType: 'conflict', details: { limit: 200 } },
    });
  });

  it('can be used once by concurrent requests', async () => {
    const caller = carrier();
    const filings = await Promise.all([0, 1, 2, 3].map(() => given(waiting(caller.organizationId))));
    const file = await givenFile(caller.organizationId);
    const [first, second, third, fourth] = filings.map(({ _id }) => _id);
    const answers = await Promise.all([
      ask(routes.createFilingEscalationMessage, caller, {
        filingId: first ?? '',
        body: { ...affidavit, fileDocumentIds: [file] },
      }),
      ask(routes.attachFilingFiles, caller, {
        filingId: second ?? '',
        body: { ...affidavit, fileDocumentIds: [file] },
      }),
      ask(routes.replaceFilingPolicyDocument, caller, {
        filingId: third ?? '',
        body: { fileDocumentId: file },
      }),
      ask(routes.replaceFilingPolicyDocument, caller, {
        filingId: fourth ?? '',
        body: { fileDocumentId: file },
      }),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 404);
    expect(refused.map(({ json }) => json.details?.onFiling)).toEqual([[file], [file], [file]]);
    const items = await everyItem(dynamo, tables.filings);
    expect(items.filter((item) => JSON.stringify(item).includes(file))).toHaveLength(1);
  });

  it('do not make a filing larger than an item can be', async () => {
    const caller = carrier();
    const itemOf = (label: string) => checklistItem('other', { label });
    const withLabel = (label: string) =>
      filingOf(caller.organizationId, {
        checklist: [category('documents', [checklistItem('affidavit'), itemOf(label)])],
      });
    const own = storedBytes(toItem({ ...withLabel('') }));
    // Room for its keys, and not for ten files too.
    const keys = 1_500;
    const filing = await given(withLabel('x'.repeat(largestItem - own - keys)));
    const fileDocumentIds = await Promise.all(
      Array.from({ length: 10 }, () => givenFile(caller.organizationId)),
    );
    const body = { ...affidavit, fileDocumentIds };
    expect(await ask(routes.attachFilingFiles, caller, { filingId: filing._id, body })).toMatchObject({
      status: 409,
      json: { errorType: 'conflict', details: { limit: 358_400 } },
    });
  });
});

describe('concurrent writers', () => {
  it('answer 409 when they lose every retry', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const { status, json } = await withOtherWriter(
      async () => {
        const current = await store().find('upstream', caller.organizationId, filing._id);
        if (current !== undefined) await store().save(current, current, []);
      },
      () =>
        ask(routes.createFilingEscalationMessage, caller, {
          filingId: filing._id,
          body: { ...affidavit, body: 'x' },
        }),
    );
    expect({ status, errorType: json.errorType }).toEqual({
      status: 409,
      errorType: 'transient_transaction_error',
    });
  });
});

describe('a file', () => {
  it('can be the policy document; setting it again changes nothing', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const fileDocumentId = await givenFile(caller.organizationId);
    const set = (id: string) =>
      ask(routes.replaceFilingPolicyDocument, caller, {
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
  });

  it.each([
    ['the carrier', false],
    ['the agency', true],
  ])('of %s that another replaced as the policy document is on no filing', async (_, isAgency) => {
    const [owner, organization] = [carrier(), agency()];
    const withAgency = { recordOwner: organization.organizationId };
    const [filing, other] = [
      await given(waiting(owner.organizationId, withAgency)),
      await given(waiting(owner.organizationId, withAgency)),
    ];
    const ofCarrier = {
      caller: owner,
      set: routes.replaceFilingPolicyDocument,
      attach: routes.attachFilingFiles,
    };
    const ofAgency = {
      caller: organization,
      set: routes.replaceAgencyFilingPolicyDocument,
      attach: routes.attachAgencyFilingFiles,
    };
    const [mine, others] = isAgency ? [ofAgency, ofCarrier] : [ofCarrier, ofAgency];
    const set = async ({ caller, set: route }: typeof ofCarrier | typeof ofAgency, fileDocumentId: string) =>
      (await ask(route, caller, { filingId: filing._id, body: { fileDocumentId } })).status;
    const first = await givenFile(mine.caller.organizationId);
    expect(await set(mine, first)).toBe(200);
    // Either side replaces it, and it may be set back.
    expect(await set(others, await givenFile(others.caller.organizationId))).toBe(200);
    expect(await set(mine, first)).toBe(200);
    expect(await set(mine, await givenFile(mine.caller.organizationId))).toBe(200);
    // An attachment stays one.
    const body = { ...affidavit, fileDocumentIds: [first] };
    expect((await ask(mine.attach, mine.caller, { filingId: other._id, body })).status).toBe(201);
    expect(await set(mine, first)).toBe(404);
  });
});

it('tells who may not see a filing the same of files of theirs and of unknown ones', async () => {
  const stranger = carrier();
  const filing = await given(waiting(carrier().organizationId));
  const errors = [];
  for (const fileDocumentId of [await givenFile(stranger.organizationId), '65f0c1d2e3a4b5c6d7e8f9ff']) {
    const { status, json } = await ask(routes.replaceFilingPolicyDocument, stranger, {
      filingId: filing._id,
      body: { fileDocumentId },
    });
    errors.push([status, json.errorType, json.details]);
  }
  expect(errors[0]?.[0]).toBe(404);
  expect(errors[1]).toEqual(errors[0]);
});

describe.each(['completed', 'canceled'] as const)('a filing that is %s', (status) => {
  it.each([
    [routes.replaceFilingPolicyDocument, 409, (file: string) => ({ fileDocumentId: file })],
    [routes.attachFilingFiles, 409, (file: string) => ({ ...affidavit, fileDocumentIds: [file] })],
    [routes.createFilingEscalationMessage, 409, () => ({ ...affidavit, body: 'x' })],
    [routes.createFilingEscalationMessage, 400, () => ({ ...affidavit, sourceTaskId: 'quiet', body: 'x' })],
    [
      routes.createFilingEscalationMessage,
      400,
      () => ({ ...affidavit, sourceTaskId: 'resolved', body: 'x' }),
    ],
  ])('takes nothing: %#', async (route, expected, bodyOf) => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId, { status }));
    const body = bodyOf(await givenFile(caller.organizationId));
    const before = await everythingOf(caller.organizationId);
    const answer = await ask(route, caller, { filingId: filing._id, body });
    expect(answer).toMatchObject({
      status: expected,
      json: expected === 409 ? { errorType: 'conflict', details: { actual: status } } : {},
    });
    expect(await everythingOf(caller.organizationId)).toEqual(before);
  });

  it('answers the policy document that is set already', async () => {
    const caller = carrier();
    const filing = await given(waiting(caller.organizationId));
    const fileDocumentId = await givenFile(caller.organizationId, { usedBy: filing._id });
    const previous = await store().find('upstream', caller.organizationId, filing._id);
    const policyDocument = {
      fileDocumentId,
      objectKey: `files/${fileDocumentId}`,
      fileName: 'proof.pdf',
      contentType: 'application/pdf',
      uploadedByType: 'customer',
      uploadedAt: filing.updatedAt,
    } as const;
    await store().save(previous, { filing: { ...filing, status, policyDocument } }, []);
    const body = { fileDocumentId };
    const answer = await ask(routes.replaceFilingPolicyDocument, caller, { filingId: filing._id, body });
    expect(answer).toMatchObject({ status: 200, data: { status, policyDocument: { fileDocumentId } } });
  });
});
