import { saleChecksFunction } from '../../functions/sale-checks/function.ts';
import { saleCheckRoutes } from '../../functions/sale-checks/routes.ts';
import { tables as designs } from '../../shared/domain/tables.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { derivedObjectId } from '../../shared/platform/data/keys.ts';
import { writesOf } from '../../shared/platform/data/table.ts';
import { organizationKeys } from '../../shared/platform/data/table-design.ts';
import { apiEvent, carrier, lambdaContext } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { agent, license } from '../support/import-lines.ts';
import { recordsInto } from '../support/imports.ts';
import { createTables, dynamo } from '../support/tables.ts';
import { atLeast, atMost, median, type Row } from './report.ts';

const [sellers, agencies, products] = [100, 20, 3] as const;
const rounds = 30;
/** As many as the function queries at the same time. */
const atOnce = 16;
/** Quotes of one run, and how many are asked for at the same time. */
const [quotes, quotesAtOnce] = [1_000, 20] as const;

const line = { code: '16', name: 'Property', status: 'active', issueDate: '2020-01-01' };
const inForce = {
  licenseClassName: 'Insurance Producer',
  residencyStatus: 'resident',
  status: 'active',
  issueDate: '2020-01-01',
  nextRenewalDate: '2028-03-31',
};
const appointed = { lineOfAuthorityCode: '16', statusChangeDate: '2021-01-01' };

const { organizationId: owner } = carrier;
const sellerNpn = (index: number): string => String(20_000_000 + index);
const agencyNpn = (index: number): string => String(10_000_000 + index);
const agencyOf = (seller: number): number => seller % agencies;
const associationId = (index: number) => derivedObjectId('association', String(index));
const productId = (index: number) => derivedObjectId('product', String(index));

/** Who sells what: each seller has two licenses and an appointment, and works for one of the agencies. */
const records = (): object[] => {
  const recordsOf = (npn: string) => [
    ...['TX', 'OK'].map((stateCode) => license({ npn, stateCode, ...inForce, linesOfAuthority: [line] })),
    {
      type: 'appointment',
      npn,
      stateCode: 'TX',
      carrierName: 'Beacon Specialty',
      status: 'active',
      ...appointed,
    },
  ];
  return [
    ...every(products, (index) => [
      {
        type: 'compliance-config',
        productId: productId(index),
        productName: `Product ${index}`,
        productCode: `CODE-${index}`,
        states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
        validFrom: '2020-01-01',
      },
    ]),
    ...every(agencies, (index) => [
      {
        type: 'association',
        _id: associationId(index),
        producerCode: `P-${index}`,
        downstreamEntity: { legalName: `Agency ${index}`, npn: agencyNpn(index) },
      },
      ...recordsOf(agencyNpn(index)),
    ]),
    ...every(sellers, (index) => [
      agent({ npn: sellerNpn(index), downstreamEntityAssociationIds: [associationId(agencyOf(index))] }),
      ...recordsOf(sellerNpn(index)),
    ]),
  ];
};

const every = <Item>(length: number, itemsOf: (index: number) => readonly Item[]): Item[] =>
  Array.from({ length }, (_, index) => itemsOf(index)).flat();

type Call = () => Promise<unknown>;

