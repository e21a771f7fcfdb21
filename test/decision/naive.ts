import type { ConfigVersion } from '../../shared/domain/decision/configs.ts';
import type { AppointmentRow, LicenseRow } from '../../shared/domain/decision/facts.ts';
import { comparableEin } from '../../shared/domain/identifiers/comparable-ein.ts';
import { comparableName } from '../../shared/domain/matching/names.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import { addDays, daysBetween, newYorkDate } from '../../shared/platform/dates/calendar.ts';
import type { CaseCommand, CaseQuestion } from './case-rows.ts';

/** What only a row of an import says. */
interface Given {
  validFrom?: string;
  isDeleted?: boolean;
}

/** Whether a holder may sell in a state on a day, by what was known at a moment. */
export interface NaiveQuestion extends CaseQuestion {
  commands: readonly CaseCommand[];
}

export interface NaiveAnswer {
  complianceStatus: 'COMPLIANT' | 'NOT_COMPLIANT';
  licenseStatus: 'Licensed' | 'Missing License' | 'Missing Line of Authority' | 'Expired License';
  appointmentStatus: 'Appointed' | 'Not Appointed' | 'Not Required' | 'Appointment on Binding';
  configBasis: 'version' | 'first version';
}

/** Decides as slowly and plainly as can be, to compare the decision with: all is worked out anew for the one day. */
export function decideNaively(question: NaiveQuestion): NaiveAnswer {
  const { version, configBasis } = configOn(question);
  const requirement = version?.states.find(({ stateCode }) => stateCode === question.stateCode);
  const entries = (requirement?.linesOfAuthority ?? []).map((entry) =>
    typeof entry === 'string' ? [entry] : entry.anyOf,
  );
  const licenseStatus = licenseStatusOn(question, entries);
  const isAsked = ['both', question.party].includes(requirement?.appointmentOf ?? 'both');
  const asked = (isAsked && requirement?.appointment) || 'not required';
  const appointmentStatus =
    asked === 'not required'
      ? 'Not Required'
      : isAppointedOn(question, entries, version?.carrierNaicCodes ?? [])
        ? 'Appointed'
        : asked === 'required'
          ? 'Not Appointed'
          : 'Appointment on Binding';
  const isCompliant = licenseStatus === 'Licensed' && appointmentStatus !== 'Not Appointed';
  const complianceStatus = isCompliant ? 'COMPLIANT' : 'NOT_COMPLIANT';
  return { complianceStatus, licenseStatus, appointmentStatus, configBasis };
}

/** The license terms and the appointments that cover the day, by keys made of what identifies them. */
export function coveringNaively(question: NaiveQuestion): { terms: string[]; appointments: string[] } {
  const terms = termsKnown(question).filter((term) => covers(term, question.day));
  const appointments = appointmentsOn(question).map(({ key }) => key);
  return { terms: terms.map(({ key }) => key), appointments };
}

/** As texts, before every date and after every date. */
const SINCE_EVER = '';
const NO_END = '~';

const earliest = (dates: readonly string[]) =>
  dates.reduce((one, other) => (one < other ? one : other), NO_END);
const latest = (dates: readonly string[]) =>
  dates.reduce((one, other) => (one > other ? one : other), SINCE_EVER);
const written = (date: string | null) => date?.slice(0, 10);
const moment = (time: string) => Date.parse(time);
const dayAfter = (date: string) => (date === NO_END ? NO_END : addDays(date, 1));

/** What one command says of one kind in the state; its order among the commands. */
interface Statement<Row> {
  order: number;
  day: string;
  isList: boolean;
  rows: readonly (Row & Given)[];
}

