import { createCarrierIdentityOf } from '../../../shared/domain/compliance/carrier-identity.ts';
import { createClassKindsOf } from '../../../shared/domain/compliance/class-kinds.ts';
import { recordsChanged } from '../../../shared/domain/compliance/inputs-changed.ts';
import { momentOf } from '../../../shared/domain/compliance/moment.ts';
import { createComplianceConfigs } from '../../../shared/domain/compliance/store.ts';
import { dayAfter } from '../../../shared/domain/decision/dates.ts';
import { earliest } from '../../../shared/domain/decision/decide.ts';
import type { StoredSale } from '../../../shared/domain/policies/sale.ts';
import { mayBeDue } from '../../../shared/domain/policy-compliance/appointments-due.ts';
import { readerOfPages } from '../../../shared/domain/policy-compliance/book.ts';
import { answerForSale } from '../../../shared/domain/policy-compliance/sales.ts';
import { createRecordedFacts } from '../../../shared/domain/registry-records/facts.ts';
import { dueDayItem } from '../../../shared/domain/registry-records/stored.ts';
import { saleFactItem } from '../../../shared/domain/registry-records/stored-facts.ts';
import type { Tables } from '../../../shared/domain/tables.ts';
import { lazily } from '../../../shared/platform/contract/lazily.ts';
import { groupBy } from '../../../shared/platform/data/group-by.ts';
import type { TableItems } from '../../../shared/platform/data/table-items.ts';
import { type CalendarDate, newYorkDate } from '../../../shared/platform/dates/calendar.ts';
import type { ImportRun } from '../import-type.ts';
import type { StoredTransaction } from './stored.ts';

/** A party to a sale whom no appointment covered on its day, where the carrier appoints when it binds. */
export interface MissingAppointment {
  readonly npn: string;
  /** The last day on which it is on time, as known; null without a limit. */
  readonly dueOn: CalendarDate | null;
}

/** Judges sales of an owner by what was known when it was first asked, each holder read once. */
export type MissingAppointmentsOf = (
  sales: readonly StoredSale[],
) => Promise<readonly (readonly MissingAppointment[])[]>;

type JudgingTable = 'agents' | 'associations' | 'compliance' | 'organizations' | 'registryRecords';

export function createMissingAppointmentsOf(
  tables: Tables<JudgingTable>,
  owner: string,
  now: Date,
): MissingAppointmentsOf {
  const sources = {
    tables,
    complianceConfigs: createComplianceConfigs(tables.compliance),
    carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
    recordedFacts: createRecordedFacts(tables.registryRecords),
    classKindsOf: createClassKindsOf(tables.compliance),
    // A company that is named by its name alone is looked up when the fact is judged; here it is enough that it may lack one.
    carriers: { codeOfName: async () => () => undefined },
  };
  const question = { owner, moment: momentOf({}, now), now, isWanted: mayBeDue };
  const reader = lazily(() => readerOfPages<StoredSale>(sources, question));
  return async (sales) => {
    const { entries, context } = await (await reader())(sales);
    const missingOf = new Map(
      entries.map((entry) => {
        const { agency, sellers } = answerForSale(entry, context);
        const parties = [
          { npn: 'why' in entry ? null : entry.holderNpn, dueAppointment: agency.dueAppointment },
          ...sellers.map(({ dueAppointment }, index) => ({
            npn: entry.sellers[index]?.holderNpn ?? null,
            dueAppointment,
          })),
        ];
        const missing = parties.flatMap(({ npn, dueAppointment }) =>
          npn === null || dueAppointment === null ? [] : [{ npn, dueOn: dueAppointment.dueOn }],
        );
        // Somebody may be the agency as well.
        const ofNpns = groupBy(missing, ({ npn }) => npn);
        return [
          entry.policy,
          Array.from(ofNpns, ([npn, all]) => ({ npn, dueOn: earliest(all.map(({ dueOn }) => dueOn)) })),
        ];
      }),
    );
    return sales.map((sale) => missingOf.get(sale) ?? []);
  };
}

interface Recording {
  readonly matching: { readonly missingAppointmentsOf: MissingAppointmentsOf };
  readonly run: ImportRun;
  readonly at: Date;
}

/** Transactions whose sales change, with the parties whom no appointment covered, and what is written of those beside them. */
export async function withMissingAppointments(
  { registryRecords }: { readonly registryRecords: { readonly items: TableItems } },
  owner: string,
  resolved: readonly StoredTransaction[],
  { matching, run, at }: Recording,
) {
  const sales = resolved.flatMap(({ sale }) => sale ?? []);
  const missing = sales.length === 0 ? [] : await matching.missingAppointmentsOf(sales);
  const missingOf = new Map(sales.map((sale, index) => [sale, missing[index] ?? []]));
  const changed = resolved.map((one) => {
    const { sale } = one;
    const its = sale === undefined ? [] : (missingOf.get(sale) ?? []);
    const withoutAppointment = its.map(({ npn }) => ({ npn, stateCode: (sale ?? one).riskStateCode }));
    return {
      transaction: { ...one, withoutAppointment: its.length === 0 ? undefined : withoutAppointment },
      facts: factsOf(one, its, run, at),
    };
  });
  const facts = changed.flatMap((one) => one.facts);
  // Several sales may be overdue from one day on: an item is put once in a transaction.
  const today = newYorkDate(at);
  const dueDays = missing
    .flat()
    .flatMap(({ npn, dueOn }) =>
      dueOn === null || dueOn < today ? [] : dueDayItem(owner, npn, dayAfter(dueOn)),
    );
  const { items } = registryRecords;
  const puts = [
    ...facts.map(({ npn, ...fact }) => saleFactItem(owner, npn, fact)),
    ...new Map(dueDays.map((item) => [`${item.pk} ${item.sk}`, item])).values(),
  ];
  const events = run.events(
    Array.from(new Set(facts.map(({ npn }) => npn)), (npn) => recordsChanged(owner, npn)),
    at,
  );
  return {
    resold: changed.map(({ transaction }) => transaction),
    items: [...puts.map((item) => items.put(item)), ...events],
  };
}

/** What is recorded beside a transaction: what its sale says now of parties without an appointment, or no longer says. */
function factsOf(
  { _id: transactionId, sale, withoutAppointment: before = [] }: StoredTransaction,
  missing: readonly MissingAppointment[],
  { command, isSilent }: ImportRun,
  at: Date,
) {
  const recording = { ...command, isSilent, recordedAt: at.toISOString(), transactionId };
  const isStillIn = ({ npn, stateCode }: (typeof before)[number]): boolean =>
    sale?.riskStateCode === stateCode && missing.some((one) => one.npn === npn);
  const retracted = before
    .filter((one) => !isStillIn(one))
    .map((one) => ({ ...recording, ...one, what: 'retracted' as const }));
  if (sale === undefined) return retracted;
  const { riskStateCode: stateCode, soldOn: day, carrierNaicCode } = sale;
  const stated = missing.map(({ npn }) => ({
    ...recording,
    npn,
    stateCode,
    what: 'stated' as const,
    day,
    carrierNaicCode,
  }));
  return [...retracted, ...stated];
}
