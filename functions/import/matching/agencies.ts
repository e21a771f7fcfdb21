import * as z from 'zod/mini';
import { type AgencyEvidenceKind, evidenceKey, evidenceValues } from '#domain/associations/match-evidence.ts';
import {
  associationKeys,
  associationsOfEntity,
  codeOwner,
  isLive,
  type StoredAssociation,
  storedAssociation,
} from '#domain/associations/stored.ts';
import { comparableName, mayBeSameCompany } from '#domain/identifiers/comparable-names.ts';
import { comparableNpn } from '#domain/identifiers/identifiers.ts';
import { type AgencyEvidence, agencyRules } from '#domain/matching/rules.ts';
import type { PolicyTransaction } from '#domain/policies/resource.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import {
  decide,
  differs,
  type Evidence,
  given,
  type MatchedFields,
  type NamedAgency,
  type NpnsOfLicense,
} from './decide.ts';

/**
 * The associations that the evidence of some transactions finds. All of an agency are found by its evidence, but for the producer
 * code.
 */
type FoundAgencies = Awaited<ReturnType<typeof readAgencies>>;

/** The live associations of a carrier that a value finds; none where the last one has left. */
const storedEvidence = storedItem('associations/evidence', () => ({
  pk: z.string(),
  sk: z.string(),
  associationIds: z._default(z.set(objectId), new Set()),
}));

const nameOf = ({ pk, sk }: { readonly pk: string; readonly sk: string }): string => JSON.stringify([pk, sk]);

/** The evidence by which agencies are found, of one transaction. */
const writtenEvidence = (
  fields: MatchedFields,
  npnsOf: NpnsOfLicense,
): readonly (readonly [AgencyEvidenceKind, string | undefined])[] => [
  ['NPN', fields.agencyNpn],
  ...npnsOf(licenseOfAgency(fields)).map((npn) => ['NPN', npn] as const),
  ['EIN', fields.agencyFein],
  ['NAME', fields.agencyName],
];

export const licenseOfAgency = (fields: MatchedFields) => ({
  number: fields.agencyLicenseNumber,
  state: fields.agencyLicensedStateCode,
});

/**
 * Reads what the evidence of transactions finds among an owner's live associations, by key: each piece of evidence once, in two
 * rounds.
 */
export async function readAgencies(
  table: Table,
  owner: string,
  transactions: readonly (MatchedFields & NamedAgency)[],
  npnsOf: NpnsOfLicense,
) {
  const keysOf = (kind: AgencyEvidenceKind, written: string | undefined) =>
    evidenceValues(kind, written).map((value) => evidenceKey(owner, kind, value));
  const codes = transactions.flatMap(({ producerCode }) => given(producerCode) ?? []);
  const named = transactions.flatMap(({ downstreamEntityId }) => downstreamEntityId ?? []);
  const [evidence, holders, entities] = await Promise.all([
    table.getAll(
      storedEvidence,
      transactions.flatMap((transaction) =>
        writtenEvidence(transaction, npnsOf).flatMap(([kind, value]) => keysOf(kind, value)),
      ),
    ),
    table.getAll(
      codeOwner,
      codes.map((code) => associationKeys.producerCode(owner, code)),
    ),
    table.getAll(
      associationsOfEntity,
      named.map((id) => associationKeys.ofEntity(owner, id)),
    ),
  ]);
  const idsOf = new Map<string, Iterable<string>>([
    ...evidence.map((one) => [nameOf(one), one.associationIds] as const),
    ...holders.map((holder) => [nameOf(holder), [holder.associationId]] as const),
  ]);
  const ids = new Set([
    ...[...idsOf.values()].flatMap((some) => [...some]),
    ...entities.flatMap(({ associationIds }) => [...associationIds]),
    ...transactions.flatMap(({ upstreamDownstreamAssociationId: id }) => id ?? []),
  ]);
  const keys = Array.from(ids, (id) => associationKeys.association(owner, id));
  const live = (await table.getAll(storedAssociation, keys)).filter(isLive);
  const byId = new Map(live.map((one) => [one._id, one]));
  const byAgency = Map.groupBy(live, ({ downstreamEntityId }) => downstreamEntityId);
  const at = (keys: readonly { readonly pk: string; readonly sk: string }[]): StoredAssociation[] => {
    const found = new Set(keys.flatMap((key) => [...(idsOf.get(nameOf(key)) ?? [])]));
    return Array.from(found, (id) => byId.get(id) ?? []).flat();
  };
  return {
    ofCode: (written: string | undefined): readonly StoredAssociation[] => {
      const code = given(written);
      return at(code === undefined ? [] : [associationKeys.producerCode(owner, code)]);
    },
    ofEvidence: (kind: AgencyEvidenceKind, written: string | undefined): readonly StoredAssociation[] =>
      at(keysOf(kind, written)),
    /** The association that a record names. */
    ofId: (id: string | undefined) => (id === undefined ? undefined : byId.get(id)),
    /** What was found of an agency, by whichever evidence. */
    ofAgency: (id: string): readonly StoredAssociation[] => byAgency.get(id) ?? [],
  };
}

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
          differs(fields.agencyFein, ein) ||
          (written !== undefined && !mayBeSameCompany(written, legalName)),
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
  const branches = associations.filter(
    (association) => given(association.branchName ?? undefined) !== undefined,
  );
  const written = given(branchName);
  const candidates =
    written === undefined || branches.length === 0
      ? associations.filter((association) => !branches.includes(association))
      : branches.filter((one) => comparableName(one.branchName ?? '') === comparableName(written));
  return candidates.length === 1 ? candidates[0] : undefined;
}
