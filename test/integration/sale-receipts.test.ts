import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { canonicalize } from 'json-canonicalize';
import type * as z from 'zod/mini';
import { rulesNumber } from '#domain/decision/reasons.ts';
import type { Receipt, ReceiptPayload } from '#domain/sale-checks/receipt.ts';
import { toItem } from '#platform/data/dynamo.ts';
import type { saleReceipt } from '../../functions/compliance/routes.ts';
import { ask, clock, given, id, newOwner, tables } from '../support/carrier-records.ts';
import { everyItem } from '../support/every-item.ts';
import { agent } from '../support/import-lines.ts';
import {
  agencyNpn,
  answersOf,
  appointed,
  association,
  associationId,
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

type Stored = Pick<Receipt, 'jws' | 'sources'>;

/** Stores a receipt otherwise. */
async function rewrite(owner: string, receiptId: string, change: (stored: Stored) => object) {
  const item = (await everyItem(dynamo, tables.saleReceipts)).find(
    ({ pk }) => pk === `${owner}#${receiptId}`,
  );
  const stored = JSON.parse(brotliDecompressSync(item?.['part'] as Uint8Array).toString()) as Stored;
  const part = brotliCompressSync(JSON.stringify({ ...stored, ...change(stored) }));
  await dynamo.send(new PutItemCommand({ TableName: tables.saleReceipts, Item: toItem({ ...item, part }) }));
}

/** Another payload, as if it had been signed so. */
function signedAs({ jws }: Stored, change: (payload: ReceiptPayload) => object): { readonly jws: string } {
  const [head, , signature] = jws.split('.');
  const signed = Buffer.from(JSON.stringify(change(payloadOf(jws)))).toString('base64url');
  return { jws: [head, signed, signature].join('.') };
}

/** A carrier of whose records tests only ask. */
let standing: string;

beforeAll(async () => {
  standing = await newCarrier();
});

it('signs what was asked and answered, and answers it again with what it was decided from', async () => {
  const owner = standing;
  const { receiptId, jws, checks: answered } = await receiptOf(owner);
  const { json, headers } = await ask(owner, routes.getReceiptKeys);
  expect(headers['cache-control']).toBe('public, max-age=3600');
  const { payload } = await compactVerify(jws, createLocalJWKSet(json as unknown as JSONWebKeySet));
  const receipt = await found(owner, receiptId);
  const withAsked = answered.map((check, index) => ({ ...check, asked: checks[index] }));
  expect(JSON.parse(Buffer.from(payload).toString())).toEqual({
    receiptId,
    organizationId: owner,
    asOf: '2026-07-01',
    knownAt: clock.time.toISOString(),
    iat: clock.time.getTime() / 1_000,
    rules: rulesNumber,
    checks: withAsked,
    // By the recipe of the document, with another library.
    sourcesHash: createHash('sha256').update(canonicalize(receipt.sources)).digest('hex'),
  });
  expect(receipt).toEqual({
    status: 200,
    receiptId,
    checks: withAsked,
    jws,
    rules: rulesNumber,
    sources: expect.any(Object),
    reproduced: true,
  });
});

it('shows of each party what was said, on which days it is in force by that, and what the carrier says itself', async () => {
  const time = clock.time.toISOString();
  const owner = await newCarrier();
  const { receiptId } = await receiptOf(owner);
  const { sources } = await found(owner, receiptId);
  expect(sources.parties.map(({ npn, stateCode }) => `${npn} ${stateCode}`)).toEqual(
    [producerNpn, agencyNpn, unlicensedNpn].map((npn) => `${npn} TX`),
  );
  const [seller, agency] = sources.parties;
  const said = { stateCode: 'TX', by: 'import', at: time, recordedAt: time, isComplete: false };
  const license = { licenseNumber: '100', nextRenewalDate: '2027-03-31', linesOfAuthority: [{ code: '16' }] };
  expect(seller).toMatchObject({
    rows: [
      { kind: 'license', ...said, ...license },
      { kind: 'appointment', ...said, status: 'active', lineOfAuthorityCode: '16' },
    ],
    days: [
      {
        kind: 'license',
        stateCode: 'TX',
        rows: [0],
        days: [
          { from: null, is: 'not in force', row: null },
          { from: '2020-01-01', is: 'in force', row: 0, statedAt: said.at },
          { from: '2027-04-01', is: 'not in force' },
        ],
        lines: [{ names: ['16', 'property'], days: expect.any(Array) }],
      },
      {
        kind: 'appointment',
        rows: [1],
        days: [
          { from: null, is: 'not in force' },
          { from: '2021-01-01', is: 'in force', row: 1 },
        ],
        lines: [],
      },
    ],
    actions: [],
    verifiedAt: null,
    sales: [],
    authority: [],
    isArchived: false,
    associations: [{ downstreamEntityAssociationId: associationId, status: null, isNpnRequired: null }],
  });
  expect(agency).toMatchObject({
    authority: null,
    isArchived: null,
    associations: [{ downstreamEntityAssociationId: associationId, status: 'active', isNpnRequired: true }],
  });
  expect(sources).toMatchObject({
    configs: [{ productId, validFrom: '2020-01-01', states: [{ stateCode: 'TX' }] }],
    classKinds: [],
    carrier: { naicCodes: [], eins: [], verifiedWithinDays: null, name: expect.any(String) },
  });
});

it('rests on licenses and orders of the state and the home state, and on what was said of their classes', async () => {
  const ofSeller = (stateCode: string, fields: object) =>
    licensed(unlicensedNpn, { stateCode, residencyStatus: 'non-resident', ...fields });
  const owner = await newCarrier(
    ofSeller('TX', { licenseClassName: 'Certificate' }),
    ofSeller('OK', { licenseNumber: '200', residencyStatus: 'resident' }),
    ofSeller('GA', { licenseNumber: '300' }),
    appointed(unlicensedNpn),
    ...['TX', 'GA'].map((stateCode) => ({
      type: 'regulatory-action',
      npn: unlicensedNpn,
      stateCode,
      actionId: 'A-1',
      disposition: 'Suspended',
      dateOfAction: '2026-01-01',
      lengthOfOrderInDays: 10,
    })),
    ...['TX', 'GA'].map((stateCode) => ({
      type: 'class-kind',
      stateCode,
      className: 'Certificate',
      kind: 'producer',
    })),
  );
  // In two states, so that everything of the seller is read.
  const asked = ['TX', 'GA'].map((stateCode) => question({ seller: { npn: unlicensedNpn }, stateCode }));
  const [ofTexas] = asked;
  const { receiptId = '', checks: answered } = await answersOf(owner, [ofTexas ?? {}], { receipt: true });
  expect(answered[0]).toMatchObject({ answer: 'yes' });
  const { sources } = await found(owner, receiptId);
  const [seller] = sources.parties;
  expect(seller?.rows.map(({ kind }) => kind)).toEqual(['license', 'appointment', 'license']);
  expect(seller?.actions).toEqual([
    { stateCode: 'TX', actionId: 'A-1', is: 'in force', from: '2026-01-01', until: '2026-01-10' },
  ]);
  expect(seller?.days.map(({ kind, stateCode }) => `${stateCode} ${kind}`)).toEqual([
    'TX license',
    'TX appointment',
    'OK license',
  ]);
  expect(sources.classKinds).toMatchObject([{ stateCode: 'TX', className: 'Certificate', isOwn: true }]);
  const both = await answersOf(owner, asked, { receipt: true });
  const ofBoth = await found(owner, both.receiptId ?? '');
  expect(ofBoth).toMatchObject({ reproduced: true });
  expect(ofBoth.sources.parties[0]?.rows).toEqual(seller?.rows);
});

it('is reproduced where an order counts in the home state alone', async () => {
  const owner = await newCarrier(
    licensed(unlicensedNpn, { residencyStatus: 'non-resident' }),
    licensed(unlicensedNpn, { stateCode: 'OK', licenseNumber: '200' }),
    appointed(unlicensedNpn),
    {
      type: 'regulatory-action',
      npn: unlicensedNpn,
      stateCode: 'OK',
      actionId: 'A-2',
      disposition: 'Suspended',
      dateOfAction: '2026-01-01',
    },
  );
  const asked = question({ seller: { npn: unlicensedNpn } });
  const { receiptId = '', checks: answered } = await answersOf(owner, [asked], { receipt: true });
  expect(answered[0]).toMatchObject({ answer: 'unknown' });
  expect(await found(owner, receiptId)).toMatchObject({ reproduced: true });
});

it('is not decided again by other rules, and says which decided', async () => {
  const owner = standing;
  const { receiptId } = await receiptOf(owner);
  await rewrite(owner, receiptId, (stored) =>
    signedAs(stored, (payload) => ({ ...payload, rules: rulesNumber - 1 })),
  );
  expect(await found(owner, receiptId)).toMatchObject({
    status: 200,
    rules: rulesNumber - 1,
    reproduced: null,
    reproducedMessage: expect.stringContaining(`the number ${rulesNumber - 1}`),
  });
});

it('depends on nothing else that is stored: not on corrections, new configs, moves, nor on what is deleted', async () => {
  const owner = await newCarrier({
    type: 'carrier',
    naicCode: '19437',
    name: 'Beacon Specialty',
    status: 'active',
  });
  const asked = [...checks, question({ carrierNaicCode: '19437' })];
  const { receiptId = '', checks: answered } = await answersOf(owner, asked, { receipt: true });
  expect(answered[3]?.company).toEqual({ carrierNaicCode: '19437', name: 'Beacon Specialty' });
  const before = await found(owner, receiptId);
  clock.time = new Date('2026-08-01T12:00:00.000Z');
  await given(
    owner,
    licensed(producerNpn, { nextRenewalDate: '2026-01-01' }),
    appointed(producerNpn, { isDeleted: true }),
    config({
      validFrom: '2020-01-01',
      states: [{ stateCode: 'TX', linesOfAuthority: ['99'], appointment: 'required' }],
    }),
    { type: 'class-kind', stateCode: 'TX', className: 'Insurance Producer', kind: 'adjuster' },
    agent({
      _id: id(1),
      npn: '777',
      isArchived: true,
      authority: [{ upstreamEntityProductId: productId, requestedStates: ['TX'], approvedStates: [] }],
      downstreamEntityAssociationIds: [],
    }),
    { ...association(), status: 'inactive' },
  );
  expect((await answersOf(owner, asked)).checks[0]?.answer).not.toBe('yes');
  expect(await found(owner, receiptId)).toEqual(before);
  for (const table of [tables.registryRecords, tables.compliance, tables.agents, tables.associations]) {
    for (const { pk, sk } of (await everyItem(dynamo, table)).filter((item) =>
      String(item['pk']).startsWith(owner),
    ))
      await dynamo.send(new DeleteItemCommand({ TableName: table, Key: toItem({ pk, sk }) }));
  }
  expect(await found(owner, receiptId)).toEqual(before);
  expect(before).toMatchObject({ reproduced: true });
});

it('is not reproduced where what it keeps was changed', async () => {
  const owner = standing;
  const { receiptId } = await receiptOf(owner);
  await rewrite(owner, receiptId, ({ sources }) => ({
    sources: { ...sources, carrier: { ...sources.carrier, eins: ['75-1234567'] } },
  }));
  expect(await found(owner, receiptId)).toMatchObject({ status: 200, reproduced: false });
});

it('tells an examiner who has only the keys which license it was, on which days, and by which rules', async () => {
  const owner = standing;
  const { receiptId } = await receiptOf(owner);
  const folder = mkdtempSync(join(tmpdir(), 'receipt-'));
  const examined = async (change: object = {}) => {
    const { data } = await ask(owner, routes.getSaleReceipt, { params: { receiptId } });
    const { json: keys } = await ask(owner, routes.getReceiptKeys);
    const files = { receipt: { data: { ...(data as object), ...change } }, keys };
    const paths = Object.entries(files).map(([name, content]) => {
      const path = join(folder, `${name}.json`);
      writeFileSync(path, JSON.stringify(content));
      return path;
    });
    const program = join(__dirname, '../clients/examine-receipt.mjs');
    const { stdout } = spawnSync(process.execPath, [program, ...paths], { encoding: 'utf8' });
    return stdout;
  };
  const said = await examined();
  expect(said).toContain('The signature and the sources are right.');
  expect(said).toContain('yes on 2026-07-01 in TX');
  expect(said).toContain('license 100 in TX, active: in force since 2020-01-01');
  expect(said).toContain('seller license_missing by rule missing: No active license in TX.');
  expect(await examined({ sources: {} })).toBe('These are not the sources that were signed.\n');
  rmSync(folder, { recursive: true });
});

it.each([
  ['message', true],
  ['remedy', true],
  ['code', false],
])('where the decision now gives a reason another %s, `reproduced` is %s', async (member, isReproduced) => {
  const owner = standing;
  const { receiptId } = await receiptOf(owner);
  await rewrite(owner, receiptId, (stored) =>
    signedAs(stored, (payload) => {
      const [, { reasons: [reason] = [] } = {}] = payload.checks;
      Object.assign(reason ?? {}, { [member]: member === 'code' ? 'license_expired' : 'In other words.' });
      return payload;
    }),
  );
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
