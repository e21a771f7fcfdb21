import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { canonicalize } from 'json-canonicalize';
import type * as z from 'zod/mini';
import type { saleReceipt } from '../../functions/compliance/routes.ts';
import { rulesNumber } from '../../shared/domain/decision/reasons.ts';
import type { ReceiptPayload } from '../../shared/domain/sale-checks/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { ask, clock, given, id, newOwner, tables } from '../support/carrier-records.ts';
import { everyItem } from '../support/every-item.ts';
import { agent } from '../support/import-lines.ts';
import {
  agencyNpn,
  answersOf,
  appointed,
  association,
  config,
  licensed,
  newCarrier,
  producerNpn,
  productId,
  question,
  routes,
  unlicensedNpn,
} from '../support/sale-checks-tests.ts';
import { dynamo } from '../support/tables.ts';

const checks = [
  question({ reference: 'one' }),
  question({ seller: { npn: unlicensedNpn } }),
  question({ seller: { npn: '99' } }),
];

async function receiptOf(owner: string) {
  const answers = await answersOf(owner, checks, { receipt: true });
  return { ...answers, receiptId: answers.receiptId ?? '', jws: answers.jws ?? '' };
}

async function found(owner: string, receiptId: string) {
  const { status, data } = await ask(owner, routes.getSaleReceipt, {
    params: { receiptId },
  });
  return { status, ...(data as z.output<typeof saleReceipt>) };
}

/** What was signed, without a check of the signature. */
const payloadOf = (jws: string): ReceiptPayload =>
  JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()) as ReceiptPayload;

/** Stores another payload, as if it had been signed so. */
async function rewrite(owner: string, receiptId: string, change: (payload: ReceiptPayload) => object) {
  const item = (await everyItem(dynamo, tables.saleReceipts)).find(
    ({ pk }) => pk === `${owner}#${receiptId}`,
  );
  const stored = JSON.parse(gunzipSync(item?.['part'] as Uint8Array).toString()) as { readonly jws: string };
  const [head, , signature] = stored.jws.split('.');
  const signed = Buffer.from(JSON.stringify(change(payloadOf(stored.jws)))).toString('base64url');
  const part = gzipSync(JSON.stringify({ ...stored, jws: [head, signed, signature].join('.') }));
  await dynamo.send(new PutItemCommand({ TableName: tables.saleReceipts, Item: toItem({ ...item, part }) }));
}

/** A carrier of whose records tests only ask. */
let standing: string;

beforeAll(async () => {
  standing = await newCarrier();
});

it('signs what was asked, answered, and read, and answers it again', async () => {
  const owner = standing;
  const { receiptId, jws, checks: answered } = await receiptOf(owner);
  const { json, headers } = await ask(owner, routes.getReceiptKeys);
  expect(headers['cache-control']).toBe('public, max-age=3600');
  const { payload } = await compactVerify(jws, createLocalJWKSet(json as unknown as JSONWebKeySet));
  const signed = JSON.parse(Buffer.from(payload).toString()) as ReceiptPayload;
  expect(signed).toEqual({
    receiptId,
    organizationId: owner,
    asOf: '2026-07-01',
    knownAt: clock.time.toISOString(),
    iat: clock.time.getTime() / 1_000,
    rules: rulesNumber,
    checks: answered.map((check, index) => ({ ...check, asked: checks[index] })),
    facts: expect.any(Array),
    configs: [{ id: expect.any(String), hash: expect.any(String) }],
    classKinds: [],
  });
  // A license and an appointment of the agency and the first producer.
  expect(signed.facts).toHaveLength(4);
  expect(await found(owner, receiptId)).toEqual({
    status: 200,
    receiptId,
    checks: answered,
    jws,
    rules: rulesNumber,
    facts: expect.any(Array),
    configs: [expect.objectContaining({ productName: 'General Liability', validFrom: '2020-01-01' })],
    classKinds: [],
    reproduced: true,
  });
});

it('shows what it rests on as it was hashed, so that others can hash it too', async () => {
  const owner = await newCarrier();
  const { receiptId, jws } = await receiptOf(owner);
  // A correction adds a fact, and changes none that the receipt names.
  await given(owner, licensed(producerNpn, { nextRenewalDate: '2026-01-01' }));
  const { facts, configs, classKinds } = await found(owner, receiptId);
  expect(facts.map(({ npn, kind, what }) => `${npn} ${kind} ${what}`).sort()).toEqual(
    [agencyNpn, producerNpn].flatMap((npn) => [`${npn} appointment stated`, `${npn} license stated`]),
  );
  expect(facts.find(({ npn, kind }) => npn === producerNpn && kind === 'license')?.licenses).toMatchObject([
    { licenseNumber: '100', nextRenewalDate: '2027-03-31', linesOfAuthority: [{ code: '16' }] },
  ]);
  // The recipe of the document, with another library.
  const signed = payloadOf(jws);
  const hashes = [...facts, ...configs, ...classKinds].map((one) => ({
    id: one.id,
    hash: createHash('sha256').update(canonicalize(one)).digest('base64url'),
  }));
  const byId = (one: { readonly id: string }, other: { readonly id: string }) => (one.id < other.id ? -1 : 1);
  expect(hashes.sort(byId)).toEqual([...signed.facts, ...signed.configs, ...signed.classKinds].sort(byId));
});

