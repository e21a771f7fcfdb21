import { randomBytes, randomUUID } from 'node:crypto';
import { transactionBytes } from '../../shared/platform/aws/limits.ts';
import { longestRecordedResponse } from '../../shared/platform/request/idempotency.ts';
import { api, happened } from '../support/idempotency-tests.ts';

describe('idempotency', () => {
  it.each([
    ['in its transaction', false],
    ['after its transaction', true],
  ])('records a response that fits neither an item nor a transaction, %s', async (_, recordsLater) => {
    const counter = randomUUID();
    const answer = randomBytes(transactionBytes).toString('base64');
    const call = api(counter, { answer, recordsLater });
    const key = { 'idempotency-key': randomUUID() };
    const first = await call(key);
    const second = await call(key);
    expect(first).toMatchObject({ status: 201, json: { data: { counted: answer } } });
    expect(second).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
    expect(second.body).toBe(first.body);
    expect(await happened(counter)).toBe(1);
  });

  it('rejects, before anything is written, a response that is too large to be recorded', async () => {
    const counter = randomUUID();
    const answer = randomBytes(longestRecordedResponse).toString('base64');
    const key = { 'idempotency-key': randomUUID() };
    const { status, json } = await api(counter, { answer })(key);
    expect({ status, json }).toMatchObject({
      status: 413,
      json: { errorType: 'validation_error', details: { instead: expect.any(String) } },
    });
    expect(await happened(counter)).toBe(0);
    expect(await api(counter)(key)).toMatchObject({ status: 201 });
  });
});
