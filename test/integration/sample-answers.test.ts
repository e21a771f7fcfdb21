// What the samples show: each of the reasons for which somebody may not sell, or for which it is not known.

import * as z from 'zod/mini';
import { registryAction, registryAppointment, registryLicense } from '#domain/registry/registry.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { registryRecordInput } from '../../functions/admin/simulated-registry.ts';
import { registryRecords } from '../../infra/local/demo/registry.ts';
import { sampleLines } from '../../infra/samples.ts';
import { clock, given, newOwner, tables } from '../support/carrier-records.ts';
import { holdersIn, reportOf } from '../support/holders.ts';
import { answerOf } from '../support/sale-checks-tests.ts';

const decided =
  /^\{"type":"(?:downstream-entity|association|agent|license|appointment|regulatory-action|compliance-config|class-kind)"/;

let owner: string;

beforeAll(async () => {
  owner = await newOwner('upstreamEntity', { naicCodes: ['19437'] });
  const today = newYorkDate(clock.time);
  const [agency, carrier] = [sampleLines('downstream', today), sampleLines('upstream', today)];
  const lines = [...agency.slice(0, 1), ...carrier].filter((line) => decided.test(line));
  await given(owner, ...lines.map((line) => JSON.parse(line) as object));
  // As the first poll of the local run finds it.
  const record = registryRecords(carrier).find(({ npn }) => npn === '8640022')?.record;
  const { licenses, appointments, regulatoryActions } = z.parse(registryRecordInput, record);
  await holdersIn(tables.registryRecords).poll(
    owner,
    '8640022',
    () => new Date(clock.time.getTime() + 60_000),
    reportOf({
      licenses: z.parse(z.array(registryLicense), licenses),
      appointments: z.parse(z.array(registryAppointment), appointments),
      actions: z.parse(z.array(registryAction), regulatoryActions),
    }),
  );
});

/** The answer and its reasons, without warnings. */
async function asked(npn: string, fields: object = {}): Promise<(string | undefined)[]> {
  clock.time = new Date(clock.time.getTime() + 120_000);
  const check = { seller: { npn }, product: { productCode: 'CGL' }, stateCode: 'TX', ...fields };
  return (await answerOf(owner, check)).filter((one) => one?.startsWith('(') !== true);
}

it.each([
  ['8123456', ['yes']],
  ['8530296', ['no', 'seller appointment_missing', 'seller authority_missing']],
  ['8640011', ['no', 'seller license_class_wrong']],
  ['8640022', ['no', 'seller home_state_license_not_active']],
  ['8640033', ['no', 'seller regulatory_action_in_force']],
  ['8640044', ['unknown', 'seller class_unrecognized']],
  ['8640055', ['unknown', 'seller status_unrecognized']],
  ['8640077', ['no', 'seller seller_archived']],
])('the producer %s may sell in Texas: %s', async (npn, answer) => {
  expect(await asked(npn)).toEqual(answer);
});

it('an appointment that ended for cause is none on binding', async () => {
  expect(await asked('8640066', { stateCode: 'OK' })).toEqual(['no', 'seller terminated_for_cause']);
});

it('a further license is asked of the seller or the agency', async () => {
  expect(await asked('8123456', { product: { productCode: 'XSL' } })).toEqual([
    'no',
    'seller further_license_missing',
  ]);
});

it('a state that the product does not list is not configured, unless it says what counts there', async () => {
  const inFlorida = { stateCode: 'FL', agency: { producerCode: 'P-7703' } };
  const ofAgency = ['agency not_associated', 'agency association_not_active'];
  expect(new Set(await asked('8812094', inFlorida))).toEqual(
    new Set(['no', 'product state_not_configured', ...ofAgency]),
  );
  expect(new Set(await asked('8812094', { ...inFlorida, product: { productName: 'Cyber Secure' } }))).toEqual(
    new Set(['no', ...ofAgency]),
  );
});
