import type { Identity, IdentityPart } from '#domain/decision/statements.ts';

// Which rows are of one thing, and what an end means (rules 9 and 10).

type Likeness = 'same' | 'unclear' | 'different';
const isUnnamed = (part: IdentityPart): boolean => part.names.every((name) => name === null);

function likenessOfParts(a: IdentityPart, b: IdentityPart): Likeness {
  if (isUnnamed(a) && isUnnamed(b)) return 'same';
  if (isUnnamed(a) || isUnnamed(b)) return a.unnamed === 'unclear' ? 'unclear' : 'different';
  let isOneSided = false;
  for (const [index, name] of a.names.entries()) {
    const other = b.names[index] ?? null;
    if (name !== null && name === other) return 'same';
    if (name !== null && other !== null) return isOneSided ? 'unclear' : 'different';
    if (name !== other) isOneSided = true;
  }
  return 'unclear';
}

/** Of each part: the same where two of the identities are, else different where two are. */
function likenessesOf(a: readonly Identity[], b: readonly Identity[]): Likeness[] {
  const pairs = a.flatMap((one) =>
    b.map((other) => one.map((part, at) => likenessOfParts(part, other[at] ?? part))),
  );
  return (a[0] ?? []).map((_part, at) => {
    const found = new Set(pairs.map((likenesses) => likenesses[at]));
    if (found.has('same')) return 'same';
    return found.has('different') ? 'different' : 'unclear';
  });
}

export const isSame = (a: Identity, b: Identity): boolean =>
  likenessesOf([a], [b]).every((likeness) => likeness === 'same');

export const isAlike = (a: Thing, b: Thing): boolean => !likenessesOf(a, b).includes('different');

export type Thing = readonly Identity[];

export const keyOf = (identity: Identity): string => JSON.stringify(identity.map(({ names }) => names));

/**
 * Things by the keys of their identities: those that are the same, but what is so as two different ones is torn, and a thing of its
 * own.
 */
export function thingsOf(identities: readonly Identity[]) {
  const distinct = [...new Map(identities.map((identity) => [keyOf(identity), identity])).values()];
  const isTorn = (one: Identity): boolean => {
    const same = distinct.filter((other) => isSame(one, other));
    return same.some((a) => same.some((b) => !isAlike([a], [b])));
  };
  const things: Identity[][] = [];
  for (const identity of distinct) {
    const joined = isTorn(identity)
      ? []
      : things.filter((thing) => thing.some((other) => !isTorn(other) && isSame(identity, other)));
    for (const thing of joined) things.splice(things.indexOf(thing), 1);
    things.push([...joined.flat(), identity]);
  }
  return {
    things: new Map(
      things.flatMap((thing) => thing.map((identity): [string, Thing] => [keyOf(identity), thing])),
    ),
    torn: new Set<Thing>(things.filter((thing) => thing.some(isTorn))),
  };
}

export type Reach = 'own' | 'ends' | 'doubts';

/** What an end does to each of the things that are stated live somewhere; where it can mean none, to its own (rule 9). */
export function reachesOf(
  end: Identity,
  own: Thing,
  held: readonly Thing[],
  torn: ReadonlySet<Thing>,
): Map<Thing, Reach> {
  const rated = held.flatMap((thing) => {
    const likenesses = likenessesOf([end], thing);
    const isOfAll = thing.some((identity) =>
      identity.some((part) => part.unnamed === 'all lines' && isUnnamed(part)),
    );
    const named = end.flatMap((part, at) => (isUnnamed(part) ? [] : { part, likeness: likenesses[at] }));
    const different = named
      .filter(({ likeness }) => likeness === 'different')
      .map(({ part }) => part.unnamed);
    if (different.includes('unclear') || (different.includes('all lines') && !isOfAll)) return [];
    // Of all lines is further than another county, and that is further than what cannot be told.
    const [isOfLess, isElsewhere] = [different.includes('all lines'), different.includes('whole state')];
    const isUnclear = !isOfLess && !isElsewhere && named.some(({ likeness }) => likeness === 'unclear');
    return { thing, isOfLess, rank: [isOfLess, isElsewhere, isUnclear].map(Number).join() };
  });
  const [best] = rated.map(({ rank }) => rank).sort();
  if (best === undefined) return new Map([[own, 'own']]);
  // One that leaves nothing out is of something of its own too, unless that is held.
  const isOfOwn = best !== '0,0,0' && !end.some(isUnnamed);
  const reached = rated
    .filter(({ rank }) => rank === best)
    .map(({ thing, isOfLess }) => {
      const isOfAnother = torn.has(thing) && thing.every((one) => isSame(end, one));
      return [thing, thing === own ? 'own' : isOfLess || isOfAnother ? 'doubts' : 'ends'] as const;
    });
  return new Map<Thing, Reach>([...reached, ...(isOfOwn ? [[own, 'own'] as const] : [])]);
}
