import * as fc from 'fast-check';
import { fingerprintDates, fingerprintFields, fingerprintNumbers } from '#domain/matching/rules.ts';
import { fingerprintOf } from '../../../../functions/import/policy/policy.ts';

type Fields = Parameters<typeof fingerprintOf>[0];

const required = {
  policyNumber: 'GL-0042',
  policyTransactionType: 'New',
  policyTransactionDate: '2026-06-01',
  riskStateCode: 'TX',
} as const satisfies Fields;

const exact = new Set<string>(['policyNumber', 'policyTransactionType', 'riskStateCode']);
const amounts = ['premiumAmountInUSD', 'aggregateCoverageInUSD', 'coveragePerClaimInUSD'] as const;
const numbers = new Set<string>(fingerprintNumbers);
const dates = new Set<string>(fingerprintDates);

const pick = <Value>(...some: readonly Value[]) => fc.constantFrom(...some);

/** Ways of writing a value, the first one the usual; the others are the same. */
function spellings(field: string, value: string): fc.Arbitrary<string> {
  if (exact.has(field)) return fc.constant(value);
  if (dates.has(field))
    return pick('', 'T00:00:00Z', 'T23:59:59.000Z', 'T00:00:00+00:00').map((t) => value + t);
  if (numbers.has(field)) {
    return fc
      .tuple(pick('', '0', '00', ' '), fc.nat(value.length), pick('', '-', ' ', '.'))
      .map(([before, at, mark]) => before + value.slice(0, at) + mark + value.slice(at))
      .chain((text) => pick(text, text.toLowerCase()));
  }
  return fc
    .tuple(pick('', ' '), pick(' ', '  ', '\t'), pick('', '  '))
    .map(([before, between, after]) => before + value.replace(' ', between) + after)
    .chain((text) => pick(text, text.toLowerCase(), text.toUpperCase()));
}

/** Values that differ however they are compared. */
const valuesOf = (field: string): fc.Arbitrary<string | number> => {
  if (amounts.some((amount) => amount === field)) return pick(5, 100.1, 100.11);
  if (field === 'policyTransactionType') return pick('New', 'Renewal', 'Audit');
  if (field === 'riskStateCode') return pick('TX', 'LA');
  if (dates.has(field)) return pick('2026-06-01', '2026-06-02', '2027-01-31');
  if (numbers.has(field)) return pick('17654321', 'C12345', '752');
  return pick('Acme Roofing', 'Straße Ärzte', 'AcmeRoofing', 'Acme-Roofing');
};

const filled = fc
  .record(Object.fromEntries(fingerprintFields.map((field) => [field, valuesOf(field)])))
  .map((fields) => ({ ...required, ...fields }) as Fields);

const textFields = fingerprintFields.filter((field) => !amounts.some((amount) => amount === field));

describe('the fingerprint of a transaction', () => {
  it('is the same however the transaction is spelled', () => {
    const cases = filled.chain((fields) =>
      fc
        .record(
          Object.fromEntries(textFields.map((field) => [field, spellings(field, String(fields[field]))])),
        )
        .map((spelled) => ({ fields, spelled: { ...fields, ...spelled } as Fields })),
    );
    return fc.assert(
      fc.property(cases, ({ fields, spelled }) => {
        expect(fingerprintOf(spelled)).toBe(fingerprintOf(fields));
      }),
    );
  });

  it('is another where a value is another, or is left out', () => {
    const cases = fc
      .tuple(filled, pick(...fingerprintFields))
      .chain(([fields, field]) =>
        fc.option(valuesOf(field), { nil: undefined }).map((value) => ({ fields, field, value })),
      );
    return fc.assert(
      fc.property(cases, ({ fields, field, value }) => {
        fc.pre(value !== fields[field]);
        expect(fingerprintOf({ ...fields, [field]: value })).not.toBe(fingerprintOf(fields));
      }),
    );
  });

  it('takes a number of zeros or marks alone as absent', () => {
    expect(fingerprintOf({ ...required, agencyNpn: '000', npn: '-' })).toBe(fingerprintOf(required));
  });
});
