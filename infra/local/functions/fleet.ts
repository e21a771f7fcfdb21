// Folder `functions`: runs each Lambda function of the templates in a worker thread, with its own variables, role and log.
import { randomBytes } from 'node:crypto';
import { statementsOf } from '../aws/customer-roles.ts';
import type { Caller } from '../aws/endpoint.ts';
import type { Statement } from '../aws/policy-evaluation.ts';
import { functionArn } from '../template/physical-resources.ts';
import { type Deployment, serviceFunctions } from '../template/template.ts';
import { deployedFunction } from './deployed-functions.ts';
import { openFunctionLog } from './function-log.ts';
import { createLocalFunction } from './local-function.ts';

export type Fleet = ReturnType<typeof createFleet>;

interface FleetOptions {
  readonly awsEndpoint: string;
  /** Path of the bundled `worker.ts`, in which functions run. */
  readonly bootstrap: string;
  readonly logDirectory: string;
  readonly onError: (line: string) => void;
  /** How many times as long as in Lambda functions may take. */
  readonly timeoutFactor?: number;
  /** Changes the statements of a role. */
  readonly statementsFor?:
    | ((functionName: string, statements: readonly Statement[]) => readonly Statement[])
    | undefined;
}

export const newAccessKey = (): string => `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`;

/** All functions of the deployment, each with its own variables, access key and log. */
export function createFleet(deployment: Deployment, options: FleetOptions) {
  const { awsEndpoint: endpoint, bootstrap, logDirectory, timeoutFactor = 1, onError } = options;

  const members = serviceFunctions(deployment).map((resource) => {
    const codesKeyId = newAccessKey();
    const { name, arns, roleArn, settings } = deployedFunction(resource, deployment, {
      endpoint,
      accessKeyId: codesKeyId,
    });
    const granted = statementsOf(roleArn, deployment);
    const statements = options.statementsFor?.(name, granted) ?? granted;
    const log = openFunctionLog(logDirectory, name, onError);
    const target = createLocalFunction(settings, { bootstrap, log, timeoutFactor });
    // Its code has another access key than Lambda itself, which uses the role too.
    return { name, arns, target, log, statements, codesKeyId, accessKeyId: newAccessKey() };
  });
  type Member = (typeof members)[number];

  const find = (what: string, isWanted: (member: Member) => boolean): Member => {
    const found = members.find(isWanted);
    if (found === undefined) throw new Error(`The deployment has no function ${what}.`);
    return found;
  };

  const memberOf = (nameOrArn: string): Pick<Member, 'name' | 'target' | 'statements' | 'accessKeyId'> =>
    find(nameOrArn, ({ arns }) => arns.includes(functionArn(nameOrArn)));

  return {
    /** By the name of the function's folder. */
    named: (name: string) => find(name, (one) => one.name === name).target,
    byArn: (arn: string) => memberOf(arn).target,
    /** By name or ARN, of the function itself, its version, or an alias. */
    memberOf,
    all: () => members,
    /** Callers by the access keys of the functions. */
    callers: new Map(
      members.flatMap(({ name, statements, codesKeyId, accessKeyId }): [string, Caller][] => [
        [codesKeyId, { name, statements, isCode: true }],
        [accessKeyId, { name, statements }],
      ]),
    ),
    statements: new Map(members.map(({ name, statements }) => [name, statements])),
    /** Access keys of the functions' own code. */
    accessKeyIds: new Map(members.map(({ name, codesKeyId }) => [name, codesKeyId])),
    /** Reports an error in a function's log and in the terminal. */
    report: (name: string, message: string) => find(name, (one) => one.name === name).log.error(message),
    stop: async () => {
      await Promise.all(members.map(({ target }) => target.stop()));
      await Promise.all(members.map(({ log }) => log.close()));
    },
  };
}
