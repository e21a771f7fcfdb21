import { lazily } from '../../platform/contract/lazily.ts';
import { compare } from '../../platform/data/keys.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
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
import { isLive, type Mark, markOn } from './days.ts';
import { namingRows, stateOn } from './holdings.ts';
import type { Said, SaidWarning } from './reasons.ts';
import type { LicenseRow } from './rows.ts';
import { entriesOf, type Found, meets, namesOf, type Possible, type Search, search } from './search.ts';

/** Whose licenses are judged, where, and when. */
interface LicenseQuestion<License extends LicenseRow> {
  readonly day: CalendarDate;
  readonly state: Pick<StateCoverage<License>, 'licenses' | 'orders' | 'unread'>;
  readonly coverage: Pick<Coverage<License>, 'home' | 'classKinds'>;
  readonly isHomeAsked: boolean;
}

/** A license in force on the day, which counts. */
interface Held<License extends LicenseRow> {
  readonly row: License;
  readonly home: HomeState<License>;
  /** The lines that are in force on the day, by their codes and names. */
  readonly lines: ReadonlySet<string>;
}

const notAsked: HomeState<never> = { is: 'licensed', rows: [] };

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
function rowBy<License extends LicenseRow>(
  { said }: LicenseHolding<License>,
  mark: Mark<DatedSource<License>> | undefined,
): License | undefined {
  const own = namingRows(said)
    .map(({ row }) => row.source)
    .toReversed();
  const isOwn = mark?.is === 'in force' || (mark !== undefined && isLive(mark.row));
  const row = isOwn ? mark.row.source : own[0];
  if (row === undefined || (row.licenseClassCode !== null && row.licenseClassName !== null)) return row;
  const [code, name] = (['licenseClassCode', 'licenseClassName'] as const).map(
    (member) => [row, ...own].find((one) => one[member] !== null)?.[member] ?? null,
  );
  return { ...row, licenseClassCode: code, licenseClassName: name };
}

const spelled = ({ licenseClassCode, licenseClassName }: LicenseRow): string =>
  licenseClassName ?? licenseClassCode ?? 'none';

/** The lines of a license on a day, by their codes and names: those in force, and those of which that is not known. */
function linesOn({ lines }: LicenseHolding, day: CalendarDate) {
  const [inForce, notKnown] = [new Set<string>(), new Set<string>()];
  for (const line of lines) {
    const state = stateOn(line, day);
    const names = state === 'in force' ? inForce : state === 'not known' ? notKnown : undefined;
    if (names !== undefined) for (const name of namesOf(line.said, 0)) names.add(name);
  }
  return { inForce, notKnown };
}

/** Finds the licenses that meet what is asked, and those that might. */
function licensesFor<License extends LicenseRow>(
  licenses: readonly LicenseHolding<License>[],
  { lines, classes }: AskedOfLicenses,
  { day, state, coverage, isHomeAsked }: LicenseQuestion<License>,
) {
  // What is known of the home states is looked at only for a license that depends on them.
  const atHome = lazily((): HomeState<License> => (isHomeAsked ? homeStateOn(coverage, day) : notAsked));
  const held: Held<License>[] = [];
  const away: Held<License>[] = [];
  const possible: Possible[] = [];
  let isWithoutLine = false;
  for (const license of licenses) {
    const mark = markOn(license.days, day);
    if (mark?.is !== 'in force' && mark?.is !== 'not known') continue;
    const row = mark.row.source;
    const named = rowBy(license, mark) ?? row;
    const isCounting = isOfClass(named, classes, coverage.classKinds);
    if (isCounting === false) continue;
    const home = named.residencyStatus === 'resident' ? notAsked : atHome();
    const { inForce, notKnown } = linesOn(license, day);
    const doubts: Said[] = [
      ...(mark.is === 'in force'
        ? []
        : [
            mark.row.status === 'unrecognized'
              ? ({ code: 'status_unrecognized', what: row.status } as const)
              : ({ code: 'license_unknown' } as const),
          ]),
      ...(isCounting === true ? [] : [{ code: 'class_unrecognized', what: spelled(named) } as const]),
      ...(home.is === 'not known' ? [{ code: 'home_state_license_unknown' } as const] : []),
      // A row that could not be read may be the end of it.
      ...(state.unread.has('license') ? [{ code: 'row_not_understood' } as const] : []),
    ];
    const own = { row, home, lines: inForce };
    const isInForce = license.lines.length === 0 || inForce.size > 0;
    if (home.is === 'not licensed') {
      if (isInForce) away.push(own);
      continue;
    }
    if (isInForce) {
      if (doubts.length === 0) held.push(own);
      else possible.push({ lines: inForce, notKnown: doubts });
    } else isWithoutLine ||= doubts.length === 0;
    if (notKnown.size > 0)
      possible.push({ lines: notKnown, notKnown: [{ code: 'license_unknown' }, ...doubts] });
  }
  // A row that could not be read may be the license that is asked for.
  if (state.unread.has('license'))
    possible.push({ lines: 'all', notKnown: [{ code: 'row_not_understood' }] });
  return { ...search(lines, held, possible), away, isWithoutLine };
}

