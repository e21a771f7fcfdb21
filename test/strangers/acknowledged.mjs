/**
 * What tools find and we accept: a rule, of which findings (all, unless `what` says so), and why.
 *
 * @type {Readonly<Record<string, readonly { rule: string, what?: RegExp, why: string }[]>>}
 */
export const acknowledged = {
  'cfn-lint': [{ rule: 'W3005', why: 'The CDK writes dependencies that references already imply.' }],
  checkov: [
    {
      rule: 'CKV_AWS_18',
      what: /files|audittrail/,
      why: 'CloudTrail validates the files that it writes; and the API, which issues every presigned URL, logs who requested it for which document.',
    },
    {
      rule: 'CKV_AWS_26',
      why: 'What is wrong with which function, without data of customers. CloudWatch may not publish to a topic that AWS’s own key encrypts.',
    },
    { rule: 'CKV_AWS_27', why: 'SQS encrypts them (`SqsManagedSseEnabled`), which the rule does not know.' },
    {
      rule: 'CKV_AWS_35',
      what: /audittrail/,
      why: 'S3 encrypts them. They have who called which function when, and no input.',
    },
    {
      rule: 'CKV_AWS_67',
      what: /audittrail/,
      why: 'It records the calls of the operators’ functions, which are in one region.',
    },
    {
      rule: 'CKV_AWS_115',
      why: 'Those that are not reserved share what is left of the account’s concurrency, of which the throttles of the gateway and the workers’ limits keep enough (`infra/capacity.ts`).',
    },
    {
      rule: 'CKV_AWS_116',
      why: 'Callers get the answer of those with routes and of operators’. Queues, streams, and schedules have dead-letter queues of their own, which this rule does not look for.',
    },
    {
      rule: 'CKV_AWS_117',
      why: 'They call public endpoints of AWS, of the registry, and of receivers: a network of our own would only add a way out.',
    },
    { rule: 'CKV_AWS_120', why: 'What a caller may see depends on the credential, and changes at once.' },
    {
      rule: 'CKV_AWS_149',
      why: 'Secrets Manager encrypts them with AWS’s own key. Who may read one is in the roles, which a key of ours would repeat.',
    },
    {
      rule: 'CKV_AWS_158',
      why: 'CloudWatch encrypts them with its own key. Logs have no secrets, bodies, or names.',
    },
    {
      rule: 'CKV_AWS_165',
      what: /onetimelinks|idempotency|ratecounters/,
      why: 'Only items that expire within hours: a restored table would be out of date (`infra/constructs/table.ts`).',
    },
    {
      rule: 'CKV_AWS_173',
      why: 'Names, addresses, and numbers: secrets are in Secrets Manager. Lambda encrypts them with its own key.',
    },
  ],
  prism: [
    {
      rule: 'no operation',
      what: /GET \/(docs|webhooks|v2\/openapi\.json)[/ ?]/,
      why: 'The document itself, the reference, and a page of the local run are no operations.',
    },
    {
      rule: 'no operation',
      what: / (\/\/v2\/heartbeat|\S+\/) 20/,
      why: 'Slashes too many are as if they were not there, as API Gateway has it (`test/e2e/gateway.test.ts`).',
    },
    {
      rule: 'status',
      what: / 431 /,
      why: 'API Gateway answers itself, before any operation (OpenAPI, "Errors").',
    },
    {
      rule: 'status',
      what: / 413 .*media type "text\/plain/,
      why: 'API Gateway answers a body above 10 MB itself, in plain text (OpenAPI, "Errors").',
    },
    {
      rule: 'type',
      what: /POST \/v2\/auth\/jwt 413 /,
      why: 'The same answer of API Gateway: it is no JSON.',
    },
    {
      rule: '415',
      what: /rotate-secret 200 /,
      why: 'A body that an operation has no use for is not read.',
    },
  ],
  schemathesis: [
    {
      rule: 'positive_data_acceptance',
      what: /^GET \/v[12]\/(upstream\/)?(agents|downstream-entity-associations|policies|surplus-lines-filings|sale-checks|sellers): .* 400 .*(can't be combined with|is required with|is required, or) /,
      why: 'Which parameters of a query exclude or require each other is said in words: OpenAPI has no conditions between parameters.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^(GET \/v2\/downstream\/sellers|(POST|PATCH|DELETE) \/v2\/downstream\/(contacts|documents)\S*): .* 400 .*(differs from upstreamDownstreamAssociationId|one of upstreamDownstreamAssociationId and downstreamEntityId is required|upstreamDownstreamAssociationId: is required)/,
      why: 'One of the names of an id must be sent, and those that are must agree.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^POST \/v2\/downstream\/contacts: .* 400 .*is not the entity that has the market/,
      why: 'Which entity has which market is known to the data alone.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^PATCH \/v[12]\/(upstream\/)?downstream-entity-associations\/\{downstreamEntityAssociationId\}: .* 400 .*requires externalId or producerCode/,
      why: 'One of two fields is said in words: v1, which is frozen, has the same schema.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^\S+ \S+: .* 400 .*x-idempotency-key: differs from another one/,
      why: 'The two names of one header must agree.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^GET \/v2\/upstream\/events: .* 400 .*is not issued yet/,
      why: 'Which positions exist is known to the feed alone.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^PATCH \/v[12]\/(upstream\/)?webhooks\/\{webhookId\}: .* 400 .*url: must be an https URL/,
      why: 'Which addresses events are sent to is said in words; the local run takes its own, without https.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^GET \/v2\/upstream\/(agents|downstream-entity-associations|policies|surplus-lines-filings): .* 400 .*updatedSince: must not be earlier than/,
      why: 'How far back a list can be followed is counted from now.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^(PUT|POST) \/v2\/upstream\/compliance-configs\/\{productId\}(\/preview)?: .* 400 .*stateCode: is given more than once/,
      why: 'JSON Schema has no word for rows that differ in one field.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^POST \/v2\/downstream\/license-requests: .* 400 .*is only for renewals/,
      why: 'A number is for one type of request alone: generators make unusable types of `oneOf`.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^PUT \/v2\/sandbox\/registry-records\/\{npn\}: .* 400 .*requires entity, licenses/,
      why: 'One field or others: generators make unusable types of `oneOf`.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^PATCH \/v2\/downstream\/contacts\/\{contactId\}: .* 400 .*(requires a field to change|requires the upstreamDownstreamAssociationId of the market)/,
      why: 'One of several fields, and some that require another: generators make unusable types of `anyOf`, and do not know `dependentRequired`.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^POST \/v[12]\/(upstream\/)?downstream-entity-associations\/(add|invite): .* 400 .*(must not differ from it|is required when isNpnRequired is true)/,
      why: 'Two names of one id must agree, and one field requires another: generators do not know `dependentRequired`.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^POST \/v[12]\/(upstream\/)?(file-documents|downstream\/documents): .* 400 .*is determined from the content/,
      why: 'Which content a category accepts is said in words: what is in a file has no schema.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^POST \/v2\/\w+\/surplus-lines-filings\/\{filingId\}\/escalation\/messages: .* 400 .*(has no escalation|requires text in body, or fileDocumentIds)/,
      why: 'Which item waits for a reply is known to the data alone; one of two fields is said in words, as of webhooks.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^POST \/v2\/upstream\/webhooks\/\{webhookId\}\/replay: .* 400 .*must be (after since|in the years 1000 to 9999)/,
      why: 'Two times in one order, and of years with four digits in UTC.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^(POST|PUT|PATCH) \/v[12]\/(upstream\/|downstream\/)?(license-requests|downstream-entity-associations|compliance-configs|sale-checks|contacts|webhooks|file-documents|documents|surplus-lines-filings)\S*: .* 400 .*has (control|invisible) characters/,
      why: 'Generators make unusable types of patterns that exclude characters.',
    },
    {
      rule: 'positive_data_acceptance',
      what: /^\S+ \S+: .* 422 .*This idempotency key was used with a different body/,
      why: 'The example of the header is one key, which requests with other bodies have, too.',
    },
    {
      rule: 'unsupported_method',
      what: /^\S+ \S+: .* 404 .*No endpoint has this method and path/,
      why: 'A wrong method is an unknown path, 404 (OpenAPI, "Validation"): API Gateway has one answer for both.',
    },
  ],
  spectral: [
    {
      rule: 'owasp:api2:2023-jwt-best-practices',
      why: 'The tokens are opaque to callers, who do not verify them.',
    },
    {
      rule: 'owasp:api2:2023-read-restricted',
      why: 'The heartbeat and the keys of receipts are public.',
    },
    {
      rule: 'owasp:api2:2023-write-restricted',
      why: 'The token endpoints take the credential in their body.',
    },
    {
      rule: 'owasp:api4:2023-array-limit',
      why: 'Of responses, where a list has no limit but its bytes, and of what customers set in the sandbox, which the size of the body limits.',
    },
    {
      rule: 'owasp:api4:2023-integer-format',
      why: 'A format says less than the limits that integers in requests have.',
    },
    {
      rule: 'owasp:api4:2023-integer-limit',
      why: 'Of responses, whose numbers callers do not have to check, and of `sizeInBytes`, whose limit is in its description.',
    },
    {
      rule: 'owasp:api4:2023-rate-limit',
      why: 'Reads are not counted, so their responses have no headers of a limit (OpenAPI, "Rate limits").',
    },
    {
      rule: 'owasp:api4:2023-rate-limit-responses-429',
      why: 'Reads are not counted: only the throttle of the whole stage returns them a 429.',
    },
    {
      rule: 'owasp:api4:2023-string-limit',
      why: 'Of responses, and of texts that are sent whose format or pattern is their limit.',
    },
    {
      rule: 'owasp:api4:2023-string-restricted',
      why: 'Names, notes, and codes of other parties may be any text.',
    },
    {
      rule: 'owasp:api8:2023-define-cors-origin',
      why: 'The API is not called from browsers: a credential in a page would be public.',
    },
    {
      rule: 'owasp:api8:2023-define-error-responses-401',
      why: 'Of operations without a credential.',
    },
    {
      rule: 'owasp:api9:2023-inventory-access',
      why: 'The document has one server: the host that serves it.',
    },
    {
      rule: 'owasp:api9:2023-inventory-environment',
      why: 'The document has one server: the host that serves it.',
    },
  ],
};
