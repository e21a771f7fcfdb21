import { createSaleChecksFunction } from '../../functions/sale-checks/function.ts';
import { saleCheckRoutes } from '../../functions/sale-checks/routes.ts';
import { agentKeys, agentPartitions } from '../../shared/domain/agents/stored.ts';
import { associationKeys } from '../../shared/domain/associations/stored.ts';
import { factKeys } from '../../shared/domain/registry-records/stored-facts.ts';
import { tables as designs } from '../../shared/domain/tables.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { derivedObjectId } from '../../shared/platform/data/object-id.ts';
import { writesOf } from '../../shared/platform/data/table-writes.ts';
import { organizationKeys } from '../../shared/platform/identity/organization-keys.ts';
import { producerOf } from '../support/agency-records.ts';
import { apiEvent, carrier, lambdaContext } from '../support/api-event.ts';
import { newConfigItems } from '../support/config-items.ts';
import { testContext } from '../support/context.ts';
import { recordedItems } from '../support/holders.ts';
import { sampleAppointment, sampleLicense } from '../support/sample-records.ts';
import { createTables, dynamo } from '../support/tables.ts';
import { median, type Row } from './report.ts';

const [sellers, agencies, products] = [100, 20, 3] as const;
const rounds = 30;
/** As many as the function queries at the same time. */
const atOnce = 16;
const mostTime = 1.3;

const { organizationId: owner } = carrier;
const sellerNpn = (index: number): string => String(20_000_000 + index);
const agencyNpn = (index: number): string => String(10_000_000 + index);
const agencyOf = (seller: number): number => seller % agencies;
const associationId = (index: number) => derivedObjectId('association', String(index));
const productId = (index: number) => derivedObjectId('product', String(index));

/** Two licenses and an appointment. */
function factsOf(npn: string) {
  const licenses = (['TX', 'OK'] as const).map((stateCode) =>
    sampleLicense({ npn, stateCode, nextRenewalDate: '2028-03-31' }),
  );
  const items = recordedItems(owner, { licenses, appointments: [sampleAppointment({ npn })] });
  return items.filter(({ sk }) => String(sk).startsWith(factKeys.ofNpn(owner, npn).skPrefix));
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
      agency: { npn: agencyNpn(index), legalName: `Agency ${index}`, ein: null, isDeleted: false },
      isDeleted: false,
      version: 1,
      createdAt: at,
      updatedAt: at,
    },
  ];
}

function agentItem(index: number): Record<string, unknown> {
  const _id = derivedObjectId('agent', String(index));
  const npn = sellerNpn(index);
  const downstreamEntityAssociationIds = [associationId(agencyOf(index))];
  return {
    ...agentKeys.agent(owner, _id),
    npnKey: agentPartitions.ofNpn(owner, npn),
    ...producerOf({ _id, npn, downstreamEntityAssociationIds }),
  };
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

/** What sale checks cost beside the database calls that they make, which are sent again bare. */
export async function measureSaleChecks(): Promise<Row[]> {
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
  const organization = { ...organizationKeys.organization(owner), name: 'Beacon Specialty' };
  await writesOf(dynamo, tables.organizations).putAll([organization]);
  await writesOf(dynamo, tables.agents).putAll(every(sellers, (index) => [agentItem(index)]));
  await writesOf(dynamo, tables.associations).putAll(every(agencies, associationItems));
  await writesOf(dynamo, tables.compliance).putAll(every<Record<string, unknown>>(products, configItems));
  const holders = [
    ...every(sellers, (index) => [sellerNpn(index)]),
    ...every(agencies, (index) => [agencyNpn(index)]),
  ];
  await writesOf(dynamo, tables.registryRecords).putAll(holders.flatMap(factsOf));

  // Each request is one of another minute, so that none is refused for its rate.
  let minute = 0;
  const answer = createSaleChecksFunction({
    clients: {
      dynamo,
      receiptKeys: { sign: async () => 'not signed here', publicKeys: async () => [] },
    },
    tables,
    context: testContext({ now: () => new Date(Date.UTC(2026, 6, 1, 12, minute)) }),
  });
  const ask = async (asked: number): Promise<void> => {
    minute += 1;
    const checks = every(asked, (index) => [
      {
        seller: { npn: sellerNpn(index) },
        agency: { producerCode: `P-${agencyOf(index)}` },
        product: { productCode: `CODE-${index % products}` },
        stateCode: 'TX',
      },
    ]);
    const body = { checks };
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
    const bare = async () => {
      for (const calls of groups) await concurrently(calls, atOnce, async (call) => void (await call()));
    };
    const times: { asked: number; bare: number }[] = [];
    for (let round = 0; round < rounds; round += 1)
      times.push({ asked: await milliseconds(() => ask(asked)), bare: await milliseconds(bare) });
    const [taken, without] = [median(times.map((one) => one.asked)), median(times.map((one) => one.bare))];
    // The write that counts the request apart.
    const reads = groups.flat().length - 1;
    const most = 3 + 2 * (asked + Math.min(asked, agencies));
    rows.push(
      {
        what: `database calls of ${asked} sale checks`,
        measured: String(reads),
        budget: `at most ${most}`,
        isWithin: reads <= most,
      },
      {
        what: `${asked} sale checks`,
        measured: `${taken.toFixed(1)} ms`,
        comparedWith: `${without.toFixed(1)} ms, the same calls bare, in the same order`,
        ratio: taken / without,
        budget: `at most ${mostTime}`,
        isWithin: taken / without <= mostTime,
      },
    );
  }
  return rows;
}
