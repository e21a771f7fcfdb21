import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod/mini';
import { resourceName } from '../../infra/environments.ts';
import type { ResponseContext } from '../../infra/local/gateway/responses.ts';
import { accountId } from '../../infra/local/template/physical-resources.ts';
import { type Deployment, serviceFunctions } from '../../infra/local/template/template.ts';
import type { LogLine } from './insights.ts';
import type { Observed } from './observer.ts';

/** Log lines by the name of their log group, in the order of time. */
export type Logs = ReadonlyMap<string, readonly LogLine[]>;

const logged = z.looseObject({
  timestamp: z.string(),
  level: z.string(),
  event: z.optional(z.string()),
  errorType: z.optional(z.string()),
});

/** Lines in a function's file by which the local run reports on itself. CloudWatch would not have them. */
const isLocalReport = ({ level, event, errorType }: z.output<typeof logged>): boolean =>
  level === 'ERROR' && event === undefined && errorType === undefined;
const logging = z.object({ FunctionName: z.string(), LoggingConfig: z.object({ LogGroup: z.string() }) });
const stage = z.object({
  AccessLogSetting: z.object({ DestinationArn: z.string(), Format: z.string() }),
});

const withSystemFields = (group: string, at: number, message: string): LogLine => ({
  ...JSON.parse(message),
  '@timestamp': at,
  '@log': `${accountId}:${group}`,
  '@message': message,
});

/** The lines of a function's file. */
function readLines(path: string, group: string, since: number): LogLine[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => {
      const parsed = z.parse(logged, JSON.parse(line));
      return isLocalReport(parsed) ? [] : [withSystemFields(group, Date.parse(parsed.timestamp), line)];
    })
    .filter((line) => Number(line['@timestamp']) >= since);
}

/** An access log's line: a variable without a value is a hyphen. https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html */
const accessLine = (format: string, context: ResponseContext): string =>
  format.replace(/\$context((?:\.[A-Za-z0-9_-]+)+)/g, (_, path: string) => context[path.slice(1)] ?? '-');

/** What the functions and the gateway have logged since then, as CloudWatch has it. */
export function readLogs(deployment: Deployment, directory: string, { requests, since }: Observed): Logs {
  const logs = new Map<string, readonly LogLine[]>();
  const files = new Set(readdirSync(directory).map((file) => basename(file, '.log')));
  for (const resource of serviceFunctions(deployment)) {
    const { FunctionName, LoggingConfig } = z.parse(logging, resource.properties());
    const name = FunctionName.replace(resourceName('local', ''), '');
    const { LogGroup } = LoggingConfig;
    if (files.has(name)) logs.set(LogGroup, readLines(join(directory, `${name}.log`), LogGroup, since));
  }
  for (const resource of deployment.ofType('AWS::ApiGateway::Stage')) {
    const { AccessLogSetting } = z.parse(stage, resource.properties());
    const group = AccessLogSetting.DestinationArn.split(':log-group:').at(-1)?.replace(/:\*$/, '') ?? '';
    const lines = requests.map((context) =>
      withSystemFields(
        group,
        Number(context['requestTimeEpoch']),
        accessLine(AccessLogSetting.Format, context),
      ),
    );
    logs.set(group, lines);
  }
  return logs;
}
