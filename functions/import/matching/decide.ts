import { comparable } from '#domain/identifiers/identifiers.ts';
import {
  type AgencyEvidence,
  type AgentEvidence,
  type agencyRules,
  type agentRules,
  autoMatchedFrom,
  strongFrom,
} from '#domain/matching/rules.ts';
import type { PolicyTransaction } from '#domain/policies/resource.ts';
import { npnOfPartition, registryPartitions } from '#domain/registry-records/stored.ts';
import { collect, readEach } from '#platform/data/concurrently.ts';
import { itemKey } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';

/** A piece of evidence of a transaction, and the candidates that it fits. */
export interface Evidence<Name extends string> {
  readonly name: Name;
  readonly confidence: number;
  readonly fits: ReadonlySet<string>;
}

/** A record that might be meant, by the best evidence for it. */
export interface Candidate<Name extends string> {
  readonly id: string;
  readonly evidence: Name;
  readonly confidence: number;
}

/** `sure` is the record that is meant; otherwise a person must decide, or none fits. */
interface Decision<Name extends string> {
  readonly sure: Candidate<Name> | undefined;
  /** All candidates that any evidence fits, the best first. */
  readonly candidates: readonly Candidate<Name>[];
}

/**
 * Decides on the match (OpenAPI, "Matching"): the only candidate that all strong evidence fits and nothing disputes.
 *
 * @param isDisputed whether what the transaction states, such as a name, does not fit what is known of a candidate.
 */
export function decide<Name extends string>(
  evidence: readonly Evidence<Name>[],
  isDisputed: (id: string) => boolean,
): Decision<Name> {
  const fitting = evidence.filter(({ fits }) => fits.size > 0).sort((a, b) => b.confidence - a.confidence);
  const best = new Map<string, Candidate<Name>>();
  for (const { name, confidence, fits } of fitting) {
    for (const id of fits) if (!best.has(id)) best.set(id, { id, evidence: name, confidence });
  }
  const candidates = [...best.values()];
  const strong = fitting.filter(({ confidence }) => confidence >= strongFrom);
  const agreedCandidates = candidates.filter(({ id }) => strong.every(({ fits }) => fits.has(id)));
  const [onlyCandidate] = agreedCandidates;
  const isSure =
    onlyCandidate !== undefined &&
    agreedCandidates.length === 1 &&
    onlyCandidate.confidence >= autoMatchedFrom &&
    fitting.every(({ fits }) => fits.has(onlyCandidate.id)) &&
    !isDisputed(onlyCandidate.id);
  return { sure: isSure ? onlyCandidate : undefined, candidates };
}

/** The fields of a transaction by which it is matched, as a record or an earlier import gives them. */
export type MatchedFields = Pick<
  PolicyTransaction,
  | (typeof agencyRules)[AgencyEvidence]['fields'][number]
  | (typeof agentRules)[AgentEvidence]['fields'][number]
  | 'branchName'
>;

/** The association or the agency that a record names itself. */
export type NamedAgency = Partial<
  Pick<PolicyTransaction, 'downstreamEntityId' | 'upstreamDownstreamAssociationId'>
>;

/** A text that says something, as it is compared; by default trimmed. */
export const textOf = (
  text: string | undefined,
  comparing = (textValue: string) => textValue.trim(),
): string | undefined => {
  const value = comparing(text ?? '');
  return value === '' ? undefined : value;
};

/** Whether a transaction states a number, and another one than the known one; where nothing is known, none differs. */
export function differs(
  statedText: string | undefined,
  knownText: string | null | undefined,
  comparing: (textValue: string) => string = comparable,
): boolean {
  const [statedValue, knownValue] = [comparing(statedText ?? ''), comparing(knownText ?? '')];
  return statedValue !== '' && knownValue !== '' && statedValue !== knownValue;
}

/** A license as a transaction names it; undefined members make it none. */
interface WrittenLicense {
  readonly number: string | undefined;
  readonly state: string | undefined;
}

/** The NPNs of a license. */
export type NpnsOfLicense = (license: WrittenLicense) => readonly string[];

/** Queries at the same time. */
const concurrency = 32;

/** The NPNs of licenses that the same import has recorded, by key: the index shows them only later. */
export type RecordedLicenses = Map<string, ReadonlySet<string>>;

/** The key of a license; undefined where its number or state is missing. */
export const keyOfLicense = (owner: string, { number, state }: WrittenLicense): string | undefined => {
  const [licenseNumber, stateCode] = [number ?? '', state?.trim().toUpperCase() ?? ''];
  return comparable(licenseNumber) === '' || stateCode === ''
    ? undefined
    : registryPartitions.ofLicenseNumber(owner, stateCode, licenseNumber);
};

/** Reads whose licenses these are, among an owner's registry records; each license once. */
export async function readNpnsOfLicenses(
  table: Table<'by-license-number'>,
  owner: string,
  licenses: readonly WrittenLicense[],
  recordedLicenses?: RecordedLicenses,
): Promise<NpnsOfLicense> {
  const keys = licenses.flatMap((license) => keyOfLicense(owner, license) ?? []);
  const npns = await readEach(
    keys,
    async (key) => {
      const holders = await collect(table.query(itemKey, key, { index: 'by-license-number' }));
      return [
        ...new Set([...holders.map(({ pk }) => npnOfPartition(pk)), ...(recordedLicenses?.get(key) ?? [])]),
      ];
    },
    concurrency,
  );
  return (license) => npns.get(keyOfLicense(owner, license) ?? '') ?? [];
}
