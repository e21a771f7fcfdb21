import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { savedQueries } from '../../infra/watch/queries.ts';
import { queryLength, queryLogGroups } from '../../shared/platform/aws/limits.ts';
import { logEvents } from '../../shared/platform/log/events.ts';
import { alarmSections, procedures } from './runbook-sections.ts';
import { synthesized } from './synthesized.ts';

const runbook = readFileSync('infra/runbook.md', 'utf8');
const { service, watch } = synthesized('prod');
const code = ['functions', 'shared']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

const sections = [...alarmSections, ...procedures];

/** First groups of all matches. */
const found = (pattern: RegExp, text: string): string[] =>
  Array.from(text.matchAll(pattern), ([, group = '']) => group);

/** Names in the runbook that begin with a section's heading: `"Dead messages: why"`. */
const referred = found(/"([A-Z][^":]+: [^"]+)"/g, runbook).filter((name) =>
  ['Requests', ...sections.map(({ heading }) => heading)].includes(name.split(':')[0] ?? ''),
);

test('the runbook refers to every saved query, and to no other', () => {
  expect(new Set(referred)).toEqual(new Set(savedQueries.map(({ name }) => name)));
});

test.each(savedQueries)('$name stands in its section of the runbook', ({ name }) => {
  const [heading] = name.split(':');
  const section = sections.find((one) => one.heading === heading)?.text;
  if (heading !== 'Requests') expect(section).toContain(`"${name}"`);
});

test('the runbook has no query of its own, which nobody could run with a click', () => {
  expect(found(/(?:^|`)((?:filter|stats) [a-z@])/gm, runbook)).toEqual([]);
});

const definition = z.object({
  Name: z.string(),
  QueryString: z.string(),
  LogGroupNames: z.array(
    // Only the name of the trail's log group is generated.
    z.union([z.string(), z.object({ 'Fn::ImportValue': z.string().check(z.regex(/audittrailLogs/)) })]),
  ),
});
const definitions = watch
  .ofType('AWS::Logs::QueryDefinition')
  .map(([, { Properties }]) => z.parse(definition, Properties));

test('every query is saved under its name, with logs to query', () => {
  expect(definitions.map(({ Name }) => Name).sort()).toEqual(
    savedQueries.map(({ name }) => `insurance-compliance-prod-runbook/${name}`).sort(),
  );
  for (const { QueryString, LogGroupNames } of definitions) {
    expect(QueryString.length).toBeLessThanOrEqual(queryLength);
    expect(LogGroupNames.length).toBeGreaterThan(0);
    expect(LogGroupNames.length).toBeLessThanOrEqual(queryLogGroups);
  }
});

test('an environment without a firewall has no query of its log', () => {
  const names = synthesized('dev').watch.ofType('AWS::Logs::QueryDefinition');
  expect(names).toHaveLength(savedQueries.filter(({ logs }) => !logs.includes('firewall')).length);
});

/** Fields that CloudWatch and the logger add. */
const given = ['@timestamp', '@log', '@message', 'level', 'message', 'event'];

/** Of Lambda's own lines: https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report */
const ofReport = ['record.status', 'record.metrics.durationMs', 'record.metrics.initDurationMs'];

const accessLog = z.object({ AccessLogSetting: z.object({ Format: z.string() }) });
const [[, stage] = ['', { Properties: {} }]] = service.ofType('AWS::ApiGateway::Stage');
const ofAccessLog = Object.keys(
  z.parse(
    z.record(z.string(), z.string()),
    JSON.parse(z.parse(accessLog, stage.Properties).AccessLogSetting.Format),
  ),
);

/** https://docs.aws.amazon.com/waf/latest/developerguide/logging-fields.html */
const ofFirewall = ['terminatingRuleId', 'httpRequest'];

/** https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-event-reference-record-contents.html */
const ofAuditTrail = ['eventName', 'requestID', 'userIdentity', 'sourceIPAddress'];

/** Whether a function's code writes a member of this name. */
const isLogged = (field: string): boolean => new RegExp(`\\b${field}\\b(?=\\??\\s*[:,}])`).test(code);

const words = new Set(
  'fields filter stats sort by as and or in like asc desc count sum max min avg pct latest bin coalesce sortsLast not ispresent limit'.split(
    ' ',
  ),
);

/** The fields that a query reads: its words that are no commands, functions, values, or names that it gives. */
function fieldsOf(commands: readonly string[]): string[] {
  const text = commands.join('\n').replaceAll(/"[^"]*"|\/[^/]*\/|bin\(\w+\)/g, ' ');
  const names = found(/\bas (\w+)/g, text);
  const all = found(/([@A-Za-z][\w.]*)/g, text).map((field) => field.split('.')[0] ?? '');
  return [...new Set(all)].filter((field) => !words.has(field) && !names.includes(field));
}

test.each(savedQueries)('$name reads Lambda’s lines as they are with logs in JSON', ({ commands }) => {
  const text = commands.join('\n');
  // What CloudWatch finds in lines of plain text.
  expect(text).not.toMatch(/@(duration|initDuration|billedDuration|maxMemoryUsed|type|requestId)\b|REPORT/);
  const read = found(/\b(record\.[\w.]+)/g, text);
  expect(ofReport).toEqual(expect.arrayContaining(read));
  if (read.length > 0) expect(text).toContain('type = "platform.report"');
});

test.each(savedQueries)('$name asks for fields that its logs have', ({ logs, commands }) => {
  const fields = fieldsOf(commands);
  expect(fields.length).toBeGreaterThan(0);
  const unknown = fields.filter((field) => {
    if (given.includes(field)) return false;
    if (['type', 'record'].includes(field)) return logs.join() === 'access log';
    if (logs.includes('firewall')) return !ofFirewall.includes(field);
    if (logs.includes('audit trail') && ofAuditTrail.includes(field)) return false;
    return (
      !(logs.includes('access log') && ofAccessLog.includes(field)) &&
      !(logs.join() !== 'access log' && isLogged(field))
    );
  });
  expect(unknown).toEqual([]);
});

test.each(savedQueries)('$name filters by events that functions log', ({ commands }) => {
  const text = commands.join('\n');
  const lists = found(/\bevent in \[([^\]]*)\]/g, text).join();
  const events = [...found(/\bevent = "([^"]*)"/g, text), ...found(/"([^"]*)"/g, lists)];
  expect(Object.keys(logEvents)).toEqual(expect.arrayContaining(events));
});
