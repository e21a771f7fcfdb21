import { decideSale } from '../decision/sale.ts';
import { isDecided, type Material, type ResolvedCheck } from './material.ts';
import type { SaleCheck } from './resource.ts';

/** The answer to a check (OpenAPI, "May she sell?"): pure, so that a receipt can be decided again. */
export function answerOf(check: ResolvedCheck, material: Material): SaleCheck {
  const { reference, seller, agency, product, issues, stateCode, date, isPresent } = check;
  const answered = { reference, seller, agency, product, date };
  const [first, ...others] = product === null ? [] : material.configsOf(product.productId);
  if (seller === null || first === undefined || !isDecided(check)) {
    const undecided = { complianceStatus: null, basis: null, configBasis: null } as const;
    return { ...answered, answer: 'unknown', ...undecided, reasons: [...issues] };
  }
  const { complianceStatus, reasons, basis, configBasis } = decideSale({
    stateCode,
    day: date,
    knownAt: material.knownAt,
    carrier: material.carrier,
    configs: [first, ...others],
    seller: material.coverageOf(seller.npn),
    agency: agency === null ? undefined : material.coverageOf(agency.npn),
  });
  const isYes = issues.length === 0 && complianceStatus === 'COMPLIANT';
  return {
    ...answered,
    answer: isYes ? 'yes' : 'no',
    complianceStatus: isYes ? 'COMPLIANT' : 'NOT_COMPLIANT',
    reasons: [
      ...issues,
      ...reasons.map(({ party, ...reason }) => ({
        party: party === 'agent' ? ('seller' as const) : party,
        ...reason,
      })),
    ],
    basis: isPresent ? 'current' : basis,
    configBasis,
  };
}
