// The dry run of an import: what its writes would change.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { agentKeys, agentOfNpn } from '../../shared/domain/agents/stored.ts';
import { associationKeysOfNpn } from '../../shared/domain/associations/stored.ts';
import {
  createNpnPages,
  createRecordedConfigs,
  differences,
  firstNpns,
  reported,
  statusesAt,
} from '../../shared/domain/baselines/baseline.ts';
import { createCarrierCatalog } from '../../shared/domain/carriers/catalog.ts';
import { createClassKindsOf } from '../../shared/domain/compliance/class-kinds.ts';
import { momentOf } from '../../shared/domain/compliance/moment.ts';
import {
  configHeads,
  createCarrierIdentityOf,
  createComplianceConfigs,
} from '../../shared/domain/compliance/store.ts';
import type { Party } from '../../shared/domain/decision/decide.ts';
import { agencyOfSort } from '../../shared/domain/policies/keys.ts';
import { readerOfPages, rowsOf } from '../../shared/domain/policy-compliance/book.ts';
import type { BookRow } from '../../shared/domain/policy-compliance/resource.ts';
import {
  createPoliciesByAgency,
  datedPolicy,
  type MatchedPolicy,
  matchedPolicy,
} from '../../shared/domain/policy-compliance/statuses.ts';
import { statusKindOf } from '../../shared/domain/registry/words.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/store.ts';
import { npnOfPartition, ownerOfPartition } from '../../shared/domain/registry-records/stored.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { collect, mapConcurrently } from '../../shared/platform/data/concurrently.ts';
import { isDeepStrictEqual } from '../../shared/platform/data/json.ts';
import { type PlannedChange, PlannedWrites } from '../../shared/platform/data/planned-writes.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import type { RecordType } from './record-schemas.ts';
import type { uses } from './uses.ts';

type ImportTables = Tables<keyof (typeof uses)['tables']>;

/** The compliance status, the license status, and the appointment status. */
const statuses = z.array(z.string());

/**
 * The compliance status of a policy: now, at its effective date, and at its latest sale; null where it is not known, or there is
 * none.
 */
const statusesOfPolicy = z.array(z.nullable(z.string()));
const ofPolicy = { before: statusesOfPolicy, after: statusesOfPolicy };

/** What an import would change. */
export const dryRun = z.object({
  /** How many records of a kind would be created, changed otherwise, and ended. */
  records: z.array(
    z.object({
      kind: z.string(),
      created: z.number(),
      changed: z.number(),
      /** Licenses and appointments that were in force and would not be, and records that would be deleted. */
      ended: z.number(),
    }),
  ),
  /** Compliance statuses that would be other ones. */
  answers: z.array(
    z.object({
      npn: z.string(),
      party: z.string(),
      productId: z.string(),
      stateCode: z.string(),
      before: statuses,
      after: statuses,
    }),
  ),
  /** Policies of which an answer would be another one, of each carrier whose policies may be answered otherwise. */
  policies: z.array(
    z.object({
      byChange: z.array(z.object({ ...ofPolicy, count: z.number() })),
      /** The first of them. */
      shown: z.array(z.object({ policyNumber: z.string(), ...ofPolicy })),
      /** Stored items that cannot be read, each in a sentence: nothing is said of the policies that they decide. */
      unreadable: z.array(z.string()),
    }),
  ),
});

export type DryRun = z.output<typeof dryRun>;

type PlannedPolicies = DryRun['policies'][number];

