import type { Identity, IdentityPart } from '../../shared/domain/decision/statements.ts';
import type { Row } from './one-day-statements.ts';

type Likeness = 'same' | 'equal name' | 'unclear' | 'different';
const isUnnamed = (part: IdentityPart): boolean => part.names.every((name) => name === null);

function likenessOfParts(a: IdentityPart, b: IdentityPart): Likeness {
  if (isUnnamed(a) && isUnnamed(b)) return 'same';
  if (isUnnamed(a) || isUnnamed(b)) return a.unnamed === 'unclear' ? 'unclear' : 'different';
  let isOneSided = false;
  for (const [index, name] of a.names.entries()) {
    const other = b.names[index] ?? null;
    if (name !== null && name === other) return isOneSided ? 'equal name' : 'same';
    if (name !== null && other !== null) return isOneSided ? 'unclear' : 'different';
    if (name !== other) isOneSided = true;
  }
  return 'unclear';
}

const worst = (likenesses: readonly Likeness[]): Likeness =>
  (['different', 'unclear', 'equal name'] as const).find((likeness) => likenesses.includes(likeness)) ??
  'same';
const likenessOf = (a: Identity, b: Identity): Likeness =>
  worst(a.map((part, index) => likenessOfParts(part, b[index] ?? part)));

export type Thing = readonly Identity[];
export interface Things {
  readonly all: readonly Thing[];
  of(identity: Identity): Thing;
}

/** The things that rows are of: those of the same identity, unless an equal name might be that of several (rule 9). */
export function thingsOf(identities: readonly Identity[]): Things {
  const keyOf = (identity: Identity): string => JSON.stringify(identity.map(({ names }) => names));
  const distinct = [...new Map(identities.map((identity) => [keyOf(identity), identity])).values()];
  const isSame = (a: Identity, b: Identity): boolean => ['same', 'equal name'].includes(likenessOf(a, b));
  const isTorn = (group: Thing): boolean =>
    group.some((a) => group.some((b) => likenessOf(a, b) === 'different'));
  const ambiguous = new Set(distinct.filter((a) => isTorn(distinct.filter((b) => isSame(a, b)))));
  const grouped = (joins: (a: Identity, b: Identity) => boolean): Thing[] =>
    distinct.reduce<Thing[]>((groups, identity) => {
      const joined = groups.filter((group) => group.some((other) => joins(identity, other)));
      return [...groups.filter((group) => !joined.includes(group)), [...joined.flat(), identity]];
    }, []);
  const joins = (a: Identity, b: Identity): boolean =>
    likenessOf(a, b) === 'same' || (isSame(a, b) && !ambiguous.has(a) && !ambiguous.has(b));
  const torn = new Set(grouped(joins).filter(isTorn).flat());
  const all = grouped((a, b) => joins(a, b) && (likenessOf(a, b) === 'same' || !torn.has(a)));
  const things = new Map(all.flatMap((thing) => thing.map((identity) => [keyOf(identity), thing] as const)));
  return { all, of: (identity) => things.get(keyOf(identity)) ?? [identity] };
}

export const likenessOfThings = (a: Thing, b: Thing, part?: number): Likeness => {
  const pairs = a.flatMap((one) => b.map((other) => [one, other] as const));
  if (part === undefined) return worst(pairs.map(([one, other]) => likenessOf(one, other)));
  const likenesses = pairs.flatMap(([one, other]) => {
    const [mine, its] = [one[part], other[part]];
    return mine && its ? [likenessOfParts(mine, its)] : [];
  });
  if (likenesses.includes('different')) return 'different';
  return likenesses.find((likeness) => likeness !== 'unclear') ?? 'unclear';
};

/** What an end does to a thing (rule 9). */
export function reachOf(
  things: Things,
  end: Row,
  target: Thing,
  held: readonly Thing[],
): 'ends' | 'doubts' | null {
  const own = things.of(end.identity);
  if (own === target) return 'ends';
  if (held.includes(own) && !end.identity.some(isUnnamed)) return null;
  const hasNone = (thing: Thing, index: number): boolean =>
    thing[0]?.[index] !== undefined && isUnnamed(thing[0][index]);
  const isNamedByHeld = (index: number): boolean =>
    held.some((thing) =>
      end.identity.every((part, other) => {
        if (other === index)
          return !hasNone(thing, index) && likenessOfThings(own, thing, index) !== 'different';
        const isLoose =
          isUnnamed(part) || (end.identity[index]?.unnamed === 'all lines' && part.unnamed === 'whole state');
        return isLoose || likenessOfThings(own, thing, other) !== 'different';
      }),
    );
  const reaches = end.identity.map((part, index) => {
    if (isUnnamed(part)) return 'ends';
    const isOther = hasNone(target, index) || likenessOfThings(own, target, index) === 'different';
    if (part.unnamed === 'whole state' && isOther) return isNamedByHeld(index) ? null : 'ends';
    if (part.unnamed === 'all lines' && hasNone(target, index)) return isNamedByHeld(index) ? null : 'doubts';
    return likenessOfThings(own, target, index) === 'different' ? null : 'ends';
  });
  if (reaches.includes(null)) return null;
  return reaches.includes('doubts') ? 'doubts' : 'ends';
}
