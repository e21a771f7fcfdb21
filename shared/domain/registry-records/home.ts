import * as z from 'zod/mini';
import { KB } from '../../platform/aws/limits.ts';
import { object } from '../../platform/contract/object.ts';
import { compare } from '../../platform/data/keys.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { StoredItem } from './present-items.ts';
import { factKeys, kindOf } from './stored-facts.ts';

// A license of another state counts only while its holder is licensed at home. So that an answer about one state needs no more
// than a read by key for that, an item repeats what is recorded of the holder's home states.

/** Bytes of the facts in such an item, as JSON. */
export const mostBytesOfHome = 100 * KB;

/** The licenses, lists of licenses, and regulatory actions of the states where a holder has, or had, a resident license. */
export const storedHome = storedItem(
  'registry-records/home',
  object(() => ({
    /** The items of the facts, without what belongs to their place in the table; null where they are too long for one item. */
    facts: z.nullable(z.array(z.record(z.string(), z.unknown()))),
  })),
);

/** Whether the item of a fact states a resident license. */
const statesResident = ({ rows }: StoredItem): boolean =>
  Array.isArray(rows) &&
  rows.some((row: { readonly residencyStatus?: unknown }) => row.residencyStatus === 'resident');

/** Whether an item is of a license, a list of licenses, a row of one that is set aside, or a regulatory action. */
const concernsLicenses = ({ sk, kind }: StoredItem): boolean => {
  const what = kindOf(String(sk));
  const isOfKind = what === 'CLOSED' || what === 'UNREAD';
  return what === 'LICENSE' || what === 'ACTION' || (isOfKind && kind === 'license');
};

/** What a holder's home is known by, among the items of facts: what concerns licenses in the states with a resident license. */
export function factsOfHome(facts: readonly StoredItem[]): StoredItem[] {
  const states = new Set(facts.filter(statesResident).map(({ stateCode }) => stateCode));
  return facts.filter((fact) => states.has(fact['stateCode']) && concernsLicenses(fact));
}

/** The item that repeats what is recorded of a holder's home states, given all items of facts; undefined where there are none. */
export function homeItem(owner: string, npn: string, facts: readonly StoredItem[]) {
  const ofHome = factsOfHome(facts)
    .map(({ pk: _pk, changeKey: _key, changedAt: _at, ...fact }) => fact)
    .sort((one, other) => compare(String(one['sk']), String(other['sk'])));
  if (ofHome.length === 0) return undefined;
  const isTooLong = Buffer.byteLength(JSON.stringify(ofHome)) > mostBytesOfHome;
  return { ...factKeys.home(owner, npn), facts: isTooLong ? null : ofHome };
}
