import { join } from 'node:path';
import * as z from 'zod/mini';
import { environmentBytes, functionTimeoutSeconds } from '../../../shared/platform/aws/limits.ts';
import { resourceName } from '../../environments.ts';
import { type Access, secretAccessKey } from '../aws/call.ts';
import { functionArn, onlyVersion, region } from '../template/physical-resources.ts';
import { type Deployment, propertiesOf, type Resource } from '../template/template.ts';
import type { FunctionSettings } from './local-function.ts';

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

/** Of a version and an alias. Others, such as a second version with a weight, would change what callers get. */
const qualifiedProperties = z.strictObject({
  FunctionName: z.string(),
  FunctionVersion: z.optional(z.literal(onlyVersion)),
  Name: z.optional(z.string()),
});

/** The ARNs of a function's version and aliases. */
const qualifiedArns = (arn: string, deployment: Deployment): string[] =>
  deployment
    .ofType('AWS::Lambda::Version', 'AWS::Lambda::Alias')
    .filter((one) => functionArn(propertiesOf(one, qualifiedProperties).FunctionName) === arn)
    .map(({ ref }) => ref);

/**
 * A function of the template: the name of its folder (`policies`), the ARNs by which it is invoked, its role, and its
 * settings, with its access to AWS.
 */
export function deployedFunction(resource: Resource, deployment: Deployment, access: Access) {
  const properties = propertiesOf(resource, functionProperties);
  const { FunctionName, Handler, MemorySize, Timeout } = properties;
  const arn = functionArn(FunctionName);
  const qualified = qualifiedArns(arn, deployment);
  const [file, handler] = Handler.split('.');
  const directory = deployment.assetDirectory(properties.Code.S3Key);
  const { LogFormat = 'Text', ApplicationLogLevel = 'INFO' } = properties.LoggingConfig ?? {};
  return {
    name: FunctionName.replace(resourceName('local', ''), ''),
    arns: [arn, ...qualified],
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
        AWS_LAMBDA_FUNCTION_VERSION: qualified.length === 0 ? '$LATEST' : onlyVersion,
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
