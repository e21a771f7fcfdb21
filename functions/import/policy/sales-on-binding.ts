import { createClassKindsOf } from '../../../shared/domain/compliance/class-kinds.ts';
import { recordsChanged } from '../../../shared/domain/compliance/inputs-changed.ts';
import { momentOf } from '../../../shared/domain/compliance/moment.ts';
import { createCarrierIdentityOf, createComplianceConfigs } from '../../../shared/domain/compliance/store.ts';
import type { LineRequirement } from '../../../shared/domain/decision/compliance-config.ts';
import { dayAfter } from '../../../shared/domain/decision/dates.ts';
import type { StoredSale } from '../../../shared/domain/policies/keys.ts';
import { readerOfPages } from '../../../shared/domain/policy-compliance/book.ts';
import { mayBeDue } from '../../../shared/domain/policy-compliance/sales.ts';
import { answerForSale, datedSale } from '../../../shared/domain/policy-compliance/statuses.ts';
import { createRecordedFacts } from '../../../shared/domain/registry-records/store.ts';
import { dueDayItem } from '../../../shared/domain/registry-records/stored.ts';
import { saleFactItem } from '../../../shared/domain/registry-records/stored-facts.ts';
import type { Tables } from '../../../shared/domain/tables.ts';
import { lazily } from '../../../shared/platform/contract/lazily.ts';
import type { TableItems } from '../../../shared/platform/data/table.ts';
import { newYorkDate } from '../../../shared/platform/dates/dates.ts';
import type { ImportRun } from '../import-records.ts';
import type { StoredTransaction } from './stored.ts';

/** A party to a sale where the carrier appoints when it binds. */
interface PartyOnBinding {
  readonly npn: string;
  /** What is asked of its appointments. */
  readonly lines: readonly LineRequirement[];
  /** Whether none covered it on the day of sale, as known. */
  readonly isDue: boolean;
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
    complianceConfigs: createComplianceConfigs(tables.compliance),
    carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
    recordedFacts: createRecordedFacts(tables.registryRecords),
    classKindsOf: createClassKindsOf(tables.compliance),
    // A company that is named by its name alone is looked up when the fact is judged; here it is enough that it may lack one.
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
          { npn: 'why' in entry ? null : entry.holderNpn, answer: agency },
          ...sellers.map((answer, index) => ({ npn: entry.sellers[index]?.holderNpn ?? null, answer })),
        ];
        const asked = answers.flatMap(({ npn, answer: { onBinding: lines, dueAppointment } }) =>
          npn === null || lines === null ? [] : [{ npn, lines, isDue: dueAppointment !== null }],
        );
        // Somebody may be the agency as well.
        const ofNpns = Map.groupBy(asked, ({ npn }) => npn);
        return [
          entry.policy,
          Array.from(
            ofNpns,
            ([npn, all]): PartyOnBinding => ({
              npn,
              lines: all.flatMap(({ lines }) => lines),
              isDue: all.some(({ isDue }) => isDue),
            }),
          ),
        ];
      }),
    );
    return sales.map((sale) => partiesOf.get(sale) ?? []);
  };
}

interface Recording {
  readonly matching: { readonly partiesOnBindingOf: PartiesOnBindingOf };
  readonly run: ImportRun;
  readonly at: Date;
}

/**
 * Transactions whose sales change, with the parties whose facts they are, and what is written of those beside them. A sale of
 * who is appointed is one, too: it counts once the appointment turns out to have ended before.
 */
export async function withPartiesOnBinding(
  { registryRecords }: { readonly registryRecords: { readonly items: TableItems } },
  owner: string,
  resolved: readonly StoredTransaction[],
  { matching, run, at }: Recording,
) {
  const sales = resolved.flatMap(({ sale }) => sale ?? []);
  const parties = sales.length === 0 ? [] : await matching.partiesOnBindingOf(sales);
  const partiesOf = new Map(sales.map((sale, index) => [sale, parties[index] ?? []]));
  const changed = resolved.map((one) => {
    const { sale } = one;
    const its = sale === undefined ? [] : (partiesOf.get(sale) ?? []);
    const soldOnBinding = its.map(({ npn }) => ({ npn, stateCode: (sale ?? one).riskStateCode }));
    return {
      transaction: { ...one, soldOnBinding: its.length === 0 ? undefined : soldOnBinding },
      facts: factsOf(one, its, run, at),
    };
  });
  const facts = changed.flatMap((one) => one.facts);
  const judged = facts.filter((fact) => fact.what === 'retracted' || fact.isLatent !== true);
  const npns = [...new Set(judged.map(({ npn }) => npn))];
  const events = run.events(
    npns.map((npn) => recordsChanged(owner, npn)),
    at,
  );
  // The report of the event finds the day from which an appointment is overdue; without events, the check of the next night does.
  const checks = run.isSilent ? npns.map((npn) => dueDayItem(owner, npn, dayAfter(newYorkDate(at)))) : [];
  const { items } = registryRecords;
  const puts = [...facts.map(({ npn, ...fact }) => saleFactItem(owner, npn, fact)), ...checks];
  return {
    resold: changed.map(({ transaction }) => transaction),
    items: [...puts.map((item) => items.put(item)), ...events],
  };
}

/** What is recorded beside a transaction: what its sale says now of its parties, or no longer says. */
function factsOf(
  { _id: transactionId, sale, soldOnBinding: before = [] }: StoredTransaction,
  parties: readonly PartyOnBinding[],
  { command, isSilent }: ImportRun,
  at: Date,
) {
  const recording = { ...command, isSilent, recordedAt: at.toISOString(), transactionId };
  const isStillIn = ({ npn, stateCode }: (typeof before)[number]): boolean =>
    sale?.riskStateCode === stateCode && parties.some((party) => party.npn === npn);
  const retracted = before
    .filter((one) => !isStillIn(one))
    .map((one) => ({ ...recording, ...one, what: 'retracted' as const }));
  if (sale === undefined) return retracted;
  const { riskStateCode: stateCode, soldOn: day, carrierNaicCode } = sale;
  const stated = parties.map(({ npn, lines, isDue }) => ({
    ...recording,
    npn,
    stateCode,
    what: 'stated' as const,
    day,
    lines: [...lines],
    carrierNaicCode,
    isLatent: isDue ? undefined : true,
  }));
  return [...retracted, ...stated];
}
