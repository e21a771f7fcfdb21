import { Aws } from 'aws-cdk-lib';
import type { AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { addAlarm, addAnyAlarm, notify, type Severity, topicName } from '../constructs/alarm.ts';
import type { Environment } from '../environments.ts';
import type { Paging, Sources, Ticket } from './alarm-rows.ts';
import { pages } from './pages.ts';
import { tickets } from './tickets.ts';

/** Creates all alarms, but those that roll back a release (`infra/service/rollback.ts`). Answers those that page. */
export function createAlarms(scope: Construct, sources: Sources): readonly AlarmBase[] {
  const { environment } = sources.watchedResources;
  const create = (severity: Severity, rows: readonly (Paging | Ticket)[]): AlarmBase[] =>
    rows.map((row) => {
      const alarm =
        'signals' in row
          ? addAnyAlarm(
              scope,
              environment,
              row,
              row.signals.map((signal) => addAlarm(scope, environment, signal)),
            )
          : addAlarm(scope, environment, row);
      notify(alarm, environment, severity);
      return alarm;
    });
  createTopic(scope, environment, 'page', environment.pageAddress);
  createTopic(scope, environment, 'ticket', environment.ticketAddress);
  create('ticket', tickets(sources));
  return create('page', pages(sources));
}

function createTopic(
  scope: Construct,
  environment: Environment,
  severity: Severity,
  address: string | undefined,
): void {
  const topic = new Topic(scope, `${severity}s`, {
    topicName: topicName(environment, severity),
    enforceSSL: true,
  });
  // `enforceSSL` creates a topic policy, which replaces the default one that lets CloudWatch publish.
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html
  topic.grantPublish(
    new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  if (address !== undefined) topic.addSubscription(new EmailSubscription(address));
}