/** Runs an import whose writes are planned, and says what they change. */
export function createDryRun(dynamo: DynamoDBClient, tables: ImportTables, now: () => Date) {
  const among = changesIn(tables);
  const policiesOf = createPlannedPolicies(tables, now);
  const designs = new Map(Object.values(tables).map(({ name, design }) => [name, design]));

  /** What a carrier's agents and agencies with an NPN are answered, by these tables. */
  async function answersBy(of: ImportTables, owner: string, at: string) {
    const [carrier, classKinds, heads] = await Promise.all([
      createCarrierIdentityOf(of.organizations)(owner),
      createClassKindsOf(of.compliance)(owner),
      configHeads(of.compliance, owner),
    ]);
    const [recordedFacts, recordedConfigs] = [
      createRecordedFacts(of.registryRecords),
      createRecordedConfigs(of.compliance),
    ];
    return async (npn: string) => {
      const facts = await recordedFacts.factsOf(owner, npn);
      const configs = await recordedConfigs(owner, heads, { facts, classKinds }, [at], at);
      const recorded = { facts, configs, classKinds, carrier, carriersBefore: [] };
      return (party: Party) => reported(statusesAt(party, recorded, at));
    };
  }

  /** The agent and the associations of a carrier that have an NPN already. */
  async function heldBy(owner: string, npn: string) {
    const [agents, keys] = await Promise.all([
      tables.agents.getAll(agentOfNpn, [agentKeys.npn(owner, npn)]),
      collect(associationKeysOfNpn(tables.associations, owner, npn)),
    ]);
    return { agentIds: agents.map(({ agentId }) => agentId), associationIds: keys.map(({ sk }) => sk) };
  }

  async function* everybody(owner: string): AsyncGenerator<readonly string[]> {
    const pageOf = createNpnPages(tables);
    for (let from = firstNpns; ; ) {
      const { npns, next } = await pageOf(owner, from);
      yield npns;
      if (next === 'done') return;
      from = next;
    }
  }

  /** The NPNs of a carrier whose answers may change: those of which something is recorded, or all. */
  async function* concernedNpns(owner: string, changes: readonly PlannedChange[]) {
    if (among(changes, decisive.requirements).length > 0) yield* everybody(owner);
    else
      yield among(changes, decisive.facts)
        .map((one) => npnOfPartition(partitionOf(one)))
        .sort();
  }

  /** What would be answered otherwise of a carrier's producers, agencies, and policies. */
  async function answersOf(planned: ImportTables, owner: string, changes: readonly PlannedChange[]) {
    // What is recorded in this moment counts.
    const at = new Date(now().getTime() + 1_000);
    const [before, after] = await Promise.all([
      answersBy(tables, owner, at.toISOString()),
      answersBy(planned, owner, at.toISOString()),
    ]);
    const idsOf = (kind: ItemsKey) =>
      new Set(among(changes, kind).map((change) => String(itemOf(change)['sk'])));
    const [agentIds, associationIds] = [idsOf(decisive.agents), idsOf(decisive.associations)];
    const [seen, npns] = [new Set<string>(), new Set<string>()];
    const answers: DryRun['answers'] = [];
    for await (const some of concernedNpns(owner, changes)) {
      const ofSome = await mapConcurrently(some, concurrency, async (npn) => {
        if (seen.has(npn)) return [];
        seen.add(npn);
        const held = await heldBy(owner, npn);
        // Policies may name their agency by its NPN alone.
        if (held.associationIds.length > 0) npns.add(npn);
        for (const id of held.agentIds) agentIds.add(id);
        for (const id of held.associationIds) associationIds.add(id);
        const parties = [
          ...(held.agentIds.length === 0 ? [] : ['agent' as const]),
          ...(held.associationIds.length === 0 ? [] : ['agency' as const]),
        ];
        if (parties.length === 0) return [];
        const [was, is] = await Promise.all([before(npn), after(npn)]);
        return parties.flatMap((party) =>
          differences(was(party), is(party)).map(({ productId, stateCode, was: from, is: to }) => ({
            npn,
            party,
            productId,
            stateCode,
            before: from.split('/'),
            after: to.split('/'),
          })),
        );
      });
      answers.push(...ofSome.flat());
    }
    const isEverybody = among(changes, decisive.requirements).length > 0;
    const concerned = isEverybody ? 'everybody' : { npns, agentIds, associationIds };
    const changed = among(changes, decisive.policies);
    return { answers, policies: await policiesOf(planned, owner, concerned, changed, at) };
  }

  return async <Outcome>(
    run: (of: ImportTables) => Promise<Outcome>,
  ): Promise<{ outcome: Outcome; dryRun: DryRun }> => {
    const plan = new PlannedWrites(dynamo, designs);
    const planned = Object.fromEntries(
      Object.entries(tables).map(([key, { design, name }]) => [key, tableOf(design, plan.client, name)]),
    ) as unknown as ImportTables;
    const outcome = await run(planned);
    const changes = await plan.changes();
    const deciding = Object.values(decisive).flatMap((kind) => among(changes, kind));
    const byOwner = Map.groupBy(deciding, (change) => ownerOfPartition(partitionOf(change)));
    const ofOwners = await Promise.all(
      Array.from(byOwner, ([owner, some]) => answersOf(planned, owner, some)),
    );
    return {
      outcome,
      dryRun: {
        records: recordsOf(changes, among),
        answers: ofOwners.flatMap(({ answers }) => answers),
        policies: ofOwners.map(({ policies }) => policies),
      },
    };
  };
}

