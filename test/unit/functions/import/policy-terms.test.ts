import { isInForceOn } from '#domain/policies/stored.ts';
import { sourcesOf } from '../../../../functions/import/policy/policy.ts';
import { termsOf } from '../../../../functions/import/policy/store.ts';
import type { StoredTransaction } from '../../../../functions/import/policy/stored.ts';

type Written = [type: string, on: string, fields?: Partial<StoredTransaction>];

const year = { effectiveDate: '2026-01-01', expiryDate: '2027-01-01' };
const next = { effectiveDate: '2027-01-01', expiryDate: '2028-01-01' };

function terms(written: readonly Written[], own?: object) {
  const transactions = written.map(([policyTransactionType, policyTransactionDate, fields], index) => ({
    _id: String(index),
    ordinal: index + 1,
    isDeleted: false,
    matchedAgents: [],
    policyTransactionType,
    policyTransactionDate,
    ...fields,
  })) as unknown as StoredTransaction[];
  return termsOf(transactions, sourcesOf(transactions), own as never);
}

const premium = (premiumAmountInUSD: number) => ({ ...year, premiumAmountInUSD });

it.each<[string, Written[], object | undefined, number | undefined]>([
  [
    'an endorsement and a cancellation',
    [
      ['New', '2026-01-01', premium(10_000)],
      ['Endorsement', '2026-02-01', premium(100.1)],
      ['Cancellation', '2026-06-01', premium(-650.2)],
    ],
    undefined,
    9_449.9,
  ],
  [
    'the latest term alone, whatever was received first',
    [
      ['Audit', '2027-02-01', premium(5)],
      ['Renewal', '2027-01-01', premium(200)],
      ['New', '2026-01-01', premium(100)],
    ],
    undefined,
    205,
  ],
  [
    'what is not deleted',
    [
      ['New', '2026-01-01', premium(7)],
      ['Endorsement', '2026-02-01', { ...premium(1), isDeleted: true }],
    ],
    undefined,
    7,
  ],
  ['its record, where no transaction has one', [['New', '2026-01-01']], { premiumAmountInUSD: 9 }, 9],
  ['nothing, where nobody says it', [['New', '2026-01-01']], undefined, undefined],
])('the premium of a policy is that of %s', (_, written, own, expected) => {
  expect(terms(written, own).termPremiumInUSD).toBe(expected);
});

it.each<[string, Written[], object | undefined, string[], string[]]>([
  [
    'its term',
    [['New', '2025-12-20', year]],
    undefined,
    ['2026-01-01', '2026-12-31'],
    ['2025-12-31', '2027-01-01'],
  ],
  ['a term without an end', [['New', '2026-01-01']], undefined, ['2026-01-01', '2040-01-01'], ['2025-12-31']],
  [
    'each of its terms',
    [
      ['New', '2026-01-01', year],
      ['Renewal', '2026-12-01', next],
    ],
    undefined,
    ['2026-06-01', '2027-06-01'],
    ['2028-01-01'],
  ],
  [
    'the days before it is canceled, where each row repeats the term',
    [
      ['New', '2026-01-01', year],
      ['Cancellation', '2026-06-01', year],
    ],
    undefined,
    ['2026-05-31'],
    ['2026-06-01', '2026-12-31'],
  ],
  [
    'the days before a later end of coverage',
    [
      ['New', '2026-01-01', year],
      ['Cancellation', '2026-05-20', { effectiveDate: '2026-06-01' }],
    ],
    undefined,
    ['2026-05-31'],
    ['2026-06-01'],
  ],
  [
    'all days, where it is reinstated without a lapse',
    [
      ['New', '2026-01-01', year],
      ['Cancellation', '2026-06-01', year],
      ['Reinstatement', '2026-06-20', year],
    ],
    undefined,
    ['2026-06-10', '2026-12-31'],
    ['2027-01-01'],
  ],
  [
    'the days before a lapse and after it',
    [
      ['New', '2026-01-01', year],
      ['Cancellation', '2026-06-01', year],
      ['Reinstatement', '2026-06-20'],
    ],
    undefined,
    ['2026-05-31', '2026-06-20'],
    ['2026-06-01', '2026-06-19'],
  ],
  [
    'no term that was to begin after the end',
    [
      ['New', '2026-01-01', year],
      ['Renewal', '2026-12-01', next],
      ['Cancellation', '2026-12-10', {}],
    ],
    undefined,
    ['2026-12-09'],
    ['2026-12-10', '2027-06-01'],
  ],
  [
    'a term that an endorsement prolongs',
    [
      ['New', '2026-01-01', year],
      ['Endorsement', '2026-12-01', { expiryDate: '2027-03-01' }],
    ],
    undefined,
    ['2027-02-28'],
    ['2027-03-01'],
  ],
  ['what its record says, where no transaction begins a term', [], year, ['2026-01-01'], ['2027-01-01']],
  [
    'no day that is known, where nothing says when it begins',
    [['Endorsement', '2026-02-01', year]],
    undefined,
    [],
    ['2026-06-01'],
  ],
])('a policy is in force on %s', (_, written, own, days, others) => {
  const { inForce } = terms(written, own);
  expect([...days, ...others].filter((day) => isInForceOn(inForce, day))).toEqual(days);
});