/** The statements of one kind, and without the rows that later ones, or themselves, retract. */
function statementsOf<Row extends { stateCode: string }>(
  { commands, knownAt, stateCode }: NaiveQuestion,
  rowsOf: (command: CaseCommand) => readonly (Row & Given)[] | undefined,
  keyAmong: (rows: readonly Row[]) => (row: Row) => string,
): Statement<Row>[] {
  const isKnown = (at: string | null) => at !== null && moment(at) <= moment(knownAt);
  const known = commands.filter(({ at, recordedAt = at }) => isKnown(recordedAt));
  const statements = known
    .toSorted((one, other) => moment(one.at) - moment(other.at))
    .flatMap((command, order): Statement<Row>[] => {
      const rows = rowsOf(command)?.filter((row) => row.stateCode === stateCode);
      const day = newYorkDate(new Date(command.at));
      const { kind, at, recordedAt = at, closedAt = recordedAt } = command;
      return rows ? [{ order, day, isList: kind === 'list' && isKnown(closedAt), rows }] : [];
    });
  for (const retracting of statements) {
    const keyOf = keyAmong(statements.flatMap(({ rows }) => rows.filter(({ isDeleted }) => !isDeleted)));
    const retracted = new Set(retracting.rows.filter(({ isDeleted }) => isDeleted).map(keyOf));
    for (const statement of statements.filter(({ order }) => order <= retracting.order))
      statement.rows = statement.rows.filter((row) => !retracted.has(keyOf(row)));
  }
  return statements;
}

/** The statements of lists that leave out what was recorded before and did not come back within 30 days. */
function omissionsOf<Row>(
  statements: readonly Statement<Row>[],
  isNamed: (row: Row) => boolean,
  isNoReturn: (statement: Statement<Row>) => boolean = () => false,
) {
  const naming = statements.filter(({ rows }) => rows.some(isNamed));
  const backs = naming.filter((statement) => !isNoReturn(statement));
  return statements.flatMap((statement) => {
    const isLeftOut = statement.isList && !naming.includes(statement);
    if (!isLeftOut || !naming.some(({ order }) => order < statement.order)) return [];
    const back = backs.find(({ order }) => order > statement.order);
    return back && daysBetween(statement.day, back.day) <= 30 ? [] : [{ ...statement, back }];
  });
}

/** Whether an import names something only from days before the list that left it out: it is not back. */
function isHistory<Row>(
  statement: Statement<Row>,
  statements: readonly Statement<Row>[],
  isNamed: (row: Row) => boolean,
): boolean {
  const names = ({ rows }: Statement<Row>) => rows.some(isNamed);
  const before = statements.filter(({ order }) => order < statement.order);
  const back = before.findLast((one) => names(one) && !isHistory(one, statements, isNamed));
  const leftOut = back && before.find(({ order, isList }) => isList && order > back.order);
  const given = statement.rows.filter(isNamed).map(({ validFrom }) => validFrom);
  return leftOut !== undefined && given.every((date) => date && date < leftOut.day);
}

// ── Licenses

/** What one command says of a term from one date on. */
interface Version {
  order: number;
  day: string;
  validFrom: string;
  isGiven: boolean;
  isLive: boolean;
  statuses: readonly string[];
  ownEnd: string;
  /** Its rows. */
  text: string;
  /** Whether a line is active, by its code. */
  lines: ReadonlyMap<string, boolean>;
}

interface Term {
  key: string;
  license: string;
  issueDate: string;
  /** In the order of their commands. */
  versions: Version[];
  /** The rows of the last command that changed it. */
  last: string;
  neverWas: boolean;
  /** Days on which it was left out by a list, the last not included. */
  gaps: { from: string; until: string }[];
}

const isLiveLicense = (row: LicenseRow) => row.status.toLowerCase() === 'active';
const licenseKey = (row: LicenseRow) => JSON.stringify([row.licenseNumber, row.licenseClassCode]);
const termKey = (row: LicenseRow) => `${licenseKey(row)} ${written(row.issueDate) ?? 'undated'}`;
const ownEnd = (row: LicenseRow) =>
  earliest([written(row.nextRenewalDate) ?? NO_END, written(row.expirationDate) ?? NO_END]);

const licenseStatements = (question: NaiveQuestion) =>
  statementsOf<LicenseRow>(
    question,
    ({ licenses }) => licenses,
    () => termKey,
  );

