import { randomUUID } from 'node:crypto';
import { exampleLicense } from '#domain/registry/resources.ts';
import { entityOf, licenseOf, producerOf } from '../support/agency-records.ts';
import { advanceClock, agency, ask, now, organization, routes } from '../support/agency-tests.ts';
import { newId } from '../support/filings.ts';
import { databaseCalls } from '../support/tables.ts';

describe('license requests', () => {
  const create = (owner: string, body: object, headers: Record<string, string> = {}) =>
    ask(owner, routes.createAgencyLicenseRequest, { body, headers });

  it('creates a request for a new license under the entity’s NPN, which can be read and listed', async () => {
    const { owner, entity } = await organization();
    const created = await create(owner, { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' });
    expect(created.status).toBe(201);
    expect(created.data).toMatchObject({
      npn: entity.npn,
      licenseNumber: null,
      linesOfAuthority: [],
      notes: null,
      status: 'submitted',
      statusHistory: [{ status: 'submitted' }],
    });
    const params = { licenseRequestId: String(created.data['_id']) };
    expect((await ask(owner, routes.getAgencyLicenseRequest, { params })).data).toEqual(created.data);
    expect((await ask(owner, routes.listAgencyLicenseRequests)).items).toEqual([created.data]);
    expect(await ask(newId(), routes.getAgencyLicenseRequest, { params })).toMatchObject({ status: 404 });
    expect(await ask(newId(), routes.cancelAgencyLicenseRequest, { params })).toMatchObject({ status: 404 });
  });

  it('has one open request for a license, however its number is written', async () => {
    const { owner, entity } = await organization();
    const held = licenseOf({ npn: entity.npn ?? '', licenseNumber: 'LN-1' });
    await agency.put.licenses(owner, held);
    const renewal = { downstreamEntityId: entity._id, type: 'renewal', stateCode: held.stateCode };
    const statuses: number[] = [];
    for (const licenseNumber of ['LN-1', 'ln-1', '\uff2cn-1', '00ln1']) {
      statuses.push((await create(owner, { ...renewal, licenseNumber })).status);
    }
    expect(statuses).toEqual([201, 409, 409, 409]);
  });

  it('lists requests oldest first, for all entities or one', async () => {
    const { owner, entity } = await organization();
    const other = entityOf(owner, { npn: '2' });
    await agency.put.entities(other);
    const ids: unknown[] = [];
    for (const [index, { _id }] of [other, entity, other].entries()) {
      advanceClock(1_000);
      const stateCode = ['TX', 'OK', 'LA'][index];
      ids.push((await create(owner, { downstreamEntityId: _id, type: 'new', stateCode })).data['_id']);
    }
    expect((await ask(owner, routes.listAgencyLicenseRequests)).items.map(({ _id }) => _id)).toEqual(ids);
    const query = { downstreamEntityId: entity._id };
    expect(
      (await ask(owner, routes.listAgencyLicenseRequests, { query })).items.map(({ _id }) => _id),
    ).toEqual([ids[1]]);
  });

  it('accepts the NPN of a producer who works for the entity, and no other NPN', async () => {
    const { owner, entity } = await organization();
    const other = entityOf(owner, { npn: '2' });
    await agency.put.entities(other);
    await agency.put.producers(owner, producerOf({ npn: '77', downstreamEntityIds: [entity._id] }));
    await agency.put.producers(newId(), producerOf({ npn: '78', downstreamEntityIds: [entity._id] }));
    const request = { type: 'new', stateCode: 'OK', npn: '77' };
    expect(await create(owner, { ...request, downstreamEntityId: entity._id })).toMatchObject({
      status: 201,
    });
    for (const body of [
      { ...request, downstreamEntityId: other._id },
      { ...request, downstreamEntityId: entity._id, npn: '78' },
      { ...request, downstreamEntityId: other._id, npn: entity.npn },
    ]) {
      const { status, json } = await create(owner, body);
      expect(status).toBe(400);
      expect(json).toMatchObject({ errorType: 'validation_error', details: { issues: [{ path: 'npn' }] } });
    }
  });

  it('requires an NPN if the entity has none', async () => {
    const { owner, entity } = await organization({ npn: null });
    const { status, json } = await create(owner, {
      downstreamEntityId: entity._id,
      type: 'new',
      stateCode: 'OK',
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({ details: { issues: [{ path: 'npn' }] } });
  });

  it('requires a held license for a renewal, and none for a new license', async () => {
    const { owner, entity } = await organization();
    const body = { downstreamEntityId: entity._id, type: 'renewal', stateCode: 'TX' };
    await agency.put.licenses(
      owner,
      licenseOf({ licenseNumber: 'A#1' }),
      licenseOf({ npn: '2', licenseNumber: 'B' }),
    );
    await agency.put.licenses(newId(), licenseOf({ licenseNumber: 'C' }));
    for (const wrong of [
      body,
      { ...body, licenseNumber: 'B' },
      { ...body, licenseNumber: 'C' },
      { ...body, licenseNumber: 'A#1', stateCode: 'OK' },
      { ...body, licenseNumber: 'A#1', type: 'new' },
    ]) {
      const { status, json } = await create(owner, wrong);
      expect(status).toBe(400);
      expect(json).toMatchObject({ details: { issues: [{ path: 'licenseNumber' }] } });
    }
    expect(await create(owner, { ...body, licenseNumber: 'A#1' })).toMatchObject({ status: 201 });
    // The renewal blocks another request for its license, and none for a new one.
    expect(await create(owner, { ...body, licenseNumber: 'A#1' })).toMatchObject({ status: 409 });
    expect(await create(owner, { ...body, type: 'new', linesOfAuthority: ['11'] })).toMatchObject({
      status: 201,
    });
  });

  it('refuses a new license that is in force with every line that is asked for, and no other', async () => {
    const { owner, entity } = await organization();
    const line = exampleLicense.linesOfAuthority[0];
    const held = { linesOfAuthority: [{ ...line, code: '16', status: 'active' }] };
    await agency.put.licenses(
      owner,
      licenseOf({ ...held, stateCode: 'TX' }),
      licenseOf({ ...held, stateCode: 'OK', nextRenewalDate: '2026-11-19' }),
      licenseOf({ ...held, stateCode: 'LA', status: 'inactive' }),
      licenseOf({ ...held, stateCode: 'NM', npn: '8123456' }),
      licenseOf({
        ...held,
        stateCode: 'AZ',
        linesOfAuthority: [{ ...line, code: '16', status: 'inactive' }],
      }),
    );
    await agency.put.licenses(newId(), licenseOf({ ...held, stateCode: 'CA' }));
    const ask = (stateCode: string, linesOfAuthority: string[]) =>
      create(owner, { downstreamEntityId: entity._id, type: 'new', stateCode, linesOfAuthority });
    for (const lines of [[], ['16']]) {
      expect(await ask('TX', lines)).toMatchObject({ status: 409, json: { errorType: 'conflict' } });
    }
    expect((await ask('TX', ['16', '11'])).status).toBe(201);
    for (const stateCode of ['OK', 'LA', 'NM', 'AZ', 'CA']) {
      expect((await ask(stateCode, ['16'])).status).toBe(201);
    }
  });

  it('creates one of ten identical concurrent requests and answers 409 to the others', async () => {
    const { owner, entity } = await organization();
    const body = { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(owner, body)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(9);
    const licenseRequestId = answers.find(({ status }) => status === 201)?.data['_id'];
    for (const { status, json } of refused) {
      expect(status).toBe(409);
      expect(json).toMatchObject({ errorType: 'conflict', details: { licenseRequestId } });
    }
    expect((await ask(owner, routes.listAgencyLicenseRequests)).data).toMatchObject({ total: 1 });
  });

  it('can be canceled once, while submitted or in review', async () => {
    const { owner, entity } = await organization();
    const body = { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' };
    const cancel = (licenseRequestId: string) =>
      ask(owner, routes.cancelAgencyLicenseRequest, { params: { licenseRequestId } });
    const move = (id: string, status: 'in review' | 'approved' | 'rejected') =>
      agency.requests.move(owner, id, status, now, () => []);

    const first = String((await create(owner, body)).data['_id']);
    expect(await cancel(first)).toMatchObject({
      status: 200,
      data: { status: 'canceled', statusHistory: [{ status: 'submitted' }, { status: 'canceled' }] },
    });
    expect(await cancel(first)).toMatchObject({ status: 409, json: { errorType: 'conflict' } });

    const second = String((await create(owner, body)).data['_id']);
    await expect(move(second, 'approved')).rejects.toMatchObject({ reason: 'state_conflict' });
    await move(second, 'in review');
    expect(await create(owner, body)).toMatchObject({ status: 409 });
    expect(await cancel(second)).toMatchObject({ status: 200 });

    for (const end of ['approved', 'rejected'] as const) {
      const id = String((await create(owner, body)).data['_id']);
      await move(id, 'in review');
      await move(id, end);
      expect(await cancel(id)).toMatchObject({ status: 409 });
    }
    expect(await create(owner, body)).toMatchObject({ status: 201 });
  });

  it('accepts one of a concurrent cancellation and approval', async () => {
    const { owner, entity } = await organization();
    for (let round = 0; round < 2; round += 1) {
      const body = { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' };
      const licenseRequestId = String((await create(owner, body)).data['_id']);
      await agency.requests.move(owner, licenseRequestId, 'in review', now, () => []);
      const [cancelled, approved] = await Promise.all([
        ask(owner, routes.cancelAgencyLicenseRequest, { params: { licenseRequestId } }),
        agency.requests
          .move(owner, licenseRequestId, 'approved', now, () => [])
          .then(
            () => true,
            () => false,
          ),
      ]);
      expect([200, 409]).toContain(cancelled.status);
      expect(approved).toBe(cancelled.status === 409);
      const found = await agency.requests.find(owner, licenseRequestId);
      expect(found?.status).toBe(approved ? 'approved' : 'canceled');
    }
  });

  it('takes five database calls in sequence to create a request under an idempotency key, and four to cancel it', async () => {
    const { owner, entity } = await organization();
    const body = { downstreamEntityId: entity._id, type: 'new', stateCode: 'OK' };
    const headers = { 'idempotency-key': randomUUID() };
    const written = await databaseCalls(() => create(owner, body, headers));
    expect(written.inSequence).toBe(5);
    const { items } = await ask(owner, routes.listAgencyLicenseRequests);
    const params = { licenseRequestId: String(items[0]?.['_id']) };
    const cancelled = await databaseCalls(() =>
      ask(owner, routes.cancelAgencyLicenseRequest, { params, headers: { 'idempotency-key': randomUUID() } }),
    );
    expect(cancelled.inSequence).toBe(4);
  });
});
