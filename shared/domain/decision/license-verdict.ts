import { lazily } from '../../platform/contract/lazily.ts';
import { compare } from '../../platform/data/keys.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import type { AskedOfLicenses, LineRequirement } from './compliance-config.ts';
import type { Coverage, HomeCoverage, StateCoverage } from './coverage.ts';
import { includes, never } from './dates.ts';
import { comparable, comparableCode, type LicenseRow, type LineRow } from './facts.ts';
import type { Term } from './license-terms.ts';
import type { Said, SaidWarning } from './reasons.ts';
import { entriesOf, type Found, meets, type Possible, type Search, search } from './search.ts';

/** Whose licenses are judged, where, and when. */
interface LicenseQuestion<License extends LicenseRow> {
  readonly day: CalendarDate;
  readonly state: Pick<StateCoverage<License>, 'terms' | 'orders' | 'unread' | 'unmatchedEnds'>;
  readonly coverage: Pick<Coverage<License>, 'home'>;
  readonly isHomeAsked: boolean;
}

/** A license in force on the day, which counts. */
interface Held<License> {
  readonly row: License;
  readonly home: Home<License>;
  /** The lines that count on the day, and those of them that began on a day that is known. */
  readonly lines: ReadonlySet<string>;
  readonly dated: ReadonlySet<string>;
}

/** Whether a holder's non-resident licenses count on a day, and by which rows: not known where nothing is known of a home state. */
interface Home<License> {
  readonly is: 'licensed' | 'not licensed' | 'not known';
  readonly rows: readonly License[];
}

const notAsked: Home<never> = { is: 'licensed', rows: [] };

function homeOn<License extends LicenseRow>(home: HomeCoverage<License>, day: CalendarDate): Home<License> {
  const rows = home.licensed.flatMap((days) => (includes(days, day) ? days.row : []));
  if (rows.length > 0) return { is: 'licensed', rows };
  return { is: home.begun(day) === 'registry' ? 'not licensed' : 'not known', rows };
}

type Class = Pick<Term<LicenseRow>, 'kind' | 'classCode' | 'className'>;

/** Whether licenses of a class count. */
function isOfClass(
  { kind, classCode, className }: Class,
  classes: AskedOfLicenses['classes'],
): boolean | 'maybe' {
  if (classes === undefined) return kind === 'unrecognized' ? 'maybe' : kind === 'producer';
  const own = [classCode, className].map(comparable).filter((one) => one !== '');
  return own.length === 0 ? 'maybe' : classes.some((one) => own.includes(comparable(one)));
}

const spelled = ({ classCode, className }: Class): string => className ?? classCode ?? 'none';

/** What covers a day of a term, with the lines that count on it. */
function coveringOn<License extends LicenseRow>({ spans }: Term<License>, day: CalendarDate) {
  return spans
    .filter((span) => includes(span, day))
    .map(({ row, lines: daysOfLines, hasLines }) => {
      const [lines, dated] = [new Set<string>(), new Set<string>()];
      for (const [code, days] of daysOfLines) {
        for (const one of days) {
          if (!includes(one, day)) continue;
          lines.add(code);
          if (one.undatedBefore === null || day >= one.undatedBefore) dated.add(code);
        }
      }
      // A license that carries lines is in force only if one of them counts.
      return { row, lines, dated, isInForce: !hasLines || lines.size > 0 };
    });
}

/** Finds the licenses that meet what is asked, and those that might. */
function licensesFor<License extends LicenseRow>(
  terms: readonly Term<License>[],
  { lines, classes }: AskedOfLicenses,
  { day, state, coverage, isHomeAsked }: LicenseQuestion<License>,
) {
  // What is recorded of the home states is looked at only for a license that depends on them.
  const atHome = lazily((): Home<License> => (isHomeAsked ? homeOn(coverage.home, day) : notAsked));
  const held: Held<License>[] = [];
  const away: Held<License>[] = [];
  const possible: Possible[] = [];
  let isWithoutLine = false;
  for (const term of terms) {
    const isCounting = isOfClass(term, classes);
    if (isCounting === false) continue;
    const home = term.isResident ? notAsked : atHome();
    const unknown = term.unknown.filter((days) => includes(days, day));
    const doubts: Said[] = [
      // A row that was set aside may have ended what is in force.
      ...(term.isNotUnderstood ? [{ code: 'row_not_understood' } as const] : []),
      ...(isCounting === true ? [] : [{ code: 'class_unrecognized', what: spelled(term) } as const]),
    ];
    for (const { isInForce, ...one } of coveringOn(term, day)) {
      if (!isInForce) isWithoutLine ||= isCounting === true && unknown.length === 0;
      else if (doubts.length === 0) {
        (home.is === 'not licensed' ? away : held).push({ ...one, home });
      } else if (home.is !== 'not licensed') possible.push({ lines: one.lines, notKnown: doubts });
    }
    for (const { row, code, lines: its } of home.is === 'not licensed' ? [] : unknown) {
      possible.push({ lines: its, notKnown: [{ code, what: row.status }, ...doubts] });
    }
  }
  for (const one of state.unread) {
    if (one.kind === 'license' && one.isLive && includes(one, day)) {
      possible.push({ lines: 'all', notKnown: [{ code: 'row_not_understood' }] });
    }
  }
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
  const isHomeMissing = inForce.length === 0 ? away.length > 0 : missing.some(isAway);
  const isLicensed = inForce.length + away.length > 0 || isWithoutLine;
  return [
    ...(isHomeMissing && missing.length > 0 ? [{ code: 'home_state_license_not_active' } as const] : []),
    ...(lacking.length === 0
      ? []
      : [
          isLicensed
            ? ({ code: 'line_missing', lines: entriesOf(lacking) } as const)
            : absence(required, question),
        ]),
  ];
}

