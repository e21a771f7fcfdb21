import { lazily } from '#platform/contract/lazily.ts';
import { compare } from '#platform/data/keys.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import type { StatusKind } from '../registry/words.ts';

/**
 * Respect in which licenses, lines, or appointments differ, such as the company: its code and names as they compare, in the
 * order in which they count; null where a row has none.
 */
export interface IdentityPart {
  readonly names: readonly (string | null)[];
  /** Meaning of a row without any: unclear, or itself, as an appointment of all lines, or of the whole state, is. */
  readonly unnamed: 'unclear' | 'all lines' | 'whole state';
}

/** All parts; those of licenses, of lines, and of appointments each have their own. */
export type Identity = readonly IdentityPart[];

/** A row of a statement as its days depend on it: a license, a line of authority, or an appointment. */
export interface DatedRow {
  readonly identity: Identity;
  readonly status: StatusKind;
  readonly begins: CalendarDate | null;
  /** The day after its last day; `never` without one. */
  readonly ends: CalendarDate;
  /** Day since which it is as it says. */
  readonly since: CalendarDate | null;
  readonly isDeleted?: boolean;
  /** Beginning of the license that carries a line. */
  readonly notBefore?: CalendarDate;
  /** Lines of a license. */
  readonly lines?: readonly DatedRow[];
}

export const isLive = ({ status }: DatedRow): boolean => status === 'live';
export const isEnd = (row: DatedRow): boolean => !isLive(row) && row.status !== 'pending';

/** Source of a statement, and its moment. */
export interface Moment {
  readonly id: string;
  /** ISO time in UTC, as `recordedAt`. */
  readonly at: string;
  readonly recordedAt: string;
  /** The day of `at` in New York. */
  readonly knownOn: CalendarDate;
  readonly by: 'registry' | 'import';
  /** Whether what it does not name is not there. */
  readonly isComplete: boolean;
}

/** Statement of one source, at one moment, about the licenses or the appointments of one holder in one state. */
export interface Statement<Row extends DatedRow = DatedRow> extends Moment {
  /** Absent where that is `recordedAt`. */
  readonly writtenAt?: string | undefined;
  readonly rows: readonly Row[];
}

// Which rows are of one license, line, or appointment, and which of these an end means: rules 9 and 10 of days (OpenAPI, "How
// compliance is decided").

type Likeness = 'same' | 'other' | 'cannot tell';

const isUnnamed = ({ names }: IdentityPart): boolean => names.every((name) => name === null);

function likenessOf(part: IdentityPart, other: IdentityPart): Likeness {
  if (isUnnamed(part) && isUnnamed(other)) return 'same';
  if (isUnnamed(part) || isUnnamed(other)) return part.unnamed === 'unclear' ? 'cannot tell' : 'other';
  const both = part.names.findIndex((name, index) => name !== null && other.names[index] !== null);
  if (both === -1) return 'cannot tell';
  if (part.names[both] === other.names[both]) return 'same';
  // Names that differ tell nothing where one of them has a code, which counts before names, and the other has none.
  const isCoded = [part, other].some(({ names }) => names.slice(0, both).some((name) => name !== null));
  return isCoded ? 'cannot tell' : 'other';
}

/** Likeness of two things, by their identities, in one part: the same if two identities are, else others if two are. */
function likenessIn(index: number, thing: readonly Identity[], other: readonly Identity[]): Likeness {
  let found: Likeness = 'cannot tell';
  for (const { [index]: part } of thing) {
    for (const { [index]: otherPart } of other) {
      const likeness: Likeness = part && otherPart ? likenessOf(part, otherPart) : found;
      if (likeness === 'same') return likeness;
      if (likeness === 'other') found = likeness;
    }
  }
  return found;
}

/** Whether two rows are of one license, line, or appointment. */
export const isSame = (identity: Identity, other: Identity): boolean =>
  identity.every((_part, index) => likenessIn(index, [identity], [other]) === 'same');

/** Whether no part says that two things are different. */
const isAlike = (thing: readonly Identity[], other: readonly Identity[]): boolean =>
  thing[0]?.every((_part, index) => likenessIn(index, thing, other) !== 'other') === true;

