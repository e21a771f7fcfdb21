import { saleChecksFunction } from '../../functions/sale-checks/function.ts';
import { saleCheckRoutes } from '../../functions/sale-checks/routes.ts';
import { agentKeys, agentPartitions } from '../../shared/domain/agents/stored.ts';
import { associationKeys } from '../../shared/domain/associations/stored.ts';
import { tables as designs } from '../../shared/domain/tables.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { derivedObjectId } from '../../shared/platform/data/keys.ts';
import { writesOf } from '../../shared/platform/data/table.ts';
import { organizationKeys } from '../../shared/platform/data/table-design.ts';
import { producerOf } from '../support/agency-records.ts';
import { apiEvent, carrier, lambdaContext } from '../support/api-event.ts';
import { newConfigItems } from '../support/config-items.ts';
import { testContext } from '../support/context.ts';
import { recordedItems } from '../support/holders.ts';
import { sampleAppointment, sampleLicense } from '../support/sample-records.ts';
import { agencyCopy } from '../support/scopes.ts';
import { createTables, dynamo } from '../support/tables.ts';
import { atLeast, atMost, median, type Row } from './report.ts';

const [sellers, agencies, products] = [100, 20, 3] as const;
const rounds = 30;
/** As many as the function queries at the same time. */
const atOnce = 16;
const mostTime = 1.3;
/** Quotes of one run, and how many are asked for at the same time. */
const [quotes, quotesAtOnce] = [1_000, 20] as const;
const [leastRate, mostSpread] = [0.7, 3] as const;

const { organizationId: owner } = carrier;
const sellerNpn = (index: number): string => String(20_000_000 + index);
const agencyNpn = (index: number): string => String(10_000_000 + index);
const agencyOf = (seller: number): number => seller % agencies;
const associationId = (index: number) => derivedObjectId('association', String(index));
const productId = (index: number) => derivedObjectId('product', String(index));

/** Two licenses and an appointment. */
function recordsOf(npn: string) {
  const licenses = (['TX', 'OK'] as const).map((stateCode) =>
    sampleLicense({ npn, stateCode, nextRenewalDate: '2028-03-31' }),
  );
  return recordedItems(owner, { licenses, appointments: [sampleAppointment({ npn })] });
}

function associationItems(index: number): Record<string, unknown>[] {
  const _id = associationId(index);
  const at = '2026-03-01T14:05:09.123Z';
  const producerCode = `P-${index}`;
  return [
    { ...associationKeys.producerCode(owner, producerCode), associationId: _id },
    {
      ...associationKeys.association(owner, _id),
      _id,
      upstreamEntityId: owner,
      downstreamEntityId: derivedObjectId('entity', String(index)),
      externalId: null,
      producerCode,
      branchName: null,
      parentDownstreamEntityAssociationId: null,
      status: 'active',
      agency: { ...agencyCopy, npn: agencyNpn(index), legalName: `Agency ${index}` },
      isDeleted: false,
      version: 1,
      createdAt: at,
      updatedAt: at,
    },
  ];
}

function agentItems(index: number, agency: number): Record<string, unknown>[] {
  const _id = derivedObjectId('agent', String(index));
  const npn = sellerNpn(index);
  const downstreamEntityAssociationIds = [associationId(agency)];
  return [
    { ...agentKeys.atAssociation(owner, associationId(agency), _id), npn },
    {
      ...agentKeys.agent(owner, _id),
      npnKey: agentPartitions.ofNpn(owner, npn),
      ...producerOf({ _id, npn, downstreamEntityAssociationIds }),
    },
  ];
}

const configItems = (index: number) =>
  newConfigItems(owner, {
    productId: productId(index),
    productName: `Product ${index}`,
    productCode: `CODE-${index}`,
    states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
    validFrom: '2020-01-01',
    recordedAt: '2025-01-01T12:00:00.000Z',
    isSilent: false,
  });

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
async function besideBare(work: () => Promise<void>, groups: readonly (readonly Call[])[], turns: number) {
  const times: { work: number; bare: number }[] = [];
  // Warm: what is compiled in the first turns is not what a check costs.
  for (let turn = 0; turn < turns; turn += 1) await work();
  for (let turn = 0; turn < turns; turn += 1) {
    times.push({ work: await milliseconds(work), bare: await milliseconds(() => sendAgain(groups)) });
  }
  return { taken: median(times.map((one) => one.work)), bare: median(times.map((one) => one.bare)) };
}

/** How long it takes beside the same calls bare. */
const timeRow = (what: string, { taken, bare }: Awaited<ReturnType<typeof besideBare>>): Row => ({
  what,
  measured: `${taken.toFixed(1)} ms`,
  comparedWith: `${bare.toFixed(1)} ms, the same calls bare, in the same order`,
  ratio: taken / bare,
  budget: `at most ${mostTime}`,
  isWithin: taken / bare <= mostTime,
});

/** What sale checks cost beside the database calls that they make, which are sent again bare. */
export async function measure(): Promise<Row[]> {
  const { agents, associations, carriers, compliance, idempotency, organizations, rateCounters } = designs;
  const { registryRecords, saleReceipts } = designs;
  const tables = await createTables({
    agents,
    associations,
    carriers,
    compliance,
    idempotency,
    organizations,
    rateCounters,
    registryRecords,
    saleReceipts,
  });
  const identity = { name: 'Beacon Specialty', naicCodes: [], eins: [] };
  const organization = { ...organizationKeys.organization(owner), ...identity };
  await writesOf(dynamo, tables.organizations).putAll([organization]);
  await writesOf(dynamo, tables.agents).putAll([
    ...every(sellers, (index) => agentItems(index, agencyOf(index))),
  ]);
  await writesOf(dynamo, tables.associations).putAll(every(agencies, associationItems));
  await writesOf(dynamo, tables.compliance).putAll(every<Record<string, unknown>>(products, configItems));
  const holders = [
    ...every(sellers, (index) => [sellerNpn(index)]),
    ...every(agencies, (index) => [agencyNpn(index)]),
  ];
  await writesOf(dynamo, tables.registryRecords).putAll(holders.flatMap(recordsOf));

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
    rows.push(
      {
        what: `database calls of ${asked} sale checks, and with a receipt`,
        measured: `${calls}, ${withOne}`,
        budget: `at most ${most}: 4, a batch for each hundred heads, one for each agent and association; one more`,
        isWithin: calls <= most && withOne <= calls + 1,
      },
      timeRow(`${asked} sale checks`, await besideBare(() => ask(asked), groups, rounds)),
    );
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
      leastRate,
      rate / bareRate,
      `sale checks by GET, ${quotesAtOnce} at once`,
      `${rate.toFixed(0)} a second`,
      `${bareRate.toFixed(0)} a second, their reads bare`,
    ),
    atMost(
      mostSpread,
      at(0.95) / at(0.5),
      'p95 of these',
      `${at(0.95).toFixed(1)} ms`,
      `${at(0.5).toFixed(1)} ms, the p50`,
    ),
  ];
}