function licenseStatusOn(question: NaiveQuestion, entries: readonly (readonly string[])[]) {
  const { day } = question;
  const terms = termsKnown(question).filter(({ neverWas }) => !neverWas);
  const covering = terms.filter((term) => covers(term, day));
  if (covering.length === 0) {
    const isExpired = terms.some((term) => {
      const last = speakingOn(term, day).at(-1);
      return last !== undefined && resolvedEnd(term, last) < day;
    });
    return isExpired ? 'Expired License' : 'Missing License';
  }
  const isMet = (codes: readonly string[]) =>
    covering.some((term) => codes.some((code) => lineCounts(speakingOn(term, day), code, day)));
  return entries.every(isMet) ? 'Licensed' : 'Missing Line of Authority';
}

function termsKnown(question: NaiveQuestion): Term[] {
  const statements = licenseStatements(question);
  const terms = new Map<string, Term>();
  for (const statement of statements)
    for (const [key, rows] of groupBy(statement.rows, termKey)) {
      const term = terms.get(key) ?? newTerm(key, rows);
      terms.set(key, term);
      const text = textOf(rows);
      // An import that is repeated changes nothing, whatever has begun since.
      if (!statement.isList && text === term.last && !isLeftOutSince(term, statement, statements)) continue;
      const known = isThere(term, statement, statements) ? term.versions : [];
      const added = versionsOf(term, statement, rows).filter((version) => !isRepeated(version, known));
      if (added.length > 0) term.last = text;
      term.versions.push(...added);
    }
  for (const term of terms.values()) applyOmissions(term, [...terms.values()], statements);
  return [...terms.values()];
}

/** Whether a list has left a term out since its last version. */
function isLeftOutSince(
  { key, versions }: Term,
  { order }: Statement<LicenseRow>,
  statements: readonly Statement<LicenseRow>[],
): boolean {
  const since = versions.at(-1)?.order ?? order;
  const lists = statements.filter((one) => one.isList && one.order > since && one.order < order);
  return lists.some(({ rows }) => rows.every((row) => termKey(row) !== key));
}

/** Whether no list has left a term out before a statement since it was, or came back. */
function isThere(
  { key }: Term,
  { order }: Statement<LicenseRow>,
  statements: readonly Statement<LicenseRow>[],
): boolean {
  const isTerm = (row: LicenseRow) => termKey(row) === key;
  const before = statements.filter((one) => one.order < order);
  const back = before.findLast((one) => one.rows.some(isTerm) && !isHistory(one, statements, isTerm));
  return before.every((one) => !one.isList || one.order <= (back?.order ?? order));
}

const textOf = (rows: readonly (LicenseRow & Given)[]): string =>
  [
    ...new Set(
      rows.map(({ isDeleted: _isDeleted, validFrom = null, ...row }) => JSON.stringify([row, validFrom])),
    ),
  ]
    .toSorted()
    .join();

/** Whether a version says what is recorded already, which is no version. */
const isRepeated = (version: Version, known: readonly Version[]) =>
  known.findLast(({ validFrom }) => validFrom === version.validFrom)?.text === version.text;

function newTerm(key: string, [row]: readonly LicenseRow[]): Term {
  const license = row ? licenseKey(row) : '';
  const issueDate = written(row?.issueDate ?? null) ?? SINCE_EVER;
  return { key, license, issueDate, versions: [], last: '', neverWas: false, gaps: [] };
}

/** The versions of a term that one command states, those that speak from the same day as one. */
function versionsOf(term: Term, statement: Statement<LicenseRow>, rows: readonly (LicenseRow & Given)[]) {
  const begun = term.versions.map(({ validFrom }) => validFrom).filter((date) => date <= statement.day);
  const followed = begun.length > 0 ? latest(begun) : term.issueDate;
  const byStart = groupBy(rows, ({ validFrom }) => written(validFrom ?? null) ?? followed);
  return [...byStart.keys()]
    .toSorted()
    .map((validFrom) => versionOf(byStart.get(validFrom) ?? [], validFrom, statement));
}

