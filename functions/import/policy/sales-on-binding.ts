import { createSilentMoves } from '#domain/baselines/baseline.ts';
import { recordsChanged } from '#domain/compliance/inputs-changed.ts';
import { momentOf } from '#domain/compliance/moment.ts';
import { createDecisionSources } from '#domain/compliance/sources.ts';
import type { LineRequirement } from '#domain/decision/compliance-config.ts';
import { type Coverage, emptyState, type StateCoverage } from '#domain/decision/coverage.ts';
import { dayAfter } from '#domain/decision/dates.ts';
import type { SaleDay } from '#domain/decision/records.ts';
import type { StoredSale } from '#domain/policies/stored.ts';
import { readerOfPages } from '#domain/policy-compliance/book.ts';
import { mayBeDue } from '#domain/policy-compliance/sales.ts';
import { answerForSale, datedSale } from '#domain/policy-compliance/statuses.ts';
import { checkDayItem } from '#domain/registry-records/stored.ts';
import { recordKeys, saleItem } from '#domain/registry-records/stored-records.ts';
import type { Tables } from '#domain/tables.ts';
import { lazily } from '#platform/contract/lazily.ts';
import type { TableItems } from '#platform/data/table.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import type { ImportRun } from '../run/import-records.ts';
import type { SoldOnBinding, StoredTransaction } from './stored.ts';

/** A party to a sale where the carrier appoints when it binds. */
interface PartyOnBinding {
  readonly npn: string;
  /** Requirements for its appointments. */
  readonly lines: readonly LineRequirement[];
}

/** Judges sales of an owner by what was known when it was first asked, each holder read once. */
export type PartiesOnBindingOf = (
  sales: readonly StoredSale[],
) => Promise<readonly (readonly PartyOnBinding[])[]>;

type JudgingTable = 'agents' | 'associations' | 'compliance' | 'organizations' | 'registryRecords';

export function createPartiesOnBindingOf(
  tables: Tables<JudgingTable>,
  owner: string,
  now: Date,
): PartiesOnBindingOf {
  const sources = {
    tables,
    ...createDecisionSources(tables),
    // A company that is named by its name alone is looked up when the sale is judged; here it is enough that it may lack one.
    carriers: { codeOfName: async () => () => undefined },
  };
  const question = { owner, moment: momentOf({}, now), now, isWanted: mayBeDue, soldOf: datedSale };
  const reader = lazily(() => readerOfPages<StoredSale>(sources, question));
  return async (sales) => {
    const { entries, context } = await (await reader())(sales);
    const partiesOf = new Map(
      entries.map((entry) => {
        const { agency, sellers } = answerForSale(entry, context);
        const answers = [
          { npn: entry.agency?.holderNpn ?? null, answer: agency },
          ...sellers.map((answer, index) => ({ npn: entry.sellers[index]?.holderNpn ?? null, answer })),
        ];
        const requirements = answers.flatMap(({ npn, answer: { appointmentLines: lines } }) =>
          npn === null || lines === null ? [] : [{ npn, lines }],
        );
        // Somebody may be the agency as well.
        const ofNpns = Map.groupBy(requirements, ({ npn }) => npn);
        return [
          entry.policy,
          Array.from(ofNpns, ([npn, parts]) => ({ npn, lines: parts.flatMap(({ lines }) => lines) })),
        ];
      }),
    );
    return sales.map((sale) => partiesOf.get(sale) ?? []);
  };
}

/** Sales of transactions by an NPN, as they are to be. */
interface SalesChange {
  readonly transactionIds: ReadonlySet<string>;
  readonly sales: readonly SaleDay[];
}

/** Coverage of an NPN once its sales of some transactions are these. */
function withSales(coverage: Coverage, { transactionIds, sales }: SalesChange): Coverage {
  const otherSales = [...coverage.values()].flatMap((state) => state.sales);
  const allSales = [
    ...otherSales.filter(({ transactionId }) => !transactionIds.has(transactionId)),
    ...sales,
  ];
  const states = new Set([...coverage.keys(), ...allSales.map(({ stateCode }) => stateCode)]);
  const get = (stateCode: string): StateCoverage | undefined => {
    const state = coverage.get(stateCode);
    const stateSales = allSales.filter((sale) => sale.stateCode === stateCode);
    return state === undefined && stateSales.length === 0
      ? undefined
      : { ...emptyState, ...state, sales: stateSales };
  };
  return {
    ...coverage,
    get,
    keys: () => states,
    values: () => [...states].flatMap((stateCode) => get(stateCode) ?? []),
  };
}

/** Moves what receivers hold of an NPN with a silent change of its sales; each NPN is read once. */
export type MoveWithSales = ReturnType<typeof createMoveWithSales>;

