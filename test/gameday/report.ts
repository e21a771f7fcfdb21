import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { resourceName } from '../../infra/environments.ts';
import type { Deployment } from '../../infra/local/template/template.ts';
import type { AlarmState } from './alarms.ts';
import { parseQuery, type Row, timeOf } from './insights.ts';
import type { Logs } from './logs.ts';

/** What a saved query finds. */
export interface Answer {
  /** As the runbook calls it: `Dead messages: why`. */
  readonly name: string;
  readonly query: string;
  readonly rows: readonly Row[];
}

const definition = z.object({
  Name: z.string(),
  QueryString: z.string(),
  LogGroupNames: z.array(z.string()),
});

/** Runs the saved queries of a section of the runbook, in the order in which it names them. */
export function answersFor(heading: string, deployment: Deployment, logs: Logs): Answer[] {
  const section = sectionOf(heading).text;
  return deployment
    .ofType('AWS::Logs::QueryDefinition')
    .map((one) => {
      const { Name, ...rest } = z.parse(definition, one.properties());
      return { name: Name.split('/').at(-1) ?? '', ...rest };
    })
    .filter(({ name }) => name.startsWith(`${heading}: `))
    .sort((one, other) => section.indexOf(`"${one.name}"`) - section.indexOf(`"${other.name}"`))
    .map(({ name, QueryString, LogGroupNames }) => {
      const lines = LogGroupNames.flatMap((group) => logs.get(group) ?? []);
      const inTime = lines.toSorted((one, other) => Number(one['@timestamp']) - Number(other['@timestamp']));
      return { name, query: QueryString, rows: parseQuery(QueryString)(inTime) };
    });
}

/** A section of the runbook, and the line of its heading. */
function sectionOf(heading: string): { readonly text: string; readonly line: number } {
  const lines = readFileSync('infra/runbook.md', 'utf8').split('\n');
  const index = lines.findIndex((line) => line.startsWith(`## ${heading} (`));
  if (index < 0) throw new Error(`The runbook has no section "${heading}".`);
  const end = lines.findIndex((line, at) => at > index && line.startsWith('#'));
  return { text: lines.slice(index, end < 0 ? undefined : end).join('\n'), line: index + 1 };
}

/** The section to which an alarm's description refers. */
export const headingOf = ({ description }: AlarmState): string =>
  /What to do: infra\/runbook\.md, "(.+)"\.$/.exec(description)?.[1] ?? '';

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const number = (value: number): string => String(Math.round(value * 100) / 100);

/** Why an alarm is in alarm, as CloudWatch gives its reason. */
function reasonOf(alarm: AlarmState): string {
  if (alarm.children.length > 0) {
    return alarm.children
      .map(
        (child) =>
          `${resourceName('local', child.name)} is in ALARM: ${reasonOf(child)}\n  ${child.description}`,
      )
      .join('\n');
  }
  if (alarm.measured === undefined) return '';
  const { value = Number.NaN, threshold, periods, periodSeconds } = alarm.measured;
  const datapoints = Array.from({ length: periods }, () => number(value)).join(', ');
  const were = periods === 1 ? 'was' : 'were';
  return `Threshold Crossed: ${plural(periods, 'datapoint')} [${datapoints}] of ${periodSeconds / 60} minutes ${were} greater than the threshold (${threshold}).`;
}

/** The notification that a recipient gets. */
const notification = (alarm: AlarmState): string => `To: whoever gets a ${alarm.severity}
Subject: ALARM: "${resourceName('local', alarm.name)}" in US East (N. Virginia)
Description: ${alarm.description}
State change: OK -> ALARM
Reason: ${reasonOf(alarm)}`;

/** A row's cell: short enough for a terminal, as the console shortens it. */
function cellOf(column: string, value: Row[string]): string {
  if (value === undefined || value === null) return '';
  const text = column === '@timestamp' ? timeOf(Number(value)) : String(value);
  const shown = column === '@log' ? text.replace(/^\d+:/, '') : text;
  return shown.length > longestCell ? `${shown.slice(0, longestCell)}…` : shown;
}

const longestCell = 160;
const mostRows = 10;

/** What a query finds: a row a paragraph, since log lines are wide. */
function answered({ name, query, rows }: Answer): string {
  const shown = rows.slice(0, mostRows).map((row) =>
    Object.entries(row)
      .map(([column, value]) => [column, cellOf(column, value)] as const)
      .filter(([, cell]) => cell !== '')
      .map(([column, cell]) => `${column}=${cell}`)
      .join('  '),
  );
  const more = rows.length > mostRows ? [`… and ${rows.length - mostRows} more`] : [];
  const found = rows.length === 0 ? ['(nothing)'] : [...shown, ...more];
  return [
    `"${name}"`,
    ...query.split('\n').map((line) => `  ${line}`),
    ...found.map((line) => `    ${line}`),
  ].join('\n');
}

/** Notifications, pages first. */
export const notifying = (alarms: readonly AlarmState[]): AlarmState[] =>
  alarms
    .filter(({ isInAlarm, severity }) => isInAlarm && severity !== undefined)
    .sort((one, other) => String(one.severity).localeCompare(String(other.severity)));

/** Sections to which notifications lead, those of composite alarms after those of their alarms. */
export const headingsOf = (alarms: readonly AlarmState[]): string[] => [
  ...new Set(alarms.flatMap((alarm) => [...alarm.children.map(headingOf), headingOf(alarm)])),
];

/** What on-call gets: notifications, and what the saved queries of the runbook's sections find. */
export function report(deployment: Deployment, alarms: readonly AlarmState[], logs: Logs): string {
  const notified = notifying(alarms);
  const headings = headingsOf(notified);
  const answers = headings.flatMap((heading) => answersFor(heading, deployment, logs));
  const sections = headings.map((heading) => `infra/runbook.md:${sectionOf(heading).line} "${heading}"`);
  return [
    '== Notifications',
    ...notified.map(notification),
    '== Saved queries of their sections in the runbook',
    ...answers.map(answered),
    '== Read',
    sections.join('\n'),
  ].join('\n\n');
}
