import { rolePrefix } from '../../shared/domain/webhooks/destination.ts';
import template from './webhook-destination.json';

/** The part of the chapter on webhooks about destinations. */
export const webhookDestinations = `
### Queues and event buses
Instead of a URL, a webhook can have a \`destination\` in your AWS account: \`{"type": "sqs", "arn", "roleArn"}\`, or
\`eventbridge\` with the ARN of an event bus. No endpoint of yours then has to be reachable. The service assumes your role with the
id of your organization as the external id. Two things are required of the role: its name begins with \`${rolePrefix}\`, and
it cannot be assumed without that external id. Registering the webhook, or enabling it again, returns 400 otherwise. Neither sends
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

Retries, redelivery, replay, and disabling are the same as for URLs. What AWS refuses is recorded on the attempt: \`error\` is
\`refused\`, and \`responseBody\` names the reason; of a role that cannot be assumed, \`AssumeRole: AccessDenied\`. A role that you
changed is assumed anew after the first refusal, and otherwise within 15 minutes. \`/v1/webhooks\` does not list webhooks with
a destination and returns 404 for them.
`.trim();
