/** A sale check, as a shell sends it. */
export const saleCheckSample = `\`\`\`sh
curl -s "$BASE_URL/v2/upstream/sale-checks" -H "authorization: Bearer $UPSTREAM_ACCESS_TOKEN" \\
  -H 'content-type: application/json' \\
  -d '{"checks": [{"seller": {"npn": "8123456"}, "product": {"productCode": "CGL"}, "stateCode": "TX"}]}'
\`\`\``;

/** The chapter of the document on sale checks. */
export const saleChecks = `\`POST /v2/upstream/sale-checks\` answers the one question that everything else here is about: may this producer, for this
agency, sell this product in this state on this day? It takes up to 100 checks by the names that you have: an NPN, your own
ids, your codes of agencies and products:

${saleCheckSample}

- \`yes\`: the producer and the agency meet what the product’s compliance config requires, by the rules of “How compliance is
  decided”, and the producer works under an invited or active association with the agency.
- \`no\`: they do not. Each of \`reasons\` has a \`party\`, a \`code\` for programs, and a \`remedy\` that says what would mend it.
- \`unknown\`: who or what is asked about is not known, or several fit; the other checks are answered all the same. Treat it
  as a \`no\` until you have asked more precisely.

A check without \`agency\` is about the one association that the producer works under. Codes and names are compared without
regard to case; ids of yours are not. A \`date\` to come, up to a year ahead, is judged by what is known now.

With \`receipt: true\`, the answers are signed and kept for ten years. The response has a \`receiptId\` and a \`jws\`, a
compact JWS (ES256) whose payload has what was asked and answered and, by id and SHA-256, every license and appointment fact
and every version of a config that was read. Anybody can verify it without this API, given \`/v2/jwks.json\`:

\`\`\`js
import { compactVerify, createRemoteJWKSet } from 'jose';
const keys = createRemoteJWKSet(new URL('/v2/jwks.json', process.env.BASE_URL));
const { payload } = await compactVerify(jws, keys);
console.log(JSON.parse(new TextDecoder().decode(payload)));
\`\`\`

\`GET /v2/upstream/sale-checks/{receiptId}\` makes the same decision again, from what the receipt names and what was known
then: \`reproduced\` stays true whatever is corrected or configured later, and is false if anything that it names was changed.`;

/** The chapter on the list of all policies. */
export const complianceOfPolicies = `\`GET /v2/upstream/policy-compliance-statuses\` answers the question for all policies, whatever their agency: each policy once, with
its agency, its agents, its premium, and whether they may service it today and might on its effective date. With
\`atEffectiveDate=NOT_COMPLIANT\`, \`effectiveFrom\`, and \`effectiveUntil\`, it is what was sold without a license or an appointment in
that time. A policy whose agency is not known, or waits for a review, is in the list, too, and says so.

\`GET /v2/upstream/policy-compliance-summary\` adds up the same rows: how many policies, for how much premium, by status, state, and
product. \`GET /v2/upstream/appointments-due\` lists whom the carrier still has to appoint for a policy that it bound.

To follow the compliance of policies, read the list again every morning, and earlier after \`AGENT_COMPLIANCE_STATUS_CHANGE\`,
\`DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE\`, or a change in the list of policies (“Following a list”): it has no \`updatedSince\`.`;
