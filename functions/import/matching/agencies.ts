import * as z from 'zod/mini';
import {
  type AgencyEvidenceKind,
  evidenceKey,
  evidenceValues,
} from '../../../shared/domain/associations/evidence.ts';
import {
  associationKeys,
  associationsOfEntity,
  codeHolder,
  isLive,
  type StoredAssociation,
  storedAssociation,
} from '../../../shared/domain/associations/stored.ts';
import { objectId } from '../../../shared/platform/contract/primitives.ts';
import { groupBy } from '../../../shared/platform/data/group-by.ts';
import { storedItem } from '../../../shared/platform/data/stored.ts';
import type { Table } from '../../../shared/platform/data/table.ts';
import type { NpnsOfLicense } from './licenses.ts';
import { given, type MatchedFields, type NamedAgency } from './transaction.ts';

/** The associations that the evidence of some transactions finds. All of an agency are found by its evidence, but for the producer code. */
export type FoundAgencies = Awaited<ReturnType<typeof readAgencies>>;

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

/** Reads what the evidence of transactions finds among an owner's live associations, by key: each piece of evidence once, in two rounds. */
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
      transactions.flatMap((one) =>
        writtenEvidence(one, npnsOf).flatMap(([kind, value]) => keysOf(kind, value)),
      ),
    ),
    table.getAll(
      codeHolder,
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
  const byAgency = groupBy(live, ({ downstreamEntityId }) => downstreamEntityId);
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
