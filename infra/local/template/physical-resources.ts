import { createHash } from 'node:crypto';

export const region = 'us-east-1';
export const accountId = '000000000000';

/** The values of `Ref` and `Fn::GetAtt` of a resource. */
export interface PhysicalResource {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const arn = (service: string, rest: string): string => `arn:aws:${service}:${region}:${accountId}:${rest}`;

/** Secrets Manager appends six random characters to a secret's ARN; here they are derived from the name. */
const suffix = (name: string): string =>
  createHash('sha256').update(name).digest('base64url').replace(/[-_]/g, 'x').slice(0, 6);

export const tableArn = (name: string): string => arn('dynamodb', `table/${name}`);

/** A table has one stream during the run, so its label need not be a creation time. */
export const streamArn = (tableName: string): string => `${tableArn(tableName)}/stream/local`;

/** The bus that every account has. */
export const defaultBusName = 'default';

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
const qualified = (property: Property, qualifier: string): PhysicalResource => ({
  ref: functionArn(`${String(property('FunctionName'))}:${qualifier}`),
  attributes: { Version: onlyVersion },
});

/** A resource that is referenced by its name and has an ARN. */
const named =
  (arnOf: (name: string) => string): Identify =>
  (name) => ({ ref: name, attributes: { Arn: arnOf(name) } });

/** By type: the property with the name, where a template sets one, and the values. */
const kinds: Readonly<Record<string, readonly [nameProperty: string, identify: Identify]>> = {
  'AWS::ApiGateway::RestApi': [
    '',
    (name) => ({ ref: createHash('sha256').update(name).digest('hex').slice(0, 10), attributes: {} }),
  ],
  'AWS::ApiGateway::Stage': ['StageName', (name) => ({ ref: name, attributes: {} })],
  'AWS::DynamoDB::GlobalTable': [
    'TableName',
    (name) => ({ ref: name, attributes: { Arn: tableArn(name), StreamArn: streamArn(name) } }),
  ],
  'AWS::Events::EventBus': ['Name', named(busArn)],
  'AWS::Events::Rule': [
    'Name',
    (name, _, property) => {
      const path = `${String(property('EventBusName'))}/${name}`;
      return { ref: path.replace('/', '|'), attributes: { Arn: arn('events', `rule/${path}`) } };
    },
  ],
  'AWS::IAM::Role': ['RoleName', named((name) => `arn:aws:iam::${accountId}:role/${name}`)],
  'AWS::KMS::Key': ['', named((name) => arn('kms', `key/${name}`))],
  'AWS::Lambda::Alias': ['Name', (name, _, property) => qualified(property, name)],
  'AWS::Lambda::Function': ['FunctionName', named(functionArn)],
  'AWS::Lambda::Url': [
    '',
    (name, awsEndpoint) => ({
      ref: name,
      attributes: { FunctionUrl: `${awsEndpoint}/function-urls/${name}/` },
    }),
  ],
  'AWS::Lambda::Version': ['', (_name, _, property) => qualified(property, onlyVersion)],
  'AWS::Logs::LogGroup': ['LogGroupName', named((name) => arn('logs', `log-group:${name}:*`))],
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
  'AWS::Scheduler::Schedule': [
    'Name',
    (name, _, property) => ({
      ref: name,
      attributes: { Arn: arn('scheduler', `schedule/${String(property('GroupName') ?? 'default')}/${name}`) },
    }),
  ],
  'AWS::Scheduler::ScheduleGroup': ['Name', named((name) => arn('scheduler', `schedule-group/${name}`))],
  'AWS::SecretsManager::Secret': [
    'Name',
    (name) => ({ ref: arn('secretsmanager', `secret:${name}-${suffix(name)}`), attributes: {} }),
  ],
  'AWS::SNS::Topic': ['TopicName', (name) => ({ ref: arn('sns', name), attributes: {} })],
};

/**
 * Identifies a resource as CloudFormation would: by the name in its template, or else by the stack name and the logical
 * id. `property` resolves a property of the resource; queue URLs and functions' addresses begin with
 * `awsEndpoint`.
 */
export function physicalResource(
  { type, stackName, logicalId }: Readonly<Record<'type' | 'stackName' | 'logicalId', string>>,
  property: Property,
  awsEndpoint: string,
): PhysicalResource {
  const service = type.split('::')[1]?.toLowerCase() ?? '';
  const [nameProperty, identify] = kinds[type] ?? ['', named((name) => arn(service, name))];
  const given = nameProperty === '' ? undefined : property(nameProperty);
  return identify(typeof given === 'string' ? given : `${stackName}-${logicalId}`, awsEndpoint, property);
}