const keys = new WeakMap<Identity, string>();

/** A text that two identities share only if they have the same codes and names. */
export function identityKey(identity: Identity): string {
  const key = keys.get(identity) ?? JSON.stringify(identity.map(({ names }) => names));
  keys.set(identity, key);
  return key;
}

const countOfNames = (identity: Identity): number =>
  identity.reduce((count, { names }) => count + names.filter((name) => name !== null).length, 0);

/** Different identities, those with most codes and names first. */
function distinct(identities: readonly Identity[]): Identity[] {
  const identitiesByKey = new Map(identities.map((identity) => [identityKey(identity), identity]));
  return Array.from(identitiesByKey, ([key, identity]) => ({ key, identity, count: countOfNames(identity) }))
    .sort((one, other) => other.count - one.count || compare(one.key, other.key))
    .map(({ identity }) => identity);
}

const firstOf = ({ names }: IdentityPart): number => names.findIndex((name) => name !== null);

/**
 * Finds those of some identities that may be alike in the parts that are asked for: those whose first names there are the same, or
 * of another kind, one a code and the other a name for instance.
 */
function nearAmong(identities: readonly Identity[]) {
  const groups = Array.from(
    Map.groupBy(identities, (identity) => identity.map(firstOf).join()),
    ([kinds, members]) => ({ kinds: kinds.split(',').map(Number), members, indexes: new Map() }),
  );
  return (identity: Identity, isAsked: (part: IdentityPart) => boolean = () => true): Identity[] =>
    groups.flatMap(({ kinds, members, indexes }) => {
      const comparedIndexes = [...identity.keys()].filter((index) => {
        const part = identity[index];
        return part !== undefined && isAsked(part) && firstOf(part) === kinds[index];
      });
      const keyOf = (one: Identity): string =>
        comparedIndexes.map((index) => one[index]?.names[kinds[index] ?? -1] ?? '').join(' ');
      const name = comparedIndexes.join();
      const index: Map<string, Identity[]> = indexes.get(name) ?? Map.groupBy(members, keyOf);
      indexes.set(name, index);
      return index.get(keyOf(identity)) ?? [];
    });
}

/** Finds those of some identities that are the same as one (10). */
export function sameAmong(identities: readonly Identity[]): (identity: Identity) => Identity[] {
  const near = nearAmong(identities);
  return (identity) => near(identity).filter((other) => isSame(identity, other));
}

/**
 * (9, 10) The identities of each thing: those that are the same. One that is so as several others, which differ, is torn, and a thing
 * of its own.
 */
function thingsOf(identities: readonly Identity[]) {
  if (identities.length < 2) return { things: identities.map((identity) => [identity]), isTorn: () => false };
  const sameIdentities = sameAmong(identities);
  const identitiesAlike = new Map(identities.map((identity) => [identity, sameIdentities(identity)]));
  const isClear = (all: readonly Identity[]): boolean =>
    all.every((first) => all.every((second) => first === second || isAlike([first], [second])));
  const clear = new Map([...identitiesAlike].filter(([, all]) => isClear(all)));
  const placedIdentities = new Set<Identity>();
  const things = identities.flatMap((identity) => {
    if (placedIdentities.has(identity)) return [];
    const thing = new Set([identity]);
    // What is added is visited too.
    for (const one of thing) for (const other of clear.get(one) ?? []) if (clear.has(other)) thing.add(other);
    for (const one of thing) placedIdentities.add(one);
    return [[...thing]];
  });
  return {
    things,
    isTorn: ([identity]: readonly Identity[]) => identity !== undefined && !clear.has(identity),
  };
}

/** A county that none has may be any, and one line may be of an appointment of all lines, only where nothing fits better. */
const distances = { none: 0, unclear: 1, otherCounty: 2, allLines: 3, both: 4 };

