import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { agency, branch, get, main, producerNpn, stranger } from '../support/imported-agency.ts';
import { adminAnswer, call, errorShape } from '../support/local-api.ts';

const ask = (body: object, headers: Record<string, string> = {}) =>
  call('POST', '/v2/downstream/license-requests', { headers: { ...agency.bearer, ...headers }, body });

const idIn = ({ json }: { readonly json: Readonly<Record<string, unknown>> }): string =>
  z.parse(z.looseObject({ _id: z.string() }), json['data'])._id;

const cancel = (id: string, organization = agency) =>
  call('POST', `/v2/downstream/license-requests/${id}/cancel`, { headers: organization.bearer });

describe('a license request', () => {
  it('follows the statuses that an operator sets, and can be canceled only before a decision', async () => {
    const created = await ask({
      downstreamEntityId: main,
      type: 'renewal',
      stateCode: 'TX',
      licenseNumber: 'T1',
    });
    expect(created.status).toBe(201);
    const licenseRequestId = idIn(created);
    const move = (status: string) => adminAnswer('set-license-request-status', { licenseRequestId, status });
    expect(await move('approved')).toMatchObject({ ok: false, error: { errorType: 'conflict' } });
    expect(await move('in review')).toMatchObject({ ok: true, result: { status: 'in review' } });
    expect((await cancel(licenseRequestId, stranger)).status).toBe(404);
    expect(await move('approved')).toMatchObject({ ok: true, result: { status: 'approved' } });
    const refused = await cancel(licenseRequestId);
    expect(refused.status).toBe(409);
    expect(refused.json).toEqual(errorShape(409, 'conflict'));
    expect((await get(agency, `license-requests/${licenseRequestId}`)).json['data']).toMatchObject({
      status: 'approved',
      statusHistory: [{ status: 'submitted' }, { status: 'in review' }, { status: 'approved' }],
    });
    expect(
      await adminAnswer('set-license-request-status', {
        licenseRequestId: '0'.repeat(24),
        status: 'in review',
      }),
    ).toMatchObject({ ok: false, error: { errorType: 'not_found' } });
  });

  it('is created once when ten equal ones arrive at once', async () => {
    const body = { downstreamEntityId: main, type: 'new', stateCode: 'LA', npn: producerNpn };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    const details = { licenseRequestId: expect.stringMatching(/^[0-9a-f]{24}$/) };
    for (const { status, json } of answers) {
      if (status === 409) expect(json).toEqual(errorShape(409, 'conflict', { details }));
    }
  });

  it('sent again under its idempotency key is answered like the original', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { downstreamEntityId: branch, type: 'new', stateCode: 'NM' };
    const first = await ask(body, headers);
    const again = await ask(body, headers);
    expect(again.status).toBe(201);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const anew = { 'idempotency-key': randomUUID() };
    expect((await ask(body, anew)).status).toBe(409);
    expect((await cancel(idIn(first))).status).toBe(200);
    expect((await cancel(idIn(first))).status).toBe(409);
  });
});