/** The database calls of some work as functions that send them again: those that waited for others in another group than these. */
async function recorded(work: () => Promise<unknown>): Promise<Call[][]> {
  const groups: Call[][] = [];
  let underWay = 0;
  const send = dynamo.send.bind(dynamo) as (command: unknown) => Promise<unknown>;
  const recording = async (command: unknown): Promise<unknown> => {
    if (underWay === 0) groups.push([]);
    groups.at(-1)?.push(() => send(command));
    underWay += 1;
    try {
      return await send(command);
    } finally {
      underWay -= 1;
    }
  };
  Object.assign(dynamo, { send: recording });
  try {
    await work();
  } finally {
    Object.assign(dynamo, { send });
  }
  return groups;
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The calls that were recorded, sent again bare, in the same order. */
const sendAgain = async (groups: readonly (readonly Call[])[]): Promise<void> => {
  for (const calls of groups) await concurrently(calls, atOnce, async (call) => void (await call()));
};

/** Some work beside its database calls, measured in turns. */
async function besideBare(work: () => Promise<void>, groups: readonly (readonly Call[])[]) {
  const times: { work: number; bare: number }[] = [];
  // Warm: what is compiled in the first turns is not what a check costs.
  for (let turn = 0; turn < rounds; turn += 1) await work();
  for (let turn = 0; turn < rounds; turn += 1) {
    times.push({ work: await milliseconds(work), bare: await milliseconds(() => sendAgain(groups)) });
  }
  return { taken: median(times.map((one) => one.work)), bare: median(times.map((one) => one.bare)) };
}

/** What sale checks cost beside the database calls that they make, which are sent again bare. */
export async function measure(): Promise<Row[]> {
  const tables = await createTables(designs);
  const identity = { name: 'Beacon Specialty', naicCodes: [], eins: [] };
  const organization = { ...organizationKeys.organization(owner), ...identity };
  await writesOf(dynamo, tables.organizations).putAll([organization]);
  const { rejected } = await recordsInto(tables)(owner, records());
  if (rejected.length > 0) throw new Error(JSON.stringify(rejected));

  // Each request is one of another minute, so that none is refused for its rate.
  let minute = 0;
  const answer = saleChecksFunction.compose({
    dynamo,
    receiptKeys: { sign: async () => 'not signed here', publicKeys: async () => [] },
    tables,
    context: testContext({ now: () => new Date(Date.UTC(2026, 6, 1, 12, minute)) }),
  });
  const ask = async (asked: number, receipt = false): Promise<void> => {
    minute += 1;
    const checks = every(asked, (index) => [
      {
        seller: { npn: sellerNpn(index) },
        agency: { producerCode: `P-${agencyOf(index)}` },
        product: { productCode: `CODE-${index % products}` },
        stateCode: 'TX',
      },
    ]);
    const body = { checks, receipt };
    const { status, body: text } = await answer(
      apiEvent(saleCheckRoutes.routes.checkSales, { body, identity: carrier }),
      lambdaContext,
    );
    const answers = String(text).split('"answer":"yes"').length - 1;
    if (status !== 200 || answers !== asked)
      throw new Error(`${status}, ${answers} of ${asked}: ${String(text).slice(0, 300)}`);
  };

  const rows: Row[] = [];
  for (const asked of [1, sellers]) {
    const groups = await recorded(() => ask(asked));
    const withReceipt = await recorded(() => ask(asked, true));
    // The write that counts the request apart.
    const [calls, withOne] = [groups.flat().length - 1, withReceipt.flat().length - 1];
    const parties = asked + Math.min(asked, agencies);
    const most = 4 + Math.ceil(parties / batchGetKeys) + parties;
    rows.push({
      what: `database calls of ${asked} sale checks, and with a receipt`,
      measured: `${calls}, ${withOne}`,
      budget: `at most ${most}: 4, a batch for each hundred heads, one for each agent and association; one more`,
      isWithin: calls <= most && withOne <= calls + 1,
    });
    const { taken, bare } = await besideBare(() => ask(asked), groups);
    const comparedWith = `${bare.toFixed(1)} ms, the same calls bare, in the same order`;
    rows.push(atMost(1.3, taken / bare, `${asked} sale checks`, `${taken.toFixed(1)} ms`, comparedWith));
  }
  const quote = async (index: number): Promise<void> => {
    const seller = index % sellers;
    const query = {
      npn: sellerNpn(seller),
      producerCode: `P-${agencyOf(seller)}`,
      productCode: `CODE-${index % products}`,
      stateCode: 'TX',
    };
    const event = apiEvent(saleCheckRoutes.routes.getSaleCheck, { query, identity: carrier });
    const { body } = await answer(event, lambdaContext);
    if (!String(body).includes('"answer":"yes"')) throw new Error(String(body));
  };
  rows.push(...(await quoteRows(quote)));
  return rows;
}

/** Quotes, several at once: their rate beside that of their database calls alone, and how evenly they are answered. */
async function quoteRows(quote: (index: number) => Promise<void>): Promise<Row[]> {
  const groupsOf: Call[][][] = [];
  for (let index = 0; index < sellers; index += 1) groupsOf.push(await recorded(() => quote(index)));
  const indexes = Array.from({ length: quotes }, (_, index) => index);
  const latencies: number[] = [];
  const asked = () =>
    concurrently(indexes, quotesAtOnce, async (index) => {
      latencies.push(await milliseconds(() => quote(index)));
    });
  const bare = () =>
    concurrently(indexes, quotesAtOnce, (index) => sendAgain(groupsOf[index % sellers] ?? []));
  const times: { asked: number; bare: number }[] = [];
  await asked();
  for (let turn = 0; turn < 5; turn += 1)
    times.push({ asked: await milliseconds(asked), bare: await milliseconds(bare) });
  const [rate, bareRate] = [
    (quotes * 1_000) / median(times.map((one) => one.asked)),
    (quotes * 1_000) / median(times.map((one) => one.bare)),
  ];
  const sorted = latencies.slice(quotes).sort((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return [
    atLeast(
      0.7,
      rate / bareRate,
      `sale checks by GET, ${quotesAtOnce} at once`,
      `${rate.toFixed(0)} a second`,
      `${bareRate.toFixed(0)} a second, their reads bare`,
    ),
    atMost(
      3,
      at(0.95) / at(0.5),
      'p95 of these',
      `${at(0.95).toFixed(1)} ms`,
      `${at(0.5).toFixed(1)} ms, the p50`,
    ),
  ];
}
