import { statusKindOf } from '../registry/words.ts';
import { type ClassKind, classKindOf } from './classes.ts';
import {
  type Closing,
  comparable,
  comparableCode,
  comparableNumber,
  type Fact,
  type LicenseRow,
  licenseKey,
  rowsOf,
} from './facts.ts';

/** The facts of a key, in the order of their commands, without those that were retracted. */
export interface KeyFacts<Row> {
  /** One of its rows: all name the same number, class code or else class name, and `issueDate`. */
  readonly row: LicenseRow;
  readonly facts: readonly Fact<Row>[];
}

/** Licenses of one number, by their identities. */
type Licenses<Row> = Map<string, KeyFacts<Row>[]>;

export type KindOf = (
  row: Pick<LicenseRow, 'stateCode' | 'licenseClassCode' | 'licenseClassName'>,
) => ClassKind;

export const isLive = ({ status }: { readonly status: string }): boolean =>
  statusKindOf(status, 'license') === 'live';

/**
 * The facts of each license, key by key: of one number they are of one license unless their class codes differ or, where one
 * has no code and both have a class name, the kinds of those names. What fits several is, live, a license of its own, and
 * ends them all, not live.
 */
export function licensesAmong<Row extends LicenseRow>(
  keys: readonly KeyFacts<Row>[],
  kindOf: KindOf,
  closings: readonly Closing[] = [],
): ReadonlyMap<string, readonly KeyFacts<Row>[]> {
  const lists = new Set(closings.map(({ commandId }) => commandId));
  const licenses: Licenses<Row> = new Map();
  for (const [number, ofNumber] of Map.groupBy(keys, ({ row }) => comparableNumber(row.licenseNumber))) {
    const classes = Map.groupBy(ofNumber, ({ row }) => licenseKey(row));
    const isClear = classes.size === 1 || ofNumber.every(({ row }) => isCoded(row));
    for (const [license, facts] of isClear ? classes : licensesOfClasses(number, ofNumber, kindOf, lists)) {
      licenses.set(license, facts);
    }
  }
  return licenses;
}

export const isCoded = ({ licenseClassCode }: LicenseRow): boolean => comparable(licenseClassCode) !== '';

export const isNamed = ({ licenseClassName }: Pick<LicenseRow, 'licenseClassName'>): boolean =>
  comparable(licenseClassName) !== '';

/** Rows of one number that are of one license, whatever the others are of. */
interface Candidate {
  readonly license: string;
  /** Of the class names of its rows; none where none has a name. */
  readonly kinds: ReadonlySet<ClassKind>;
}

function licensesOfClasses<Row extends LicenseRow>(
  number: string,
  keys: readonly KeyFacts<Row>[],
  kindOf: KindOf,
  lists: ReadonlySet<string>,
): Licenses<Row> {
  const kindsOf = (rows: readonly LicenseRow[]): Set<ClassKind> => new Set(rows.filter(isNamed).map(kindOf));
  const [coded, uncoded] = [keys.filter(({ row }) => isCoded(row)), keys.filter(({ row }) => !isCoded(row))];
  const withCode = Array.from(
    Map.groupBy(coded, ({ row }) => licenseKey(row)),
    ([license, ofCode]): Candidate => ({
      license,
      kinds: kindsOf(ofCode.flatMap(({ facts }) => rowsOf(facts))),
    }),
  );
  const withoutCode = Array.from(
    Map.groupBy(uncoded, ({ row }) => (isNamed(row) ? kindOf(row) : '')),
    ([kind, ofKind]) => ({
      license: `${number}##${kind}`,
      kinds: kindsOf(ofKind.map(({ row }) => row)),
      ofKind,
    }),
  ).sort((one, other) => other.kinds.size - one.kinds.size);
  const candidates = [...withCode];
  const only = new Map<string, string>();
  for (const { ofKind, ...one } of withoutCode) {
    const [fitting, ...others] = candidates.filter((other) => mayBeOne(one, other));
    if (fitting !== undefined && others.length === 0) only.set(one.license, fitting.license);
    else if (fitting === undefined || ofKind.some(({ facts }) => rowsOf(facts).some(isLive)))
      candidates.push(one);
  }
  const licenses: Licenses<Row> = new Map(candidates.map(({ license }) => [license, []]));
  for (const one of keys) {
    const own = isCoded(one.row)
      ? licenseKey(one.row)
      : `${number}##${isNamed(one.row) ? kindOf(one.row) : ''}`;
    const license = only.get(own) ?? own;
    licenses.get(license)?.push(one);
    const others = isCoded(one.row) ? candidates.slice(withCode.length) : candidates;
    for (const other of others) {
      if (other.license === license) continue;
      // Rows of one code may call its class otherwise.
      const ends = endsOf(one, (row) => mayBeOne({ kinds: kindsOf([row]) }, other), lists);
      if (ends !== undefined) licenses.get(other.license)?.push(ends);
    }
  }
  return licenses;
}

/**
 * The facts of a key as far as they state what is not live and means another license, of which a list that states no such thing
 * leaves it out; undefined where none does.
 */
function endsOf<Row extends LicenseRow>(
  { row, facts }: KeyFacts<Row>,
  isMeant: (row: Row) => boolean,
  lists: ReadonlySet<string>,
): KeyFacts<Row> | undefined {
  const ends = facts.flatMap((fact): Fact<Row>[] => {
    if (fact.what !== 'stated') return [fact];
    const rows = fact.rows.filter((one) => !isLive(one) && isMeant(one));
    if (rows.length > 0) return [{ ...fact, rows }];
    return lists.has(fact.commandId) ? [{ ...fact, what: 'left out' }] : [];
  });
  return rowsOf(ends).length === 0 ? undefined : { row, facts: ends };
}

/** Whether rows of which not both have a class code may be of one license. */
const mayBeOne = (one: Pick<Candidate, 'kinds'>, other: Pick<Candidate, 'kinds'>): boolean =>
  one.kinds.size === 0 || other.kinds.size === 0 || [...one.kinds].some((kind) => other.kinds.has(kind));

/**
 * The license of each key of one state, by `licenseKey`, as far as class names alone tell: of several that what is not live may be
 * of, none.
 */
export function licensesByKey<Row extends LicenseRow>(
  keys: readonly KeyFacts<Row>[],
): ReadonlyMap<string, string> {
  const all = new Set(keys);
  const licenses = new Map<string, string>();
  for (const [license, ofLicense] of licensesAmong(keys, (row) => classKindOf(row, []))) {
    for (const one of ofLicense) if (all.has(one)) licenses.set(licenseKey(one.row), license);
  }
  return licenses;
}

/** Whether rows of one number may be of one license, as far as their classes tell. */
export function mayBeOneClass(
  one: Parameters<KindOf>[0],
  other: Parameters<KindOf>[0],
  kindOf: KindOf = (row) => classKindOf(row, []),
): boolean {
  const codes = [one, other].map(({ licenseClassCode }) => comparableCode(licenseClassCode));
  if (!codes.includes('')) return codes[0] === codes[1];
  return !isNamed(one) || !isNamed(other) || kindOf(one) === kindOf(other);
}
