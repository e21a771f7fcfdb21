import { randomBytes, randomInt } from 'node:crypto';
import * as z from 'zod';
import { agent, license, transaction } from '../support/import-lines.ts';
import { call, importRecords, newOrganization } from '../support/local-api.ts';

// An examiner asks for a quarter's sales by people without a license, each by who sold it then. The answer comes from the API as its
// document describes it; what it should be, from a scan of the lines that were imported.

const [quarterBegins, quarterEnds] = ['2026-01-01', '2026-03-31'];

interface Line {
  readonly policyNumber: string;
  readonly policyTransactionType: string;
  readonly policyTransactionDate: string;
  readonly effectiveDate: string;
  readonly premiumAmountInUSD: number;
  readonly agentNpn?: string;
  readonly uniqueTransactionId: string;
}

const newNpn = () => String(randomInt(1_000_000_000, 2_000_000_000));
const [licensed, lapsed, never] = [newNpn(), newNpn(), newNpn()];
const sellers = [licensed, lapsed, never];

/** The last day of each license. */
const licensedUntil = new Map([
  [licensed, '2030-12-31'],
  [lapsed, '2026-02-15'],
]);

const day = (from: string, days: number) =>
  new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);

/** Policies of three terms, sold, endorsed, and renewed by whoever comes next; every other renewal names nobody. */
const policies = Array.from({ length: 24 }, (_, index): Line[] => {
  const first = day('2025-11-20', index * 6);
  const seller = (step: number) => ({ agentNpn: sellers[(index + step) % 3] ?? never });
  return ['New', 'Endorsement', 'Renewal', 'Endorsement', 'Renewal'].map((policyTransactionType, step) => ({
    policyNumber: `X-${index}`,
    policyTransactionType,
    policyTransactionDate: day(first, step * 20),
    effectiveDate: day(first, step * 20 + (index % 2 === 0 ? 15 : -3)),
    premiumAmountInUSD: 100 * index + step + 0.1,
    uniqueTransactionId: `X-${index}-${step}`,
    ...(policyTransactionType === 'Renewal' && index % 2 === 0 ? {} : seller(step)),
  }));
});

/** A policy that renews every month by itself. Whoever sold it is corrected later. */
const monthly = (agentNpn: string) =>
  Array.from(
    { length: 110 },
    (_, month): Line => ({
      policyNumber: 'MONTHLY',
      policyTransactionType: month === 0 ? 'New' : 'Renewal',
      policyTransactionDate: new Date(Date.UTC(2018, month, 1)).toISOString().slice(0, 10),
      effectiveDate: new Date(Date.UTC(2018, month, 1)).toISOString().slice(0, 10),
      premiumAmountInUSD: 9.99,
      uniqueTransactionId: `MONTHLY-${month}`,
      ...(month === 0 ? { agentNpn } : {}),
    }),
  );

/** Of each sale of the quarter by somebody without a license: the policy, the day, and the premium. */
function unlicensedAmong(lines: readonly Line[]): string[] {
  const seller = new Map<string, string>();
  const inOrder = lines.toSorted((one, other) =>
    one.policyTransactionDate < other.policyTransactionDate ? -1 : 1,
  );
  return inOrder.flatMap((line) => {
    const by = line.agentNpn ?? seller.get(line.policyNumber) ?? '';
    seller.set(line.policyNumber, by);
    const soldOn = [line.policyTransactionDate, line.effectiveDate].sort()[0] ?? '';
    const isSale = ['New', 'Renewal'].includes(line.policyTransactionType);
    const isInQuarter = soldOn >= quarterBegins && soldOn <= quarterEnds;
    const isLicensed = soldOn <= (licensedUntil.get(by) ?? '');
    return isSale && isInQuarter && !isLicensed
      ? [`${line.policyNumber} ${soldOn} ${line.premiumAmountInUSD}`]
      : [];
  });
}

it('finds every sale of a quarter by somebody without a license, whoever services the policy now', async () => {
  const { organizationId, bearer } = await newOrganization('upstreamEntity');
  const id = () => randomBytes(12).toString('hex');
  const [entityId, associationId, agencyNpn] = [id(), id(), newNpn()];
  const lineOf = (line: Line) => transaction(line.policyNumber, { ...line, agencyNpn, productCode: 'CGL' });
  await importRecords(
    organizationId,
    { type: 'downstream-entity', _id: entityId, npn: agencyNpn, legalName: 'Lone Star Brokerage' },
    { type: 'association', _id: associationId, downstreamEntityId: entityId },
    ...sellers.map((npn) => agent({ _id: id(), npn, downstreamEntityAssociationIds: [associationId] })),
    license({ npn: agencyNpn, issueDate: '2010-01-01' }),
    ...Array.from(licensedUntil, ([npn, nextRenewalDate]) =>
      license({ npn, issueDate: '2010-01-01', nextRenewalDate }),
    ),
    {
      type: 'compliance-config',
      productId: id(),
      productName: 'GL',
      productCode: 'CGL',
      validFrom: '2010-01-01',
      states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }],
    },
    ...policies.flat().map(lineOf),
    ...monthly(licensed).map(lineOf),
  );
  const [corrected] = monthly(never);
  if (corrected !== undefined) await importRecords(organizationId, lineOf(corrected));

  const query = { complianceStatus: 'NOT_COMPLIANT', soldFrom: quarterBegins, soldUntil: quarterEnds };
  const read = async <Schema extends z.ZodType>(path: string, schema: Schema) =>
    schema.parse((await call('GET', path, { headers: bearer, query })).json['data']);
  const sales = await read(
    '/v2/upstream/policy-sales',
    z.array(
      z.object({
        policyNumber: z.string(),
        soldOn: z.string(),
        premiumAmountInUSD: z.number(),
        reasons: z.array(z.object({ party: z.string(), code: z.string() })),
      }),
    ),
  );
  const found = sales.map((sale) => `${sale.policyNumber} ${sale.soldOn} ${sale.premiumAmountInUSD}`);
  const expected = unlicensedAmong([...policies.flat(), ...monthly(never)]);
  expect(expected.length).toBeGreaterThan(15);
  expect(found.sort()).toEqual(expected.sort());
  const codes = new Set(sales.flatMap(({ reasons }) => reasons.map(({ party, code }) => `${party} ${code}`)));
  expect(codes).toEqual(new Set(['seller license_missing', 'seller license_expired']));
  const summary = await read(
    '/v2/upstream/policy-sales-summary',
    z.object({ sales: z.number(), premiumAmountInUSD: z.number() }),
  );
  const cents = sales.reduce((sum, { premiumAmountInUSD }) => sum + Math.round(premiumAmountInUSD * 100), 0);
  expect(summary).toEqual({ sales: sales.length, premiumAmountInUSD: cents / 100 });
});
