import { compare } from '../../platform/data/keys.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import type { ComplianceConfig } from './compliance-config.ts';

/** When a version counts. */
export interface VersionTimes {
  /** The day from which it is in force. */
  readonly validFrom: CalendarDate;
  /** ISO time in UTC. */
  readonly recordedAt: string;
}

/** What a version of a config requires. */
type Required = Pick<ComplianceConfig, 'states' | 'carrierNaicCodes' | 'otherStates' | 'authority'>;

/** A version of what a product requires. */
export interface ConfigVersion extends Required, VersionTimes {}

/** Whether a version was in force, or the first one stands in for a day or a moment before any. */
export const configBases = ['version', 'first version'] as const;

export type ConfigBasis = (typeof configBases)[number];

/** A config with one version, since ever: what somebody proposes, or a policy without a product. */
export const unversioned = (config: Required): readonly [ConfigVersion] => [
  { ...config, validFrom: '', recordedAt: '' },
];

/** The version of a product's config by which a day is judged, as known at a moment (OpenAPI, "How compliance is decided"). */
export function configInForce<Version extends VersionTimes>(
  versions: readonly [Version, ...Version[]],
  day: CalendarDate,
  knownAt: string,
): { readonly config: Version; readonly configBasis: ConfigBasis } {
  const inOrder = versions.toSorted(
    (one, other) => compare(one.validFrom, other.validFrom) || compare(one.recordedAt, other.recordedAt),
  );
  const known = inOrder.filter(({ recordedAt }) => recordedAt <= knownAt);
  const inForce = known.findLast(({ validFrom }) => validFrom <= day);
  if (inForce !== undefined) return { config: inForce, configBasis: 'version' };
  const [first = versions[0]] = known.length === 0 ? inOrder : known;
  return { config: first, configBasis: 'first version' };
}

/** The first day after this one on which another version is in force, as known at a moment. */
export const nextConfigOf = (
  versions: readonly VersionTimes[],
  day: CalendarDate,
  knownAt: string,
): CalendarDate | null =>
  versions
    .filter(({ recordedAt, validFrom }) => recordedAt <= knownAt && validFrom > day)
    .map(({ validFrom }) => validFrom)
    .sort(compare)[0] ?? null;
