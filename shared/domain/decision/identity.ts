import type { Identity, IdentityPart } from './statements.ts';

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

/** How two things, by their identities, are alike in one part: the same if two identities are, else others if two are. */
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

/** Whether two things are not told apart in any part. */
const isAlike = (thing: readonly Identity[], other: readonly Identity[]): boolean =>
  thing[0]?.every((_part, index) => likenessIn(index, thing, other) !== 'other') === true;

const keys = new WeakMap<Identity, string>();

/** A text that two identities share only if they have the same codes and names. */
export function identityKey(identity: Identity): string {
  const key = keys.get(identity) ?? JSON.stringify(identity.map(({ names }) => names));
  keys.set(identity, key);
  return key;
}

/** Different identities, those with most codes and names first. */
function distinct(identities: readonly Identity[]): Identity[] {
  const namesOf = (identity: Identity) =>
    identity.flatMap(({ names }) => names.filter((name) => name !== null));
  return Array.from(new Map(identities.map((one) => [identityKey(one), one])), ([key, identity]) => ({
    key,
    identity,
    count: namesOf(identity).length,
  }))
    .toSorted((one, other) => other.count - one.count || (one.key < other.key ? -1 : 1))
    .map(({ identity }) => identity);
}

/** Finds those of some identities that are the same as one (10). */
export function sameAmong(identities: readonly Identity[]): (identity: Identity) => Identity[] {
  // Two that are the same share a code or name in each part, or have none in either.
  const keysOf = (identity: Identity): string[] =>
    identity.reduce(
      (all, part) => {
        const names = part.names.flatMap((name, index) => (name === null ? [] : `${index}${name}`));
        const own = isUnnamed(part) ? [''] : names;
        return all.flatMap((key) => own.map((name) => `${key} ${name}`));
      },
      [''],
    );
  const keyed = identities.flatMap((identity) => keysOf(identity).map((key) => ({ key, identity })));
  const byKey = Map.groupBy(keyed, ({ key }) => key);
  return (identity) => {
    const found = keysOf(identity).flatMap((key) => byKey.get(key) ?? []);
    return [...new Set(found.map((one) => one.identity))].filter((other) => isSame(identity, other));
  };
}

/**
 * (9, 10) The identities of each thing: those that are the same. One that is so as several others, which differ, is torn, and a thing
 * of its own.
 */
function thingsOf(identities: readonly Identity[]) {
  const ordered = distinct(identities);
  const sameAs = sameAmong(ordered);
  const same = new Map(ordered.map((identity) => [identity, sameAs(identity)]));
  const isClear = ([, all]: readonly [Identity, readonly Identity[]]): boolean =>
    all.every((one) => all.every((other) => one === other || isAlike([one], [other])));
  const clear = new Map([...same].filter(isClear));
  const placed = new Set<Identity>();
  const things = ordered.flatMap((identity) => {
    if (placed.has(identity)) return [];
    const thing = new Set([identity]);
    // What is added is visited too.
    for (const one of thing) for (const other of clear.get(one) ?? []) if (clear.has(other)) thing.add(other);
    for (const one of thing) placed.add(one);
    return [[...thing]];
  });
  return {
    things,
    isTorn: ([identity]: readonly Identity[]) => identity !== undefined && !clear.has(identity),
  };
}

/**
 * Finds the things that may be alike in the parts that are asked for: those whose first names there are the same, or of another
 * kind, one a code and the other a name for instance.
 */
