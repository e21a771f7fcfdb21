import { laterOf, writtenDate } from '#domain/decision/dates.ts';
import { beginsTerm } from '#domain/policies/keys.ts';
import { amountOf, centsOf } from '#domain/policies/premium.ts';
import type { TermInForce } from '#domain/policies/terms.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { isNewer, type Sources } from './sources.ts';
import type { StoredPolicy, StoredTransaction } from './stored.ts';

/** Terms that a policy keeps; those of one number that many insureds share can be any number. */
const mostTerms = 100;

/** Premium and terms of a policy as the book shows them: from its transactions, else from its record. */
export function termsOf(
  transactions: readonly StoredTransaction[],
  { term }: Sources,
  own: StoredPolicy['own'],
): { readonly termPremiumInUSD: number | undefined; readonly inForce: readonly TermInForce[] } {
  const live = transactions.filter(({ isDeleted }) => !isDeleted).sort((a, b) => (isNewer(a, b) ? 1 : -1));
  const ofTerm = term === undefined ? live : live.slice(live.findIndex(({ _id }) => _id === term._id));
  const premiums = ofTerm.flatMap(({ premiumAmountInUSD }) => premiumAmountInUSD ?? []);
  return {
    termPremiumInUSD:
      premiums.length === 0
        ? own?.premiumAmountInUSD
        : amountOf(premiums.reduce((cents, premium) => cents + centsOf(premium), 0n)),
    inForce: mergeTerms(inForceOf(live, own)).slice(-mostTerms),
  };
}

/** Terms in which the transactions, the oldest first, keep a policy in force. */
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
  for (const transaction of live) {
    const transactionDate = writtenDate(transaction.policyTransactionDate);
    const effective = dateOf(transaction.effectiveDate) ?? transactionDate;
    const type = transaction.policyTransactionType;
    if (type === 'Cancellation') {
      // Many files repeat the beginning of the term in each of its rows.
      const end = laterOf(effective, transactionDate);
      terms = terms.map(({ from, until = end }) => ({ from, until: until < end ? until : end }));
      canceledOn = end;
      continue;
    }
    expiry = dateOf(transaction.expiryDate) ?? (beginsTerm(transaction) ? dateOf(own?.expiryDate) : expiry);
    if (beginsTerm(transaction)) begin(effective);
    else if (canceledOn === undefined) extend();
    else if (type === 'Reinstatement') begin(laterOf(effective, canceledOn));
  }
  return terms;
}

const dateOf = (text: string | undefined): CalendarDate | undefined =>
  text === undefined ? undefined : writtenDate(text);

/** Sorts terms, drops those that end as they begin, and joins those that meet. */
function mergeTerms(terms: readonly TermInForce[]): TermInForce[] {
  const mergedTerms: TermInForce[] = [];
  for (const { from, until } of terms.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    if (until !== undefined && until <= from) continue;
    const before = mergedTerms.at(-1);
    if (before === undefined || (before.until !== undefined && before.until < from)) {
      mergedTerms.push({ from, until });
    } else if (before.until !== undefined && (until === undefined || until > before.until)) {
      mergedTerms.splice(-1, 1, { from: before.from, until });
    }
  }
  return mergedTerms;
}
