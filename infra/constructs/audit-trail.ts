import { ArnFormat, Aws, Duration, Stack, Validations } from 'aws-cdk-lib';
import { CfnTrail } from 'aws-cdk-lib/aws-cloudtrail';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ILogGroup, LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { type Environment, resourceName } from '../environments.ts';
import { functionUses } from '../function-uses.ts';
import { alwaysExported, privateBucket, removalOf } from './resource.ts';

/** Functions without a route, which people and other applications invoke with IAM credentials. */
const auditedFunctions = [...functionUses]
  .filter(([, { isAudited }]) => isAudited === true)
  .map(([name]) => name);

/** Retention of the audit trail and of the functions' own logs, in every environment. */
export const auditRetention = RetentionDays.ONE_YEAR;

/**
 * Records who invokes the operators' functions: identity, address, and time. CloudTrail does not record the input; the
 * functions log what they did and on which resource, and the id of the request connects the two
 * (`shared/platform/operator/handler.ts`).
 *
 * It is part of the data stack because it is evidence: it must outlast the service stack, and a person that may change functions
 * need not be able to change it. It therefore knows the functions by name and depends on nothing of theirs.
 *
 * Data events cost $0.10 per 100,000 (https://aws.amazon.com/cloudtrail/pricing/), and the log group $0.50 per GB: an
 * import of a million records in chunks of 500 costs less than a cent. Management events are left out; the account's event
 * history has those of 90 days for free.
 *
 * @returns the log group with the records, where a query joins them with the functions' own lines.
 */
export function createAuditTrail(scope: Construct, environment: Environment): ILogGroup {
  const trailName = resourceName(environment.name, 'operators');
  const bucket = createBucket(scope, environment, trailName);
  const logGroup = new LogGroup(scope, 'Logs', {
    retention: auditRetention,
    removalPolicy: removalOf(environment),
  });
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('cloudtrail.amazonaws.com') });
  const grant = logGroup.grantWrite(role);
  const arnOf = (name: string): string =>
    Stack.of(scope).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: resourceName(environment.name, name),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  const trail = new CfnTrail(scope, 'Trail', {
    trailName,
    isLogging: true,
    s3BucketName: bucket.bucketName,
    // Signed digests, which show whether a file was changed or deleted.
    enableLogFileValidation: true,
    cloudWatchLogsLogGroupArn: logGroup.logGroupArn,
    cloudWatchLogsRoleArn: role.roleArn,
    isMultiRegionTrail: false,
    includeGlobalServiceEvents: false,
    advancedEventSelectors: [
      {
        name: 'Calls of the functions of operators',
        fieldSelectors: [
          { field: 'eventCategory', equalTo: ['Data'] },
          // Invocations, whether or not they are streamed, are the only data events of this type.
          { field: 'resources.type', equalTo: ['AWS::Lambda::Function'] },
          { field: 'resources.ARN', equalTo: auditedFunctions.map(arnOf) },
        ],
      },
    ],
  });
  grant.applyBefore(trail);
  // CloudTrail checks that it may write when the trail is created.
  if (bucket.policy !== undefined) trail.node.addDependency(bucket.policy);
  alwaysExported(scope, logGroup.logGroupName);
  return logGroup;
}

/** https://docs.aws.amazon.com/awscloudtrail/latest/userguide/create-s3-bucket-policy-for-cloudtrail.html */
function createBucket(scope: Construct, environment: Environment, trailName: string): Bucket {
  const bucket = new Bucket(scope, 'Bucket', {
    ...privateBucket(environment),
    lifecycleRules: [
      {
        id: 'a-year',
        expiration: Duration.days(auditRetention),
        noncurrentVersionExpiration: Duration.days(auditRetention),
      },
    ],
  });
  const trailArn = Stack.of(scope).formatArn({
    service: 'cloudtrail',
    resource: 'trail',
    resourceName: trailName,
  });
  const allow = (action: string, resource: string, conditions: Readonly<Record<string, string>> = {}) =>
    bucket.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudtrail.amazonaws.com')],
        actions: [action],
        resources: [resource],
        conditions: { StringEquals: { 'aws:SourceArn': trailArn, ...conditions } },
      }),
    );
  allow('s3:GetBucketAcl', bucket.bucketArn);
  allow('s3:PutObject', `${bucket.bucketArn}/AWSLogs/${Aws.ACCOUNT_ID}/*`, {
    's3:x-amz-acl': 'bucket-owner-full-control',
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'Only CloudTrail writes to it; validation of its files shows whether one was changed or deleted.',
  });
  return bucket;
}