function versionOf(
  rows: readonly (LicenseRow & Given)[],
  validFrom: string,
  { order, day }: Statement<LicenseRow>,
): Version {
  const isLive = rows.some(isLiveLicense);
  const counting = isLive ? rows.filter(isLiveLicense) : rows;
  const end = latest(counting.map(ownEnd));
  const lines = new Map<string, boolean>();
  for (const { code, status } of counting.flatMap(({ linesOfAuthority }) => linesOfAuthority))
    lines.set(code, status.toLowerCase() === 'active' || lines.get(code) === true);
  const statuses = counting.filter((row) => ownEnd(row) === end).map(({ status }) => status.toLowerCase());
  const isGiven = rows.some((row) => row.validFrom !== undefined);
  const texts = rows.map(({ validFrom: _validFrom, isDeleted: _isDeleted, ...row }) => JSON.stringify(row));
  const text = [...new Set(texts)].toSorted().join();
  return { order, day, validFrom, isGiven, isLive, statuses, ownEnd: end, lines, text };
}

/** The versions of the greatest `validFrom` on or before a day, the one recorded last at the end. */
function speakingOn({ versions }: Pick<Term, 'versions'>, day: string): Version[] {
  const begun = versions.filter(({ validFrom }) => validFrom <= day);
  return begun.filter(({ validFrom }) => validFrom === latest(begun.map((version) => version.validFrom)));
}

/** A version's own end; that of the last live version before it for one that is not live and names none. */
function resolvedEnd({ versions }: Term, version: Version): string {
  if (version.isLive || version.ownEnd !== NO_END) return version.ownEnd;
  return versions.findLast(({ isLive, order }) => isLive && order < version.order)?.ownEnd ?? NO_END;
}

/** The own end of the version that speaks last, of those that commands before one stated. */
function endOf(term: Term, before = Number.POSITIVE_INFINITY): string {
  const known = term.versions.filter(({ order }) => order < before);
  const last = speakingOn({ versions: known }, NO_END).at(-1);
  return last ? resolvedEnd(term, last) : NO_END;
}

function covers(term: Term, day: string): boolean {
  const speaking = speakingOn(term, day);
  const isAbsent = term.gaps.some(({ from, until }) => from <= day && day < until);
  if (term.neverWas || isAbsent || day < term.issueDate || speaking.length === 0) return false;
  return day <= endOfSpeaking(term, speaking) && !isSuspended(speaking, day);
}

/** The last day that versions of one `validFrom` cover, as far as no other follows. */
function endOfSpeaking(term: Term, speaking: readonly Version[]): string {
  const run = speaking.slice(speaking.findLastIndex(({ isLive }) => isLive) + 1);
  const [first, last] = [run[0], speaking.at(-1)];
  if (!first || !last) return last?.ownEnd ?? SINCE_EVER;
  if (run.some(({ isGiven }) => isGiven) && wasLiveBefore(term, first.validFrom)) return SINCE_EVER;
  const end = resolvedEnd(term, last);
  const live = term.versions.findLast(({ isLive, order }) => isLive && order < first.order);
  const isSeenLive = live !== undefined;
  const since = term.versions.find(({ order }) => !live || order > live.order)?.day ?? first.day;
  const namesEnd = last.statuses.some((status) => ['inactive', 'expired', 'lapsed'].includes(status));
  if (end < since) return isSeenLive || namesEnd ? end : SINCE_EVER;
  return isSeenLive ? addDays(since, -1) : SINCE_EVER;
}

/** Whether a live version speaks on days before a `validFrom`. */
const wasLiveBefore = (term: Term, start: string) =>
  term.versions.some(
    ({ validFrom }) => validFrom < start && speakingOn(term, validFrom).at(-1)?.isLive === true,
  );

/** Whether a day lies between a version that is not live and the one that is live again. */
function isSuspended(speaking: readonly Version[], day: string): boolean {
  return speaking.some((version, index) => {
    const isFirst = !version.isLive && speaking[index - 1]?.isLive !== false;
    const back = speaking.slice(index).find(({ isLive }) => isLive);
    return isFirst && back !== undefined && version.day <= day && day < back.day;
  });
}

