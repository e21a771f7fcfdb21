import { registryKeys } from '#domain/registry-records/stored.ts';
import { ask, clock, given, rematch, tables } from '../support/carrier-records.ts';
import { everyItem } from '../support/every-item.ts';
import { license, transaction } from '../support/import-lines.ts';
import {
  answerOf,
  answersOf,
  appointed,
  association,
  associationId,
  config,
  newCarrier,
  producerNpn,
  question,
  routes,
} from '../support/sale-checks-tests.ts';
import { dynamo } from '../support/tables.ts';

// The producer of each carrier has sold in Oklahoma, where the carrier appoints on binding, within 15 days.

const state = {
  stateCode: 'OK',
  linesOfAuthority: [],
  licenseOf: 'agency',
  agency: { linesOfAuthority: [] },
  homeState: 'ignored',
  appointment: 'on binding',
  appointmentOf: 'agent',
  appointWithinDays: 15,
};
const product = config({ states: [state] });
const licenseOfAgency = license({
  npn: '17654321',
  stateCode: 'OK',
  licenseNumber: '7',
  residencyStatus: 'non-resident',
  issueDate: '2020-01-01',
});
const sold = (policyNumber: string, policyTransactionDate: string, fields: object = {}) =>
  transaction(policyNumber, {
    riskStateCode: 'OK',
    upstreamDownstreamAssociationId: associationId,
    agentNpn: producerNpn,
    productCode: 'CGL',
    policyTransactionDate,
    ...fields,
  });
const carrier = (...more: object[]) => newCarrier(product, licenseOfAgency, ...more);
const inOklahoma = (fields: object = {}) => question({ stateCode: 'OK', ...fields });
const appointment = (statusChangeDate: string, fields: object = {}) =>
  appointed(producerNpn, { stateCode: 'OK', statusChangeDate, ...fields });

const salesOf = async (owner: string) => {
  const { data } = await ask(owner, routes.listPolicySales);
  return (data as { soldOn: string; complianceStatus: string | null; reasons: { code: string }[] }[]).map(
    ({ soldOn, complianceStatus, reasons }) => [soldOn, complianceStatus, ...reasons.map(({ code }) => code)],
  );
};

it('lets a producer sell until the appointment is overdue, and says until when', async () => {
  const owner = await carrier();
  expect(await answerOf(owner, inOklahoma())).toEqual(['yes']);
  await given(owner, sold('P-1', '2026-06-20'));
  expect(await answersOf(owner, [inOklahoma()])).toMatchObject({
    checks: [{ answer: 'yes', goodUntil: '2026-07-05' }],
  });
  expect(await answerOf(owner, inOklahoma({ date: '2026-07-05' }))).toEqual(['yes']);
  expect(await answerOf(owner, inOklahoma({ date: '2026-07-06' }))).toEqual([
    'no',
    'seller appointment_overdue',
  ]);
  // A silent import: the sweep of the next day finds the day from which it is overdue.
  const items = await everyItem(dynamo, tables.registryRecords);
  expect(items).toContainEqual(
    expect.objectContaining(registryKeys.checkDay(owner, producerNpn, '2026-07-02')),
  );
});

it('is against a second sale, and against the first for good, also once the appointment is made', async () => {
  const owner = await carrier(sold('P-1', '2026-01-19'), sold('P-2', '2026-07-01'));
  expect(await salesOf(owner)).toEqual([
    ['2026-01-19', 'NOT_COMPLIANT', 'appointment_late'],
    ['2026-07-01', 'NOT_COMPLIANT', 'appointment_overdue'],
  ]);
  expect(await answerOf(owner, inOklahoma())).toEqual(['no', 'seller appointment_overdue']);
  const { data } = await ask(owner, routes.listSellers, {
    query: {
      downstreamEntityAssociationId: associationId,
      productCode: 'CGL',
      stateCode: 'OK',
      answer: 'no',
    },
  });
  expect(data).toContainEqual(
    expect.objectContaining({ reasons: [expect.objectContaining({ code: 'appointment_overdue' })] }),
  );
  await given(owner, appointment('2026-07-01'));
  expect(await answerOf(owner, inOklahoma())).toEqual(['yes']);
  expect(await salesOf(owner)).toEqual([
    ['2026-01-19', 'NOT_COMPLIANT', 'appointment_late'],
    ['2026-07-01', 'COMPLIANT'],
  ]);
});

