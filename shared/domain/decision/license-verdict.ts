import { lazily } from '#platform/contract/lazily.ts';
import { compare } from '#platform/data/keys.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { comparable } from '../identifiers/identifiers.ts';
import { type ClassKindVersion, classKindOf } from './classes.ts';
import type { AskedOfLicenses, LineRequirement } from './compliance-config.ts';
import {
  type Coverage,
  type HomeState,
  homeStateOn,
  type LicenseHolding,
  type StateCoverage,
} from './coverage.ts';
import type { DatedSource } from './dated.ts';
import { dayBefore, includes } from './dates.ts';
import { type Mark, markOn } from './days.ts';
import { namingRows, stateOn } from './holdings.ts';
import { isAgainst, type Said } from './reasons.ts';
import type { LicenseRow } from './rows.ts';
import {
  type Candidate,
  doubtsOf,
  entriesOf,
  type Found,
  meets,
  namesOf,
  noLines,
  type Search,
  search,
  unreadIn,
} from './search.ts';
import { isLive } from './statements.ts';

/** Question about the licenses of a party in a state on a day. */
interface LicenseQuestion {
  readonly day: CalendarDate;
  readonly state: Pick<StateCoverage, 'licenses' | 'orders' | 'unread'>;
  readonly coverage: Pick<Coverage, 'home' | 'classKinds'>;
  readonly isHomeAsked: boolean;
}

/** A license that counts. */
interface LicenseCandidate extends Candidate {
  readonly row: LicenseRow;
  readonly home: HomeState;
  readonly lines: ReadonlySet<string>;
}

const homeNotAsked: HomeState = { is: 'licensed', rows: [] };

/** Whether licenses of a row's class count. */
function isOfClass(
  row: LicenseRow,
  classes: AskedOfLicenses['classes'],
  classKinds: readonly ClassKindVersion[],
): boolean | 'maybe' {
  if (classes === undefined) {
    const kind = classKindOf(row, classKinds);
    return kind === 'unrecognized' ? 'maybe' : kind === 'producer';
  }
  const own = [row.licenseClassCode, row.licenseClassName].map(comparable).filter((name) => name !== '');
  return own.length === 0 ? 'maybe' : classes.some((name) => own.includes(comparable(name)));
}

/**
 * The row of a license by a mark, where that is its own, else by the last one that is: an end may be of another. Where it does not
 * name the class, with what an earlier one says of it.
 */
function rowBy(
  { said: reasons }: LicenseHolding,
  mark: Mark<DatedSource<LicenseRow>> | undefined,
): LicenseRow | undefined {
  const isOwn = mark?.is === 'in force' || (mark !== undefined && isLive(mark.row));
  const row = isOwn ? mark.row.source : namingRows(reasons).at(-1)?.row.source;
  if (row === undefined || (row.licenseClassCode !== null && row.licenseClassName !== null)) return row;
  const own = namingRows(reasons)
    .map((one) => one.row.source)
    .toReversed();
  const saying = (member: 'licenseClassCode' | 'licenseClassName'): string | null =>
    [row, ...own].find((one) => one[member] !== null)?.[member] ?? null;
  return {
    ...row,
    licenseClassCode: saying('licenseClassCode'),
    licenseClassName: saying('licenseClassName'),
  };
}

const classOf = ({ licenseClassCode, licenseClassName }: LicenseRow): string =>
  licenseClassName ?? licenseClassCode ?? 'none';

/** The lines of a license that are in force on a day, or of which that is not known, by their codes and names. */
const linesOn = ({ lines }: LicenseHolding, day: CalendarDate, is: 'in force' | 'not known'): Set<string> =>
  new Set(lines.flatMap((line) => (stateOn(line, day) === is ? [...namesOf(line.said, 0)] : [])));