/** (9) How far an end is from what it may mean; undefined: it cannot mean that. */
function distanceOf(end: Identity, thing: readonly Identity[]): number | undefined {
  let [isUnclear, isOfOtherCounty, isOfAllLines] = [false, false, false];
  for (const [index, part] of end.entries()) {
    if (isUnnamed(part)) continue;
    const likeness = likenessIn(index, [end], thing);
    if (likeness === 'cannot tell') isUnclear = true;
    if (likeness !== 'other') continue;
    const isOfAll = thing.every(({ [index]: other }) => other && isUnnamed(other));
    if (part.unnamed === 'unclear' || (part.unnamed === 'all lines' && !isOfAll)) return undefined;
    if (part.unnamed === 'all lines') isOfAllLines = true;
    else isOfOtherCounty = true;
  }
  if (isOfAllLines) return isOfOtherCounty ? distances.both : distances.allLines;
  if (isOfOtherCounty) return distances.otherCounty;
  return isUnclear ? distances.unclear : distances.none;
}

/** A license, line, or appointment, by its place, and whether a row is of it, is an end that may mean it, or leaves it not known. */
export interface Reached {
  readonly thing: number;
  readonly reach: 'own' | 'may mean' | 'doubts';
}

/** Tells what rows speak of. */
export function namingOf(rows: readonly DatedRow[]) {
  const identities = distinct(rows.map(({ identity }) => identity));
  const { things, isTorn } = thingsOf(identities);
  const places = new Map(things.flatMap((thing, at) => thing.map((one) => [identityKey(one), at] as const)));
  const placeOf = (identity: Identity): number => places.get(identityKey(identity)) ?? -1;
  const liveThings = new Set(rows.filter(isLive).map(({ identity }) => placeOf(identity)));
  const near = lazily(() => nearAmong(identities.filter((identity) => liveThings.has(placeOf(identity)))));
  const nearAll = lazily(() => nearAmong(identities));
  const nearest = (end: Identity, isAsked: (part: IdentityPart) => boolean) => {
    const likeness = [...new Set(near()(end, isAsked).map(placeOf))].flatMap((thing) => {
      const distance = distanceOf(end, things[thing] ?? []);
      return distance === undefined ? [] : { thing, distance };
    });
    const least = Math.min(...likeness.map(({ distance }) => distance));
    return likeness.filter(({ distance }) => distance === least);
  };
  const reachOfEnd = (end: Identity): readonly Reached[] => {
    const isNamed = (part: IdentityPart): boolean => !isUnnamed(part);
    const exact = nearest(end, isNamed).filter(({ distance }) => distance <= distances.unclear);
    const reached =
      exact.length > 0 ? exact : nearest(end, (part) => isNamed(part) && part.unnamed !== 'whole state');
    const place = placeOf(end);
    const reachedThings = reached.map(({ thing, distance }): Reached => {
      if (thing === place) return { thing, reach: 'own' };
      const identitiesOfThing = things[thing] ?? [];
      // One that may be what ended, or another that did not, is not known.
      const isDoubted = isTorn(identitiesOfThing) && identitiesOfThing.every((one) => isSame(end, one));
      return { thing, reach: isDoubted || distance >= distances.allLines ? 'doubts' : 'may mean' };
    });
    // One that leaves nothing out is of something of its own too, unless that is held.
    const isOfOwn = !end.some(isUnnamed) && reached[0]?.distance !== distances.none;
    return reachedThings.length === 0 || isOfOwn
      ? [...reachedThings, { thing: place, reach: 'own' }]
      : reachedThings;
  };
  const reachedByKey = new Map<string, readonly Reached[]>();
  return {
    /** Keys that tell each license, line, or appointment apart. */
    keys: things.map(([identity = []]) => identityKey(identity)),
    /** Finds which of them a row reaches: an end, one that is known by ends alone only where it can mean none that is stated live. */
    reachOf(row: DatedRow): readonly Reached[] {
      if (!isEnd(row)) return [{ thing: placeOf(row.identity), reach: 'own' }];
      const key = identityKey(row.identity);
      const reached = reachedByKey.get(key) ?? reachOfEnd(row.identity);
      reachedByKey.set(key, reached);
      return reached;
    },
    /** The others that one may be. */
    lookalikesOf(place: number): number[] {
      const thing = liveThings.has(place) ? (things[place] ?? []) : [];
      const likeness = new Set(thing.flatMap((identity) => nearAll()(identity).map(placeOf)));
      return [...likeness].filter((other) => other !== place && isAlike(thing, things[other] ?? []));
    },
  };
}
