import { laterOf, writtenDate } from '#domain/decision/dates.ts';
import { beginsTerm } from '#domain/policies/keys.ts';
import { amountOf, centsOf } from '#domain/policies/premium.ts';
import type { TermInForce } from '#domain/policies/terms.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { isNewer, type Sources } from './sources.ts';
import type { StoredPolicy, StoredTransaction } from './stored.ts';

/** Terms that a policy keeps; those of one number that many insureds share can be any number. */
const mostTerms = 100;

/** What the book shows of a policy by its transactions, and by its record where they do not say it. */
export function termsOf(
  transactions: readonly StoredTransaction[],
  { term }: Sources,
  own: StoredPolicy['own'],
): { readonly termPremiumInUSD: number | undefined; readonly inForce: readonly TermInForce[] } {
  const live = transactions
    .filter(({ isDeleted }) => !isDeleted)
    .sort((one, other) => (isNewer(one, other) ? 1 : -1));
  const ofTerm = term === undefined ? live : live.slice(live.findIndex(({ _id }) => _id === term._id));
  const premiums = ofTerm.flatMap(({ premiumAmountInUSD }) => premiumAmountInUSD ?? []);
  return {
    termPremiumInUSD:
      premiums.length === 0
        ? own?.premiumAmountInUSD
        : amountOf(premiums.reduce((cents, premium) => cents + centsOf(premium), 0n)),
    inForce: merged(inForceOf(live, own)).slice(-mostTerms),
  };
}

/** When each transaction, the oldest first, puts a policy into force or takes it out. */
function inForceOf(live: readonly StoredTransaction[], own: StoredPolicy['own']): TermInForce[] {
  let terms: TermInForce[] = [];
  let expiry = dateOf(own?.expiryDate);
  let canceledOn: CalendarDate | undefined;
  const begin = (from: CalendarDate): void => {
    terms.push({ from, until: expiry });
    canceledOn = undefined;
  };
  const extend = (): void => {
    const last = terms.pop();
    if (last !== undefined) terms.push({ from: last.from, until: expiry });
  };
  if (own?.effectiveDate !== undefined && !live.some(beginsTerm)) begin(writtenDate(own.effectiveDate));
  for (const one of live) {
    const transacted = writtenDate(one.policyTransactionDate);
    const effective = dateOf(one.effectiveDate) ?? transacted;
    const type = one.policyTransactionType;
    if (type === 'Cancellation') {
      // Many files repeat the beginning of the term in each of its rows.
      const end = laterOf(effective, transacted);
      terms = terms.map(({ from, until = end }) => ({ from, until: until < end ? until : end }));
      canceledOn = end;
      continue;
    }
    expiry = dateOf(one.expiryDate) ?? (beginsTerm(one) ? dateOf(own?.expiryDate) : expiry);
    if (beginsTerm(one)) begin(effective);
    else if (canceledOn === undefined) extend();
    else if (type === 'Reinstatement') begin(laterOf(effective, canceledOn));
  }
  return terms;
}

const dateOf = (written: string | undefined): CalendarDate | undefined =>
  written === undefined ? undefined : writtenDate(written);

/** The same in order, without those that end as they begin; those that meet as one. */
function merged(terms: readonly TermInForce[]): TermInForce[] {
  const found: TermInForce[] = [];
  for (const { from, until } of terms.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    if (until !== undefined && until <= from) continue;
    const before = found.at(-1);
    if (before === undefined || (before.until !== undefined && before.until < from)) {
      found.push({ from, until });
    } else if (before.until !== undefined && (until === undefined || until > before.until)) {
      found.splice(-1, 1, { from: before.from, until });
    }
  }
  return found;
}