/** Finds the licenses that meet what is asked, and those that might. */
function licensesFor(
  licenses: readonly LicenseHolding[],
  { lines, classes }: AskedOfLicenses,
  { day, state, coverage, isHomeAsked }: LicenseQuestion,
) {
  // What is known of the home states is looked at only for a license that depends on them.
  const atHome = lazily(() => (isHomeAsked ? homeStateOn(coverage, day) : homeNotAsked));
  const unread = unreadIn(state, 'license');
  const candidates: LicenseCandidate[] = [];
  const away: LicenseCandidate[] = [];
  for (const license of licenses) {
    const mark = markOn(license.days, day);
    if (mark?.is !== 'in force' && mark?.is !== 'not known') continue;
    const row = mark.row.source;
    const namedRow = rowBy(license, mark) ?? row;
    const isCounting = isOfClass(namedRow, classes, coverage.classKinds);
    if (isCounting === false) continue;
    const home = namedRow.residencyStatus === 'resident' ? homeNotAsked : atHome();
    const notKnown: Said[] = [
      ...doubtsOf(mark, { code: 'license_unknown' }),
      ...(isCounting === true ? [] : [{ code: 'class_unrecognized', what: classOf(namedRow) } as const]),
      ...(home.is === 'not known' ? [{ code: 'home_state_license_unknown' } as const] : []),
      ...unread,
    ];
    const [inForce, possible] = [linesOn(license, day, 'in force'), linesOn(license, day, 'not known')];
    const isWithoutLine = license.lines.length > 0 && inForce.size === 0;
    const own = { row, home, lines: isWithoutLine ? noLines : inForce, notKnown };
    if (home.is !== 'not licensed') {
      candidates.push(own);
      if (possible.size > 0)
        candidates.push({ ...own, lines: possible, notKnown: [{ code: 'license_unknown' }, ...notKnown] });
    } else if (!isWithoutLine) away.push(own);
  }
  return { ...search(lines, candidates, unread), away };
}

/** Why nothing that counts meets entries. */
function against(
  { missing, inForce, away }: ReturnType<typeof licensesFor>,
  requirement: AskedOfLicenses,
  question: LicenseQuestion,
): Said[] {
  const isAway = (entry: LineRequirement): boolean => away.some(({ lines }) => meets(entry, lines));
  const lacking = missing.filter((entry) => !isAway(entry));
  const reasons: Said[] = missing.some(isAway) ? [{ code: 'home_state_license_not_active' }] : [];
  if (lacking.length === 0) return reasons;
  const isLicensed = inForce.length + away.length > 0;
  return [
    ...reasons,
    isLicensed ? { code: 'line_missing', lines: entriesOf(lacking) } : absence(requirement, question),
  ];
}

/** The last day of a license that has passed, where no end has said otherwise, but that it lapsed or is inactive. */
function expiredOn({ days }: LicenseHolding, day: CalendarDate): CalendarDate | undefined {
  const isLapse = (mark: Mark | undefined): boolean =>
    mark === undefined || (mark.is === 'ended' && ['lapsed', 'inactive'].includes(mark.row.status));
  const mark = markOn(days, day);
  const before = days.findLast(
    (span) => span.from <= day && (span.mark?.is === 'in force' || span.mark?.is === 'not known'),
  )?.mark;
  const ends = [before, mark].flatMap((one) => one?.row.ends ?? []).find((end) => end <= day);
  const isLapsed = isLapse(mark) || mark?.is === 'left out';
  return ends !== undefined && isLapsed && isLapse(markOn(days, ends)) ? dayBefore(ends) : undefined;
}

/** Why no license that counts is in force. */
function absence(
  { classes }: AskedOfLicenses,
  { state: { licenses }, coverage: { classKinds }, day }: LicenseQuestion,
): Said {
  const knownLicenses = licenses.flatMap((license) => {
    const row = rowBy(license, markOn(license.days, day));
    return row === undefined ? [] : { ...license, row, isCounting: isOfClass(row, classes, classKinds) };
  });
  const counting = knownLicenses.filter(({ isCounting }) => isCounting === true);
  const lastDay = counting
    .flatMap((license) => expiredOn(license, day) ?? [])
    .sort(compare)
    .at(-1);
  if (lastDay !== undefined) return { code: 'license_expired', day: lastDay };
  const markedSpans = counting.flatMap(({ days }) => days.filter(({ mark }) => mark !== undefined));
  const [firstDay] = markedSpans
    .flatMap(({ from, mark }) => (from > day && mark?.is === 'in force' ? from : []))
    .sort(compare);
  const hasBegun = markedSpans.some(({ from }) => from <= day);
  if (firstDay !== undefined && !hasBegun) return { code: 'license_not_begun', day: firstDay };
  const wrong = knownLicenses.flatMap((license) =>
    license.isCounting === false && stateOn(license, day) === 'in force' ? classOf(license.row) : [],
  );
  return wrong.length === 0
    ? { code: 'license_missing' }
    : { code: 'license_class_wrong', what: [...new Set(wrong)].join(', ') };
}

