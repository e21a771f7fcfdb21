import { affidavit, ask, carrier, given, givenFile, routes, waiting } from '../support/filings-tests.ts';

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
  it('text and an empty list of files are accepted', async () => {
    expect(await reply(() => ({ body: 'Here it is.', fileDocumentIds: [] }))).toMatchObject({
      status: 201,
      messages: [{ body: 'Here it is.', attachments: [] }],
    });
  });

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
