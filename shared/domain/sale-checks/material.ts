import * as z from 'zod/mini';
import { lazily } from '../../platform/contract/lazily.ts';
import { object } from '../../platform/contract/object.ts';
import { stateCode, timestamp } from '../../platform/contract/primitives.ts';
import { groupBy } from '../../platform/data/group-by.ts';
import { parseIfStored } from '../../platform/data/stored.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { agentAuthority } from '../agents/resource.ts';
import type { StoredConfigVersion } from '../compliance/stored.ts';
import type { CarrierIdentity } from '../decision/carrier.ts';
import type { ClassKindVersion } from '../decision/classes.ts';
import { type Coverage, coverageOf } from '../decision/coverage.ts';
import { noFacts } from '../decision/facts.ts';
import { reasonKinds, reasonMatters } from '../decision/reasons.ts';
import { changeList, confirmedBy, isChangeList } from '../registry-records/change-list.ts';
import type { RecordedFacts } from '../registry-records/facts.ts';
import { factsOfHome } from '../registry-records/home.ts';
import type { StoredItem } from '../registry-records/present-items.ts';
import { factsAmong, isVisits, type Visits, verifiedAtOf } from '../registry-records/stored-facts.ts';
import { reason, saleCheck } from './resource.ts';

/** A check with everything that it names, as far as it was found, and with what has no versions: a receipt keeps it. */
export const resolvedCheck = object(() => {
  const { reference, seller, agency, product, company } = saleCheck.shape;
  return {
    reference,
    seller,
    agency,
    product,
    company,
    stateCode,
    /** The day that is asked about. */
    date: z.iso.date(),
    /** Whether neither a day nor a moment was asked for. */
    isPresent: z.boolean(),
    /** Why that does not lead to a yes. */
    found: z.array(object(() => ({ ...reason.shape, kind: z.enum(reasonKinds), of: z.enum(reasonMatters) }))),
    /** What the carrier itself says of the seller and of the association, and whether the agency needs an NPN. */
    ofToday: object(() => ({
      isArchived: z.boolean(),
      /** Of the product. */
      authority: z.array(agentAuthority),
      isAssociationActive: z.boolean(),
      isNpnRequired: z.boolean(),
    })),
    /** When what is known of each in the state was last confirmed as a whole; null: never. */
    verifiedAt: z._default(
      object(() => ({ seller: z.nullable(timestamp), agency: z.nullable(timestamp) })),
      { seller: null, agency: null },
    ),
  };
});

export type ResolvedCheck = z.output<typeof resolvedCheck>;

/** Who and what a check is about. */
export type Resolved = Omit<ResolvedCheck, 'reference' | 'stateCode' | 'date' | 'isPresent' | 'verifiedAt'>;

/** What decides a check whose seller and product were found. */
export interface Material {
  /** ISO time in UTC of the knowledge that counts. */
  readonly knownAt: string;
  /** The day on which it is asked. */
  readonly today: CalendarDate;
  readonly carrier: CarrierIdentity;
  readonly verifiedWithinDays: number | null;
  /** What was said of classes of licenses. */
  readonly classKinds: readonly ClassKindVersion[];
  /** Of an NPN; nothing for an agency without one. */
  readonly coverageOf: (npn: string | null) => Coverage;
  readonly configsOf: (productId: string) => readonly StoredConfigVersion[];
}

/** What was recorded of a holder in some states. */
export interface HolderItems {
  readonly npn: string;
  readonly items: readonly StoredItem[];
  /** What visits of the registry say of it as a whole. */
  readonly visits: Visits;
}

/** Whether checks are to be decided at all. */
export const isDecided = ({ seller, product, found }: Resolved): boolean =>
  seller !== null && product !== null && found.every(({ kind }) => kind === 'against');

/** A holder who is asked about in a state. */
interface AskedHolder {
  readonly npn: string;
  readonly stateCode: ResolvedCheck['stateCode'];
}

/** The holders that checks are decided by. */
export const holdersOf = (checks: readonly (Resolved & Pick<ResolvedCheck, 'stateCode'>)[]): AskedHolder[] =>
  checks
    .filter(isDecided)
    .flatMap(({ seller, agency, stateCode: state }) =>
      [seller?.npn, agency?.npn].flatMap((npn) => (npn == null ? [] : [{ npn, stateCode: state }])),
    );

/**
 * Reads what was recorded of holders in the states that are asked about and at home: one query each, and one call more for a hundred.
 */
export async function readHolders(
  recordedFacts: RecordedFacts,
  owner: string,
  asked: readonly AskedHolder[],
): Promise<HolderItems[]> {
  const ofNpn = groupBy(asked, ({ npn }) => npn);
  const statesOf = new Map(
    Array.from(ofNpn, ([npn, all]) => [npn, new Set(all.map((one) => one.stateCode))]),
  );
  const read = await recordedFacts.itemsOfAll(owner, [...statesOf.keys()], (npn) => {
    const [state, ...others] = statesOf.get(npn) ?? [];
    return others.length === 0 ? state : undefined;
  });
  return Array.from(read, ([npn, items]) => {
    const states: ReadonlySet<unknown> = statesOf.get(npn) ?? new Set();
    const home = new Set(factsOfHome(items));
    const { visits } = factsAmong(items.filter(isVisits));
    const list = parseIfStored(changeList, items.find(isChangeList));
    return {
      npn,
      items: items.filter((item) => states.has(item['stateCode']) || home.has(item)),
      visits: confirmedBy(list, visits),
    };
  });
}

/** Gives checks when what is known of their parties was confirmed. */
export function verifyingBy(
  holders: readonly HolderItems[],
): <Check extends Omit<ResolvedCheck, 'verifiedAt'>>(
  check: Check,
) => Check & Pick<ResolvedCheck, 'verifiedAt'> {
  const visitsOf = new Map(holders.map(({ npn, visits }) => [npn, visits]));
  return (check) => {
    const verifiedAt = (npn: string | null | undefined): string | null => {
      const visits = visitsOf.get(npn ?? '');
      return visits === undefined ? null : verifiedAtOf(visits, check.stateCode);
    };
    return {
      ...check,
      verifiedAt: { seller: verifiedAt(check.seller?.npn), agency: verifiedAt(check.agency?.npn) },
    };
  };
}

/** What was said by a moment of the classes of licenses in the states of what is recorded. */
export function classKindsAmong<Version extends ClassKindVersion>(
  all: readonly Version[],
  holders: readonly HolderItems[],
  knownAt: string,
): Version[] {
  const states = new Set<unknown>(holders.flatMap(({ items }) => items.map(({ stateCode: of }) => of)));
  return all.filter(({ stateCode: of, recordedAt }) => states.has(of) && recordedAt <= knownAt);
}

/** The coverage of each holder, as known at a moment. */
export function coveragesOf(
  holders: readonly HolderItems[],
  knownAt: string,
  classKinds: readonly ClassKindVersion[],
): (npn: string | null) => Coverage {
  // One holder whose items break their schema fails no other.
  const known = new Map(
    holders.map(({ npn, items, visits: { notFound } }) => [
      npn,
      lazily(() => coverageOf({ ...factsAmong(items), notFound }, knownAt, classKinds)),
    ]),
  );
  const nothing = coverageOf(noFacts, knownAt, classKinds);
  return (npn) => known.get(npn ?? '')?.() ?? nothing;
}
