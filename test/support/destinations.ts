import { randomBytes } from 'node:crypto';
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { clientSettings } from '../../infra/local/aws/call.ts';
import { customerRoleArn } from '../../infra/local/aws/customer-roles.ts';
import {
  accountId,
  busArn,
  defaultBusName,
  propertiesOf,
  type Resource,
  readTemplates,
  region,
} from '../../infra/local/template/template.ts';
import destinationTemplate from '../../infra/openapi/webhook-destination.json';
import type { Destination } from '../../shared/domain/webhooks/resource.ts';

const access = () => ({
  endpoint: process.env['TEST_AWS_ENDPOINT'] ?? '',
  accessKeyId: process.env['TEST_OPERATOR_KEY'] ?? '',
});

/** Calls IAM, as the customer whose account it is. */
async function callIam(action: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const { endpoint, accessKeyId } = access();
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20200101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0`,
    },
    body: new URLSearchParams({ Action: action, ...fields }).toString(),
  });
  if (!response.ok) throw new Error(`${action}: ${await response.text()}`);
}

const roleProperties = z.strictObject({
  RoleName: z.string(),
  AssumeRolePolicyDocument: z.looseObject({ Statement: z.array(z.looseObject({})) }),
  Policies: z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument: z.unknown() })),
});

interface Wanted {
  /** The external id that the role demands; null for a role that demands none. */
  readonly organizationId: string | null;
  readonly isFifo?: boolean;
  /** Whether the role may put events on the default bus, whose events the queue gets. */
  readonly ofBus?: boolean;
}

/** What the document tells customers to deploy, in the local run. */
export async function deployDestination({ organizationId, isFifo = false, ofBus = false }: Wanted) {
  const name = `events-${randomBytes(6).toString('hex')}${isFifo ? '.fifo' : ''}`;
  const given = { QueueName: name, ServiceAccountId: accountId, OrganizationId: organizationId ?? '' };
  const { endpoint } = access();
  const Parameters = Object.fromEntries(
    Object.entries(given).map(([parameter, Default]) => [parameter, { Default }]),
  );
  // As a customer has it: the text of the document.
  const template = { ...JSON.parse(JSON.stringify(destinationTemplate)), Parameters };
  const { ofType } = readTemplates({ customer: template }, { awsEndpoint: endpoint });
  const only = (type: string): Resource => {
    const [resource] = ofType(type);
    if (resource === undefined) throw new Error(`The template has no ${type}.`);
    return resource;
  };
  const [queue, role] = [only('AWS::SQS::Queue'), only('AWS::IAM::Role')];
  const sqs = new SQSClient(clientSettings(access()));
  await sqs.send(
    new CreateQueueCommand({ QueueName: name, Attributes: isFifo ? { FifoQueue: 'true' } : {} }),
  );
  const { RoleName, AssumeRolePolicyDocument: trust, Policies } = propertiesOf(role, roleProperties);

  const queueArn = queue.attributes['Arn'] ?? '';
  const arn = ofBus ? busArn(defaultBusName) : queueArn;
  const statements = trust.Statement.map(({ Condition, ...rest }) =>
    organizationId === null ? rest : { ...rest, Condition },
  );
  const putEvents = { Statement: [{ Effect: 'Allow', Action: 'events:PutEvents', Resource: arn }] };

  async function createRole(): Promise<void> {
    const AssumeRolePolicyDocument = JSON.stringify({ ...trust, Statement: statements });
    await callIam('CreateRole', { RoleName, AssumeRolePolicyDocument });
    for (const { PolicyName, PolicyDocument } of Policies) {
      const allowed = JSON.stringify(ofBus ? putEvents : PolicyDocument);
      await callIam('PutRolePolicy', { RoleName, PolicyName, PolicyDocument: allowed });
    }
  }

  async function forward(): Promise<void> {
    const events = new EventBridgeClient(clientSettings(access()));
    const EventPattern = JSON.stringify({ source: ['insurance-compliance'] });
    await events.send(new PutRuleCommand({ Name: name, EventPattern }));
    await events.send(new PutTargetsCommand({ Rule: name, Targets: [{ Id: 'queue', Arn: queueArn }] }));
  }

  await createRole();
  if (ofBus) await forward();
  const destination: Destination = {
    type: ofBus ? 'eventbridge' : 'sqs',
    arn,
    roleArn: customerRoleArn(RoleName),
  };
  const QueueUrl = `https://sqs.${region}.amazonaws.com/${accountId}/${name}`;
  async function take(WaitTimeSeconds: number): Promise<Message[]> {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        WaitTimeSeconds,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    );
    if (Messages.length > 0) {
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    }
    return Messages;
  }

  return {
    destination,
    createRole,
    deleteRole: () => callIam('DeleteRole', { RoleName }),
    /** Takes messages out of the queue until there were as many. */
    async receive(count = 1): Promise<Message[]> {
      const received: Message[] = [];
      while (received.length < count) received.push(...(await take(5)));
      return received;
    },
    /** Takes every message out of the queue, and answers the bodies of events. */
    async receiveAll(): Promise<string[]> {
      const bodies: string[] = [];
      for (;;) {
        const messages = await take(0);
        if (messages.length === 0) return bodies;
        for (const { Body = '' } of messages) {
          bodies.push(ofBus ? JSON.stringify(JSON.parse(Body).detail) : Body);
        }
      }
    },
  };
}

export type DeployedDestination = Awaited<ReturnType<typeof deployDestination>>;
