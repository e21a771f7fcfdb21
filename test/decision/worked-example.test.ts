import { complianceStatusOf, decideSale, goodUntilOf, type SaleQuestion } from '#domain/decision/sale.ts';
import { addDays } from '#platform/dates/dates.ts';
import {
  exampleDays,
  exampleLicense,
  exampleLine,
  exampleReceipt,
  exampleReports,
} from '../../infra/openapi/worked-example.ts';
import { beacon, config, license, line, recordedBy } from './case-rows.ts';
import { coverageAt } from './histories.ts';

const { knownAt, checks } = exampleReceipt;

const records = recordedBy(
  exampleReports.map(({ askedAt: at, status, expirationDate }) => ({
    kind: 'report',
    at,
    licenses: [
      license({
        ...exampleLicense,
        licenseClassCode: null,
        status,
        expirationDate,
        linesOfAuthority: [line(exampleLine.code, { name: exampleLine.name, status })],
      }),
    ],
    appointments: [],
  })),
);
const coverage = coverageAt(records, knownAt);

/** A sale on a day. */
const saleOn = (day: string): SaleQuestion => ({
  day,
  today: '2026-06-01',
  knownAt,
  stateCode: exampleLicense.stateCode,
  carrier: beacon,
  configs: [config({ linesOfAuthority: [exampleLine.code], licenseOf: 'agent' })],
  productId: 'the product',
  agency: undefined,
  sellers: [{ party: 'agent', coverage, verifiedAt: coverage.verifiedAt(exampleLicense.stateCode) }],
});

test('The days of the worked example are those that its reports come to', () => {
  const edges = exampleDays.flatMap(({ from, until, state }) => [
    [from, state],
    [until, state],
  ]);
  const [first, last] = [exampleDays[0]?.from ?? '', exampleDays.at(-1)?.until ?? ''];
  const days = [[addDays(first, -1), 'ended'], ...edges, [addDays(last, 1), 'ended']];
  expect(days.map(([day = '']) => [day, decideSale(saleOn(day)).verdict])).toEqual(
    days.map(([day, is]) => [day, is === 'in force' ? 'yes' : 'no']),
  );
});

test('The answer of the worked example is what is decided', () => {
  const [{ asked, ...check }] = checks;
  const answer = decideSale(saleOn(asked.date));
  const { verdict, reasons, warnings, verifiedAt, basis } = answer;
  expect(check).toEqual({
    answer: verdict,
    complianceStatus: complianceStatusOf[verdict],
    reasons,
    warnings,
    goodUntil: goodUntilOf(saleOn(asked.date), answer),
    verifiedAt,
    basis,
  });
});
