import { saleCheckSample } from './sale-checks.ts';

/** The chapter with which the document begins: a token, a sale check, and a webhook whose deliveries are verified. */
export const quickstart = `With \`BASE_URL\`, the address of the server, and a carrier’s \`CLIENT_ID\` and \`CLIENT_SECRET\` in the environment, get a token:

\`\`\`sh
export UPSTREAM_ACCESS_TOKEN=$(curl -s "$BASE_URL/v2/auth/jwt" -H 'content-type: application/json' \\
  -d "{\\"clientId\\": \\"$CLIENT_ID\\", \\"clientSecret\\": \\"$CLIENT_SECRET\\"}" | jq -r .data.accessToken)
\`\`\`

Ask whether a producer may sell a product in Texas today; “May she sell?” has more:

${saleCheckSample}

Register a webhook. The response contains its signing secret, which is shown only once:

\`\`\`sh
WEBHOOK=$(curl -s "$BASE_URL/v2/upstream/webhooks" -H "authorization: Bearer $UPSTREAM_ACCESS_TOKEN" \\
  -H 'content-type: application/json' \\
  -d "{\\"url\\": \\"$RECEIVER_URL\\", \\"types\\": [\\"AGENT_COMPLIANCE_STATUS_CHANGE\\"]}")
export WEBHOOK_SECRET=$(printf %s "$WEBHOOK" | jq -r .data.secret)
\`\`\`

Receive events at \`RECEIVER_URL\`, here with Node.js. The official package of Standard Webhooks, \`npm install standardwebhooks\`,
verifies each delivery. Give it the raw body: JSON that was parsed and written again has another signature.

\`\`\`js
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer(async (request, response) => {
  const rawBody = await text(request);
  let event;
  try {
    event = webhook.verify(rawBody, request.headers);
  } catch {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end();
  console.log(event.webhookType, event.payload);
}).listen(process.env.PORT ?? 8080);
\`\`\`

Have an example event sent to it:

\`\`\`sh
curl -s -X POST "$BASE_URL/v2/upstream/webhooks/$(printf %s "$WEBHOOK" | jq -r .data._id)/test" \\
  -H "authorization: Bearer $UPSTREAM_ACCESS_TOKEN"
\`\`\`

The samples beside each operation read \`BASE_URL\` and a credential from the environment, too: \`UPSTREAM_ACCESS_TOKEN\` for a
carrier, \`DOWNSTREAM_ACCESS_TOKEN\` for an agency, and \`ACCESS_TOKEN\` where either may call. The ids in them are examples.`;
