// Folder `template`: reads the synthesized CloudFormation templates and resolves what they reference.

import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve as resolvePath } from 'node:path';
import * as z from 'zod/mini';
import { isObject } from '../../text.ts';

export const region = 'us-east-1';
export const accountId = '000000000000';

/** The values of `Ref` and `Fn::GetAtt` of a resource. */
interface PhysicalResource {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const arn = (service: string, rest: string): string => `arn:aws:${service}:${region}:${accountId}:${rest}`;

export const tableArn = (name: string): string => arn('dynamodb', `table/${name}`);

/** A table has one stream during the run, so its label need not be a creation time. */
export const streamArn = (tableName: string): string => `${tableArn(tableName)}/stream/local`;

export const busArn = (name: string): string => arn('events', `event-bus/${name}`);

/** Reads a property of the resource. */
type Property = (name: string) => unknown;

type Identify = (name: string, awsEndpoint: string, property: Property) => PhysicalResource;

/** The ARN of a function, or of its version or alias, by its ARN or its name: `policies`, `policies:live`. */
export const functionArn = (nameOrArn: string): string =>
  nameOrArn.startsWith('arn:') ? nameOrArn : arn('lambda', `function:${nameOrArn}`);

/** The number of a function's published version: a run deploys once. */
export const onlyVersion = '1';

/** A version or an alias, by what follows its function's name. */
const qualifiedFunction = (property: Property, qualifier: string): PhysicalResource => ({
  ref: functionArn(`${String(property('FunctionName'))}:${qualifier}`),
  attributes: { Version: onlyVersion },
});

/** A resource that is referenced by its name and has an ARN. */
const namedResource =
  (arnOf: (name: string) => string): Identify =>
  (name) => ({ ref: name, attributes: { Arn: arnOf(name) } });

/** Kinds of resources by type: the property with the name, where a template sets one, and the values. */
const kinds: Readonly<Record<string, readonly [nameProperty: string, identify: Identify]>> = {
  'AWS::ApiGateway::Stage': ['StageName', (name) => ({ ref: name, attributes: {} })],
  'AWS::DynamoDB::GlobalTable': [
    'TableName',
    (name) => ({ ref: name, attributes: { Arn: tableArn(name), StreamArn: streamArn(name) } }),
  ],
  'AWS::Events::EventBus': ['Name', namedResource(busArn)],
  'AWS::Events::Rule': [
    'Name',
    (name, _, property) => {
      const path = `${String(property('EventBusName'))}/${name}`;
      return { ref: path.replace('/', '|'), attributes: { Arn: arn('events', `rule/${path}`) } };
    },
  ],
  'AWS::IAM::Role': ['RoleName', namedResource((name) => `arn:aws:iam::${accountId}:role/${name}`)],
  'AWS::KMS::Key': ['', namedResource((name) => arn('kms', `key/${name}`))],
  'AWS::Lambda::Alias': ['Name', (name, _, property) => qualifiedFunction(property, name)],
  'AWS::Lambda::Function': ['FunctionName', namedResource(functionArn)],
  'AWS::Lambda::Version': ['', (_name, _, property) => qualifiedFunction(property, onlyVersion)],
  'AWS::S3::Bucket': [
    'BucketName',
    (name) => ({ ref: name.toLowerCase(), attributes: { Arn: `arn:aws:s3:::${name.toLowerCase()}` } }),
  ],
  'AWS::SQS::Queue': [
    'QueueName',
    (name, awsEndpoint) => ({
      // The SDK calls the host of the queue URL, so it is that of the local endpoint.
      ref: `${awsEndpoint}/${accountId}/${name}`,
      attributes: { Arn: arn('sqs', name), QueueName: name },
    }),
  ],
  'AWS::SecretsManager::Secret': [
    'Name',
    // Secrets Manager appends six random characters.
    (name) => ({ ref: arn('secretsmanager', `secret:${name}-random`), attributes: {} }),
  ],
};

/**
 * Identifies a resource as CloudFormation would: by the name in its template, or else by the stack name and the logical
 * id. `property` resolves a property of the resource; queue URLs begin with `awsEndpoint`.
 */
function physicalResource(
  { type, stackName, logicalId }: Readonly<Record<'type' | 'stackName' | 'logicalId', string>>,
  property: Property,
  awsEndpoint: string,
): PhysicalResource {
  const service = type.split('::')[1]?.toLowerCase() ?? '';
  const [nameProperty, identify] = kinds[type] ?? ['', namedResource((name) => arn(service, name))];
  const givenName = nameProperty === '' ? undefined : property(nameProperty);
  return identify(
    typeof givenName === 'string' ? givenName : `${stackName}-${logicalId}`,
    awsEndpoint,
    property,
  );
}

/**
 * CloudFormation's intrinsic functions that the synthesized templates use. Others are rejected by name, because a wrong
 * value would fail far from its cause.
 */

/** Resolves the names in a template. */
export interface Scope {
  /** Value of a resource, a parameter or a pseudo parameter. */
  ref(name: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  /** Value of another stack's export. */
  importValue(name: string): unknown;
}

function text(value: unknown, place: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error(`${place} requires a string, not ${JSON.stringify(value)}.`);
}

function list(value: unknown, place: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${place} requires a list, not ${JSON.stringify(value)}.`);
}

const intrinsics: Readonly<Record<string, (argument: unknown, scope: Scope) => unknown>> = {
  Ref: (argument, scope) => scope.ref(text(argument, 'Ref')),
  'Fn::GetAtt': (argument, scope) => {
    const [logicalId, name] = list(argument, 'Fn::GetAtt');
    return scope.attribute(text(logicalId, 'Fn::GetAtt'), text(name, 'Fn::GetAtt'));
  },
  // The CDK uses it for names with pseudo parameters, without variables of its own.
  'Fn::Sub': (argument, scope) =>
    text(argument, 'Fn::Sub').replace(/\$\{([^}]+)\}/g, (_, name: string) =>
      text(scope.ref(name), `Fn::Sub of ${name}`),
    ),
  'Fn::ImportValue': (argument, scope) =>
    scope.importValue(text(resolve(argument, scope), 'Fn::ImportValue')),
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list(argument, 'Fn::Join');
    return list(resolve(parts, scope), 'Fn::Join')
      .map((part) => text(part, 'Fn::Join'))
      .join(text(separator, 'Fn::Join'));
  },
  'Fn::Split': (argument, scope) => {
    const [separator, source] = list(resolve(argument, scope), 'Fn::Split');
    return text(source, 'Fn::Split').split(text(separator, 'Fn::Split'));
  },
  'Fn::Select': (argument, scope) => {
    const [index, values] = list(resolve(argument, scope), 'Fn::Select');
    return text(list(values, 'Fn::Select')[Number(index)], 'Fn::Select');
  },
};

/** Resolves all intrinsic functions in a value of a template. */
export function resolve(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((element) => resolve(element, scope));
  if (!isObject(value)) {
    if (typeof value === 'string' && value.includes('{{resolve:')) {
      throw new Error(`The local run does not support the dynamic reference ${value}.`);
    }
    return value;
  }
  const keys = Object.keys(value);
  const [key] = keys;
  if (keys.length === 1 && key !== undefined) {
    const intrinsic = intrinsics[key];
    if (intrinsic !== undefined) return intrinsic(value[key], scope);
    if (key.startsWith('Fn::')) throw new Error(`The local run does not support ${key}.`);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, scope)]));
}

const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.optional(z.record(z.string(), z.unknown())),
  Condition: z.optional(z.string()),
});
const outputSchema = z.object({
  Value: z.unknown(),
  Export: z.optional(z.object({ Name: z.unknown() })),
});
const templateSchema = z.object({
  Resources: z.record(z.string(), resourceSchema),
  Parameters: z.optional(z.record(z.string(), z.object({ Default: z.optional(z.string()) }))),
  Outputs: z.optional(z.record(z.string(), outputSchema)),
});

type Template = z.output<typeof templateSchema>;

const assetsSchema = z.object({
  files: z.record(z.string(), z.object({ source: z.object({ path: z.optional(z.string()) }) })),
});

/**
 * The functions that handle requests, messages and schedules, without CDK's providers of custom resources, which
 * CloudFormation invokes when a stack is created or deleted.
 */
export function serviceFunctions(deployment: Pick<Deployment, 'resources' | 'ofType'>): readonly Resource[] {
  const providers = new Set(
    deployment.resources
      .filter(({ type }) => type.startsWith('Custom::'))
      .map((resource) => resource.properties()['ServiceToken']),
  );
  return deployment
    .ofType('AWS::Lambda::Function')
    .filter(({ attributes }) => !providers.has(attributes['Arn']));
}

/** A resource of the deployment. `properties` resolves intrinsic functions on each call. */
export interface Resource {
  readonly stackName: string;
  readonly logicalId: string;
  readonly type: string;
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
  properties(): Record<string, unknown>;
}

/**
 * The properties of a resource by the schema of those that the local run supports.
 *
 * @throws Error when the resource has others, or values that the schema does not allow
 */
export function propertiesOf<Schema extends z.core.$ZodType>(
  { type, logicalId, properties }: Resource,
  schema: Schema,
): z.output<Schema> {
  const result = z.safeParse(schema, properties());
  if (result.success) return result.data;
  throw new Error(`The local run does not support ${type} ${logicalId}: ${z.prettifyError(result.error)}`);
}

/** Values of the pseudo parameters that the templates use. */
const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::Region': region,
  'AWS::AccountId': accountId,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
};

/** The synthesized stacks of an environment, read as one. */
export type Deployment = ReturnType<typeof readTemplates>;

/** Reads templates by stack name as one deployment; stacks share values only through exports. */
export function readTemplates(
  templates: Readonly<Record<string, unknown>>,
  context: { readonly awsEndpoint: string; readonly assets?: ReadonlyMap<string, string> },
) {
  const stacks = new Map<string, { readonly template: Template; readonly scope: Scope }>();
  const identities = new Map<string, PhysicalResource>();
  const stackExports = new Map<string, () => unknown>();

  const physical = (stackName: string, logicalId: string): PhysicalResource => {
    const key = `${stackName}/${logicalId}`;
    const knownIdentity = identities.get(key);
    if (knownIdentity !== undefined) return knownIdentity;
    const stack = stacks.get(stackName);
    const resource = stack?.template.Resources[logicalId];
    if (stack === undefined || resource === undefined) {
      throw new Error(`Stack ${stackName} has no resource, parameter or pseudo parameter ${logicalId}.`);
    }
    const identity = physicalResource(
      { type: resource.Type, stackName, logicalId },
      (name) => resolve(resource.Properties?.[name], stack.scope),
      context.awsEndpoint,
    );
    identities.set(key, identity);
    return identity;
  };

  for (const [stackName, source] of Object.entries(templates)) {
    const template = z.parse(templateSchema, source);
    const scope: Scope = {
      ref: (name) =>
        pseudoParameters[name] ?? template.Parameters?.[name]?.Default ?? physical(stackName, name).ref,
      attribute: (logicalId, name) => {
        const value = physical(stackName, logicalId).attributes[name];
        if (value !== undefined) return value;
        const type = template.Resources[logicalId]?.Type;
        throw new Error(`The local run does not support attribute ${name} of ${type} (${logicalId}).`);
      },
      importValue: (name) => {
        const value = stackExports.get(name);
        if (value === undefined) throw new Error(`No stack exports ${name}.`);
        return value();
      },
    };
    stacks.set(stackName, { template, scope });
    for (const output of Object.values(template.Outputs ?? {})) {
      if (output.Export === undefined) continue;
      stackExports.set(String(resolve(output.Export.Name, scope)), () => resolve(output.Value, scope));
    }
  }

  const resources = Array.from(stacks).flatMap(([stackName, { template, scope }]) =>
    Object.entries(template.Resources).map(([logicalId, source]): Resource => {
      if (source.Condition !== undefined) {
        throw new Error(`The local run does not support conditions (${logicalId}: ${source.Condition}).`);
      }
      return {
        stackName,
        logicalId,
        type: source.Type,
        ...physical(stackName, logicalId),
        properties: () =>
          Object.fromEntries(
            Object.entries(source.Properties ?? {}).map(([name, value]) => [name, resolve(value, scope)]),
          ),
      };
    }),
  );

  return {
    resources,
    ofType: (...types: string[]): readonly Resource[] =>
      resources.filter((resource) => types.includes(resource.type)),
    /** Folder of a function's code, by the object key in the template. */
    assetDirectory: (objectKey: string): string => {
      const directory = context.assets?.get(basename(objectKey, '.zip'));
      if (directory === undefined) throw new Error(`No asset of the deployment has the key ${objectKey}.`);
      return directory;
    },
  };
}

/** Reads a folder that `cdk synth` wrote. */
export async function readAssembly(directory: string, awsEndpoint: string): Promise<Deployment> {
  const templates: Record<string, unknown> = {};
  const assets = new Map<string, string>();
  for (const file of await readdir(directory)) {
    if (file.endsWith('.template.json')) {
      templates[basename(file, '.template.json')] = JSON.parse(await readFile(join(directory, file), 'utf8'));
    }
    if (file.endsWith('.assets.json')) {
      const { files } = z.parse(assetsSchema, JSON.parse(await readFile(join(directory, file), 'utf8')));
      for (const [hash, asset] of Object.entries(files)) {
        if (asset.source.path !== undefined) assets.set(hash, resolvePath(directory, asset.source.path));
      }
    }
  }
  return readTemplates(templates, { awsEndpoint, assets });
}
