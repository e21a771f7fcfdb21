import { Aws } from 'aws-cdk-lib';
import type { AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Environment } from '../environments.ts';

/** Where alarms of each severity go: pages to one topic, tickets to another. */
export class Notifications {
  readonly #actions: Readonly<Record<'page' | 'ticket', SnsAction>>;

  constructor(scope: Construct, { pageAddress, ticketAddress }: Environment) {
    this.#actions = {
      page: new SnsAction(topicOf(scope, 'Pages', pageAddress)),
      ticket: new SnsAction(topicOf(scope, 'Tickets', ticketAddress)),
    };
  }

  /** Has an alarm notify when it goes off and when it is over. */
  of(severity: 'page' | 'ticket', alarm: AlarmBase): void {
    alarm.addAlarmAction(this.#actions[severity]);
    alarm.addOkAction(this.#actions[severity]);
  }
}

function topicOf(scope: Construct, id: string, address: string | undefined): Topic {
  const topic = new Topic(scope, id, { enforceSSL: true });
  // `enforceSSL` creates a topic policy, which replaces the default one that lets CloudWatch publish.
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html
  topic.grantPublish(
    new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  if (address !== undefined) topic.addSubscription(new EmailSubscription(address));
  return topic;
}
