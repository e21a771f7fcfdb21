import { rolePrefix } from '../../shared/domain/webhooks/resource.ts';
import template from './webhook-destination.json';

/** The part of the chapter on webhooks about destinations. */
export const webhookDestinations = `
### Queues and event buses
Instead of a URL, a webhook can have a \`destination\` in your AWS account: \`{"type": "sqs", "arn", "roleArn"}\`, or
\`eventbridge\` with the ARN of an event bus. You then need no reachable endpoint. The service assumes your role with the id of
your organization as the external id. The role’s name must begin with \`${rolePrefix}\`, and it must not be possible to assume the
role without that external id; otherwise, registering the webhook, or enabling it again, returns 400. Neither sends
anything: try it with \`POST /v2/upstream/webhooks/{webhookId}/test\`.

This CloudFormation template creates a queue with its policy, and the role. Its outputs are the \`arn\` and the \`roleArn\`:

\`\`\`json
${JSON.stringify(template, null, 2)}
\`\`\`

For a bus, allow the role \`events:PutEvents\` on the bus instead. A queue that is encrypted with a key of your own requires
\`kms:GenerateDataKey\` and \`kms:Decrypt\` for the role, too.

- A queue gets the same body as a URL, with the six headers as message attributes. A FIFO queue gets the entity as the message
  group, and a retry does not arrive a second time within five minutes; a redelivery does.
- A bus gets an event with source \`insurance-compliance\`, the type as \`detail-type\`, and the body as \`detail\`. It is not signed.

Retries, redelivery, replay, and disabling are the same as for URLs. If AWS refuses an event, the attempt says so: \`error\` is
\`refused\`, and \`responseBody\` names the reason, such as \`AssumeRole: AccessDenied\` for a role that cannot be assumed. After you
change a role, it is assumed again after the first refusal, or otherwise within 15 minutes. \`/v1/webhooks\` does not list webhooks
with a destination and returns 404 for them.
`.trim();