/** The policies that may be answered otherwise: all of them, or those of some agencies and agents. */
type Concerned =
  | 'everybody'
  | {
      readonly agentIds: ReadonlySet<string>;
      readonly associationIds: ReadonlySet<string>;
      readonly npns: ReadonlySet<string>;
    };

/** The most changed answers that a dry run shows one by one. */
export const mostShown = 1_000;

const policiesAtOnce = 500;

const statusesOf = (row: BookRow) => [
  row.complianceStatus,
  row.atEffectiveDate?.complianceStatus ?? null,
  row.atSale?.complianceStatus ?? null,
];

function isOf(policy: MatchedPolicy, concerned: Concerned): boolean {
  if (concerned === 'everybody') return true;
  return datedPolicy(policy).some(({ sold }) => {
    const agency = agencyOfSort(sold.agencySort);
    return (
      ('associationId' in agency && concerned.associationIds.has(agency.associationId)) ||
      ('npn' in agency && concerned.npns.has(agency.npn)) ||
      sold.sellers?.agentIds.some((id) => concerned.agentIds.has(id)) === true
    );
  });
}

/** Policies that stay, as they are and as they are planned, by id. */
function changedPolicies(changes: readonly PlannedChange[]) {
  const read = (item: PlannedChange['after']): MatchedPolicy[] =>
    item === undefined || item['isDeleted'] === true ? [] : [parseStored(matchedPolicy, item)];
  return new Map(
    changes.flatMap(({ before, after }) => {
      const [[was], [is]] = [read(before), read(after)];
      return was === undefined || is === undefined ? [] : [[was._id, { was, is }] as const];
    }),
  );
}

/**
 * Tells which of a carrier's policies would be answered otherwise: page by page, of which no more than numbers and the first ones
 * stay.
 */
function createPlannedPolicies(tables: ImportTables, now: () => Date) {
  async function* pagesOf(
    owner: string,
    concerned: Concerned,
    changed: ReturnType<typeof changedPolicies>,
  ): AsyncGenerator<MatchedPolicy[]> {
    if (concerned !== 'everybody' && Object.values(concerned).every(({ size }) => size === 0)) {
      yield* chunks(
        Array.from(changed.values(), ({ was }) => was),
        { count: policiesAtOnce },
      );
      return;
    }
    for await (const page of createPoliciesByAgency(tables.policies).all(owner, {}))
      yield page.filter((one) => changed.has(one._id) || isOf(one, concerned));
  }

  const readerOf = (of: ImportTables, owner: string, at: Date) =>
    readerOfPages<MatchedPolicy>(
      {
        tables: of,
        complianceConfigs: createComplianceConfigs(of.compliance),
        carriers: createCarrierCatalog(of.carriers, now),
        carrierIdentityOf: createCarrierIdentityOf(of.organizations),
        recordedFacts: createRecordedFacts(of.registryRecords),
        classKindsOf: createClassKindsOf(of.compliance),
      },
      { owner, moment: momentOf({}, at), now: at, isWanted: () => true, soldOf: datedPolicy },
    );

  /** @param changes those of the carrier's policies. @param at the time that is known then. */
  return async (
    planned: ImportTables,
    owner: string,
    concerned: Concerned,
    changes: readonly PlannedChange[],
    at: Date,
  ): Promise<PlannedPolicies> => {
    const changed = changedPolicies(changes);
    const byChange = new Map<string, PlannedPolicies['byChange'][number]>();
    const shown: PlannedPolicies['shown'] = [];
    const unreadable = new Set<string>();
    await (async () => {
      const [before, after] = await Promise.all([readerOf(tables, owner, at), readerOf(planned, owner, at)]);
      for await (const page of pagesOf(owner, concerned, changed)) {
        if (page.length === 0) continue;
        const [was, is] = await Promise.all([
          before(page),
          after(page.map((one) => changed.get(one._id)?.is ?? one)),
        ]);
        const rows = new Map(rowsOf(is).map((row) => [row.policyId, statusesOf(row)]));
        for (const row of rowsOf(was)) {
          const change = { before: statusesOf(row), after: rows.get(row.policyId) ?? [] };
          if (!rows.has(row.policyId) || isDeepStrictEqual(change.before, change.after)) continue;
          const key = JSON.stringify(change);
          byChange.set(key, { ...change, count: 1 + (byChange.get(key)?.count ?? 0) });
          if (shown.length < mostShown) shown.push({ policyNumber: row.policyNumber, ...change });
        }
      }
    })();
    return { byChange: [...byChange.values()], shown, unreadable: [...unreadable] };
  };
}

