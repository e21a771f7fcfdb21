// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of sources, some with templates.
import type { RuleId } from '../../../../../shared/domain/decision/rules.ts';
import type { BrokenLine } from '../../../../support/broken-decision.ts';

// Ways to switch each rule of the decision off, or a part of it: in each, a case of the rule must fail. A rule that several
// lines state needs a change of all of them.

const one = (rule: RuleId, file: string, line: string, change: string) => ({
  rule,
  lines: [{ file, line, change }] as readonly BrokenLine[],
});

/** Leaves the rows of a statement in the order in which they were stated. */
const unsorted: BrokenLine = {
  file: 'facts.ts',
  line: 'if (rows.length < 2) return rows;',
  change: 'return rows;',
};

export const breaks: readonly { readonly rule: RuleId; readonly lines: readonly BrokenLine[] }[] = [
  // ── What is known
  {
    rule: 'row-order',
    lines: [
      unsorted,
      {
        file: 'license-history.ts',
        line: 'const isLive = live.length > 0;',
        change: 'const isLive = rows.at(-1) === live.at(-1);',
      },
    ],
  },
  one(
    'one-after-another',
    'facts.ts',
    'compare(one.commandAt, other.commandAt) ||',
    'compare(other.commandAt, one.commandAt) ||',
  ),
  one(
    'one-after-another',
    'license-history.ts',
    'if (rows.length === 0 || isRepeated) continue;',
    'if (rows.length === 0) continue;',
  ),
  one(
    'known-at',
    'facts.ts',
    'inOrder(facts.filter(({ recordedAt }) => recordedAt <= knownAt));',
    'inOrder(facts);',
  ),
  one(
    'written-at',
    'facts.ts',
    'inOrder(facts.filter(({ recordedAt }) => recordedAt <= knownAt));',
    'inOrder(facts.filter(({ commandAt }) => commandAt <= knownAt));',
  ),
  one(
    'became-known',
    'dates.ts',
    'return remembered(hour, () => newYorkDate(new Date(`${hour}:00:00.000Z`)));',
    'return hour.slice(0, 10);',
  ),
  one(
    'became-known',
    'license-history.ts',
    '{ commandId, commandAt }: StatedFact<Row>,',
    '{ commandId, recordedAt: commandAt }: StatedFact<Row>,',
  ),
  one(
    'whole-list',
    'coverage.ts',
    'const closings = knownBy(facts.closings, knownAt);',
    "const closings = knownBy(facts.closings, '9999');",
  ),
  one(
    'whole-list',
    'coverage.ts',
    "const licenses = byState(counting('license', knownBy(facts.licenses, knownAt), closings));",
    'const licenses = byState(knownBy(facts.licenses, knownAt));',
  ),
  one(
    'written-dates',
    'dates.ts',
    'export const writtenDate = (isoDate: string): CalendarDate => isoDate.slice(0, 10);',
    'export const writtenDate = (isoDate) => isoDate.length > 10 ? newYorkDate(new Date(isoDate)) : isoDate;',
  ),
  one(
    'complete-list',
    'record.ts',
    "if (last?.what !== 'stated' || places.has(place)) return [];",
    'return [];',
  ),
  one(
    'empty-list',
    'record.ts',
    'if (list === undefined) return { added: [], closings: [] };',
    'if ((list ?? []).length === 0) return { added: [], closings: [] };',
  ),
  one(
    'not-found',
    'record.ts',
    'if (list === undefined) return { added: [], closings: [] };',
    'list ??= [];',
  ),
  {
    rule: 'import-is-partial',
    lines: [
      {
        file: 'record.ts',
        line: 'licenses: imported(licenseRows(), facts.licenses, closings, lines.licenses, command),',
        change:
          "licenses: listed(licenseRows(), factsByKey('license', facts.licenses, closings), closings, lines.licenses.map(({ row }) => row), command),",
      },
      {
        file: 'record.ts',
        line: 'closings: [],',
        change: "closings: [{ kind: 'license', stateCode: 'TX', ...command }],",
      },
    ],
  },
  one(
    'deleted',
    'license-history.ts',
    "const counting = facts.slice(facts.findLastIndex(({ what }) => what === 'retracted') + 1);",
    "const counting = facts.filter(({ what }) => what !== 'retracted');",
  ),
  one(
    'deleted',
    'license-history.ts',
    "const counting = facts.slice(facts.findLastIndex(({ what }) => what === 'retracted') + 1);",
    "const counting = facts.some(({ what }) => what === 'retracted') ? [] : facts;",
  ),
  one(
    'deleted',
    'appointment-statements.ts',
    "const counting = facts.slice(facts.findLastIndex(({ what }) => what === 'retracted') + 1);",
    "const counting = facts.filter(({ what }) => what !== 'retracted');",
  ),

  // ── Licenses
  one('license-identity', 'facts.ts', 'joined(licenseNumber, licenseClassCode);', 'joined(licenseNumber);'),
  one(
    'license-identity',
    'facts.ts',
    'joined(licenseNumber, licenseClassCode);',
    'joined(licenseClassCode);',
  ),
  one(
    'license-identity',
    'coverage.ts',
    'groupBy(facts, ({ stateCode }) => stateCode);',
    "groupBy(facts, () => 'TX');",
  ),
  one(
    'term-identity',
    'facts.ts',
    'joined(licenseKey(row), row.issueDate === null ? null : writtenDate(row.issueDate));',
    'licenseKey(row);',
  ),
  one(
    'term-days',
    'dates.ts',
    'export const includes = ({ from, until }: Days, day: CalendarDate): boolean => from <= day && day <= until;',
    'export const includes = ({ from, until }, day) => from < day && day <= until;',
  ),
  one(
    'term-days',
    'dates.ts',
    'export const includes = ({ from, until }: Days, day: CalendarDate): boolean => from <= day && day <= until;',
    'export const includes = ({ from, until }, day) => from <= day && day < until;',
  ),
  one(
    'term-days',
    'decide.ts',
    'const covering = terms.flatMap(({ spans }) => spans.filter((span) => includes(span, day)));',
    'const covering = terms.slice(-1).flatMap(({ spans }) => spans.filter((span) => includes(span, day)));',
  ),
  one(
    'no-issue-date',
    'license-history.ts',
    'const begins = row.issueDate === null ? always : writtenDate(row.issueDate);',
    'const begins = row.issueDate === null ? knownOn(stated[0].commandAt) : writtenDate(row.issueDate);',
  ),
  one(
    'own-end',
    'license-history.ts',
    'return renewal < expiration ? renewal : expiration;',
    'return renewal;',
  ),
  one(
    'own-end',
    'license-history.ts',
    'return renewal < expiration ? renewal : expiration;',
    'return expiration;',
  ),
  one(
    'no-own-end',
    'license-history.ts',
    'const renewal = nextRenewalDate === null ? never : writtenDate(nextRenewalDate);',
    "const renewal = nextRenewalDate === null ? '0001-01-01' : writtenDate(nextRenewalDate);",
  ),
  one(
    'valid-from',
    'license-history.ts',
    'const byStart = groupBy(command, (fact) => fact.validFrom ?? followed(fact));',
    'const byStart = groupBy(command, (fact) => followed(fact));',
  ),
  one(
    'valid-from',
    'license-terms.ts',
    'const days = { from: begins > from ? begins : from, until };',
    'const days = { from: begins, until };',
  ),
  one(
    'valid-from',
    'license-terms.ts',
    "[next === undefined ? never : dayBefore(next.from), 'next version'],",
    "[never, 'next version'],",
  ),
  one(
    'first-version',
    'license-history.ts',
    'spokenOn(periods, knownOn(fact.commandAt))?.from ?? begins;',
    'spokenOn(periods, knownOn(fact.commandAt))?.from ?? knownOn(fact.commandAt);',
  ),
  one(
    'following-version',
    'license-history.ts',
    'spokenOn(periods, knownOn(fact.commandAt))?.from ?? begins;',
    'begins;',
  ),
  one(
    'following-version',
    'license-history.ts',
    'spokenOn(periods, knownOn(fact.commandAt))?.from ?? begins;',
    'periods.at(-1)?.from ?? begins;',
  ),
  one(
    'equal-valid-from',
    'license-terms.ts',
    'const last = versions.at(-1) ?? versions[0];',
    'const last = versions[0];',
  ),
  one(
    'several-rows',
    'license-history.ts',
    'const counting = live.length === 0 ? rows : live;',
    'const counting = rows;',
  ),
  one(
    'several-rows',
    'license-history.ts',
    'const row = counting.reduce((best, one) => (ownEndOf(one) > ownEndOf(best) ? one : best));',
    'const row = counting.reduce((best, one) => (ownEndOf(one) < ownEndOf(best) ? one : best));',
  ),
  one(
    'several-rows',
    'license-history.ts',
    'for (const { linesOfAuthority } of counting) {',
    'for (const { linesOfAuthority } of [row]) {',
  ),
  one('corrected-issue-date', 'license-terms.ts', "if (isCorrected) return 'never was';", ''),
  one('corrected-issue-date', 'license-terms.ts', 'other.begins <= firstRecorded &&', ''),
  one(
    'corrected-issue-date',
    'license-terms.ts',
    'other.begins <= firstRecorded &&',
    'other.begins !== always && other.begins <= firstRecorded &&',
  ),
  one('corrected-issue-date', 'license-terms.ts', 'overlaps(daysOf(term), daysOf(other)) &&', ''),
  one(
    'corrected-issue-date',
    'license-terms.ts',
    '!closings.some(({ commandAt }) => isPresentAt(term, commandAt) && isPresentAt(other, commandAt)),',
    'true,',
  ),
  one(
    'renewed-license',
    'license-terms.ts',
    'return dayBefore(successor ?? knownOn(list.commandAt));',
    'return dayBefore(knownOn(list.commandAt));',
  ),
  one(
    'early-renewal',
    'license-terms.ts',
    'return dayBefore(successor ?? knownOn(list.commandAt));',
    'return dayBefore(knownOn(list.commandAt));',
  ),
  one(
    'reissue',
    'license-terms.ts',
    '[covered.until, covered.until === never ? null : covered.endedBy],',
    '[lastDay === never ? covered.until : never, covered.endedBy],',
  ),
  one(
    'left-out-term',
    'license-terms.ts',
    'return dayBefore(successor ?? knownOn(list.commandAt));',
    'return successor === undefined ? knownOn(list.commandAt) : dayBefore(successor);',
  ),
  one(
    'left-out-term',
    'license-terms.ts',
    '[covered.until, covered.until === never ? null : covered.endedBy],',
    '[lastDay === never ? covered.until : never, covered.endedBy],',
  ),
  one('not-live', 'license-history.ts', "status.trim().toLowerCase() === 'active';", "status === 'active';"),
  one(
    'not-live',
    'license-history.ts',
    "status.trim().toLowerCase() === 'active';",
    "status.trim().toLowerCase() !== 'inactive';",
  ),
  one('not-live-after-its-end', 'license-terms.ts', 'return ownEnd < since', 'return false'),
  one(
    'not-live-before-its-end',
    'license-terms.ts',
    ": { ...common, until: dayBefore(since), endedBy: 'status' };",
    ": { ...common, until: since, endedBy: 'status' };",
  ),
  one(
    'never-seen-live',
    'license-terms.ts',
    'if (live === undefined && !(ownEnd < since && isLapsed(last))) {',
    'if (false) {',
  ),
  one(
    'never-seen-live',
    'license-terms.ts',
    "return { ...common, until: always, endedBy: 'status', isNeverSeenLive: true };",
    "return { ...common, until: always, endedBy: 'status' };",
  ),
  one(
    'first-seen-not-live',
    'license-terms.ts',
    'if (live === undefined && !(ownEnd < since && isLapsed(last))) {',
    'if (live === undefined && ownEnd >= since) {',
  ),
  one(
    'first-seen-not-live',
    'license-terms.ts',
    'if (live === undefined && !(ownEnd < since && isLapsed(last))) {',
    'if (live === undefined) {',
  ),
  one(
    'not-live-from',
    'license-terms.ts',
    "if (wasLive && run.some(({ isGiven }) => isGiven)) return { ...common, until: always, endedBy: 'status' };",
    '',
  ),
  one(
    'suspension',
    'license-terms.ts',
    'if (version.isLive && ended !== undefined) gaps.push({ from: ended.day, until: dayBefore(version.day) });',
    '',
  ),
  one(
    'back-within-30-days',
    'license-terms.ts',
    'if (back !== undefined && back <= addDays(day, daysOfAbsence)) continue;',
    'if (back !== undefined && back < addDays(day, daysOfAbsence)) continue;',
  ),
  one(
    'history-is-no-return',
    'license-history.ts',
    "else if (fact.what === 'stated' && (fact.validFrom ?? never) >= (leftOutOn ?? always))",
    "else if (fact.what === 'stated')",
  ),
  one(
    'history-is-no-return',
    'license-history.ts',
    'const isRepeated = isPresent === true && isSameSet(rows, period?.versions.at(-1)?.rows ?? []);',
    'const isRepeated = isSameSet(rows, period?.versions.at(-1)?.rows ?? []);',
  ),
  one('back-later', 'license-terms.ts', 'gaps.push({ from, until: dayBefore(back) });', ''),
  one(
    'back-later',
    'license-terms.ts',
    'gaps.push({ from, until: dayBefore(back) });',
    'gaps.push({ from, until: never });',
  ),
  one(
    'line-added',
    'license-terms.ts',
    'lines.set(code, [...days, { from: index === 0 ? always : day, until: never }]);',
    'lines.set(code, [...days, { from: always, until: never }]);',
  ),
  one(
    'line-left-out',
    'license-terms.ts',
    'if (isLive) for (const code of lines.keys()) if (!stated.has(code)) lines.delete(code);',
    '',
  ),
  one(
    'line-ceased',
    'license-terms.ts',
    'lines.set(code, [...days.slice(0, -1), { from: last.from, until: dayBefore(day) }]);',
    'lines.delete(code);',
  ),
  one(
    'line-ceased',
    'license-terms.ts',
    'lines.set(code, [...days.slice(0, -1), { from: last.from, until: dayBefore(day) }]);',
    '',
  ),
  one(
    'later-valid-from',
    'license-history.ts',
    'const byStart = groupBy(command, (fact) => fact.validFrom ?? followed(fact));',
    'const byStart = groupBy(command, (fact) => followed(fact));',
  ),
  one(
    'later-valid-from',
    'license-terms.ts',
    'lines.set(code, [...days, { from: index === 0 ? always : day, until: never }]);',
    'lines.set(code, [...days, { from: day, until: never }]);',
  ),
  one(
    'later-valid-from',
    'license-terms.ts',
    "[next === undefined ? never : dayBefore(next.from), 'next version'],",
    "[never, 'next version'],",
  ),

  // ── Appointments
  one(
    'appointment-identity',
    'appointments.ts',
    "return { change, companyCode, key: `${key}#${lineKey(change.row)}#${change.row.countyName ?? ''}` };",
    "return { change, companyCode, key: `${key}#${change.row.countyName ?? ''}` };",
  ),
  one(
    'appointment-identity',
    'appointments.ts',
    "return { change, companyCode, key: `${key}#${lineKey(change.row)}#${change.row.countyName ?? ''}` };",
    'return { change, companyCode, key: `${key}#${lineKey(change.row)}` };',
  ),
  one(
    'appointment-identity',
    'coverage.ts',
    'groupBy(facts, ({ stateCode }) => stateCode);',
    "groupBy(facts, () => 'TX');",
  ),
  one('company-key', 'facts.ts', "const code = companyCode?.trim() ?? '';", "const code = '';"),
  one(
    'company-key',
    'facts.ts',
    "const code = companyCode?.trim() ?? '';",
    "const code = ein === null ? (companyCode ?? '') : '';",
  ),
  one('company-by-ein', 'companies.ts', "'ein ',", "'no ',"),
  one('company-by-name', 'companies.ts', "'name ',", "'no ',"),
  one(
    'company-unclear',
    'companies.ts',
    'if (to === undefined || other === undefined || fitting.length > 1) continue;',
    'if (to === undefined || other === undefined) continue;',
  ),
  one(
    'last-change',
    'appointment-timeline.ts',
    'const until = next === undefined ? never : dayBefore(next.at);',
    'const until = never;',
  ),
  one(
    'last-change',
    'appointment-timeline.ts',
    'return { from: at, until: renewal < until ? renewal : until, ...covered };',
    'return { from: always, until: renewal < until ? renewal : until, ...covered };',
  ),
  one(
    'live-appointment',
    'appointment-statements.ts',
    "['active', 'appointed'].includes(status.trim().toLowerCase()) && (terminationReason ?? '').trim() === '';",
    "['active', 'Appointed'].includes(status) && (terminationReason ?? '').trim() === '';",
  ),
  one(
    'live-appointment',
    'appointment-statements.ts',
    "['active', 'appointed'].includes(status.trim().toLowerCase()) && (terminationReason ?? '').trim() === '';",
    "['active', 'appointed'].includes(status.trim().toLowerCase());",
  ),
  one(
    'renewal-date',
    'appointment-timeline.ts',
    'return { from: at, until: renewal < until ? renewal : until, ...covered };',
    'return { from: at, until, ...covered };',
  ),
  one(
    'renewal-date',
    'appointment-timeline.ts',
    'return { from: at, until: renewal < until ? renewal : until, ...covered };',
    'return { from: at, until: dayBefore(renewal < until ? renewal : until), commandAt, rows, isCovered: true };',
  ),
  {
    rule: 'changes-of-one-day',
    lines: [
      unsorted,
      {
        file: 'appointment-statements.ts',
        line: 'const isLive = live.length > 0;',
        change: 'const isLive = rows[0] === live[0];',
      },
    ],
  },
  one('changes-of-one-day', 'record.ts', 'ofKeys.length > 1 && lists.has(commandId)', 'ofKeys.length < 1'),
  one(
    'changes-of-one-day',
    'record.ts',
    'if (isSameSet(ofPlace, inForce(facts, null, day)?.rows ?? []) && !isOvertaken(first, facts)) return [];',
    'if (isSameSet(ofPlace, inForce(facts, null, day)?.rows ?? [])) return [];',
  ),
  one(
    'changes-of-one-day',
    'appointment-timeline.ts',
    'const last = statements.at(-1);',
    'const last = statements[0];',
  ),
  one(
    'undated-live',
    'appointment-timeline.ts',
    'if (last.isLive) return [{ at: date, commandAt, isLive: true, renewal, rows }];',
    'if (last.isLive) return [{ at: date || last.day, commandAt, isLive: true, renewal, rows }];',
  ),
  one(
    'first-change-is-an-end',
    'appointment-timeline.ts',
    'const until = isFirst ? dayBefore(at) : always;',
    'const until = always;',
  ),
  {
    rule: 'undated-rows',
    lines: [
      {
        file: 'facts.ts',
        line: "{ statusChangeDate }: Pick<AppointmentRow, 'statusChangeDate'>,",
        change: '{ statusChangeDate, status }: AppointmentRow,',
      },
      {
        file: 'facts.ts',
        line: '): CalendarDate => (statusChangeDate === null ? (validFrom ?? always) : writtenDate(statusChangeDate));',
        change:
          "): CalendarDate => writtenDate(statusChangeDate ?? (status === 'Terminated' ? '0001-01-01' : always));",
      },
    ],
  },
  one(
    'undated-live-and-end',
    'appointment-timeline.ts',
    'if (last.isLive) return [{ at: date, commandAt, isLive: true, renewal, rows }];',
    'if (last.isLive) return [{ at: date || last.day, commandAt, isLive: true, renewal, rows }];',
  ),
  one(
    'undated-live-and-end',
    'appointments.ts',
    'if (!isListed(ofDate)) withdrawals.push({ date, commandAt, after });',
    '{}',
  ),
  one(
    'undated-end',
    'appointment-timeline.ts',
    'const inferred = stated < ended.day ? stated : before === undefined ? always : ended.day;',
    'const inferred = before === undefined ? always : ended.day;',
  ),
  one(
    'end-of-the-same-date',
    'appointment-timeline.ts',
    'const inferred = stated < ended.day ? stated : before === undefined ? always : ended.day;',
    'const inferred = before === undefined ? always : ended.day;',
  ),
  one(
    'end-of-the-same-date',
    'appointment-timeline.ts',
    'const until = renewal === never && before !== undefined ? before.renewal : renewal;',
    'const until = renewal;',
  ),
  one(
    'end-of-the-same-date',
    'appointment-timeline.ts',
    'return [{ at: date, commandAt: replacedAt, isLive: true, renewal: lastDay, rows: liveRows }, inferredEnd];',
    'return [inferredEnd];',
  ),
  one(
    'end-became-known',
    'appointment-timeline.ts',
    'const inferred = stated < ended.day ? stated : before === undefined ? always : ended.day;',
    'const inferred = stated < ended.day ? stated : always;',
  ),
  one(
    'never-seen-appointed',
    'appointment-timeline.ts',
    'const inferred = stated < ended.day ? stated : before === undefined ? always : ended.day;',
    'const inferred = stated < ended.day ? stated : ended.day;',
  ),
  one(
    'inferred-until-renewal',
    'appointment-timeline.ts',
    'return { from: always, until: renewal < until ? renewal : until, commandAt, rows, isCovered: isFirst };',
    'return { from: always, until, commandAt, rows, isCovered: isFirst };',
  ),
  one(
    'termination-taken-back',
    'appointments.ts',
    'if (!isListed(ofDate)) withdrawals.push({ date, commandAt, after });',
    '{}',
  ),
  one(
    'earlier-changes',
    'appointments.ts',
    'const staying = entries.filter(({ at }) => at <= after);',
    'const staying = [];',
  ),
  one(
    'earlier-changes',
    'appointments.ts',
    'return entriesOf(date, until, liveBefore).at(-1)?.at ?? [];',
    'return entriesOf(date, until, liveBefore).at(0)?.at ?? [];',
  ),
  one(
    'left-out-appointment',
    'appointments.ts',
    'if (backOn > addDays(day, daysOfAbsence)) {',
    'if (false) {',
  ),
  one(
    'left-out-appointment',
    'appointments.ts',
    'if (backOn > addDays(day, daysOfAbsence)) {',
    'if (true) {',
  ),
  one(
    'left-out-appointment',
    'appointments.ts',
    'gap: { from: day, until: back === undefined ? never : dayBefore(backOn) },',
    'gap: { from: dayBefore(day), until: back === undefined ? never : dayBefore(backOn) },',
  ),
  one(
    'stated-again',
    'appointments.ts',
    'gap: { from: day, until: back === undefined ? never : dayBefore(backOn) },',
    'gap: { from: day, until: never },',
  ),

  // ── Whose appointment counts
  one('naic-code', 'carrier.ts', '(companyCode !== null && naicCodes.includes(companyCode)) ||', ''),
  one('naic-code', 'carrier.ts', 'if (naicCodes.length + eins.length === 0) {', 'if (true) {'),
  one(
    'ein',
    'carrier.ts',
    'eins.some((one) => comparableEin(one) === itsEin)',
    'eins.some((one) => one === ein)',
  ),
  one(
    'carrier-name',
    'carrier.ts',
    "return known !== '' && known === comparableName(carrierName ?? '');",
    'return name === carrierName;',
  ),
  one(
    'carrier-name',
    'carrier.ts',
    "return known !== '' && known === comparableName(carrierName ?? '');",
    'return true;',
  ),
  one(
    'product-codes',
    'carrier.ts',
    'if (productCodes !== undefined) return companyCode !== null && productCodes.includes(companyCode);',
    '',
  ),
  one(
    'all-lines',
    'decide.ts',
    "return lineName === null ? 'all' : (codesOfLine().get(lineName) ?? noCodes);",
    "return 'all';",
  ),
  one(
    'all-lines',
    'decide.ts',
    "return lineName === null ? 'all' : (codesOfLine().get(lineName) ?? noCodes);",
    "return codesOfLine().get(lineName ?? '') ?? noCodes;",
  ),
  one(
    'line-by-name',
    'decide.ts',
    "return lineName === null ? 'all' : (codesOfLine().get(lineName) ?? noCodes);",
    "return lineName === null ? 'all' : noCodes;",
  ),
  one(
    'line-by-name',
    'facts.ts',
    "export const comparableLineName = (name: string | null): string => (name ?? '').trim().toLowerCase();",
    "export const comparableLineName = (name: string | null): string => (name ?? '').trim();",
  ),
  one(
    'line-by-name',
    'coverage.ts',
    'groupBy(facts, ({ stateCode }) => stateCode);',
    "groupBy(facts, () => 'TX');",
  ),
  one(
    'line-by-name',
    'license-terms.ts',
    'for (const { code, name } of stated.flatMap(({ rows }) => rows.flatMap((row) => row.linesOfAuthority))) {',
    'for (const { code, name } of stated.at(-1).rows.flatMap((row) => row.linesOfAuthority)) {',
  ),

  // ── What a product requires
  one(
    'each-line',
    'decide.ts',
    'required.filter((line) => !codesOf(line).some((code) => held.has(code)));',
    'required.slice(0, 1).filter((line) => !codesOf(line).some((code) => held.has(code)));',
  ),
  one(
    'each-line',
    'decide.ts',
    'covering.flatMap(({ lines }) =>',
    'covering.slice(0, 1).flatMap(({ lines }) =>',
  ),
  one(
    'each-line',
    'decide.ts',
    'const missing = coversAll ? [] : missingAmong(lines, held);',
    'const missing = [];',
  ),
  one(
    'any-of',
    'decide.ts',
    'required.filter((line) => !codesOf(line).some((code) => held.has(code)));',
    'required.filter((line) => !codesOf(line).every((code) => held.has(code)));',
  ),
  one(
    'appointment-of',
    'decide.ts',
    "[undefined, 'both', party].includes(requirement.appointmentOf);",
    'true;',
  ),
  one(
    'appointment-of',
    'decide.ts',
    "[undefined, 'both', party].includes(requirement.appointmentOf);",
    'requirement.appointmentOf === party;',
  ),
  one('on-binding', 'decide.ts', "if (requirement?.appointment === 'on binding') {", 'if (false) {'),
  one(
    'unlisted-state',
    'decide.ts',
    'const requirement = config.states.find((state) => state.stateCode === stateCode);',
    'const requirement = config.states.find((state) => state.stateCode === stateCode) ?? config.states[0];',
  ),
  one(
    'config-in-force',
    'configs.ts',
    'const inForce = known.findLast(({ validFrom }) => validFrom <= day);',
    'const inForce = known.at(-1);',
  ),
  one(
    'config-in-force',
    'configs.ts',
    'const known = inOrder.filter(({ recordedAt }) => recordedAt <= knownAt);',
    'const known = inOrder;',
  ),
  one(
    'first-config',
    'configs.ts',
    "return { config, configBasis: 'first version' };",
    "return { config, configBasis: 'version' };",
  ),

  // ── Answers
  one('expired', 'decide.ts', 'if (lastDay !== undefined) {', 'if (false) {'),
  one('expired', 'decide.ts', 'const lastDay = terms', 'const lastDay = terms.slice(-1)'),
  one(
    'expired',
    'decide.ts',
    '.map(({ ownEnds }) => ownEnds.findLast(({ from }) => from <= day)?.ownEnd ?? never)',
    '.map(({ ownEnds }) => ownEnds.at(-1).ownEnd)',
  ),
  one('missing', 'decide.ts', '.filter((end) => end < day)', ''),
  one(
    'basis',
    'decide.ts',
    "return recorded.length > 0 && recorded.every((is) => is) ? 'history' : 'registry dates';",
    "return 'history';",
  ),
  one(
    'basis',
    'decide.ts',
    "return recorded.length > 0 && recorded.every((is) => is) ? 'history' : 'registry dates';",
    "return 'registry dates';",
  ),
  one(
    'covering-row',
    'license-terms.ts',
    'spans.push({ ...span, row: covered.row, lines, endedBy: span.until === until ? endedBy : null });',
    'spans.push({ ...span, row: versions.at(-1).row, lines, endedBy: null });',
  ),
];