export function createMoveWithSales(tables: Tables<JudgingTable>, owner: string, now: () => Date) {
  const moves = lazily(() => createSilentMoves(tables, now));
  const { classKindsOf, recordedHolders } = createDecisionSources(tables);
  const { coverageOf, recordsOf } = recordedHolders;
  const coverageByNpn = new Map<string, Promise<Coverage>>();
  return async (npn: string, change: SalesChange): Promise<void> => {
    const read = () => coverageOf(owner, npn, { classKinds: classKindsOf(owner), isConsistent: true });
    const before: Promise<Coverage> = coverageByNpn.get(npn) ?? read();
    const after = before.then((coverage) => withSales(coverage, change));
    coverageByNpn.set(npn, after);
    const coverages = { before: await before, after: await after };
    await moves().ofSales(owner, npn, { ...coverages, recordsOf: () => recordsOf(owner, npn) });
  };
}

interface Recording {
  readonly matching: {
    readonly partiesOnBindingOf: PartiesOnBindingOf;
    readonly moveWithSales: MoveWithSales;
  };
  readonly run: Pick<ImportRun, 'events' | 'isSilent'>;
  readonly time: Date;
}

/** A sale by a party, of which it may be due to be appointed. */
type PartySale = SaleDay & Pick<PartyOnBinding, 'npn'>;

/**
 * Transactions whose sales change, with the parties to which they are recorded, and what is written of those beside them. A sale by
 * who is appointed is one, too: it counts once the appointment turns out to have ended before.
 */
export async function withPartiesOnBinding(
  { registryRecords }: { readonly registryRecords: { readonly items: TableItems } },
  owner: string,
  resolvedTransactions: readonly StoredTransaction[],
  { matching, run, time: at }: Recording,
) {
  const sales = resolvedTransactions.flatMap(({ sale }) => sale ?? []);
  const parties = sales.length === 0 ? [] : await matching.partiesOnBindingOf(sales);
  const partiesOf = new Map(sales.map((sale, index) => [sale, parties[index] ?? []]));
  const changedSales = resolvedTransactions.map((transaction) => {
    const { sale, soldOnBinding: before = [] } = transaction;
    const soldOnBinding = sale && soldOnBindingOf(sale, partiesOf.get(sale) ?? []);
    const now = salesOf(transaction, soldOnBinding ?? []);
    const keyOf = (party: Pick<SoldOnBinding[number], 'npn' | 'stateCode' | 'day'>): string =>
      `${party.npn} ${party.stateCode} ${party.day}`;
    const keys = new Set(now.map(keyOf));
    const goneParties = before.filter((party) => !keys.has(keyOf(party)));
    return {
      transaction: { ...transaction, soldOnBinding },
      puts: now,
      deletions: goneParties.map((party) => ({ ...party, transactionId: transaction._id })),
    };
  });
  const puts = changedSales.flatMap((change) => change.puts);
  const deletions = changedSales.flatMap((change) => change.deletions);
  const npns = [...new Set([...puts, ...deletions].map(({ npn }) => npn))];
  const events = run.events(
    npns.map((npn) => recordsChanged(owner, npn)),
    at,
  );
  // The report of the event finds the day from which an appointment is overdue; without events, the check of the next night does.
  const checks = run.isSilent ? npns.map((npn) => checkDayItem(owner, npn, dayAfter(newYorkDate(at)))) : [];
  const recordedAt = at.toISOString();
  if (run.isSilent) {
    // Ahead of the sales: after a crash, the same import finds that they are moved.
    const transactionIds = new Set(resolvedTransactions.map(({ _id }) => _id));
    for (const npn of npns) {
      await matching.moveWithSales(npn, { transactionIds, sales: puts.filter((sale) => sale.npn === npn) });
    }
  }
  const { items } = registryRecords;
  return {
    resold: changedSales.map(({ transaction }) => transaction),
    items: [
      ...puts.map(({ npn, ...sale }) => items.put(saleItem(owner, npn, { ...sale, recordedAt }))),
      ...[...new Set(puts.map(({ npn }) => npn))].map((npn) =>
        items.update(recordKeys.holder(owner, npn), { isSeller: true }),
      ),
      ...deletions.map(({ npn, ...sale }) => items.delete(recordKeys.sale(owner, npn, sale))),
      ...checks.map((item) => items.put(item)),
      ...events,
    ],
  };
}

/** Sales to be recorded for the parties to a transaction. */
const salesOf = ({ _id: transactionId, sale }: StoredTransaction, parties: SoldOnBinding): PartySale[] =>
  parties.map((party) => ({
    ...party,
    transactionId,
    ...(sale?.carrierNaicCode === undefined ? {} : { carrierNaicCode: sale.carrierNaicCode }),
  }));

/** What a transaction has of the parties to its sale; undefined where nobody may be due to be appointed. */
export const soldOnBindingOf = (
  { riskStateCode: stateCode, soldOn: day }: StoredSale,
  parties: readonly PartyOnBinding[],
): SoldOnBinding | undefined =>
  parties.length === 0
    ? undefined
    : parties.map(({ npn, lines }) => ({ npn, stateCode, day, lines: [...lines] }));