type ItemsKey = readonly [table: keyof ImportTables, key: RegExp, member?: string];

/** How the items of records are recognized: by their table, their key, and a member. Other items follow from them. */
const itemsOfRecords: Readonly<Record<RecordType, ItemsKey>> = {
  carrier: ['carriers', /^CARRIER /],
  'downstream-entity': ['downstreamEntities', /^ENTITY#/],
  association: ['associations', /#ASSOCIATION /],
  // Where the carrier is on the platform, the association is the record.
  market: ['associations', /^\w+#MARKET /, 'isDeleted'],
  'contract-container-template': ['associations', /#TEMPLATE /],
  contact: ['contacts', /^CONTACT#\w+ CONTACT$/],
  agent: ['agents', /#AGENT /],
  'class-kind': ['compliance', /#CLASS-KINDS /],
  license: ['registryRecords', / LICENSE#/],
  appointment: ['registryRecords', / APPOINTMENT#/],
  'regulatory-action': ['registryRecords', / ACTION#/],
  'compliance-config': ['compliance', /#CONFIG /],
  policy: ['policies', /#POLICY /],
  'policy-transaction': ['policies', /^\w+#TRANSACTION#/],
  filing: ['filings', / FILING$/],
  'corporate-registration': ['licensing', /#REGISTRATION /],
};

/** The items that decide answers. */
const decisive = {
  agents: itemsOfRecords.agent,
  associations: itemsOfRecords.association,
  facts: ['registryRecords', / FACT#/],
  policies: itemsOfRecords.policy,
  requirements: ['compliance', / /],
} as const satisfies Readonly<Record<string, ItemsKey>>;

type Item = NonNullable<PlannedChange['after']>;

const itemOf = ({ before, after }: PlannedChange): Item => after ?? before ?? {};

const partitionOf = (change: PlannedChange): string => String(itemOf(change)['pk']);

/** Whether a record is in force, or stands at all. */
function isLive(kind: RecordType, item: Item): boolean {
  if (item['isDeleted'] === true) return false;
  if (kind !== 'license' && kind !== 'appointment') return true;
  const { status, terminationReason: reason } = item;
  const statusKind = statusKindOf(String(status), kind, typeof reason === 'string' ? reason : null);
  return statusKind === 'live';
}

const written = ({ updatedAt: _, recordHash: _hash, changedAt: _at, version: _version, ...item }: Item) =>
  item;

/** The changes of some items. */
const changesIn =
  (tables: ImportTables) =>
  (changes: readonly PlannedChange[], [table, key, member]: ItemsKey): PlannedChange[] =>
    changes.filter((change) => {
      const item = itemOf(change);
      const isNamed = key.test(`${partitionOf(change)} ${String(item['sk'] ?? '')}`);
      return change.table === tables[table].name && isNamed && (member === undefined || member in item);
    });

function recordsOf(
  changes: readonly PlannedChange[],
  among: ReturnType<typeof changesIn>,
): DryRun['records'] {
  return Object.entries(itemsOfRecords).flatMap(([name, items]) => {
    const kind = name as RecordType;
    const counts = { created: 0, changed: 0, ended: 0 };
    for (const { before, after } of among(changes, items)) {
      const [was, is] = [before, after].map((one) => one !== undefined && isLive(kind, one));
      if (was === true && is === false) counts.ended += 1;
      else if (before === undefined) counts.created += 1;
      else if (after !== undefined && !isDeepStrictEqual(written(before), written(after)))
        counts.changed += 1;
    }
    return Object.values(counts).some((count) => count > 0) ? [{ kind, ...counts }] : [];
  });
}

/** NPNs whose compliance is decided at the same time. */
const concurrency = 8;