it('rests on the license of the home state, on orders, and on what was said of a class', async () => {
  const owner = await newCarrier(
    licensed(unlicensedNpn, { residencyStatus: 'non-resident', licenseClassName: 'Certificate' }),
    licensed(unlicensedNpn, { stateCode: 'OK', licenseNumber: '200' }),
    licensed(unlicensedNpn, { stateCode: 'GA', licenseNumber: '300', residencyStatus: 'non-resident' }),
    appointed(unlicensedNpn),
    {
      type: 'regulatory-action',
      npn: unlicensedNpn,
      stateCode: 'TX',
      actionId: 'A-1',
      disposition: 'Fine',
      dateOfAction: '2026-01-01',
    },
    { type: 'class-kind', stateCode: 'TX', className: 'Certificate', kind: 'producer' },
  );
  const asked = question({ seller: { npn: unlicensedNpn }, reference: 'one' });
  const { receiptId = '', checks: answered } = await answersOf(owner, [asked], { receipt: true });
  expect(answered[0]).toMatchObject({ answer: 'yes' });
  const { facts, classKinds, reproduced } = await found(owner, receiptId);
  const ofSeller = facts.filter(({ npn }) => npn === unlicensedNpn);
  expect(ofSeller.map(({ stateCode, kind }) => `${stateCode} ${kind}`).sort()).toEqual([
    'OK license',
    'TX appointment',
    'TX license',
    'TX regulatory action',
  ]);
  expect(classKinds).toMatchObject([
    { stateCode: 'TX', className: 'Certificate', kind: 'producer', isOwn: true },
  ]);
  expect(reproduced).toBe(true);

  clock.time = new Date('2026-08-01T12:00:00.000Z');
  await given(owner, licensed(unlicensedNpn, { stateCode: 'OK', licenseNumber: '200', status: 'Revoked' }), {
    type: 'class-kind',
    stateCode: 'TX',
    className: 'Certificate',
    kind: 'adjuster',
  });
  expect(await answersOf(owner, [asked])).toMatchObject({ checks: [{ answer: 'no' }] });
  expect(await found(owner, receiptId)).toMatchObject({ reproduced: true });
});

it('is not decided again by other rules, and says which decided', async () => {
  const owner = standing;
  const { receiptId } = await receiptOf(owner);
  await rewrite(owner, receiptId, (payload) => ({ ...payload, rules: rulesNumber - 1 }));
  expect(await found(owner, receiptId)).toMatchObject({
    status: 200,
    rules: rulesNumber - 1,
    reproduced: null,
    reproducedMessage: expect.stringContaining(`the number ${rulesNumber - 1}`),
  });
});

it('keeps what has no versions: the carrier’s own word, its codes and settings, and the names of companies', async () => {
  const owner = await newCarrier({
    type: 'carrier',
    naicCode: '19437',
    name: 'Beacon Specialty',
    status: 'active',
  });
  const { receiptId = '', checks: answered } = await answersOf(
    owner,
    [question({ carrierNaicCode: '19437' })],
    { receipt: true },
  );
  expect(answered[0]?.company).toEqual({ carrierNaicCode: '19437', name: 'Beacon Specialty' });
  await given(
    owner,
    agent({
      _id: id(1),
      npn: producerNpn,
      isArchived: true,
      authority: [{ upstreamEntityProductId: productId, requestedStates: ['TX'], approvedStates: [] }],
      downstreamEntityAssociationIds: [],
    }),
    { ...association(), status: 'inactive' },
  );
  expect((await answersOf(owner, [question({ carrierNaicCode: '19437' })])).checks[0]?.reasons).not.toEqual(
    [],
  );
  expect(await found(owner, receiptId)).toMatchObject({ reproduced: true });
});

it('is reproduced after corrections, new configs, deletions, and moves', async () => {
  const owner = await newCarrier();
  const { receiptId } = await receiptOf(owner);
  clock.time = new Date('2026-08-01T12:00:00.000Z');
  await given(
    owner,
    licensed(producerNpn, { nextRenewalDate: '2026-01-01' }),
    appointed(producerNpn, { isDeleted: true }),
    licensed(unlicensedNpn),
    appointed(unlicensedNpn),
    config({
      validFrom: '2020-01-01',
      states: [{ stateCode: 'TX', linesOfAuthority: ['99'], appointment: 'required' }],
    }),
    agent({ _id: id(1), npn: '777', downstreamEntityAssociationIds: [] }),
    { ...association(), status: 'inactive' },
  );
  const { checks: now } = await answersOf(owner, checks);
  expect(now[0]?.answer).not.toBe('yes');
  expect(await found(owner, receiptId)).toMatchObject({ reproduced: true });
  await given(owner, { ...config(), isDeleted: true });
  expect(await found(owner, receiptId)).toMatchObject({ reproduced: true });
});