function near<Thing>(named: readonly (readonly [Identity, Thing])[]) {
  const firstOf = ({ names }: IdentityPart): number => names.findIndex((name) => name !== null);
  const groups = Array.from(
    Map.groupBy(named, ([identity]) => identity.map(firstOf).join()),
    ([kinds, members]) => ({ kinds: kinds.split(',').map(Number), members, indexes: new Map() }),
  );
  return (identity: Identity, isAsked: (part: IdentityPart) => boolean): Set<Thing> => {
    const found = new Set<Thing>();
    for (const { kinds, members, indexes } of groups) {
      const asked = identity.flatMap((part, index) =>
        isAsked(part) && firstOf(part) === kinds[index] ? { index, first: kinds[index] } : [],
      );
      const keyOf = (one: Identity): string =>
        asked.map(({ index, first }) => one[index]?.names[first] ?? '').join(' ');
      const name = asked.map(({ index }) => index).join();
      const index: Map<string, (typeof members)[number][]> =
        indexes.get(name) ?? Map.groupBy(members, ([one]) => keyOf(one));
      indexes.set(name, index);
      for (const [, thing] of index.get(keyOf(identity)) ?? []) found.add(thing);
    }
    return found;
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

/** What a row is to a license, line, or appointment: of it, an end that may mean it among others, or one that leaves it not known. */
export type Reach = 'own' | 'may mean' | 'doubts';

/** A license, line, or appointment, by its place, and what a row is to it. */
export interface Reached {
  readonly thing: number;
  readonly reach: Reach;
}

/** What rows speak of. */
export interface Naming {
  /** The identities of each license, line, or appointment, those that say most of it first. */
  readonly things: readonly (readonly Identity[])[];
  /** Which of them a row that is no end is of. */
  readonly placeOf: (identity: Identity) => readonly Reached[];
  /** Which of them an end reaches: one that is known by ends alone only where it can mean none that is stated live. */
  readonly reachOf: (identity: Identity) => readonly Reached[];
  /** The others that one may be. */
  readonly lookalikesOf: (thing: number) => number[];
}

/** @param live identities of the rows that are live. */
export function namingOf(identities: readonly Identity[], live: readonly Identity[]): Naming {
  const { things, isTorn } = thingsOf(identities);
  const places = new Map(
    things.flatMap((thing, place) => thing.map((identity) => [identityKey(identity), place] as const)),
  );
  const own = things.map((_thing, thing): readonly Reached[] => [{ thing, reach: 'own' }]);
  const placeOf = (identity: Identity): readonly Reached[] =>
    own[places.get(identityKey(identity)) ?? -1] ?? [];
  const held = new Set(live.flatMap((identity) => places.get(identityKey(identity)) ?? []));
  const nearHeld = near(
    [...held].flatMap((place) => (things[place] ?? []).map((identity) => [identity, place] as const)),
  );
  const nearest = (end: Identity, isAsked: (part: IdentityPart) => boolean) => {
    const found = [...nearHeld(end, isAsked)].flatMap((thing) => {
      const distance = distanceOf(end, things[thing] ?? []);
      return distance === undefined ? [] : { thing, distance };
    });
    const least = Math.min(...found.map(({ distance }) => distance));
    return found.filter(({ distance }) => distance === least);
  };
  const reachOf = (end: Identity): readonly Reached[] => {
    const isNamed = (part: IdentityPart): boolean => !isUnnamed(part);
    const exact = nearest(end, isNamed).filter(({ distance }) => distance <= distances.unclear);
    const reached =
      exact.length > 0 ? exact : nearest(end, (part) => isNamed(part) && part.unnamed !== 'whole state');
    const place = places.get(identityKey(end));
    const others = reached.map(({ thing, distance }): Reached => {
      if (thing === place) return { thing, reach: 'own' };
      const its = things[thing] ?? [];
      // One that may be what ended, or another that did not, is not known.
      const isDoubted = isTorn(its) && its.every((one) => isSame(end, one));
      return { thing, reach: isDoubted || distance >= distances.allLines ? 'doubts' : 'may mean' };
    });
    // One that leaves nothing out is of something of its own too, unless that is held.
    const isOfOwn = !end.some(isUnnamed) && reached[0]?.distance !== distances.none;
    return others.length === 0 || isOfOwn ? [...others, ...placeOf(end)] : others;
  };
  const known = new Map<string, readonly Reached[]>();
  return {
    things,
    placeOf,
    reachOf(end) {
      const key = identityKey(end);
      const reached = known.get(key) ?? reachOf(end);
      known.set(key, reached);
      return reached;
    },
    lookalikesOf(place) {
      const thing = held.has(place) ? (things[place] ?? []) : [];
      const found = new Set(thing.flatMap((identity) => [...nearHeld(identity, () => true)]));
      return [...found].filter((other) => other !== place && isAlike(thing, things[other] ?? []));
    },
  };
}