/** Whether a line counts on a day on which versions of one `validFrom` speak. */
function lineCounts(speaking: readonly Version[], code: string, day: string): boolean {
  let counts = false;
  let isActive = false;
  for (const [index, version] of speaking.entries()) {
    const named = version.lines.get(code);
    if (named === undefined && !version.isLive) continue;
    if (named === undefined) counts = false;
    else if (named && !isActive) counts ||= index === 0 || version.day <= day;
    else if (!named && isActive) counts &&= day < version.day;
    isActive = named === true;
  }
  return counts;
}

function applyOmissions(term: Term, terms: readonly Term[], statements: readonly Statement<LicenseRow>[]) {
  const isTerm = (row: LicenseRow) => termKey(row) === term.key;
  const isNoReturn = (one: Statement<LicenseRow>) => isHistory(one, statements, isTerm);
  for (const { order, day, rows, back } of omissionsOf(statements, isTerm, isNoReturn)) {
    const named = new Set(rows.map(termKey));
    const others = terms.filter(({ key, license }) => license === term.license && named.has(key));
    const isCorrected = others.some((other) => isCorrectionOf(other, term, statements));
    const successor = earliest(
      others.map(({ issueDate }) => issueDate).filter((date) => date > term.issueDate),
    );
    const ended = isCorrected || successor === NO_END ? day : successor;
    if (isCorrected && !back) term.neverWas = true;
    else if (!back) term.gaps.push({ from: ended, until: NO_END });
    else
      term.gaps.push({
        from: latest([day, earliest([ended, dayAfter(endOf(term, order))])]),
        until: back.day,
      });
  }
}

/** Whether a term is one that was left out, with its `issueDate` corrected. */
function isCorrectionOf(other: Term, term: Term, statements: readonly Statement<LicenseRow>[]): boolean {
  const stoodInOneList = statements.some(({ isList, rows }) => {
    const keys = rows.map(termKey);
    return isList && keys.includes(term.key) && keys.includes(other.key);
  });
  const overlap = latest([term.issueDate, other.issueDate]) <= earliest([endOf(term), endOf(other)]);
  return overlap && !stoodInOneList && other.issueDate <= (term.versions[0]?.day ?? SINCE_EVER);
}

// ── Appointments

/** A status change on the timeline of an appointment. */
interface Change {
  /** The written `statusChangeDate`, which names the change. */
  date: string;
  /** The date at which it stands. */
  at: string;
  isLive: boolean;
  renewalDate: string;
  rows: readonly AppointmentRow[];
  order: number;
  /** The day on which an end became known, and what was recorded by earlier commands then. */
  known: string;
  before: Recorded;
  /** Whether it is an end that leaves the live row of its date in the timeline. */
  endsLiveRow: boolean;
}

/** Whether a live row was recorded, and the `renewalDate` of the last one. */
interface Recorded {
  live: boolean;
  renewalDate: string;
}

const changeDate = (row: AppointmentRow) => written(row.statusChangeDate) ?? SINCE_EVER;
const renewalDate = (row: AppointmentRow) => written(row.renewalDate) ?? NO_END;
const isLiveAppointment = (row: AppointmentRow) =>
  ['active', 'appointed'].includes(row.status.toLowerCase()) && row.terminationReason === null;

/** Tells the company of rows, of which others may know more. */
function companyAmong(rows: readonly AppointmentRow[]): (row: AppointmentRow) => string {
  const onlyOne = (companies: readonly string[]) =>
    new Set(companies).size === 1 ? companies[0] : undefined;
  const einOf = (row: AppointmentRow) => row.ein && comparableEin(row.ein);
  const nameOf = (row: AppointmentRow) => row.carrierName && comparableName(row.carrierName);
  const byCode = (row: AppointmentRow) => `code ${row.companyCode}`;
  const coded = rows.filter(({ companyCode }) => companyCode);
  const numbered = rows.filter(({ companyCode, ein }) => companyCode || ein);
  const byNumber = (row: AppointmentRow) => {
    if (row.companyCode) return byCode(row);
    return onlyOne(coded.filter((other) => einOf(other) === einOf(row)).map(byCode)) ?? `ein ${einOf(row)}`;
  };
  return (row) => {
    if (row.companyCode || row.ein) return byNumber(row);
    const sameName = numbered.filter((other) => row.carrierName && nameOf(other) === nameOf(row));
    return onlyOne(sameName.map(byNumber)) ?? `name ${nameOf(row)}`;
  };
}

