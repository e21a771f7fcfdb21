import { Aws, Validations } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type Alias, CfnAlias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type Environment, resourceName } from '../environments.ts';

/** A function's new version, and the alarms on it alone. */
export interface NewVersion {
  readonly name: string;
  readonly alias: Alias;
  readonly alarms: readonly IAlarm[];
}

interface GradualDeploymentsProps {
  readonly environment: Environment;
  readonly versions: readonly NewVersion[];
  /** Alarms that roll back every new version, whichever it was that set them off. */
  readonly rollbackAlarms: readonly IAlarm[];
}

/**
 * A third of the functions at a time: where many are under way when one fails, rollbacks of stacks have failed, and CodeDeploy
 * has reached the limit of its requests to Lambda. https://github.com/aws/serverless-application-model/issues/351
 */
const waves = 3;

/**
 * Gives each new version a tenth of its function's requests for five minutes, one wave of functions after the other. If one
 * of the alarms goes off meanwhile, CodeDeploy points the alias at the previous version again, and CloudFormation rolls back the
 * rest of the release. A deployment does not begin while one of them is on: `--context rollout=at-once` replaces all versions
 * at once, whatever the alarms and wherever the aliases point.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-updatepolicy.html#cfn-attributes-updatepolicy-codedeploylambdaaliasupdate
 */
export function deployGradually(
  scope: Construct,
  { environment, versions, rollbackAlarms }: GradualDeploymentsProps,
): void {
  const rollout: unknown = scope.node.tryGetContext('rollout');
  if (rollout !== undefined && rollout !== 'at-once') {
    throw new Error(`The context "rollout" can only be "at-once", not "${String(rollout)}".`);
  }
  const application = new LambdaApplication(scope, 'Application', {
    applicationName: resourceName(environment.name, 'functions'),
  });
  // https://docs.aws.amazon.com/codedeploy/latest/userguide/security_confused_deputy.html
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason: 'What CodeDeploy needs is up to CodeDeploy; this is the policy that it documents for functions.',
  });
  const waveOf = (index: number): number => Math.floor((index * waves) / versions.length);
  for (const [index, { name, alias, alarms }] of versions.entries()) {
    const group = new LambdaDeploymentGroup(scope, name, {
      application,
      deploymentGroupName: resourceName(environment.name, name),
      alias,
      role,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [...alarms, ...rollbackAlarms],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    const previousWave = versions.filter((_, otherIndex) => waveOf(otherIndex) === waveOf(index) - 1);
    // The alarms are on the new version before it gets requests.
    alias.node.addDependency(group, ...previousWave.map((version) => version.alias));
    // Without its policy, CloudFormation moves the alias itself.
    if (rollout === 'at-once' && alias.node.defaultChild instanceof CfnAlias) {
      delete alias.node.defaultChild.cfnOptions.updatePolicy;
    }
  }
}
