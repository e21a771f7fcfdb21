import { saleChecksFunction } from '../../functions/sale-checks/function.ts';
import { saleCheckRoutes } from '../../functions/sale-checks/routes.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { type EventOptions, send } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { dynamo } from '../support/tables.ts';
import { type Call, callsOf, every, inTurns, milliseconds, scaled } from './measuring.ts';
import { atLeast, atMost, quantile, type Row } from './report.ts';
import { carrierLines, importCarrier, sellerNpn } from './sample-carrier.ts';

const [agencies, sellersEach, products] = [20, 5, 3] as const;
const sellers = agencies * sellersEach;
/** Quotes of one run, and how many are asked for at the same time. */
const [quotes, quotesAtOnce] = [scaled(1_000), 20] as const;

/** Makes calls again, bare: as many at once as the function, and each group after the one before. */
async function sendAgain(calls: readonly Call[]): Promise<void> {
  for (const group of Map.groupBy(calls, (call) => call.group).values())
    await concurrently(group, async ({ again }) => void (await again()));
}

/** The deployed function over a carrier's imported records, with what a seller asks of it. */
async function saleChecks() {
  const { tables, identity } = await importCarrier(carrierLines({ agencies, sellersEach, products }));
  // Each request is one of another minute, so that none is refused for its rate.
  let minute = 0;
  const pipeline = saleChecksFunction.compose({
    dynamo,
    receiptKeys: { sign: async () => 'not signed here', publicKeys: async () => [] },
    tables,
    context: testContext({ now: () => new Date(Date.UTC(2026, 6, 1, 12, minute)) }),
  });
  const { checkSales, getSaleCheck } = saleCheckRoutes.routes;
  const ask = async (route: typeof checkSales | typeof getSaleCheck, asked: number, given: EventOptions) => {
    minute += 1;
    const { text } = await send(pipeline, route, { ...given, identity });
    const answers = text.split('"answer":"yes"').length - 1;
    if (answers !== asked) throw new Error(`${answers} of ${asked}: ${text.slice(0, 300)}`);
  };
  const sale = (seller: number) => ({
    npn: sellerNpn(seller),
    producerCode: `P-${Math.floor(seller / sellersEach)}`,
    productCode: `CODE-${seller % products}`,
  });
  const checkOf = (seller: number) => {
    const { npn, producerCode, productCode } = sale(seller);
    return { seller: { npn }, agency: { producerCode }, product: { productCode }, stateCode: 'TX' };
  };
  return {
    check: (asked: number, receipt = false) =>
      ask(checkSales, asked, { body: { checks: every(asked, checkOf), receipt } }),
    quote: (seller: number) => ask(getSaleCheck, 1, { query: { ...sale(seller), stateCode: 'TX' } }),
  };
}

/** What sale checks cost beside the database calls that they make, which are made again bare. */
export async function measure(): Promise<Row[]> {
  const { check, quote } = await saleChecks();
  const rows: Row[] = [];
  for (const asked of [1, sellers]) {
    const recorded = await callsOf(() => check(asked));
    const withReceipt = await callsOf(() => check(asked, true));
    // The write that counts the request apart.
    const [calls, withOne] = [recorded.length - 1, withReceipt.length - 1];
    const parties = asked + Math.min(asked, agencies);
    const most = 4 + Math.ceil(parties / batchGetKeys) + parties;
    rows.push({
      what: `database calls of ${asked} sale checks, and with a receipt`,
      measured: `${calls}, ${withOne}`,
      budget: `at most ${most}: 4, a batch for each hundred heads, one for each agent and association; one more`,
      isWithin: calls <= most && withOne <= calls + 1,
    });
    const { own, other } = await inTurns(
      25,
      () => check(asked),
      () => sendAgain(recorded),
    );
    const bare = `${other.toFixed(1)} ms, the same calls bare, in the same order`;
    rows.push(atMost(1.3, own / other, `${asked} sale checks`, `${own.toFixed(1)} ms`, bare));
  }
  const recorded: Call[][] = [];
  for (const seller of every(sellers, Number)) recorded.push(await callsOf(() => quote(seller)));
  const latencies: number[] = [];
  const several = (ask: (seller: number) => Promise<void>) => () =>
    concurrently(every(quotes, Number), (index) => ask(index % sellers), quotesAtOnce);
  const { own, other } = await inTurns(
    5,
    several(async (seller) => void latencies.push(await milliseconds(() => quote(seller)))),
    several((seller) => sendAgain(recorded[seller] ?? [])),
  );
  const [p95, p50] = [quantile(latencies, 0.95), quantile(latencies, 0.5)];
  const [rate, bareRate] = [(quotes * 1_000) / own, (quotes * 1_000) / other];
  return [
    ...rows,
    atLeast(
      0.7,
      rate / bareRate,
      `sale checks by GET, ${quotesAtOnce} at once`,
      `${rate.toFixed(0)} a second`,
      `${bareRate.toFixed(0)} a second, their reads bare`,
    ),
    atMost(3, p95 / p50, 'p95 of these', `${p95.toFixed(1)} ms`, `${p50.toFixed(1)} ms, the p50`),
  ];
}
