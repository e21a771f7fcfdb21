import { randomUUID } from 'node:crypto';
import {
  affidavit,
  ask,
  carrier,
  everythingOf,
  given,
  givenFile,
  routes,
  store,
  waiting,
} from '../support/filings-tests.ts';

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

    const replacement = await givenFile(caller.organizationId);
    expect((await set(replacement)).data.policyDocument).toMatchObject({ fileDocumentId: replacement });
    // The earlier one was used by a filing.
    expect((await set(fileDocumentId)).status).toBe(404);
  });
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
