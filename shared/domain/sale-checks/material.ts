import { createHash } from 'node:crypto';
import { mapConcurrently } from '../../platform/data/concurrently.ts';
import { groupBy } from '../../platform/data/group-by.ts';
import { derivedObjectId } from '../../platform/data/object-id.ts';
import type { StoredConfigVersion } from '../compliance/stored.ts';
import type { CarrierIdentity } from '../decision/carrier.ts';
import { type Coverage, coverageOf } from '../decision/coverage.ts';
import type { RecordedFacts } from '../registry-records/facts.ts';
import type { License } from '../registry-records/license.ts';
import { factsAmong } from '../registry-records/stored-facts.ts';
import type { Reason, SaleCheck } from './resource.ts';

/** Who and what a check is about, and why that does not lead to a yes. */
export interface Resolved extends Pick<SaleCheck, 'seller' | 'agency' | 'product'> {
  /** Those that leave the answer unknown, and `not_associated`. */
  readonly issues: readonly Reason[];
}

/** A check with everything that it names, as far as it was found. */
export interface ResolvedCheck extends Resolved {
  readonly reference: string | null;
  readonly stateCode: License['stateCode'];
  /** The day that is asked about. */
  readonly date: string;
  /** Whether neither a day nor a moment was asked for. */
  readonly isPresent: boolean;
}

/** What decides a check whose seller and product were found. */
export interface Material {
  /** ISO time in UTC of the knowledge that counts. */
  readonly knownAt: string;
  readonly carrier: CarrierIdentity;
  /** Of an NPN; nothing for an agency without one. */
  readonly coverageOf: (npn: string | null) => Coverage;
  readonly configsOf: (productId: string) => readonly StoredConfigVersion[];
}

/** Something that was read, as a receipt names it. */
export interface Evidence {
  readonly id: string;
  /** SHA-256 of its content, in base64url. */
  readonly hash: string;
  /** ISO time in UTC. */
  readonly recordedAt: string;
}

/** What was recorded of a holder in some states. */
export interface HolderItems {
  readonly npn: string;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** Holders read at the same time. */
const concurrency = 16;

/** Whether checks are to be decided at all. */
export const isDecided = ({ seller, product, issues }: Resolved): boolean =>
  seller !== null && product !== null && issues.every(({ code }) => code === 'not_associated');

/** Reads what was recorded of the holders that checks are decided by, in the states that are asked about: one query each. */
export async function readHolders(
  recordedFacts: RecordedFacts,
  owner: string,
  checks: readonly ResolvedCheck[],
): Promise<HolderItems[]> {
  const asked = checks
    .filter(isDecided)
    .flatMap(({ seller, agency, stateCode }) =>
      [seller?.npn, agency?.npn].flatMap((npn) => (npn == null ? [] : [{ npn, stateCode }])),
    );
  return mapConcurrently(
    groupBy(asked, ({ npn }) => npn),
    concurrency,
    async ([npn, ofNpn]) => {
      const states = new Set<unknown>(ofNpn.map(({ stateCode }) => stateCode));
      const state = states.size === 1 ? ofNpn[0]?.stateCode : undefined;
      const items = await recordedFacts.itemsOf(owner, npn, state);
      return { npn, items: items.filter(({ stateCode }) => states.has(stateCode)) };
    },
  );
}

/** The coverage of each holder, as known at a moment. */
export function coveragesOf(
  holders: readonly HolderItems[],
  knownAt: string,
): (npn: string | null) => Coverage {
  const known = new Map(holders.map(({ npn, items }) => [npn, coverageOf(factsAmong(items), knownAt)]));
  const nothing: Coverage = new Map();
  return (npn) => known.get(npn ?? '') ?? nothing;
}

/** Its members in a fixed order, so that equal contents are equal texts. */
const contentOf = (value: object): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );

const hashOf = (value: object): string => createHash('sha256').update(contentOf(value)).digest('base64url');

export const evidenceOfFact = (item: HolderItems['items'][number]): Evidence => ({
  id: derivedObjectId(String(item['pk']), String(item['sk'])),
  hash: hashOf(item),
  recordedAt: String(item['recordedAt']),
});

/** By what a receipt names a version of a config. */
export const configVersionId = ({
  productId,
  validFrom,
  recordedAt,
}: Pick<StoredConfigVersion, 'productId' | 'validFrom' | 'recordedAt'>): string =>
  derivedObjectId(productId, validFrom, recordedAt);

export const evidenceOfConfig = (version: StoredConfigVersion): Evidence => ({
  id: configVersionId(version),
  hash: hashOf(version),
  recordedAt: version.recordedAt,
});
