// Folder `functions`: runs each Lambda function of the templates in a worker thread, with its own variables, role and log.
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

/** A function with what belongs to it. */
interface Member extends ReturnType<Fleet['roleOf']> {
  readonly target: LocalFunction;
  readonly log: FunctionLog;
  /** The access key of its code. */
  readonly codesKeyId: string;
}

export function createFleet(deployment: Deployment, options: FleetOptions): Fleet {
  const { awsEndpoint: endpoint, bootstrap, clock, logDirectory, onError, withoutGrant } = options;

  const members = serviceFunctions(deployment).map((resource): Member => {
    const codesKeyId = newAccessKey();
    const { name, roleArn, settings } = deployedFunction(resource, deployment, {
      endpoint,
      accessKeyId: codesKeyId,
    });
    const statements = withoutAction(
      statementsOf(roleArn, deployment),
      (action) => withoutGrant?.(name, action) ?? false,
    );
    const log = openFunctionLog(logDirectory, name, onError);
    const environment = { ...settings.environment, ...options.environmentOverrides?.[name] };
    const target = createLocalFunction({ ...settings, environment, clock }, { bootstrap, log });
    return { name, target, log, statements, codesKeyId, accessKeyId: newAccessKey() };
  });

  const find = (what: string, isWanted: (member: Member) => boolean): Member => {
    const found = members.find(isWanted);
    if (found === undefined) throw new Error(`The deployment has no function ${what}.`);
    return found;
  };

  return {
    named: (name) => find(name, (one) => one.name === name).target,
    byArn: (arn) => find(arn, ({ target }) => target.settings.functionArn === arn).target,
    roleOf: (target) => find(target.settings.functionName, (one) => one.target === target),
    all: () => members.map(({ target }) => target),
    callers: new Map(
      members.flatMap(({ name, statements, codesKeyId, accessKeyId }): [string, Caller][] => [
        [codesKeyId, { name, statements, isCode: true }],
        [accessKeyId, { name, statements }],
      ]),
    ),
    statements: new Map(members.map(({ name, statements }) => [name, statements])),
    report: (name, message) => find(name, (one) => one.name === name).log.error(message),
    stop: async () => {
      await Promise.all(members.map(({ target }) => target.stop()));
      await Promise.all(members.map(({ log }) => log.close()));
    },
  };
}
