import type { PartyFacts } from '../decision/decide.ts';
import { complianceStatusOf } from '../decision/policy.ts';
import { decideSale, type JudgedOf, type SaleParty } from '../decision/sale.ts';
import { isDecided, type Material, type ResolvedCheck } from './material.ts';
import type { SaleCheck } from './resource.ts';

/** Of a check that names nobody, or several. */
const undecided = {
  answer: 'unknown',
  complianceStatus: null,
  warnings: [],
  basis: null,
  configBasis: null,
  goodUntil: null,
  verifiedAt: null,
} as const;

/** What is answered of a reason. */
const shown = ({ party, code, message, remedy }: SaleCheck['reasons'][number]) => ({
  party,
  code,
  message,
  remedy,
});

/**
 * The answer to a check (OpenAPI, "May she sell?"): pure, so that a receipt can be decided again.
 * @param remember for a caller that asks of many sellers of one agency, as `decideSale`.
 */
export function answerOf(
  check: ResolvedCheck,
  material: Material,
  remember?: JudgedOf<SaleParty>,
): SaleCheck {
  const { reference, seller, agency, product, company, stateCode, date, isPresent, found, ofToday } = check;
  const answered = { reference, seller, agency, product, company, date };
  const [first, ...others] = product === null ? [] : material.configsOf(product.productId);
  if (seller === null || product === null || first === undefined || !isDecided(check)) {
    return { ...answered, ...undecided, warnings: [], reasons: found.map(shown) };
  }
  const { isArchived, authority, isAssociationActive, isNpnRequired } = ofToday;
  const partyOf = (party: PartyFacts['party'], npn: string | null): SaleParty => ({
    party,
    coverage: material.coverageOf(npn),
    npn: npn === null ? (isNpnRequired ? 'missing' : 'not needed') : undefined,
    ownWord: party === 'agent' ? { isArchived, authority } : { isAssociationActive },
    verifiedAt: check.verifiedAt[party === 'agent' ? 'seller' : 'agency'],
  });
  const { verdict, reasons, warnings, basis, configBasis, goodUntil, verifiedAt } = decideSale(
    {
      stateCode,
      day: date,
      knownAt: material.knownAt,
      today: material.today,
      productId: product.productId,
      configs: [first, ...others],
      carrier: material.carrier,
      verifiedWithinDays: material.verifiedWithinDays,
      company: company === null ? undefined : { naicCode: company.carrierNaicCode },
      agency: agency === null ? undefined : partyOf('agency', agency.npn),
      sellers: [partyOf('agent', seller.npn)],
      found,
    },
    remember,
  );
  return {
    ...answered,
    answer: verdict,
    complianceStatus: complianceStatusOf[verdict],
    reasons: reasons.map(shown),
    warnings: warnings.map(({ party, code, message }) => ({ party, code, message })),
    basis: isPresent ? 'current' : basis,
    configBasis,
    goodUntil,
    verifiedAt,
  };
}