describe('whose versions are replaced, and more than ten years old,', () => {
  /** A license that is corrected twice before the receipt, which nobody has written since, and the receipt. */
  async function receiptAbout(years: readonly [number, number, number], year: number) {
    clock.time = new Date(`${years[0] - 1}-01-02T12:00:00.000Z`);
    const owner = await newCarrier();
    for (const of of years) {
      clock.time = new Date(`${of}-06-01T12:00:00.000Z`);
      await given(owner, licensed(producerNpn, { nextRenewalDate: `${of + 20}-03-31` }));
    }
    clock.time = new Date(`${year}-07-01T12:00:00.000Z`);
    const { receiptId = '' } = await answersOf(owner, [question()], { receipt: true });
    clock.time = new Date(`${year}-07-02T12:00:00.000Z`);
    expect(await found(owner, receiptId)).toMatchObject({ reproduced: true });
    // Any write of the producer deletes what is older than it is kept.
    await given(owner, licensed(producerNpn, { stateCode: 'OK', licenseNumber: 'X' }));
    return found(owner, receiptId);
  }

  it('is reproduced: they are kept for twenty years', async () => {
    expect(await receiptAbout([2020, 2021, 2022], 2035)).toMatchObject({ reproduced: true });
  });

  it('says after twenty years that one is no longer stored', async () => {
    const receipt = await receiptAbout([2020, 2021, 2022], 2043);
    expect(receipt).toMatchObject({
      status: 200,
      reproduced: null,
      reproducedMessage: expect.stringContaining('no longer stored'),
    });
  });
});

it('counts of the last two minutes only what it names', async () => {
  const owner = await newCarrier();
  const knownAt = clock.time.getTime();
  const { receiptId } = await receiptOf(owner);
  // Written by another clock, a minute before: the check had not seen it.
  clock.time = new Date(knownAt - 60_000);
  await given(owner, licensed(unlicensedNpn), appointed(unlicensedNpn));
  expect(await found(owner, receiptId)).toMatchObject({ reproduced: true });
});

it.each([
  ['a fact', () => tables.registryRecords, 'FACT#', 'validFrom'],
  ['a config', () => tables.compliance, '#REQUIRED#', 'productName'],
])('is not reproduced where %s that it names was changed', async (_, table, key, attribute) => {
  const owner = await newCarrier();
  const { receiptId } = await receiptOf(owner);
  const items = await everyItem(dynamo, table());
  const tampered = items.find(({ pk, sk }) => String(pk).startsWith(owner) && `${pk} ${sk}`.includes(key));
  await dynamo.send(
    new UpdateItemCommand({
      TableName: table(),
      Key: { pk: { S: String(tampered?.['pk']) }, sk: { S: String(tampered?.['sk']) } },
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': attribute },
      ExpressionAttributeValues: { ':value': { S: '2019-01-01' } },
    }),
  );
  expect(await found(owner, receiptId)).toMatchObject({ status: 200, reproduced: false });
});

it.each([
  ['message', true],
  ['remedy', true],
  ['code', false],
])('where the decision now gives a reason another %s, `reproduced` is %s', async (member, isReproduced) => {
  const owner = standing;
  const { receiptId } = await receiptOf(owner);
  await rewrite(owner, receiptId, (payload) => {
    const [, { reasons: [reason] = [] } = {}] = payload.checks;
    Object.assign(reason ?? {}, { [member]: member === 'code' ? 'license_expired' : 'In other words.' });
    return payload;
  });
  expect(await found(owner, receiptId)).toMatchObject({ status: 200, reproduced: isReproduced });
});

it('is found by its own organization alone', async () => {
  const [owner, other] = [standing, await newOwner()];
  const { receiptId } = await receiptOf(owner);
  expect((await found(other, receiptId)).status).toBe(404);
  expect((await found(owner, id(1))).status).toBe(404);
});

it('is issued once for an idempotency key', async () => {
  const owner = await newCarrier();
  const request = {
    body: { checks, receipt: true },
    headers: { 'idempotency-key': '3f6c1c52-6f3c-4c53-9d59-0a7a2b0a3b0e' },
  };
  const first = await ask(owner, routes.checkSales, request);
  const second = await ask(owner, routes.checkSales, request);
  expect(second.data).toEqual(first.data);
  expect(second.headers['idempotency-replayed']).toBe('true');
  const stored = await everyItem(dynamo, tables.saleReceipts);
  expect(stored.filter(({ pk }) => String(pk).startsWith(owner))).toHaveLength(1);
});
