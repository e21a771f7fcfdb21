import type { Environment } from '../../environments.ts';
import { type Deployment, type Resource, readAssembly } from './template.ts';

/** Types that the local run executes. */
const executedTypes: ReadonlySet<string> = new Set([
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Events::EventBus',
  'AWS::Events::Rule',
  'AWS::GuardDuty::MalwareProtectionPlan',
  'AWS::S3::BucketPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::Schedule',
  'AWS::SecretsManager::RotationSchedule',
  'AWS::SecretsManager::Secret',
]);

/** Types without local behavior, each with the reason. */
const nothingToRun: Readonly<Record<string, string>> = {
  'Custom::S3AutoDeleteObjects': 'it empties a bucket when its stack is deleted; here it ends with the run',
  'AWS::ApiGateway::Account': 'a setting of the AWS account',
  'AWS::ApiGateway::Deployment': 'the definition is served as it is; there is no snapshot of it',
  'AWS::Budgets::Budget': 'nothing costs anything',
  'AWS::CloudTrail::Trail': 'every caller of a function here owns this machine',
  'AWS::CloudWatch::Alarm': 'there are no metrics; the log and the terminal show errors',
  'AWS::CloudWatch::CompositeAlarm': 'there are no metrics; the log and the terminal show errors',
  'AWS::CloudWatch::Dashboard': 'there are no metrics',
  'AWS::CloudWatch::InsightRule': 'there are no metrics',
  'AWS::CodeDeploy::Application': 'a run deploys once, and all at once',
  'AWS::CodeDeploy::DeploymentGroup': 'a run deploys once, and all at once',
  'AWS::Events::Archive': 'what a bus carried is not kept beyond the run',
  'AWS::KMS::Alias': 'a name for people; functions use the ARN',
  'AWS::Logs::LogGroup': 'each function writes a file of its own',
  'AWS::Logs::MetricFilter': 'there are no metrics',
  'AWS::Logs::QueryDefinition': 'the logs are files',
  'AWS::Scheduler::ScheduleGroup': 'a name for several schedules',
  'AWS::SNS::Topic': 'only alarms publish, and there are none',
  'AWS::SNS::TopicPolicy': 'only alarms publish, and there are none',
};

/**
 * Fails the start when the templates have resources that the local run cannot execute: it would not behave like the
 * deployed service.
 */
export function refuseUnsupported(resources: readonly Resource[]): void {
  const unsupportedResources = resources.filter(
    ({ type }) => !executedTypes.has(type) && !Object.hasOwn(nothingToRun, type),
  );
  if (unsupportedResources.length === 0) return;
  const descriptions = unsupportedResources.map(
    ({ type, stackName, logicalId }) => `${type} (${stackName}/${logicalId})`,
  );
  throw new Error(
    `The local run does not support ${descriptions.join(', ')}: see infra/local/template/synthesize.ts.`,
  );
}

/** Synthesizes the environment `local`, for this address of the API, in this process and reads its templates. */
export async function synthesize(
  directory: string,
  { address, awsEndpoint }: { readonly address: string; readonly awsEndpoint: string },
  changes: Partial<Environment> | undefined,
): Promise<Deployment> {
  // Template validation adds two seconds to every synth; an infrastructure test runs it.
  process.env['CDK_VALIDATION'] = 'false';
  const [{ buildApp }, { environments }] = await Promise.all([
    import('../../build-app.ts'),
    import('../../environments.ts'),
  ]);
  const { local } = environments;
  buildApp({ ...local, address, ...changes }, { outdir: directory }).synth();
  const deployment = await readAssembly(directory, awsEndpoint);
  refuseUnsupported(deployment.resources);
  return deployment;
}