function lineOf({ lineOfAuthorityCode, lineOfAuthorityName }: AppointmentRow): string {
  if (lineOfAuthorityCode) return `code ${lineOfAuthorityCode}`;
  return lineOfAuthorityName ? `name ${lineOfAuthorityName.toLowerCase()}` : 'all lines';
}

const keyAmong = (rows: readonly AppointmentRow[]) => {
  const companyOf = companyAmong(rows);
  return (row: AppointmentRow) => JSON.stringify([companyOf(row), lineOf(row), row.countyName]);
};

/** The appointments that cover the day, each with the rows that do. */
function appointmentsOn(question: NaiveQuestion) {
  const statements = statementsOf<AppointmentRow>(
    question,
    ({ appointments }) => appointments,
    // A retraction names a row by what the row itself says.
    () => (row) => `${keyAmong([])(row)} ${changeDate(row)}`,
  );
  const rows = statements.flatMap((statement) => statement.rows);
  const [keyOf, companyOf] = [keyAmong(rows), companyAmong(rows)];
  return [...new Set(rows.map(keyOf))].flatMap((key) => {
    const isOf = (row: AppointmentRow) => keyOf(row) === key;
    const covering = coveringChange(timelineOf(statements, isOf), question.day);
    const isAbsent = omissionsOf(statements, isOf).some(({ order, day, back }) => {
      const isForgotten = covering !== undefined && covering.order < order;
      return day <= question.day && (isForgotten || !back || question.day < back.day);
    });
    return covering && !isAbsent ? [{ key, rows: covering.rows, companyOf }] : [];
  });
}

function timelineOf(
  statements: readonly Statement<AppointmentRow>[],
  isOf: (row: AppointmentRow) => boolean,
) {
  let timeline: Change[] = [];
  let recorded: Recorded = { live: false, renewalDate: NO_END };
  for (const statement of statements) {
    const byDate = groupBy(statement.rows.filter(isOf), changeDate);
    const dates = [...byDate.keys()].toSorted();
    const before = recorded;
    const stated = dates.map((date) => changeOf(byDate.get(date) ?? [], statement, timeline, before));
    const live = stated.findLast(({ isLive }) => isLive);
    if (live) recorded = { live: true, renewalDate: live.renewalDate };
    const first = statement.isList ? earliest(stated.map(({ at }) => at)) : NO_END;
    const unnamed = timeline.filter(({ date, at }) => !byDate.has(date) && at <= first);
    const ended = stated.filter(({ endsLiveRow }) => endsLiveRow).map(({ date }) => date);
    const replaced = timeline.filter(({ isLive, date }) => isLive && ended.includes(date));
    timeline = [...unnamed, ...replaced, ...stated];
  }
  return timeline;
}

/** What one command says of one status change, at the date at which it stands. */
function changeOf(
  rows: readonly AppointmentRow[],
  { order, day }: Statement<AppointmentRow>,
  timeline: readonly Change[],
  recorded: Recorded,
): Change {
  const live = rows.filter(isLiveAppointment);
  const isLive = live.length > 0;
  const renewal = isLive ? latest(live.map(renewalDate)) : earliest(rows.map(renewalDate));
  const counting = (isLive ? live : rows).filter((row) => renewalDate(row) === renewal);
  const date = latest(rows.map(changeDate));
  const earlier = timeline.filter((change) => change.date === date);
  const repeated = isLive ? undefined : earlier.find((change) => !change.isLive);
  const replaced = isLive ? undefined : earlier.find((change) => change.isLive);
  const [known, before] = [repeated?.known ?? day, repeated?.before ?? recorded];
  const change = { date, isLive, renewalDate: renewal, rows: counting, order, known, before };
  if (replaced) {
    const end = renewal === NO_END ? replaced.renewalDate : renewal;
    return { ...change, at: latest([date, end < known ? end : known]), endsLiveRow: true };
  }
  const undated = renewal < known ? renewal : before.live ? known : SINCE_EVER;
  return { ...change, at: date === SINCE_EVER && !isLive ? undated : date, endsLiveRow: false };
}

