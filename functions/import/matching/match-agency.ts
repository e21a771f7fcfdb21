import type { StoredAssociation } from '../../../shared/domain/associations/stored.ts';
import { comparableEin } from '../../../shared/domain/identifiers/comparable-ein.ts';
import { comparableName, mayBeSameCompany } from '../../../shared/domain/identifiers/comparable-names.ts';
import { comparableNpn } from '../../../shared/domain/identifiers/npn.ts';
import { type AgencyEvidence, agencyRules } from '../../../shared/domain/matching/rules.ts';
import type { PolicyTransaction } from '../../../shared/domain/policies/policy-transaction.ts';
import { type FoundAgencies, licenseOfAgency } from './agencies.ts';
import { decide, type Evidence } from './decide.ts';
import type { NpnsOfLicense } from './licenses.ts';
import { differs, given, type MatchedFields, type NamedAgency } from './transaction.ts';

/** What a transaction says of its agency once it is matched. */
export type AgencyMatch = Pick<
  PolicyTransaction,
  'entityMatchStatus' | 'downstreamEntityId' | 'upstreamDownstreamAssociationId' | 'entityMatchConfidence'
>;

const agenciesOf = (associations: readonly StoredAssociation[]): ReadonlySet<string> =>
  new Set(associations.map(({ downstreamEntityId }) => downstreamEntityId));

function evidenceOf(
  fields: MatchedFields,
  found: FoundAgencies,
  npnsOf: NpnsOfLicense,
): Evidence<AgencyEvidence>[] {
  const ofLicense = npnsOf(licenseOfAgency(fields)).flatMap((npn) => found.ofEvidence('NPN', npn));
  const associations: Readonly<Record<AgencyEvidence, readonly StoredAssociation[]>> = {
    producerCode: found.ofCode(fields.producerCode),
    npn: found.ofEvidence('NPN', fields.agencyNpn),
    fein: found.ofEvidence('EIN', fields.agencyFein),
    license: ofLicense,
    name: found.ofEvidence('NAME', fields.agencyName),
  };
  const names = Object.keys(agencyRules) as AgencyEvidence[];
  return names.map((name) => ({
    name,
    confidence: agencyRules[name].confidence,
    fits: agenciesOf(associations[name]),
  }));
}

/** Decides which of an owner's agencies and associations a transaction is about (OpenAPI, "Matching"). */
export function matchAgency(
  fields: MatchedFields & NamedAgency,
  found: FoundAgencies,
  npnsOf: NpnsOfLicense,
): AgencyMatch {
  const { downstreamEntityId, upstreamDownstreamAssociationId } = fields;
  if (upstreamDownstreamAssociationId !== undefined) {
    const association = found.ofId(upstreamDownstreamAssociationId);
    const isKnown =
      association !== undefined &&
      (downstreamEntityId ?? association.downstreamEntityId) === association.downstreamEntityId;
    return isKnown
      ? matched(association.downstreamEntityId, association, 1)
      : { entityMatchStatus: 'manual review', ...named(fields) };
  }
  if (downstreamEntityId !== undefined) {
    return found.ofAgency(downstreamEntityId).length === 0
      ? { entityMatchStatus: 'manual review', ...named(fields) }
      : matched(downstreamEntityId, associationAt(downstreamEntityId, fields, found), 1);
  }
  const isDisputed = (id: string): boolean => {
    const written = given(fields.agencyName);
    return found
      .ofAgency(id)
      .some(
        ({ agency: { npn, ein, legalName } }) =>
          differs(fields.agencyNpn, npn, comparableNpn) ||
          differs(fields.agencyFein, ein, comparableEin) ||
          (written !== undefined && legalName !== undefined && !mayBeSameCompany(written, legalName)),
      );
  };
  const { sure, candidates } = decide(evidenceOf(fields, found, npnsOf), isDisputed);
  if (sure !== undefined) return matched(sure.id, associationAt(sure.id, fields, found), sure.confidence);
  const [best] = candidates;
  return best === undefined
    ? { entityMatchStatus: 'unmatched' }
    : { entityMatchStatus: 'manual review', entityMatchConfidence: best.confidence };
}

/** The ids that a record names itself. */
const named = ({ downstreamEntityId, upstreamDownstreamAssociationId }: NamedAgency): NamedAgency => ({
  ...(downstreamEntityId === undefined ? {} : { downstreamEntityId }),
  ...(upstreamDownstreamAssociationId === undefined ? {} : { upstreamDownstreamAssociationId }),
});

/** An agency that is sure; whether its association is, too, decides about the review. */
const matched = (
  downstreamEntityId: string,
  association: StoredAssociation | undefined,
  entityMatchConfidence: number,
): AgencyMatch => ({
  entityMatchStatus: association === undefined ? 'manual review' : 'auto matched',
  downstreamEntityId,
  ...(association === undefined ? {} : { upstreamDownstreamAssociationId: association._id }),
  entityMatchConfidence,
});

/** The agency's association that a transaction is about: that of its code, else of its branch, else the one without a branch. */
function associationAt(
  downstreamEntityId: string,
  { producerCode, branchName }: MatchedFields,
  found: FoundAgencies,
): StoredAssociation | undefined {
  const isOfAgency = (one: StoredAssociation) => one.downstreamEntityId === downstreamEntityId;
  const [ofCode] = found.ofCode(producerCode).filter(isOfAgency);
  if (ofCode !== undefined) return ofCode;
  const associations = found.ofAgency(downstreamEntityId);
  const branches = associations.filter((one) => given(one.branchName ?? undefined) !== undefined);
  const written = given(branchName);
  const candidates =
    written === undefined || branches.length === 0
      ? associations.filter((one) => !branches.includes(one))
      : branches.filter((one) => comparableName(one.branchName ?? '') === comparableName(written));
  return candidates.length === 1 ? candidates[0] : undefined;
}
