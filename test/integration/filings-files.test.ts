import { randomUUID } from 'node:crypto';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { storedBytes } from '../../shared/platform/data/stored-bytes.ts';
import { largestItem } from '../../shared/platform/data/table-items.ts';
import { everyItem } from '../support/every-item.ts';
import { withOtherWriter } from '../support/faults.ts';
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
import { dynamo } from '../support/tables.ts';

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
    const again = await ask(routes.attachFilingFiles, caller, { filingId: filing._id, body });
    expect(again).toMatchObject({
      status: 404,
      json: {
        details: {
          issues: [{ path: 'fileDocumentIds[0]' }, { path: 'fileDocumentIds[1]' }],
          onFiling: fileDocumentIds,
        },
      },
    });
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

    const replacement = await givenFile(caller.organizationId);
    expect((await set(replacement)).data.policyDocument).toMatchObject({ fileDocumentId: replacement });
    // The earlier one was used by a filing.
    expect((await set(fileDocumentId)).status).toBe(404);
  });

  it('are rejected if they are another filing’s policy document or not uploaded yet', async () => {
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
      ask(routes.replaceFilingPolicyDocument, caller, { filingId: filing._id, body: { fileDocumentId } });
    expect(await set(used)).toMatchObject({
      status: 404,
      json: { details: { issues: [{ path: 'fileDocumentId' }] } },
    });
    expect(await set(awaited)).toMatchObject({
      status: 400,
      json: { details: { issues: [{ path: 'fileDocumentId' }] } },
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
