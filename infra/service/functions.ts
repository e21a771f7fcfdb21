import { Duration, TimeZone } from 'aws-cdk-lib';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import type { FunctionUses, Timetable } from '../../shared/domain/function-uses.ts';
import { Gateway } from '../constructs/gateway.ts';
import { schedules } from '../constructs/schedules.ts';
import {
  ApiFunction,
  ServiceFunction,
  StreamFunction,
  WorkerFunction,
} from '../constructs/service-function.ts';
import { rotate } from '../constructs/signing-secret.ts';
import { authorizerName, functionsOf } from '../function-uses.ts';
import { type Sources, variablesOf } from './variables.ts';

/**
 * Every function of `functions/`, with what invokes it: the gateway, queues, a stream, schedules, or an address of its own.
 *
 * @throws Error if the environment reserves concurrency for a function that does not exist.
 */
export function createFunctions(sources: Omit<Sources, 'apiAddress'>) {
  const { scope, deployment } = sources;
  const functionUses = functionsOf(deployment);
  for (const name of Object.keys(deployment.capacity.reserved)) {
    if (!functionUses.has(name))
      throw new Error(`There is no function "${name}" to reserve concurrency for.`);
  }
  const made = new Map<string, ServiceFunction>();
  const ofGateway = [...functionUses].filter(
    ([name, { routes }]) => name === authorizerName || routes !== undefined,
  );
  for (const [name, uses] of ofGateway) made.set(name, createFunction(name, uses, sources));
  const api = [...made.values()].filter((one) => one instanceof ApiFunction);
  const authorizer = named(made, authorizerName);
  const gateway = new Gateway(scope, 'Gateway', { environment: deployment, authorizer, functions: api });

  const call = schedules(scope, 'schedules', deployment);
  for (const [name, uses] of functionUses) {
    if (made.has(name)) continue;
    const target = createFunction(name, uses, { ...sources, apiAddress: gateway.address });
    made.set(name, target);
    for (const [task, timetable] of Object.entries(uses.schedules ?? {})) {
      call(target, task, expressionOf(timetable));
    }
  }
  return { gateway, api, canary: named(made, 'canary') };
}

function createFunction(name: string, uses: FunctionUses, sources: Sources): ServiceFunction {
  const { scope, deployment, data, queues } = sources;
  const props = { deployment, uses, variables: variablesOf(uses, sources) };
  if (uses.routes !== undefined) return new ApiFunction(scope, uses.routes, props);
  if (uses.consumes !== undefined) {
    const { consumes } = uses;
    const feeds = queues.all.flatMap((queue) => {
      const { [queue.name]: consumption } = consumes;
      return consumption === undefined ? [] : [{ queue, batchSize: consumption.batchSize }];
    });
    return new WorkerFunction(scope, name, { ...props, feeds });
  }
  if (uses.stream !== undefined) {
    const { table, ...mapping } = uses.stream;
    return new StreamFunction(scope, name, { ...props, mapping, table: data.tables[table] });
  }
  const made = new ServiceFunction(scope, name, props);
  if (uses.functionUrl === true) made.lambda.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
  if (uses.rotates !== undefined) rotate(data.signingSecret.value, made);
  return made;
}

const expressionOf = (timetable: Timetable): ScheduleExpression =>
  'everyMinutes' in timetable
    ? ScheduleExpression.rate(Duration.minutes(timetable.everyMinutes))
    : ScheduleExpression.cron({
        minute: '0',
        hour: String(timetable.dailyAtHour),
        timeZone: TimeZone.AMERICA_NEW_YORK,
      });

function named(made: ReadonlyMap<string, ServiceFunction>, name: string): ServiceFunction {
  const found = made.get(name);
  if (found === undefined) throw new Error(`There is no function "${name}".`);
  return found;
}