it('is against both where either is to be appointed, once a sale of each is uncovered', async () => {
  const owner = await carrier(config({ states: [{ ...state, appointmentOf: 'either' }] }));
  await given(owner, sold('P-1', '2026-01-19'));
  expect(await answerOf(owner, inOklahoma())).toEqual(['no', 'seller appointment_overdue']);
  await given(owner, appointed('17654321', { stateCode: 'OK', statusChangeDate: '2026-02-19' }));
  expect(await answerOf(owner, inOklahoma())).toEqual(['yes']);
});

describe('of an appointment that was found later', () => {
  const overdue = ['no', 'seller appointment_overdue'];
  const ended = appointment('2026-05-01', { status: 'terminated', terminationReason: 'Not renewed' });

  it.each(['agent', 'either'])(
    'to have ended before a sale, the sale counts of %s',
    async (appointmentOf) => {
      const owner = await carrier(
        config({ states: [{ ...state, appointmentOf }] }),
        appointment('2026-01-01'),
      );
      await given(owner, sold('P-1', '2026-05-10'));
      expect(await answerOf(owner, inOklahoma())).toEqual(['yes']);
      clock.time = new Date('2026-07-02T12:00:00Z');
      await given(owner, ended);
      expect(await salesOf(owner)).toEqual([['2026-05-10', 'NOT_COMPLIANT', 'appointment_late']]);
      expect(await answerOf(owner, inOklahoma())).toEqual(overdue);
      expect(await answerOf(owner, inOklahoma({ date: '2026-05-25' }))).toEqual(['yes']);
    },
  );
});

it('counts a sale that was imported before the config appointed on binding once it is matched again', async () => {
  const overdue = ['no', 'seller appointment_overdue'];
  const owner = await newCarrier(licenseOfAgency, sold('P-1', '2026-01-19'));
  await given(owner, { ...product, validFrom: '2026-01-01' });
  expect(await answerOf(owner, inOklahoma())).toEqual(['yes']);
  await rematch(owner);
  expect(await answerOf(owner, inOklahoma())).toEqual(overdue);
  const items = await everyItem(dynamo, tables.registryRecords);
  await rematch(owner);
  expect(await everyItem(dynamo, tables.registryRecords)).toEqual(items);
});

it('is gone with the sale when that is deleted, whatever was known before; receipts hold', async () => {
  const first = { uniqueTransactionId: 'first' };
  const owner = await carrier(sold('P-1', '2026-01-19', first));
  const overdue = ['no', 'seller appointment_overdue'];
  expect(await answerOf(owner, inOklahoma())).toEqual(overdue);
  const { receiptId } = await answersOf(owner, [inOklahoma()], { receipt: true });
  const knownAt = clock.time.toISOString();
  clock.time = new Date('2026-07-02T12:00:00Z');
  await given(owner, sold('P-1', '2026-01-19', { ...first, isDeleted: true }));
  expect(await answerOf(owner, inOklahoma())).toEqual(['yes']);
  expect(await answerOf(owner, inOklahoma(), { knownAt })).toEqual(['yes']);
  expect(await salesOf(owner)).toEqual([]);
  const receipt = await ask(owner, routes.getSaleReceipt, { params: { receiptId: receiptId ?? '' } });
  expect(receipt.data).toMatchObject({
    reproduced: true,
    sources: {
      parties: [
        { sales: [{ stateCode: 'OK', soldOn: '2026-01-19', linesOfAuthority: [], carrierNaicCode: null }] },
        { sales: expect.any(Array) },
      ],
    },
  });
  clock.time = new Date('2026-07-03T12:00:00Z');
  await given(owner, sold('P-1', '2026-01-19', first));
  expect(await answerOf(owner, inOklahoma())).toEqual(overdue);
});

it('is recorded once of somebody who is the agency, too, and of several sales of one day', async () => {
  const npn = producerNpn;
  const owner = await carrier({ ...association(), downstreamEntity: { legalName: 'Delgado', npn } });
  await given(
    owner,
    config({
      states: [{ stateCode: 'OK', linesOfAuthority: [], appointment: 'on binding', appointWithinDays: 15 }],
    }),
    sold('P-1', '2026-06-20'),
    sold('P-1', '2026-06-20', { policyTransactionType: 'Renewal' }),
  );
  expect((await salesOf(owner)).map(([soldOn]) => soldOn)).toEqual(['2026-06-20', '2026-06-20']);
});
