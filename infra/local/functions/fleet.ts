// Room `functions`: runs each Lambda function of the templates in a worker thread, with its own variables, role and log.
import { randomBytes } from 'node:crypto';
import type { Caller } from '../aws/endpoint.ts';
import type { Statement } from '../aws/policy-evaluation.ts';
import { statementsOf, withoutAction } from '../aws/roles.ts';
import { type Deployment, serviceFunctions } from '../template/template.ts';
import { deployedFunction } from './deployed-functions.ts';
import type { FastClock } from './fast-clock.ts';
import { type FunctionLog, openFunctionLog } from './function-log.ts';
import { createLocalFunction, type LocalFunction } from './local-function.ts';

/** All functions of the deployment, each with its own variables, access key and log. */
export interface Fleet {
  /** By the name of the function's folder. */
  named(name: string): LocalFunction;
  byArn(functionArn: string): LocalFunction;
  /** Name of a function's folder, statements of its role, and the access key with which Lambda itself uses the role. */
  roleOf(target: LocalFunction): {
    readonly name: string;
    readonly statements: readonly Statement[];
    readonly accessKeyId: string;
  };
  all(): readonly LocalFunction[];
  /** Callers by the access keys of the functions. */
  readonly callers: ReadonlyMap<string, Caller>;
  readonly statements: ReadonlyMap<string, readonly Statement[]>;
  /** Reports an error in a function's log and in the terminal. */
  report(name: string, message: string): void;
  stop(): Promise<void>;
}

interface FleetOptions {
  readonly awsEndpoint: string;
  /** Path of the bundled `worker.ts`, in which functions run. */
  readonly bootstrap: string;
  readonly logDirectory: string;
  readonly onError: (line: string) => void;
  readonly withoutGrant?: ((functionName: string, action: string) => boolean) | undefined;
  readonly environmentOverrides?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  readonly clock?: FastClock | undefined;
}

export const newAccessKey = (): string => `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`;

export function createFleet(deployment: Deployment, options: FleetOptions): Fleet {
  const functions = new Map<string, LocalFunction>();
  const logs = new Map<string, FunctionLog>();
  const callers = new Map<string, Caller>();
  const lambdasKeys = new Map<string, string>();
  const statements = new Map<string, readonly Statement[]>();

  for (const resource of serviceFunctions(deployment)) {
    const accessKeyId = newAccessKey();
    const { name, roleArn, settings } = deployedFunction(resource, deployment, {
      endpoint: options.awsEndpoint,
      accessKeyId,
    });
    const allowed = withoutAction(
      statementsOf(roleArn, deployment),
      (action) => options.withoutGrant?.(name, action) ?? false,
    );
    statements.set(name, allowed);
    callers.set(accessKeyId, { name, statements: allowed, isCode: true });
    const lambdasKey = newAccessKey();
    callers.set(lambdasKey, { name, statements: allowed });
    lambdasKeys.set(name, lambdasKey);
    const log = openFunctionLog(options.logDirectory, name, options.onError);
    logs.set(name, log);
    const environment = { ...settings.environment, ...options.environmentOverrides?.[name] };
    functions.set(
      name,
      createLocalFunction(
        { ...settings, environment, clock: options.clock },
        { bootstrap: options.bootstrap, log },
      ),
    );
  }

  return {
    named: (name) => {
      const found = functions.get(name);
      if (found === undefined) throw new Error(`There is no function "${name}".`);
      return found;
    },
    byArn: (functionArn) => {
      const found = Array.from(functions.values()).find(
        ({ settings }) => settings.functionArn === functionArn,
      );
      if (found === undefined) throw new Error(`The deployment has no function ${functionArn}.`);
      return found;
    },
    roleOf: (target) => {
      const [name] = Array.from(functions).find(([, one]) => one === target) ?? [];
      const accessKeyId = lambdasKeys.get(name ?? '');
      if (name === undefined || accessKeyId === undefined) {
        throw new Error(`${target.settings.functionName} is not a function of the deployment.`);
      }
      return { name, statements: statements.get(name) ?? [], accessKeyId };
    },
    all: () => Array.from(functions.values()),
    callers,
    statements,
    report: (name, message) => logs.get(name)?.error(message),
    stop: async () => {
      await Promise.all(Array.from(functions.values(), (each) => each.stop()));
      await Promise.all(Array.from(logs.values(), (log) => log.close()));
    },
  };
}