/** Sums up licenses that meet: what is worth knowing of them, and the rows of a yes, of non-resident ones with the home state’s. */
function metBy({ asked, inForce, meeting }: Search<LicenseCandidate>): Pick<Found, 'warnings' | 'rows'> {
  const heldLicenses = inForce.filter(({ lines }) => lines !== noLines);
  const lacking = heldLicenses.flatMap(({ row, lines }) =>
    row.linesOfAuthority.flatMap(({ code, name, ceCompliance }) => {
      if (ceCompliance !== 'not in compliance') return [];
      const names = new Set([code, name].map(comparable)).intersection(lines);
      return names.size > 0 && asked.some((entry) => meets(entry, names)) ? code || name : [];
    }),
  );
  const isHomeUnknown = heldLicenses.some(({ home }) => home.is === 'none known');
  return {
    warnings: [
      ...(isHomeUnknown ? [{ code: 'home_state_license_unknown' } as const] : []),
      ...Array.from(new Set(lacking), (what) => ({ code: 'ce_not_in_compliance', what }) as const),
    ],
    rows: meeting.flatMap(({ row, home }) => [row, ...home.rows]),
  };
}

/** Whether orders are in force on the day that forbid to sell, or of which that is not known. */
function ordersOn({ state, day }: LicenseQuestion): Said[] {
  const ofDay = state.orders.filter((order) => includes(order, day)).map(({ is }) => is);
  if (ofDay.includes('in force')) return [{ code: 'regulatory_action_in_force' }];
  const unknown: Said[] = ofDay.length === 0 ? [] : [{ code: 'regulatory_action_unknown' }];
  return [...unknown, ...unreadIn(state, 'regulatory action')];
}

/** The verdict on the licenses of a party that needs some. */
export function licensesFound(requirement: AskedOfLicenses, question: LicenseQuestion): Found {
  const orders = ordersOn(question);
  const found = licensesFor(question.state.licenses, requirement, question);
  const reasons = [...orders.filter(isAgainst), ...against(found, requirement, question)];
  return {
    reasons: [...reasons, ...found.notKnown, ...(reasons.length === 0 ? orders : [])],
    ...metBy(found),
  };
}

/** Finds what is so of a further license that a rule asks for: one license is to meet all of it. */
export function furtherFound(requirement: AskedOfLicenses, question: LicenseQuestion): Found {
  const orders = ordersOn(question);
  const isOrdered = orders.some(isAgainst);
  const { lines, classes = [] } = requirement;
  // A row that could not be read may be of a license that nothing else is known of.
  const founds = (isOrdered ? [] : [...question.state.licenses.map((license) => [license]), []]).map(
    (licenses) => licensesFor(licenses, requirement, question),
  );
  const fitting = founds.filter(({ missing }) => missing.length === 0);
  const met = fitting.find(({ unmet }) => unmet.length === 0);
  if (met !== undefined) return { reasons: orders, ...metBy(met) };
  const notKnown = fitting.flatMap((license) => license.notKnown);
  if (fitting.length > 0) return { reasons: [...notKnown, ...orders], warnings: [], rows: [] };
  const isAway = founds.some(({ asked, away }) =>
    asked.every((entry) => away.some((license) => meets(entry, license.lines))),
  );
  const missing: Said = { code: 'further_license_missing', what: classes.join(' or '), lines };
  return {
    reasons: [isAway ? { code: 'home_state_license_not_active' } : missing],
    warnings: [],
    rows: [],
  };
}
