import type { Identity, IdentityPart } from './statements.ts';

/** The identities under which rows speak of one license, line, or appointment. */
export interface Named {
  readonly identities: readonly Identity[];
  /** What ends do to it, by their identities: one of its own, one that may mean it among others, one that leaves it not known. */
  readonly ends: ReadonlyMap<string, 'own' | 'may mean' | 'doubts'>;
  /** Where in the list those are that it may be. */
  readonly lookalikes: readonly number[];
}

type Likeness = 'same' | 'other' | 'cannot tell';

const isUnnamed = ({ names }: IdentityPart): boolean => names.every((name) => name === null);

function likenessOf(part: IdentityPart, other: IdentityPart): Likeness {
  if (isUnnamed(part) && isUnnamed(other)) return 'same';
  if (isUnnamed(part) || isUnnamed(other)) return part.unnamed === 'unclear' ? 'cannot tell' : 'other';
  const both = part.names.findIndex((name, index) => name !== null && other.names[index] !== null);
  if (both === -1) return 'cannot tell';
  if (part.names[both] === other.names[both]) return 'same';
  // Names that differ tell nothing where one of them has a code, which counts before names, and the other has none.
  const isWithoutCodes = [part, other].every(({ names }) =>
    names.slice(0, both).every((name) => name === null),
  );
  return isWithoutCodes ? 'other' : 'cannot tell';
}

const partsThatAre = (likeness: Likeness, identity: Identity, other: Identity): IdentityPart[] =>
  identity.filter((part, index) => {
    const itsPart = other[index];
    return itsPart !== undefined && likenessOf(part, itsPart) === likeness;
  });

/** Whether two rows are of one license, line, or appointment. */
export const isSame = (identity: Identity, other: Identity): boolean =>
  partsThatAre('same', identity, other).length === identity.length;

/** A text that two identities share only if they have the same codes and names. */
export const identityKey = (identity: Identity): string => JSON.stringify(identity.map(({ names }) => names));

const nameCount = (identity: Identity): number =>
  identity.flatMap(({ names }) => names).filter((name) => name !== null).length;

/** Different identities, those with most codes and names first: they say first what there is. */
const distinct = (identities: readonly Identity[]): Identity[] =>
  [...new Map(identities.map((identity) => [identityKey(identity), identity]))]
    .toSorted(
      ([key, identity], [otherKey, other]) =>
        nameCount(other) - nameCount(identity) || (key < otherKey ? -1 : 1),
    )
    .map(([, identity]) => identity);

/** Each identity with the one other group that it fits, else a group of its own. */
function groupsOf(identities: readonly Identity[]): Identity[][] {
  const groups: Identity[][] = [];
  for (const identity of distinct(identities)) {
    const [group, ...others] = groups.filter((some) => some.some((other) => isSame(identity, other)));
    if (group === undefined || others.length > 0) groups.push([identity]);
    else group.push(identity);
  }
  return groups;
}

type Difference = '' | IdentityPart['unnamed'] | 'more';

/** In what alone an end differs from something held: the part's kind, `more` for several, and nothing where it may mean it. */
function differenceOf(end: Identity, held: readonly Identity[]): Difference {
  const differences = held.map((identity): Difference => {
    const [part, ...others] = partsThatAre('other', end, identity).filter((one) => !isUnnamed(one));
    if (part === undefined) return '';
    const isOfAllLines =
      part.unnamed !== 'all lines' || identity[end.indexOf(part)]?.names.every((name) => name === null);
    return others.length > 0 || part.unnamed === 'unclear' || isOfAllLines !== true ? 'more' : part.unnamed;
  });
  return differences.find((difference) => difference !== 'more') ?? 'more';
}

/**
 * What rows speak of: each license, line, or appointment by its identities.
 * @param naming identities of the rows that say what there is.
 * @param ends those of ends, which speak of something of their own only where they can mean nothing that is held.
 */
export function namedBy(naming: readonly Identity[], ends: readonly Identity[]): Named[] {
  const held = groupsOf(naming);
  const reach = held.map(() => new Map<string, 'own' | 'may mean' | 'doubts'>());
  const unheld = distinct(ends).filter((end) => {
    const owners = held.filter((identities) => identities.some((identity) => isSame(end, identity)));
    const differences = held.map((identities) => differenceOf(end, identities));
    // A county that none has may be any, and one line may be of an appointment of all lines, only where nothing fits better.
    const nearest = (['', 'whole state', 'all lines'] as const).find((difference) =>
      differences.includes(difference),
    );
    for (const [index, difference] of differences.entries()) {
      if (difference !== nearest) continue;
      const isOwn = owners.length === 1 && owners[0] === held[index];
      reach[index]?.set(identityKey(end), isOwn ? 'own' : difference === 'all lines' ? 'doubts' : 'may mean');
    }
    return nearest === undefined;
  });
  const endings = groupsOf(unheld).map((identities) => ({
    identities,
    ends: new Map(identities.map((identity) => [identityKey(identity), 'own' as const])),
    lookalikes: [],
  }));
  const mayBe = (identities: readonly Identity[], others: readonly Identity[]): boolean =>
    identities !== others &&
    identities.some((identity) =>
      others.some((other) => partsThatAre('other', identity, other).length === 0),
    );
  return [
    ...held.map((identities, index) => ({
      identities,
      ends: reach[index] ?? new Map(),
      lookalikes: held.flatMap((others, at) => (mayBe(identities, others) ? at : [])),
    })),
    ...endings,
  ];
}
