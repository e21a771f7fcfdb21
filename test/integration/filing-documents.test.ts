import { randomUUID } from 'node:crypto';
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
