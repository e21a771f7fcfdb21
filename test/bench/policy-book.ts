import { BatchGetItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
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
import { rowsOfSales } from '../../shared/domain/policy-compliance/sales.ts';
import { createRecordedHolders } from '../../shared/domain/registry-records/store.ts';
import { recordKeys } from '../../shared/domain/registry-records/stored-records.ts';
import { policiesTable } from '../../shared/domain/table-designs.ts';
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
import { createTables, dynamo, dynamoSettings } from '../support/tables.ts';
import { memoryOf, ownerOf, read, withServer } from './policies-list.ts';
import { atLeast, atMost, count, flat, type Row } from './report.ts';
import { samplePolicy } from './sample-policies.ts';

const [few, small, large] = [1_000, 10_000, 100_000] as const;
/** A thousand agencies of the long list, with twenty agents each. */
const [policiesOfAgency, agentsOfAgency] = [100, 20] as const;
const atOnce = 16;
const lowestRate = 0.6;
const mostReads = 1.5;
const latestFirstByte = 2;

const productId = derivedObjectId('product');
const agencyNpn = (agency: number): string => String(10_000_000 + agency);
export const agentNpn = (agent: number): string => String(20_000_000 + agent);
const associationOf = (owner: string, agency: number) =>
  derivedObjectId(owner, 'association', String(agency));
export const agentOf = (owner: string, agent: number) => derivedObjectId(owner, 'agent', String(agent));

type Names = Readonly<
  Record<
    'agents' | 'associations' | 'carriers' | 'compliance' | 'organizations' | 'policies' | 'registryRecords',
    string
  >
>;

const agenciesOf = (policies: number): number => policies / policiesOfAgency;
const agentsOf = (policies: number): number => agenciesOf(policies) * agentsOfAgency;

/** Policies in turn of each agency, so that neighbors by number are strangers, and of each of its agents. */
function policyItem(owner: string, policies: number, index: number) {
  const agency = index % agenciesOf(policies);
  const agent = agency * agentsOfAgency + (Math.floor(index / agenciesOf(policies)) % agentsOfAgency);
  const policy = samplePolicy(index);
  return {
    ...policyKeys.policy(owner, policy._id),
    ...policy,
    riskStateCode: 'TX',
    entityMatchStatus: 'auto matched',
    productId,
    sellers: { agentIds: [agentOf(owner, agent)], isUnknown: false },
    listKey: policyPartitions.all(owner),
    agencySort: agencySort({ associationId: associationOf(owner, agency) }, policy.policyNumber),
  };
}

/** Each policy was sold once, by the agent who services it. */
function saleItem(owner: string, policies: number, index: number) {
  const {
    _id: policyId,
    policyNumber,
    premiumAmountInUSD,
    sellers,
    ...policy
  } = policyItem(owner, policies, index);
  const transactionId = derivedObjectId(owner, 'transaction', String(index));
  const sale = {
    soldOn: `2026-0${1 + (index % 6)}-15`,
    riskStateCode: policy.riskStateCode,
    entityMatchStatus: policy.entityMatchStatus,
    agencySort: agencySort(agencyOfSort(policy.agencySort)),
    sellers,
    productId,
  };
  return {
    ...policyKeys.transaction(owner, policyId, transactionId),
    policyId,
    policyNumber,
    policyTransactionType: 'New',
    premiumAmountInUSD,
    sale,
    saleKey: policyPartitions.sales(owner),
    saleSort: saleSort(sale, transactionId),
  };
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

export function agentItem(owner: string, agent: number) {
  const _id = agentOf(owner, agent);
  const downstreamEntityAssociationIds = [associationOf(owner, Math.floor(agent / agentsOfAgency))];
  return {
    ...agentKeys.agent(owner, _id),
    ...producerOf({ _id, npn: agentNpn(agent), downstreamEntityAssociationIds }),
  };
}

const states = ['TX', 'OK'] as const;

/** What is read of a holder: its own item, and its heads. */
export const keysOfHolder = (owner: string, npn: string) => [
  recordKeys.holder(owner, npn),
  ...states.map((stateCode) => recordKeys.head(owner, npn, stateCode)),
];

/** Two licenses and an appointment. */
export function itemsOfHolder(owner: string, npn: string) {
  const licenses = states.map((stateCode) =>
    sampleLicense({ npn, stateCode, nextRenewalDate: '2028-03-31' }),
  );
  const items = recordedItems(owner, { licenses, appointments: [sampleAppointment({ npn })] });
  const read = new Set<unknown>(keysOfHolder(owner, npn).map(({ sk }) => sk));
  return items.filter(({ sk }) => read.has(sk));
}

async function fill(names: Names, owner: string, policies: number): Promise<void> {
  const put = async (table: string, length: number, itemsOf: (index: number) => object[]) => {
    const starts = Array.from({ length: Math.ceil(length / 100) }, (_, index) => index * 100);
    await concurrently(starts, 4, async (first) => {
      const indexes = Array.from({ length: Math.min(100, length - first) }, (_, offset) => first + offset);
      await writesOf(dynamo, table).putAll(indexes.flatMap(itemsOf) as Record<string, unknown>[]);
    });
  };
  const [agencies, agents] = [agenciesOf(policies), agentsOf(policies)];
  await put(names.policies, policies, (index) => {
    const sold = saleItem(owner, policies, index);
    return [{ ...policyItem(owner, policies, index), sale: sold.sale }, sold];
  });
  await put(names.associations, agencies, (index) => [associationItem(owner, index)]);
  await put(names.agents, agents, (index) => [agentItem(owner, index)]);
  await put(names.registryRecords, agencies, (index) => itemsOfHolder(owner, agencyNpn(index)));
  await put(names.registryRecords, agents, (index) => itemsOfHolder(owner, agentNpn(index)));
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

/**
 * A client that signs each request, as the function does whose list is measured: the tests' client sends one signature with all of
 * them, which DynamoDB would refuse.
 */
export function signingClient(): DynamoDBClient {
  const { signer: _signer, ...settings } = dynamoSettings();
  const client = new DynamoDBClient(settings);
  withoutLogger(client);
  return client;
}

/** The seconds that bare reads take for the same pages and holders, so many at once. */
async function readBare(
  names: Names,
  owner: string,
  policies: number,
  index: 'by-agency' | 'by-sale',
): Promise<number> {
  const client = signingClient();
  const started = performance.now();
  const { registryRecords, associations, agents } = names;
  const pages = queryOf(policiesTable, names.policies, policyPartitions.all(owner), {
    index,
    limit: 500,
  });
  const list = async () => {
    for await (const page of queryPages(client, pages)) if (page.length === 0) return;
  };
  const numbers = (length: number) => Array.from({ length }, (_, index) => index);
  const [ofAgencies, ofAgents] = [numbers(agenciesOf(policies)), numbers(agentsOf(policies))];
  const batches = [
    ...chunks(ofAgencies, { count: batchGetKeys }).map((some) => ({
      [associations]: some.map((agency) => associationKeys.association(owner, associationOf(owner, agency))),
    })),
    ...chunks(ofAgents, { count: batchGetKeys }).map((some) => ({
      [agents]: some.map((agent) => agentKeys.agent(owner, agentOf(owner, agent))),
    })),
    ...chunks(
      [...ofAgencies.map(agencyNpn), ...ofAgents.map(agentNpn)].flatMap((npn) => keysOfHolder(owner, npn)),
      { count: batchGetKeys },
    ).map((some) => ({ [registryRecords]: some })),
  ];
  const calls = [
    ...batches.map((batch) => async () => {
      const RequestItems = Object.fromEntries(
        Object.entries(batch).map(([table, keys]) => [table, { Keys: keys.map(toItem) }]),
      );
      await client.send(new BatchGetItemCommand({ RequestItems }));
    }),
  ];
  await Promise.all([list(), concurrently(calls, atOnce - 1, (call) => call())]);
  return (performance.now() - started) / 1_000;
}

/** Items by key that the list reads for each one that there is, by table. */
async function readsOfEach(
  names: Names,
  owner: string,
  policies: number,
  rowsOf: typeof rowsOfBook | typeof rowsOfSales,
): Promise<Map<string, number>> {
  const reads = new Map<string, number>();
  const add = (table: string, more: number) => reads.set(table, (reads.get(table) ?? 0) + more);
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const input = args.input as {
          readonly TableName?: string;
          readonly RequestItems?: Readonly<Record<string, { readonly Keys?: readonly unknown[] }>>;
        };
        if (commandName === 'QueryCommand') add(input.TableName ?? '', 1);
        for (const [table, { Keys = [] }] of Object.entries(input.RequestItems ?? {}))
          add(table, Keys.length);
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
  for await (const page of rowsOf(sources, owner, {}, new Date())) rows += page.length;
  dynamo.middlewareStack.remove('reads');
  if (rows !== policies) throw new Error(`${rows} of ${policies} rows were read.`);
  const [agencies, agents] = [agenciesOf(policies), agentsOf(policies)];
  return new Map([
    ['associations', (reads.get(names.associations) ?? 0) / agencies],
    ['agents', (reads.get(names.agents) ?? 0) / agents],
    ['records', (reads.get(names.registryRecords) ?? 0) / ((agencies + agents) * (1 + states.length))],
  ]);
}

/** The list read in a process of its own: seconds, milliseconds until the first byte, and its memory. */
const readAlone = (names: Names, policies: number, list: 'compliance' | 'sales') =>
  withServer(list, names, async (port) => {
    await read(port, small, 'gzip');
    const { firstByteMs, totalMs } = await read(port, policies, 'gzip');
    return { seconds: totalMs / 1_000, firstByteMs, memory: await memoryOf(port) };
  });

/** The compliance of all policies of a carrier, and of all sales: compared with bare reads, in reads, and in memory. */
export async function measure(): Promise<Row[]> {
  const { agents, associations, carriers, compliance, organizations, policies, registryRecords } = designs;
  // Indexes that nothing here reads would only take time to fill.
  const names = await createTables({
    agents: { ...agents, indexes: {} },
    associations: { ...associations, indexes: {} },
    carriers,
    compliance: { ...compliance, indexes: {} },
    organizations: { ...organizations, indexes: {} },
    policies: {
      ...policies,
      indexes: { 'by-agency': policies.indexes['by-agency'], 'by-sale': policies.indexes['by-sale'] },
    },
    registryRecords: { ...registryRecords, indexes: {} },
  });
  for (const size of [few, small, large]) await fill(names, ownerOf(size), size);
  return [
    ...(await rowsOfList(names, 'compliance', 'by-agency', rowsOfBook)),
    ...(await rowsOfList(names, 'sales', 'by-sale', rowsOfSales)),
  ];
}

async function rowsOfList(
  names: Names,
  list: 'compliance' | 'sales',
  index: 'by-agency' | 'by-sale',
  rowsOf: typeof rowsOfBook | typeof rowsOfSales,
): Promise<Row[]> {
  const what = list === 'sales' ? 'sales' : 'policies';
  const ofFew = await readAlone(names, few, list);
  const ofSmall = await readAlone(names, small, list);
  const ofLarge = await readAlone(names, large, list);
  const bare = await readBare(names, ownerOf(large), large, index);
  const reads = await readsOfEach(names, ownerOf(small), small, rowsOf);
  const [rate, most] = [bare / ofLarge.seconds, Math.max(...reads.values())];
  const begins = ofLarge.firstByteMs / ofFew.firstByteMs;
  return [
    atLeast(
      lowestRate,
      rate,
      `compliance of ${count(large)} ${what} of ${count(agenciesOf(large))} agencies and ${count(agentsOf(large))} agents`,
      `${ofLarge.seconds.toFixed(1)} s`,
      `bare reads, ${atOnce} at once: ${bare.toFixed(1)} s`,
    ),
    atMost(
      latestFirstByte,
      begins,
      `first byte of ${count(large)} ${what}`,
      `${ofLarge.firstByteMs.toFixed(0)} ms`,
      `of ${count(few)}: ${ofFew.firstByteMs.toFixed(0)} ms`,
    ),
    atMost(
      mostReads,
      most,
      `reads of an association, an agent, and a head, for ${what}`,
      Array.from(reads.values(), (one) => one.toFixed(2)).join(', '),
    ),
    flat(
      `memory held at most with ${count(large)} ${what}, gzipped`,
      ofLarge.memory.held,
      ofSmall.memory.held,
      `with ${count(small)}`,
    ),
  ];
}
