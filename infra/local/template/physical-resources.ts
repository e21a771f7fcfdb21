import { createHash } from 'node:crypto';

export const region = 'us-east-1';
export const accountId = '000000000000';

/** The values of `Ref` and `Fn::GetAtt` of a resource. */
export interface PhysicalResource {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

interface Kind {
  /** Property with the name, if the template sets one. */
  readonly nameProperty?: string;
  readonly physical: (
    name: string,
    awsEndpoint: string,
    property: (name: string) => unknown,
  ) => PhysicalResource;
}

const arn = (service: string, rest: string): string => `arn:aws:${service}:${region}:${accountId}:${rest}`;

/** Secrets Manager appends six random characters to a secret's ARN; here they are derived from the name. */
const suffix = (name: string): string =>
  createHash('sha256').update(name).digest('base64url').replace(/[-_]/g, 'x').slice(0, 6);

export const tableArn = (name: string): string => arn('dynamodb', `table/${name}`);

/** A table has one stream during the run, so its label need not be a creation time. */
export const streamArn = (tableName: string): string => `${tableArn(tableName)}/stream/local`;

const table: Kind = {
  nameProperty: 'TableName',
  physical: (name) => ({ ref: name, attributes: { Arn: tableArn(name), StreamArn: streamArn(name) } }),
};

/** The bus that every account has. */
export const defaultBusName = 'default';

export const busArn = (name: string): string => arn('events', `event-bus/${name}`);

const kinds: Readonly<Record<string, Kind>> = {
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::Lambda::Function': {
    nameProperty: 'FunctionName',
    physical: (name) => ({ ref: name, attributes: { Arn: arn('lambda', `function:${name}`) } }),
  },
  'AWS::IAM::Role': {
    nameProperty: 'RoleName',
    physical: (name) => ({
      ref: name,
      attributes: { Arn: `arn:aws:iam::${accountId}:role/${name}`, RoleId: `AROA${name}` },
    }),
  },
  'AWS::SecretsManager::Secret': {
    nameProperty: 'Name',
    physical: (name) => {
      const secretArn = arn('secretsmanager', `secret:${name}-${suffix(name)}`);
      return { ref: secretArn, attributes: { Id: secretArn } };
    },
  },
  'AWS::ApiGateway::RestApi': {
    physical: (name) => ({
      ref: createHash('sha256').update(name).digest('hex').slice(0, 10),
      attributes: { RootResourceId: 'root' },
    }),
  },
  'AWS::ApiGateway::Stage': {
    nameProperty: 'StageName',
    physical: (name) => ({ ref: name, attributes: {} }),
  },
  'AWS::Logs::LogGroup': {
    nameProperty: 'LogGroupName',
    physical: (name) => ({ ref: name, attributes: { Arn: arn('logs', `log-group:${name}:*`) } }),
  },
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    physical: (name, awsEndpoint) => {
      // The SDK calls the host of the queue URL, so it is that of the local endpoint.
      const address = `${awsEndpoint}/${accountId}/${name}`;
      return { ref: address, attributes: { Arn: arn('sqs', name), QueueName: name, QueueUrl: address } };
    },
  },
  'AWS::S3::Bucket': {
    nameProperty: 'BucketName',
    physical: (name) => ({
      ref: name.toLowerCase(),
      attributes: {
        Arn: `arn:aws:s3:::${name.toLowerCase()}`,
        DomainName: `${name.toLowerCase()}.s3.amazonaws.com`,
        RegionalDomainName: `${name.toLowerCase()}.s3.${region}.amazonaws.com`,
      },
    }),
  },
  'AWS::Events::EventBus': {
    nameProperty: 'Name',
    physical: (name) => ({ ref: name, attributes: { Arn: busArn(name), Name: name } }),
  },
  'AWS::Events::Rule': {
    nameProperty: 'Name',
    physical: (name, _, property) => {
      const bus = property('EventBusName') ?? defaultBusName;
      const path = bus === defaultBusName ? name : `${String(bus)}/${name}`;
      const ruleArn = arn('events', `rule/${path}`);
      return { ref: path.replace('/', '|'), attributes: { Arn: ruleArn } };
    },
  },
  'AWS::Events::Archive': {
    nameProperty: 'ArchiveName',
    physical: (name) => ({ ref: name, attributes: { Arn: arn('events', `archive/${name}`) } }),
  },
  'AWS::Scheduler::Schedule': {
    nameProperty: 'Name',
    physical: (name, _, property) => {
      const group = property('GroupName') ?? 'default';
      return { ref: name, attributes: { Arn: arn('scheduler', `schedule/${String(group)}/${name}`) } };
    },
  },
  'AWS::Scheduler::ScheduleGroup': {
    nameProperty: 'Name',
    physical: (name) => ({ ref: name, attributes: { Arn: arn('scheduler', `schedule-group/${name}`) } }),
  },
  'AWS::SNS::Topic': {
    nameProperty: 'TopicName',
    physical: (name) => {
      const topicArn = arn('sns', name);
      return { ref: topicArn, attributes: { TopicArn: topicArn, TopicName: name } };
    },
  },
};

/**
 * Identifies a resource as CloudFormation would: by the name in its template, or else by the stack name and the logical
 * id. `property` resolves a property of the resource; queue URLs begin with `awsEndpoint`.
 */
export function physicalResource(
  resource: { readonly type: string; readonly stackName: string; readonly logicalId: string },
  property: (name: string) => unknown,
  awsEndpoint: string,
): PhysicalResource {
  const kind = kinds[resource.type];
  const given = kind?.nameProperty === undefined ? undefined : property(kind.nameProperty);
  const name = typeof given === 'string' ? given : `${resource.stackName}-${resource.logicalId}`;
  if (kind !== undefined) return kind.physical(name, awsEndpoint, property);
  const service = resource.type.split('::')[1]?.toLowerCase() ?? '';
  return { ref: name, attributes: { Arn: arn(service, name) } };
}
