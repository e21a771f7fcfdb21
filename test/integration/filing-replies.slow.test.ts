import { randomBytes, randomUUID } from 'node:crypto';
import { keepObjectsInMemory } from '../support/answer-objects.ts';
import { message } from '../support/filings.ts';
import { affidavit, ask, carrier, given, routes, waiting } from '../support/filings-tests.ts';

describe('a reply to an escalation', () => {
  beforeAll(keepObjectsInMemory);

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
});
