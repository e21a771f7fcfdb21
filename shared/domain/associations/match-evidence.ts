import { absentOr, added, below, type Condition, removed, sized } from '#platform/data/expressions.ts';
import type { Key, TableItems } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { limitReached } from '#platform/errors/domain-error.ts';
import { companyNames } from '../identifiers/comparable-names.ts';
import { comparable, comparableNpn } from '../identifiers/identifiers.ts';
import { live, type StoredAssociation } from './stored.ts';

/** Evidence by which a policy may know an agency, beside the producer code of one of its associations. */
export type AgencyEvidenceKind = 'NPN' | 'EIN' | 'NAME';

/** The key of the associations that a value finds. */
export const evidenceKey = (upstream: string, kind: AgencyEvidenceKind, value: string) => ({
  pk: `${upstream}#EVIDENCE#${kind}`,
  sk: value,
});

/** A value is a sort key of at most 1,024 bytes. */
const longestValue = 200;

const forms: Readonly<Record<AgencyEvidenceKind, (text: string) => readonly string[]>> = {
  NPN: (text) => [comparableNpn(text)],
  EIN: (text) => [comparable(text)],
  NAME: companyNames,
};

/** A value as associations are found by it: a name may hold two. None for one that nothing can be found by. */
export const evidenceValues = (kind: AgencyEvidenceKind, value: string | null | undefined): string[] =>
  forms[kind](value?.trim() ?? '')
    .filter((value) => value !== '')
    .map((value) => value.slice(0, longestValue));

/** Evidence by which an association is found; none if it is not live. */
function evidenceOf(association: StoredAssociation | undefined): Map<string, Key> {
  const liveAssociation = live(association);
  if (liveAssociation === undefined) return new Map();
  const { npn, ein, legalName } = liveAssociation.agency;
  const evidence = [
    ['NPN', npn],
    // An association that the agency may not have agreed to does not show its EIN, not even by what it finds.
    ['EIN', liveAssociation.status === 'invited' ? undefined : ein],
    ['NAME', legalName],
  ] as const;
  const keys = evidence.flatMap(([kind, text]) =>
    evidenceValues(kind, text).map((value) => evidenceKey(liveAssociation.upstreamEntityId, kind, value)),
  );
  return new Map(keys.map((key) => [JSON.stringify(key), key]));
}

/** Associations of a carrier that one NPN, EIN, or name finds at most. */
export const mostFound = 5_000;

const hasRoom: Condition = { associationIds: absentOr(sized(below(mostFound))) };
const noRoom = () =>
  limitReached(`At most ${mostFound} associations can have the same NPN, EIN, or name.`, mostFound);

/** The writes that let an association be found by what its agency is known by now, and no longer by what it was. */
export function evidenceWrites(
  items: TableItems,
  { before, after }: { readonly before: StoredAssociation | undefined; readonly after: StoredAssociation },
): TransactionItem[] {
  const [keysBefore, keysAfter] = [evidenceOf(before), evidenceOf(after)];
  const id = new Set([after._id]);
  const missingFrom = (otherKeys: ReadonlyMap<string, unknown>, evidence: ReadonlyMap<string, Key>) =>
    [...evidence].flatMap(([name, key]) => (otherKeys.has(name) ? [] : [key]));
  return [
    ...missingFrom(keysAfter, keysBefore).map((key) => items.update(key, { associationIds: removed(id) })),
    ...missingFrom(keysBefore, keysAfter).map((key) =>
      items.update(key, { associationIds: added(id) }, hasRoom, noRoom),
    ),
  ];
}
