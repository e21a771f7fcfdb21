import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
import { evidenceKey } from '../../shared/domain/associations/match-evidence.ts';
import { associationKeys } from '../../shared/domain/associations/stored.ts';
import { createCarrierCatalog } from '../../shared/domain/carriers/catalog.ts';
import { createClassKindsOf } from '../../shared/domain/compliance/class-kinds.ts';
import { createCarrierIdentityOf, createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import {
  agencyOfSort,
  agencySort,
  policyKeys,
  policyPartitions,
  saleSort,
} from '../../shared/domain/policies/keys.ts';
import { rowsOfBook } from '../../shared/domain/policy-compliance/book.ts';
import { createRecordedHolders } from '../../shared/domain/registry-records/store.ts';
import {
  newSubscription,
  registryKeys,
  subscriptionItem,
} from '../../shared/domain/registry-records/stored.ts';
import { recordKeys } from '../../shared/domain/registry-records/stored-records.ts';
import { policiesTable, registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { tables as designs, tablesOf } from '../../shared/domain/tables.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { toItem, withoutLogger } from '../../shared/platform/data/dynamo.ts';
import { derivedObjectId } from '../../shared/platform/data/keys.ts';
import { queryOf, queryPages } from '../../shared/platform/data/query-pages.ts';
import { writesOf } from '../../shared/platform/data/table.ts';
import { producerOf } from '../support/agency-records.ts';
import { newConfigItems } from '../support/config-items.ts';
import { recordedItems } from '../support/holders.ts';
import { sampleAppointment, sampleLicense } from '../support/sample-records.ts';
import { agencyCopy } from '../support/scopes.ts';
import { startEnvironment } from '../support/start-environment.ts';
import { accessKeyId, createTables, dynamo, dynamoSettings } from '../support/tables.ts';
import { atLeast, atMost, count, flat, type Row } from './report.ts';
import { samplePolicy } from './sample-policies.ts';

/** Policies of three carriers, a hundred of each agency, which has twenty agents. */
const [few, small, large] = [1_000, 10_000, 100_000] as const;
const agenciesOf = (policies: number): number => policies / 100;
const agentsOf = (policies: number): number => agenciesOf(policies) * 20;
const states = ['TX', 'OK'] as const;
const atOnce = 16;

type List = 'policies' | 'compliance' | 'sales' | 'licenses';
/** Each list, by what stands once in each of its rows, and how many these are. */
const lists: Readonly<
  Record<List, { readonly mark: string; readonly rowsOf: (policies: number) => number }>
> = {
  policies: { mark: '"policyNumber":', rowsOf: (policies) => policies },
  compliance: { mark: '"policyNumber":', rowsOf: (policies) => policies },
  sales: { mark: '"policyNumber":', rowsOf: (policies) => policies },
  licenses: { mark: '"licenseNumber":', rowsOf: (policies) => agentsOf(policies) * states.length },
};

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);
const ownerOf = (policies: number): string => derivedObjectId('organization', String(policies));
const productId = derivedObjectId('product');
const agencyNpn = (agency: number): string => String(10_000_000 + agency);
const agentNpn = (agent: number): string => String(20_000_000 + agent);
const associationOf = (owner: string, agency: number) =>
  derivedObjectId(owner, 'association', String(agency));
const agentOf = (owner: string, agent: number) => derivedObjectId(owner, 'agent', String(agent));

/** A policy, in turn of each agency, so that neighbors by number are strangers, and of each of its agents, who sold it once. */
function itemsOfPolicy(owner: string, policies: number, index: number) {
  const agency = index % agenciesOf(policies);
  const agent = agency * 20 + (Math.floor(index / agenciesOf(policies)) % 20);
  const { _id: policyId, policyNumber, ...policy } = samplePolicy(index);
  const transactionId = derivedObjectId(owner, 'transaction', String(index));
  const sort = agencySort({ associationId: associationOf(owner, agency) }, policyNumber);
  const sellers = { agentIds: [agentOf(owner, agent)], isUnknown: false };
  const sale = {
    soldOn: `2026-0${1 + (index % 6)}-15`,
    riskStateCode: 'TX',
    entityMatchStatus: 'auto matched',
    agencySort: agencySort(agencyOfSort(sort)),
    sellers,
    productId,
  };
  return [
    {
      ...policyKeys.policy(owner, policyId),
      ...policy,
      _id: policyId,
      policyNumber,
      riskStateCode: 'TX',
      entityMatchStatus: 'auto matched',
      productId,
      sellers,
      sale,
      listKey: policyPartitions.all(owner),
      agencySort: sort,
      isDeleted: false,
      version: policy.transactionCount,
      newestTransactionId: transactionId,
    },
    {
      ...policyKeys.transaction(owner, policyId, transactionId),
      policyId,
      policyNumber,
      policyTransactionType: 'New',
      premiumAmountInUSD: policy.premiumAmountInUSD,
      sale,
      saleKey: policyPartitions.sales(owner),
      saleSort: saleSort(sale, transactionId),
    },
  ];
}

function associationItem(owner: string, agency: number) {
  const _id = associationOf(owner, agency);
  const at = '2026-03-01T14:05:09.123Z';
  return {
    ...associationKeys.association(owner, _id),
    _id,
    upstreamEntityId: owner,
    downstreamEntityId: derivedObjectId(owner, 'entity', String(agency)),
    externalId: null,
    producerCode: null,
    branchName: null,
    parentDownstreamEntityAssociationId: null,
    status: 'active',
    agency: { ...agencyCopy, npn: agencyNpn(agency) },
    isDeleted: false,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
}

function itemsOfAgent(owner: string, agent: number) {
  const [_id, npn] = [agentOf(owner, agent), agentNpn(agent)];
  const downstreamEntityAssociationIds = [associationOf(owner, Math.floor(agent / 20))];
  return [
    { ...agentKeys.agent(owner, _id), ...producerOf({ _id, npn, downstreamEntityAssociationIds }) },
    { ...agentKeys.npn(owner, npn), agentId: _id },
  ];
}

/** What is read of a holder: its own item, and its heads. */
const keysOfHolder = (owner: string, npn: string) => [
  recordKeys.holder(owner, npn),
  ...states.map((stateCode) => recordKeys.head(owner, npn, stateCode)),
];

/** Two licenses and an appointment. */
function itemsOfHolder(owner: string, npn: string) {
  const licenses = states.map((stateCode) =>
    sampleLicense({ npn, stateCode, nextRenewalDate: '2028-03-31' }),
  );
  const items = recordedItems(owner, { licenses, appointments: [sampleAppointment({ npn })] });
  const read = new Set<unknown>(keysOfHolder(owner, npn).map(({ sk }) => sk));
  return items.filter(({ sk }) => read.has(sk));
}

/** Of the tables' indexes those that are read: the others would only take time to fill. */
const filledTables = () => {
  const { agents, associations, carriers, compliance, organizations, policies, registryRecords } = designs;
  const { 'by-number': byNumber, 'by-agency': byAgency, 'by-sale': bySale } = policies.indexes;
  return createTables({
    agents: { ...agents, indexes: {} },
    associations: { ...associations, indexes: {} },
    carriers,
    compliance: { ...compliance, indexes: {} },
    organizations: { ...organizations, indexes: {} },
    policies: {
      ...policies,
      indexes: { 'by-number': byNumber, 'by-agency': byAgency, 'by-sale': bySale },
    },
    registryRecords: { ...registryRecords, indexes: {} },
  });
};
type Names = Awaited<ReturnType<typeof filledTables>>;

async function fill(names: Names, policies: number): Promise<void> {
  const owner = ownerOf(policies);
  const put = (table: string, length: number, itemsOf: (index: number) => object[]) =>
    concurrently(chunks(numbers(length), { count: 100 }), 4, (some) =>
      writesOf(dynamo, table).putAll(some.flatMap(itemsOf) as Record<string, unknown>[]),
    );
  const dataOwner = { dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' } as const;
  const subscriptionOf = (npn: string) =>
    subscriptionItem(owner, newSubscription(dataOwner, npn, 'agent'), new Date());
  const [agencies, agents] = [agenciesOf(policies), agentsOf(policies)];
  await put(names.policies, policies, (index) => itemsOfPolicy(owner, policies, index));
  await put(names.associations, agencies, (index) => [associationItem(owner, index)]);
  await put(names.agents, agents, (index) => itemsOfAgent(owner, index));
  await put(names.registryRecords, agencies, (index) => itemsOfHolder(owner, agencyNpn(index)));
  await put(names.registryRecords, agents, (index) => [
    subscriptionOf(agentNpn(index)),
    ...itemsOfHolder(owner, agentNpn(index)),
  ]);
  const version = {
    productId,
    productName: 'GL',
    states: [{ stateCode: 'TX' as const, linesOfAuthority: ['16'], appointment: 'required' as const }],
    validFrom: '2020-01-01',
    recordedAt: '2025-01-01T12:00:00.000Z',
    isSilent: false,
  };
  await writesOf(dynamo, names.compliance).putAll([...newConfigItems(owner, version)]);
}

/** The pages and the items that a list is made of. */
function readsOf(names: Names, list: List, policies: number) {
  const owner = ownerOf(policies);
  const [agencies, agents] = [numbers(agenciesOf(policies)), numbers(agentsOf(policies))];
  const ofAgents = agents.map((agent) => agentKeys.agent(owner, agentOf(owner, agent)));
  const headsOfAgents = agents.flatMap((agent) => keysOfHolder(owner, agentNpn(agent)));
  const { pk } = registryKeys.subscription(owner, '');
  if (list === 'licenses')
    return {
      pages: queryOf(registryRecordsTable, names.registryRecords, pk, { limit: batchGetKeys }),
      keys: {
        [names.agents]: [...ofAgents, ...agents.map((agent) => agentKeys.npn(owner, agentNpn(agent)))],
        [names.associations]: agents.map((agent) => evidenceKey(owner, 'NPN', agentNpn(agent))),
        [names.registryRecords]: headsOfAgents,
      },
    };
  const index = list === 'sales' ? 'by-sale' : 'by-agency';
  const partition = list === 'sales' ? policyPartitions.sales(owner) : policyPartitions.all(owner);
  return {
    pages: queryOf(policiesTable, names.policies, partition, { index, limit: 500 }),
    keys: {
      [names.agents]: ofAgents,
      [names.associations]: agencies.map((agency) =>
        associationKeys.association(owner, associationOf(owner, agency)),
      ),
      [names.registryRecords]: [
        ...agencies.flatMap((agency) => keysOfHolder(owner, agencyNpn(agency))),
        ...headsOfAgents,
      ],
    },
  };
}

/** The seconds that bare reads of the same take, so many at once. */
async function readBare({ pages, keys }: ReturnType<typeof readsOf>): Promise<number> {
  // As the function, this client signs each request.
  const { signer: _signer, ...settings } = dynamoSettings();
  const client = new DynamoDBClient(settings);
  withoutLogger(client);
  const started = performance.now();
  const readPages = async () => {
    for await (const page of queryPages(client, pages)) if (page.length === 0) return;
  };
  const batches = Object.entries(keys).flatMap(([table, all]) =>
    [...chunks<object>(all, { count: batchGetKeys })].map((some) => ({
      [table]: { Keys: some.map((key) => toItem({ ...key })) },
    })),
  );
  const readBatches = concurrently(batches, atOnce - 1, async (RequestItems) => {
    await client.send(new BatchGetItemCommand({ RequestItems }));
  });
  await Promise.all([readPages(), readBatches]);
  client.destroy();
  return (performance.now() - started) / 1_000;
}

/** Batch reads of holders that the compliance of all policies takes, for each hundred of their items. */
async function readsOfHolders(names: Names, policies: number): Promise<number> {
  let reads = 0;
  dynamo.middlewareStack.add(
    (next) => (args) => {
      const { RequestItems = {} } = args.input as { readonly RequestItems?: object };
      if (names.registryRecords in RequestItems) reads += 1;
      return next(args);
    },
    { step: 'initialize', name: 'reads' },
  );
  const tables = tablesOf(dynamo, names);
  const sources = {
    tables,
    complianceConfigs: createComplianceConfigs(tables.compliance),
    carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
    carriers: createCarrierCatalog(tables.carriers, () => new Date()),
    classKindsOf: createClassKindsOf(tables.compliance),
    recordedHolders: createRecordedHolders(tables.registryRecords),
  };
  let rows = 0;
  for await (const page of rowsOfBook(sources, ownerOf(policies), {}, new Date())) rows += page.length;
  dynamo.middlewareStack.remove('reads');
  if (rows !== policies) throw new Error(`${rows} of ${policies} rows were read.`);
  const holders = agenciesOf(policies) + agentsOf(policies);
  return reads / ((holders * (1 + states.length)) / batchGetKeys);
}

async function request(port: number, path: string): Promise<IncomingMessage> {
  const asked = get({ port, path, agent: false, headers: { 'accept-encoding': 'gzip' } });
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  if (answer?.statusCode !== 200) throw new Error(`The answer is ${answer?.statusCode}.`);
  return answer;
}

/** Reads a list as a client would and makes sure that it is whole. */
async function read(port: number, list: List, policies: number) {
  const { mark, rowsOf } = lists[list];
  const started = performance.now();
  const answer = await request(port, `/${ownerOf(policies)}`);
  let firstByteMs = Number.NaN;
  let found = 0;
  let rest = '';
  const arrived = async function* (bytes: AsyncIterable<Buffer>) {
    for await (const some of bytes) {
      if (Number.isNaN(firstByteMs)) firstByteMs = performance.now() - started;
      yield some;
    }
  };
  await pipeline(answer, arrived, createGunzip(), async (bytes: AsyncIterable<Buffer>) => {
    for await (const some of bytes) {
      const seen = rest + some.toString('latin1');
      found += seen.split(mark).length - 1;
      rest = seen.slice(-(mark.length - 1));
    }
  });
  if (found !== rowsOf(policies) || !rest.endsWith('"}')) throw new Error(`${found} rows arrived.`);
  return { firstByteMs, seconds: (performance.now() - started) / 1_000 };
}

const memory = z.object({ resident: z.number(), held: z.number() });

/** A list read in a process of its own (`lists-server.ts`), warmed up by a short one: seconds, milliseconds until the first byte, and MiB. */
async function readAlone(names: Names, list: List, policies: number) {
  const variables = Object.entries(names).map(([name, table]) => [
    `${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}_TABLE`,
    table,
  ]);
  const server = fork(resolve('dist/bench/lists-server.mjs'), [list], {
    env: {
      ...process.env,
      ...startEnvironment(list === 'policies' ? 'policies' : 'compliance', 'dist/functions'),
      AWS_ENDPOINT_URL_DYNAMODB: process.env['TEST_DYNAMODB_ENDPOINT'],
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: 'bench',
      ...Object.fromEntries(variables),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`The server of the list ended with code ${code}.`);
  });
  const work = async () => {
    const [message] = await once(server, 'message');
    const { port } = z.parse(z.object({ port: z.int() }), message);
    await read(port, list, small);
    const reading = await read(port, list, policies);
    return { ...reading, ...z.parse(memory, JSON.parse(await text(await request(port, '/memory')))) };
  };
  try {
    return await Promise.race([work(), ended]);
  } finally {
    if (server.connected) server.disconnect();
  }
}

/** Lists of three lengths: compared with bare reads, by the first byte, and in memory. */
export async function measure(): Promise<Row[]> {
  const names = await filledTables();
  for (const policies of [few, small, large]) await fill(names, policies);
  const rows: Row[] = [];
  for (const list of ['policies', 'compliance', 'sales', 'licenses'] as const) {
    const ofFew = await readAlone(names, list, few);
    const ofSmall = await readAlone(names, list, small);
    const ofLarge = await readAlone(names, list, large);
    const what = `${list} of ${count(large)} policies, ${count(agenciesOf(large))} agencies, and ${count(agentsOf(large))} agents`;
    const isPlain = list === 'policies';
    if (!isPlain) {
      const bare = await readBare(readsOf(names, list, large));
      const [taken, compared] = [`${ofLarge.seconds.toFixed(1)} s`, `bare reads: ${bare.toFixed(1)} s`];
      rows.push(atLeast(0.6, bare / ofLarge.seconds, what, taken, compared));
    }
    const [begins, compared] = [ofLarge.firstByteMs, ofFew.firstByteMs];
    const [ofLong, ofShort] = [ofLarge, ofSmall].map(({ resident, held }) => (isPlain ? resident : held));
    rows.push(
      atMost(
        2,
        begins / compared,
        `${what}: first byte`,
        `${begins.toFixed(0)} ms`,
        `of a hundredth: ${compared.toFixed(0)} ms`,
      ),
      flat(`${what}: memory`, ofLong ?? Number.NaN, ofShort ?? Number.NaN, 'of a tenth'),
    );
  }
  const reads = await readsOfHolders(names, small);
  return [
    ...rows,
    atMost(1.1, reads, 'batch reads for each hundred of what is held of holders', reads.toFixed(2)),
  ];
}
