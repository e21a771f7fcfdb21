import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { resourceName } from '../environments.ts';
import { logGroupName } from '../log-groups.ts';
import { namesOf } from './alarm-rows.ts';
import { savedQueries } from './queries.ts';
import type { LogSource } from './saved-query.ts';
import type { Watched } from './watched.ts';

/**
 * Saves the runbook's queries in CloudWatch Logs Insights, in a folder of the environment. One about a log that the
 * environment does not have is left out.
 */
export function saveQueries(scope: Construct, watched: Watched): void {
  const { name: environment, firewall } = watched.environment;
  const ofFunctions = (names: readonly string[]) =>
    names.map((name) => logGroupName.function(environment, name));
  const known: Readonly<Record<string, readonly string[]>> = {
    'access log': [logGroupName.accessLog(environment)],
    'audit trail': [watched.auditLogGroup],
    firewall: firewall ? [logGroupName.firewall(environment)] : [],
    'api functions': ofFunctions(namesOf(watched, 'api')),
    workers: ofFunctions(namesOf(watched, 'worker')),
  } satisfies Record<Exclude<LogSource, `function ${string}`>, readonly string[]>;
  for (const { name, logs, commands } of savedQueries) {
    const logGroupNames = logs.flatMap(
      (source) => known[source] ?? ofFunctions([source.replace('function ', '')]),
    );
    if (logGroupNames.length === 0) continue;
    new CfnQueryDefinition(scope, `${name.replaceAll(/[^A-Za-z]+/g, '-')}-query`, {
      name: `${resourceName(environment, 'runbook')}/${name}`,
      queryString: commands.join('\n| ').replaceAll('"prod-', `"${environment}-`),
      logGroupNames,
    });
  }
}