/** Why nothing that counts meets entries. */
function against<License extends LicenseRow>(
  { missing, inForce, away, isWithoutLine }: ReturnType<typeof licensesFor<License>>,
  required: AskedOfLicenses,
  question: LicenseQuestion<License>,
): Said[] {
  const isAway = (entry: LineRequirement): boolean => away.some(({ lines }) => meets(entry, lines));
  const lacking = missing.filter((entry) => !isAway(entry));
  const isLicensed = inForce.length + away.length > 0 || isWithoutLine;
  return [
    ...(missing.some(isAway) ? [{ code: 'home_state_license_not_active' } as const] : []),
    ...(lacking.length === 0
      ? []
      : [
          isLicensed
            ? ({ code: 'line_missing', lines: entriesOf(lacking) } as const)
            : absence(required, question),
        ]),
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
  const ends = [before, mark].flatMap((one) => one?.row.ends ?? []).find((one) => one <= day);
  const isLapsed = isLapse(mark) || mark?.is === 'left out';
  return ends !== undefined && isLapsed && isLapse(markOn(days, ends)) ? dayBefore(ends) : undefined;
}

/** Why no license that counts is in force. */
function absence<License extends LicenseRow>(
  { classes }: AskedOfLicenses,
  { state: { licenses }, coverage: { classKinds }, day }: LicenseQuestion<License>,
): Said {
  const rowOf = (license: LicenseHolding<License>): License | undefined =>
    rowBy(license, markOn(license.days, day));
  const isCounting = (license: LicenseHolding<License>): boolean | 'maybe' => {
    const row = rowOf(license);
    return row !== undefined && isOfClass(row, classes, classKinds);
  };
  const counting = licenses.filter((license) => isCounting(license) === true);
  const lastDay = counting
    .flatMap((license) => expiredOn(license, day) ?? [])
    .sort(compare)
    .at(-1);
  if (lastDay !== undefined) return { code: 'license_expired', day: lastDay };
  const [firstDay] = counting
    .flatMap(({ days }) => days.filter(({ from, mark }) => from > day && mark?.is === 'in force'))
    .map(({ from }) => from)
    .sort(compare);
  const hasBegun = counting.some(({ days }) =>
    days.some(({ from, mark }) => from <= day && mark !== undefined),
  );
  if (firstDay !== undefined && !hasBegun) return { code: 'license_not_begun', day: firstDay };
  const wrong = licenses.flatMap((license) => {
    const row = rowOf(license);
    const isWrong = stateOn(license, day) === 'in force' && isCounting(license) === false;
    return isWrong && row !== undefined ? spelled(row) : [];
  });
  return wrong.length === 0
    ? { code: 'license_missing' }
    : { code: 'license_class_wrong', what: [...new Set(wrong)].join(', ') };
}

/** What is worth knowing of the licenses that meet what is asked. */
function warningsOf({ asked, inForce }: Search<Held<LicenseRow>>): SaidWarning[] {
  const lacking = inForce.flatMap(({ row, lines }) =>
    row.linesOfAuthority.flatMap(({ code, name, ceCompliance }) => {
      const names = new Set([code, name].map(comparable).filter((one) => lines.has(one)));
      const isAsked = names.size > 0 && asked.some((entry) => meets(entry, names));
      return isAsked && ceCompliance === 'not in compliance' ? code || name : [];
    }),
  );
  return [
    ...(inForce.some(({ home }) => home.is === 'none known')
      ? [{ code: 'home_state_license_unknown' } as const]
      : []),
    ...Array.from(new Set(lacking), (what) => ({ code: 'ce_not_in_compliance', what }) as const),
  ];
}

/** The rows that a yes rests on: of a non-resident license, those of the home state too. */
const rowsOf = <License extends LicenseRow>(meeting: readonly Held<License>[]): License[] =>
  meeting.flatMap(({ row, home }) => [row, ...home.rows]);

/** Whether orders are in force on the day that forbid to sell, or of which that is not known. */
function ordersOn({ state: { orders, unread }, day }: LicenseQuestion<LicenseRow>) {
  const ofDay = orders.filter((order) => includes(order, day));
  return {
    inForce: ofDay.some(({ is }) => is === 'in force')
      ? [{ code: 'regulatory_action_in_force' } as const]
      : [],
    notKnown: [
      ...(ofDay.some(({ is }) => is === 'not known') ? [{ code: 'regulatory_action_unknown' } as const] : []),
      ...(unread.has('regulatory action') ? [{ code: 'row_not_understood' } as const] : []),
    ],
  };
}

/** The verdict on the licenses of a party that needs some. */
export function licensesFound<License extends LicenseRow>(
  required: AskedOfLicenses,
  question: LicenseQuestion<License>,
): Found<License> {
  const orders = ordersOn(question);
  const found = licensesFor(question.state.licenses, required, question);
  const said = [...orders.inForce, ...against(found, required, question)];
  return {
    against: said,
    notKnown: [...found.notKnown, ...(said.length === 0 ? orders.notKnown : [])],
    warnings: warningsOf(found),
    rows: rowsOf(found.meeting),
  };
}

/** What is found of a further license that a rule asks for: one license is to meet all of it. */
export function furtherFound<License extends LicenseRow>(
  required: AskedOfLicenses,
  question: LicenseQuestion<License>,
): Found<License> {
  const orders = ordersOn(question);
  const { lines, classes = [] } = required;
  // A row that could not be read may be of a license that nothing else is known of.
  const founds = (orders.inForce.length > 0 ? [] : [...question.state.licenses.map((one) => [one]), []]).map(
    (licenses) => licensesFor(licenses, required, question),
  );
  const fitting = founds.filter(({ missing }) => missing.length === 0);
  const met = fitting.find(({ unmet }) => unmet.length === 0);
  if (fitting.length > 0) {
    return {
      against: [],
      notKnown: [
        ...(met === undefined ? fitting : []).flatMap(({ notKnown }) => notKnown),
        ...orders.notKnown,
      ],
      warnings: met === undefined ? [] : warningsOf(met),
      rows: rowsOf(met?.meeting ?? []),
    };
  }
  const isAway = founds.some(({ asked, away }) =>
    asked.every((entry) => away.some((one) => meets(entry, one.lines))),
  );
  const missing: Said = { code: 'further_license_missing', what: classes.join(' or '), lines };
  return {
    against: [isAway ? { code: 'home_state_license_not_active' } : missing],
    notKnown: [],
    warnings: [],
    rows: [],
  };
}