/** The change by which the appointment is in force on the day: the last one, or the end before which it was in force. */
function coveringChange(timeline: readonly Change[], day: string): Change | undefined {
  const ordered = timeline.toSorted(
    (one, other) =>
      (one.at === other.at ? 0 : one.at < other.at ? -1 : 1) ||
      one.order - other.order ||
      Number(one.isLive) - Number(other.isLive),
  );
  const last = ordered.findLast(({ at }) => at <= day);
  if (last) return last.isLive && day <= last.renewalDate ? last : undefined;
  const earliestOnes = ordered.filter(({ at }) => at === ordered[0]?.at);
  const first = earliestOnes.at(-1);
  if (!first || earliestOnes.some(({ isLive }) => isLive)) return undefined;
  const stop = first.renewalDate === NO_END ? first.before.renewalDate : first.renewalDate;
  return day <= stop ? first : undefined;
}

function isAppointedOn(
  question: NaiveQuestion,
  entries: readonly (readonly string[])[],
  carrierNaicCodes: readonly string[],
): boolean {
  const counting = appointmentsOn(question).flatMap(({ rows, companyOf }) =>
    rows.filter((row) => isOfCarrier(row, companyOf(row), question, carrierNaicCodes)),
  );
  const isOfAllLines = (row: AppointmentRow) => lineOf(row) === 'all lines';
  const codes = new Set(counting.flatMap((row) => codesOf(row, question)));
  if (counting.length === 0) return false;
  return counting.some(isOfAllLines) || entries.every((entry) => entry.some((code) => codes.has(code)));
}

function isOfCarrier(
  row: AppointmentRow,
  company: string,
  { carrier }: NaiveQuestion,
  carrierNaicCodes: readonly string[],
): boolean {
  const isOfCode = (code: string) => company === `code ${code}`;
  if (carrierNaicCodes.length > 0) return carrierNaicCodes.some(isOfCode);
  const { name, naicCodes, eins } = carrier;
  if (naicCodes.length + eins.length === 0)
    return row.carrierName !== null && comparableName(row.carrierName) === comparableName(name);
  const ein = row.ein === null ? undefined : comparableEin(row.ein);
  return naicCodes.some(isOfCode) || eins.some((other) => comparableEin(other) === ein);
}

/** The codes of an appointment's line: its own, else those that the holder's licenses give the name. */
function codesOf({ lineOfAuthorityCode, lineOfAuthorityName }: AppointmentRow, question: NaiveQuestion) {
  if (lineOfAuthorityCode) return [lineOfAuthorityCode];
  const name = lineOfAuthorityName?.toLowerCase();
  return licenseStatements(question)
    .flatMap(({ rows }) => rows.flatMap(({ linesOfAuthority }) => linesOfAuthority))
    .filter((line) => line.name.toLowerCase() === name)
    .map(({ code }) => code);
}

// ── Requirements

/** The version of the config in force on the day; else the first, of those that were known if any was. */
function configOn({ configs, day, knownAt }: NaiveQuestion) {
  const byRecording = configs.toSorted((one, other) => moment(one.recordedAt) - moment(other.recordedAt));
  const known = byRecording.filter(({ recordedAt }) => moment(recordedAt) <= moment(knownAt));
  const start = (version: ConfigVersion) => version.validFrom.slice(0, 10);
  const inForce = latest(known.map(start).filter((date) => date <= day));
  const version = known.findLast((one) => start(one) === inForce);
  if (version) return { version, configBasis: 'version' as const };
  const candidates = known.length > 0 ? known : byRecording;
  const first = earliest(candidates.map(start));
  return {
    version: candidates.findLast((one) => start(one) === first),
    configBasis: 'first version' as const,
  };
}
