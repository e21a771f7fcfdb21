// Folder `functions`: runs each Lambda function of the templates in a worker thread, with its own variables, role and log.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { environmentBytes, functionTimeoutSeconds } from '#platform/aws/limits.ts';
import { resourceName } from '../../environments.ts';
import type { Caller } from '../aws/endpoint.ts';
import { type Statement, statementsOf } from '../aws/policy-evaluation.ts';
import { type Access, secretAccessKey } from '../aws/service.ts';
import {
  type Deployment,
  functionArn,
  onlyVersion,
  propertiesOf,
  type Resource,
  region,
  serviceFunctions,
} from '../template/template.ts';
import { openFunctionLog } from './instance.ts';
import { createLocalFunction, type FunctionSettings } from './local-function.ts';

const functionProperties = z.strictObject({
  FunctionName: z.string(),
  Handler: z.string(),
  Runtime: z.literal('nodejs24.x'),
  Role: z.string(),
  Timeout: z.number().check(z.lte(functionTimeoutSeconds)),
  MemorySize: z.number(),
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Environment: z.optional(
    z.strictObject({
      Variables: z.optional(
        z.record(z.string(), z.string()).check(
          // Lambda measures the variables as JSON, as its error message shows.
          z.refine((variables) => Buffer.byteLength(JSON.stringify(variables)) <= environmentBytes, {
            error: `The variables exceed ${environmentBytes} bytes.`,
          }),
        ),
      ),
    }),
  ),
  LoggingConfig: z.optional(
    z.looseObject({ LogFormat: z.optional(z.string()), ApplicationLogLevel: z.optional(z.string()) }),
  ),
  RecursiveLoop: z._default(z.enum(['Allow', 'Terminate']), 'Terminate'),
  ReservedConcurrentExecutions: z.optional(z.number()),
  // They do not affect what the function does.
  Architectures: z.optional(z.unknown()),
  Description: z.optional(z.unknown()),
  Tags: z.optional(z.unknown()),
  TracingConfig: z.optional(z.unknown()),
});

/** Supported properties of a version and an alias. Others, such as a second version with a weight, would change what callers get. */
const qualifiedProperties = z.strictObject({
  FunctionName: z.string(),
  FunctionVersion: z.optional(z.literal(onlyVersion)),
  Name: z.optional(z.string()),
});

/** The ARNs of a function's version and aliases. */
const qualifiedArns = (arn: string, deployment: Deployment): string[] =>
  deployment
    .ofType('AWS::Lambda::Version', 'AWS::Lambda::Alias')
    .filter((candidate) => functionArn(propertiesOf(candidate, qualifiedProperties).FunctionName) === arn)
    .map(({ ref }) => ref);

/**
 * A function of the template: the name of its folder (`policies`), the ARNs by which it is invoked, its role, and its
 * settings, with its access to AWS.
 */
export function deployedFunction(resource: Resource, deployment: Deployment, access: Access) {
  const properties = propertiesOf(resource, functionProperties);
  const { FunctionName, Handler, MemorySize, Timeout } = properties;
  const arn = functionArn(FunctionName);
  const versionArns = qualifiedArns(arn, deployment);
  const [file, handler] = Handler.split('.');
  const directory = deployment.assetDirectory(properties.Code.S3Key);
  const { LogFormat = 'Text', ApplicationLogLevel = 'INFO' } = properties.LoggingConfig ?? {};
  return {
    name: FunctionName.replace(resourceName('local', ''), ''),
    arns: [arn, ...versionArns],
    roleArn: properties.Role,
    settings: {
      functionName: FunctionName,
      functionArn: arn,
      module: join(directory, `${file}.mjs`),
      handler: handler ?? '',
      memoryLimitInMB: MemorySize,
      timeoutMs: Timeout * 1_000,
      recursiveLoop: properties.RecursiveLoop,
      reservedConcurrency: properties.ReservedConcurrentExecutions,
      environment: {
        _HANDLER: Handler,
        AWS_ACCESS_KEY_ID: access.accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
        AWS_ENDPOINT_URL: access.endpoint,
        AWS_REGION: region,
        AWS_DEFAULT_REGION: region,
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
        AWS_LAMBDA_FUNCTION_NAME: FunctionName,
        AWS_LAMBDA_FUNCTION_VERSION: versionArns.length === 0 ? '$LATEST' : onlyVersion,
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
        AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
        AWS_LAMBDA_LOG_FORMAT: LogFormat,
        AWS_LAMBDA_LOG_LEVEL: ApplicationLogLevel,
        LAMBDA_TASK_ROOT: directory,
        TZ: ':UTC',
        ...properties.Environment?.Variables,
      },
    } satisfies FunctionSettings,
  };
}

export type Fleet = ReturnType<typeof createFleet>;

interface FleetOptions {
  readonly awsEndpoint: string;
  /** Path of the bundled `worker.ts`, in which functions run. */
  readonly bootstrap: string;
  readonly logDirectory: string;
  readonly onError: (line: string) => void;
  /** Factor of Lambda's time limits. */
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
    const roleStatements = statementsOf(roleArn, deployment);
    const statements = options.statementsFor?.(name, roleStatements) ?? roleStatements;
    const log = openFunctionLog(logDirectory, name, onError);
    const target = createLocalFunction(settings, { bootstrap, log, timeoutFactor });
    // Its code has another access key than Lambda itself, which uses the role too.
    return { name, arns, target, log, statements, codesKeyId, accessKeyId: newAccessKey() };
  });
  type Member = (typeof members)[number];

  const find = (description: string, isWanted: (member: Member) => boolean): Member => {
    const member = members.find(isWanted);
    if (member === undefined) throw new Error(`The deployment has no function ${description}.`);
    return member;
  };

  const memberOf = (nameOrArn: string): Pick<Member, 'name' | 'target' | 'statements' | 'accessKeyId'> =>
    find(nameOrArn, ({ arns }) => arns.includes(functionArn(nameOrArn)));

  return {
    /** Function by the name of its folder. */
    named: (name: string) => find(name, (candidate) => candidate.name === name).target,
    byArn: (arn: string) => memberOf(arn).target,
    /** Member by the name or ARN of the function itself, its version, or an alias. */
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
    report: (name: string, message: string) =>
      find(name, (candidate) => candidate.name === name).log.error(message),
    stop: async () => {
      await Promise.all(members.map(({ target }) => target.stop()));
      await Promise.all(members.map(({ log }) => log.close()));
    },
  };
}