/** Why no license that counts is in force. */
function absence<License extends LicenseRow>(
  { classes }: AskedOfLicenses,
  { state: { terms }, day }: LicenseQuestion<License>,
): Said {
  const counting = terms.filter((term) => isOfClass(term, classes) === true);
  const isOn = ({ spans }: Term<License>): boolean => spans.some((span) => includes(span, day));
  const lastDay = counting
    .map(({ ownEnds }) => ownEnds.findLast(({ from }) => from <= day)?.ownEnd ?? never)
    .filter((end) => end < day)
    .sort(compare)
    .at(-1);
  if (lastDay !== undefined && !counting.some(isOn)) return { code: 'license_expired', day: lastDay };
  const [firstDay] = counting.flatMap(({ begins, wasLive }) => (wasLive ? begins : [])).sort(compare);
  if (firstDay !== undefined && firstDay > day) return { code: 'license_not_begun', day: firstDay };
  const wrong = terms.filter((term) => isOfClass(term, classes) === false && isOn(term));
  return wrong.length === 0
    ? { code: 'license_missing' }
    : { code: 'license_class_wrong', what: [...new Set(wrong.map(spelled))].join(', ') };
}

/** What is worth knowing of the licenses that meet what is asked. */
function warningsOf({ asked, inForce }: Search<Held<LicenseRow>>): SaidWarning[] {
  const undated = entriesOf(asked).filter(
    (entry) =>
      inForce.some(({ lines }) => meets(entry, lines)) && !inForce.some(({ dated }) => meets(entry, dated)),
  );
  const isLacking = ({ code, ceCompliance }: LineRow, lines: ReadonlySet<string>): boolean =>
    ceCompliance === 'not in compliance' &&
    lines.has(comparableCode(code)) &&
    asked.some((entry) => meets(entry, new Set([comparableCode(code)])));
  const lacking = inForce.flatMap(({ row, lines }) =>
    row.linesOfAuthority.flatMap((line) => (isLacking(line, lines) ? line.code : [])),
  );
  return [
    ...(inForce.some(({ home }) => home.is === 'not known')
      ? [{ code: 'home_state_license_unknown' } as const]
      : []),
    ...(undated.length > 0 ? [{ code: 'line_date_unknown', lines: undated } as const] : []),
    ...Array.from(new Set(lacking), (what) => ({ code: 'ce_not_in_compliance', what }) as const),
  ];
}

/** The rows that a yes rests on: of a non-resident license, those of the home state too. */
const rowsOf = <License>(meeting: readonly Held<License>[]): License[] =>
  meeting.flatMap(({ row, home }) => [row, ...home.rows]);

const order: Said = { code: 'regulatory_action_in_force' };

/** Whether orders are in force on the day that forbid to sell, or of which that is not known. */
function ordersOn({ state: { orders }, day }: LicenseQuestion<LicenseRow>) {
  const inForce = orders.filter((one) => includes(one, day));
  return {
    isForbidden: inForce.some(({ isCeaseAndDesist }) => !isCeaseAndDesist),
    isUnclear: inForce.some(({ isCeaseAndDesist }) => isCeaseAndDesist),
  };
}

/** The verdict on the licenses of a party that needs some. */
export function licensesFound<License extends LicenseRow>(
  required: AskedOfLicenses,
  question: LicenseQuestion<License>,
): Found<License> {
  const { isForbidden, isUnclear } = ordersOn(question);
  const found = licensesFor(question.state.terms, required, question);
  const said = [...(isForbidden ? [order] : []), ...against(found, required, question)];
  // Without any license that counts, those that might meet some entries are as good as none.
  const isNotKnown = found.inForce.length > 0 || found.missing.length === 0;
  const isUnmatched = question.state.unmatchedEnds.some(({ kind }) => kind === 'license');
  return {
    against: said,
    notKnown: [...(isNotKnown ? found.notKnown : []), ...(isUnclear && said.length === 0 ? [order] : [])],
    warnings: [...warningsOf(found), ...(isUnmatched ? [{ code: 'end_unmatched' } as const] : [])],
    rows: rowsOf(found.meeting),
  };
}

/** What is found of a further license that a rule asks for: one license is to meet all of it. */
export function furtherFound<License extends LicenseRow>(
  required: AskedOfLicenses,
  question: LicenseQuestion<License>,
): Found<License> {
  const { isForbidden, isUnclear } = ordersOn(question);
  const { lines, classes = [] } = required;
  const licenses = Map.groupBy(question.state.terms, ({ license }) => license);
  // A row that was set aside may be of a license that nothing else is known of.
  const founds = (isForbidden ? [] : [...licenses.values(), []]).map((terms) =>
    licensesFor(terms, required, question),
  );
  const fitting = founds.filter(({ missing }) => missing.length === 0);
  const remarksOn = (found: (typeof founds)[number]): string => {
    const codes = new Set(warningsOf(found).map(({ code }) => code));
    return `${codes.size} ${[...codes].join()}`;
  };
  // Of several that meet it, whatever their order, the one of which there is the least to say.
  const [met] = fitting
    .filter(({ unmet }) => unmet.length === 0)
    .sort((one, other) => compare(remarksOn(one), remarksOn(other)));
  if (fitting.length > 0) {
    return {
      against: [],
      notKnown: [
        ...(met === undefined ? fitting : []).flatMap(({ notKnown }) => notKnown),
        ...(isUnclear ? [order] : []),
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
