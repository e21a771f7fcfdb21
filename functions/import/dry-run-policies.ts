import { createCarrierCatalog } from '../../shared/domain/carriers/catalog.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createClassKindsOf } from '../../shared/domain/compliance/class-kinds.ts';
import { momentOf } from '../../shared/domain/compliance/moment.ts';
import { createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { agencyOfSort } from '../../shared/domain/policies/keys.ts';
import { readerOfPages } from '../../shared/domain/policy-compliance/book.ts';
import {
  createPoliciesByAgency,
  type MatchedPolicy,
  matchedPolicy,
} from '../../shared/domain/policy-compliance/policies.ts';
import type { BookRow } from '../../shared/domain/policy-compliance/resource.ts';
import { rowsOf } from '../../shared/domain/policy-compliance/rows.ts';
import { datedPolicy } from '../../shared/domain/policy-compliance/statuses.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { readList } from '../../shared/platform/data/left-out.ts';
import { isDeepStrictEqual } from '../../shared/platform/data/node-util.ts';
import type { PlannedChange } from '../../shared/platform/data/planned-writes.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';
import type { uses } from './uses.ts';

/**
 * The compliance status of a policy: now, at its effective date, and at its latest sale; null where it is not known, or there is
 * none.
 */
type Statuses = readonly BookRow['complianceStatus'][];

/** Policies of which an answer would be another one. */
export interface PlannedPolicies {
  readonly byChange: readonly {
    readonly before: Statuses;
    readonly after: Statuses;
    readonly count: number;
  }[];
  /** The first of them. */
  readonly shown: readonly {
    readonly policyNumber: string;
    readonly before: Statuses;
    readonly after: Statuses;
  }[];
  /** Stored items that cannot be read, each in a sentence: nothing is said of the policies that they decide. */
  readonly unreadable: readonly string[];
}

/** Whose policies may be answered otherwise: everybody's, or those of some agencies and agents. */
export type Concerned =
  | 'everybody'
  | {
      readonly agentIds: ReadonlySet<string>;
      readonly associationIds: ReadonlySet<string>;
      readonly npns: ReadonlySet<string>;
    };

/** Answers of which it is shown whose they are. */
export const mostShown = 1_000;

const policiesAtOnce = 500;

type ImportTables = Tables<keyof (typeof uses)['tables']>;

const statusesOf = (row: BookRow): Statuses => [
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
export function createPlannedPolicies(tables: ImportTables, now: () => Date) {
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
    const shown: PlannedPolicies['shown'][number][] = [];
    const unreadable = new Set<string>();
    await readList(
      ({ message }) => void unreadable.add(message),
      async () => {
        const [before, after] = await Promise.all([
          readerOf(tables, owner, at),
          readerOf(planned, owner, at),
        ]);
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
      },
    );
    return { byChange: [...byChange.values()], shown, unreadable: [...unreadable] };
  };
}
