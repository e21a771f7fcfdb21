import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Watched } from '../alarms/alarms.ts';
import { resourceName } from '../environments.ts';
import { functionsOf } from './metrics.ts';
import { savedQueries } from './queries.ts';
import type { LogSource } from './saved-query.ts';

/**
 * Saves the runbook's queries in CloudWatch Logs Insights, in a folder of the environment. One about a log that the
 * environment does not have is left out.
 */
export function saveQueries(scope: Construct, watched: Watched): void {
  const queries = new Construct(scope, 'Queries');
  const { name: environment } = watched.environment;
  for (const { name, logs, commands } of savedQueries) {
    const groups = logs.flatMap((source) => logGroupsOf(source, watched));
    if (groups.length === 0) continue;
    new CfnQueryDefinition(queries, name.replaceAll(/[^A-Za-z]+/g, '-'), {
      name: `${resourceName(environment, 'runbook')}/${name}`,
      queryString: commands.join('\n| ').replaceAll('"prod-', `"${environment}-`),
      logGroupNames: groups.map(({ logGroupName }) => logGroupName),
    });
  }
}

function logGroupsOf(source: LogSource, watched: Watched): readonly ILogGroup[] {
  switch (source) {
    case 'access log':
      return [watched.gateway.accessLogs];
    case 'audit trail':
      return [watched.auditTrail.logGroup];
    case 'firewall':
      return watched.firewall === undefined ? [] : [watched.firewall.logs];
    case 'api functions':
      return watched.apiFunctions.map(({ logGroup }) => logGroup);
    case 'workers':
      return watched.workers.map(({ logGroup }) => logGroup);
    default: {
      const wanted = source.replace('function ', '');
      const found = functionsOf(watched).filter(({ name }) => name === wanted);
      if (found.length === 0) throw new Error(`No function "${wanted}" has a log to query.`);
      return found.map(({ logGroup }) => logGroup);
    }
  }
}
