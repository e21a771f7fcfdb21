import { readFileSync } from 'node:fs';
import { isObject } from '../../infra/openapi/json.ts';
import { openApiDocument } from '../../infra/openapi/publish.ts';
import { routeGroups } from '../../infra/route-groups.ts';

const document = openApiDocument(routeGroups);

const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, description }) => [operationId, description]),
);

/** The introduction's sections by their headings. */
const sections = new Map(
  document.info.description
    .split(/^## /m)
    .slice(1)
    .map((section): [string, string] => [section.split('\n', 1)[0] ?? '', section]),
);

/** Where a decision can stand, and how it is read there. */
const places = {
  introduction: (heading: string) => sections.get(heading),
  operation: (operationId: string) => operations.get(operationId),
  tag: (name: string) => document.tags.find((tag) => tag.name === name)?.description,
  /** What concerns operators alone. */
  file: (path: string) => readFileSync(path, 'utf8'),
} as const;

const operators = 'functions/admin/README.md';

type Decision = readonly [kind: keyof typeof places, place: string, sentence: string];

/**
 * What this service decided for itself, and where its reader finds it: an integrator in the OpenAPI document, an operator
 * in the operators' page. A decision is its sentence, or the part of it that says what was decided.
 */
const decisions: readonly Decision[] = [
  ['introduction', 'Errors', 'Its `errorType` is `validation_error`.'],
  [
    'introduction',
    'Errors',
    'subscription is inactive gets the same answer as one without the feature `public_api`',
  ],
  ['introduction', 'Errors', 'with `Retry-After`, also when AWS throttles the service'],
  ['introduction', 'Errors', '`01/Mar/2026:14:05:09 +0000` and an `x-request-id` that lacks the environment'],
  ['introduction', 'Strictness', 'a query key given twice, is 400'],
  ['introduction', 'Strictness', 'Numbers in a query are digits only.'],
  ['introduction', 'Answers', 'accepted in either case and returned in lower case'],
  ['introduction', 'Idempotency', 'a key can stay busy for up to 30 seconds'],
  [
    'introduction',
    'Idempotency',
    'got a 5xx after its work was done, repeating it returns the result as a replay',
  ],
  ['introduction', 'Idempotency', 'byte for byte and with the original `requestId`'],
  ['introduction', 'Idempotency', 'only the `x-request-id` header is new'],
  ['introduction', 'Rate limits', 'requests are accepted without being counted'],
  [
    'introduction',
    'Rate limits',
    'Windows are fixed minutes; `X-RateLimit-Reset` is when the current one ends.',
  ],
  ['introduction', 'Sandbox', 'does not know NPNs that begin with 0'],
  [
    'introduction',
    'Sandbox',
    'follows from the NPN and the current year, until an operator sets a record for it',
  ],
  ['introduction', 'Webhooks', 'up to a tenth later than that, never earlier'],
  ['introduction', 'Webhooks', '`Retry-After` counts on 429 and 503, up to 24 hours.'],
  ['introduction', 'Webhooks', 'longer than 2 KB is cut off and counts as success'],
  ['introduction', 'Webhooks', 'A 410 ends its delivery as `failed`'],
  [
    'introduction',
    'Webhooks',
    'While a webhook is disabled its deliveries stay `pending`; they are kept for 30 days',
  ],

  ['operation', 'listPolicyTransactions', 'in the order in which they were received, oldest first'],
  ['operation', 'listPolicyTransactions', 'transactions of a soft-deleted policy are gone with it'],
  ['operation', 'listPolicyTransactions', 'own `isDeleted` is a field like any other'],
  ['operation', 'listPolicies', 'by policy number'],
  [
    'operation',
    'getPolicy',
    'the latest `policyTransactionDate`, and among equal dates the one received last',
  ],
  ['operation', 'getPolicy', 'does not carry comes from the policy’s own record'],

  ['operation', 'getFiling', 'an `on hold` filing returns to any of them or is canceled'],
  ['operation', 'replyToEscalation', 'makes an open escalation wait for the customer again'],
  ['operation', 'replyToEscalation', 'the service can reopen a resolved one'],
  ['operation', 'listFilings', 'without their checklist, escalations, and files'],
  ['operation', 'listFilings', 'by id'],
  ['operation', 'setPolicyDocument', 'Another policy document replaces the one that is set.'],
  ['operation', 'setPolicyDocument', 'once used, a file stays used'],
  ['operation', 'attachFiles', 'Naming a file twice in one request is 400.'],
  ['operation', 'attachFiles', 'at most 500 files; beyond that the request is 422'],
  ['operation', 'getFileDocumentDownloadUrl', 'the last version is still the one that is served'],
  ['operation', 'getFileDocumentDownloadUrl', 'A document that has no version yet is 400.'],
  ['operation', 'createFileDocument', 'announced and not uploaded expires after 7 days'],
  ['operation', 'createFileDocument', 'no slashes and no control characters'],
  ['operation', 'createFileDocument', 'a compound file that holds a Word document'],
  ['operation', 'createFileDocument', 'unknown, or belongs to another organization, is 404'],

  ['operation', 'listCarriers', '`search` ignores case, not accents.'],
  ['operation', 'listCarriers', 'Carriers by name, then id.'],
  ['operation', 'listCarriers', 'shows within a minute'],

  ['operation', 'listAgents', 'so does an association that is unknown or belongs to another organization'],
  ['operation', 'listAgentLicenses', '`status` matches the registry’s spelling exactly.'],
  [
    'operation',
    'listAgentLicenseComplianceStatuses',
    'live through its `nextRenewalDate` and expired the day after',
  ],
  ['operation', 'listAgentLicenseComplianceStatuses', 'a license without a date does not expire'],
  ['operation', 'listAgentLicenseComplianceStatuses', 'Resident and non-resident licenses count alike.'],
  ['operation', 'listAgentLicenseComplianceStatuses', 'may be spread over several live licenses'],
  [
    'operation',
    'listAgentLicenseComplianceStatuses',
    'reports `Appointed` when there is an active appointment',
  ],
  ['operation', 'listAgentLicenseComplianceStatuses', 'does not list requires a license only'],
  ['operation', 'listAssociationLicenseComplianceStatuses', 'An unknown product is 404.'],
  ['operation', 'replaceComplianceConfig', 'an unknown product is 404'],
  ['operation', 'replaceComplianceConfig', 'Of two concurrent writes the last one wins.'],
  ['operation', 'lookUpNpns', 'count toward the 20'],
  ['operation', 'lookUpNpns', '503, which is not remembered'],
  ['operation', 'getComplianceDataSubscription', 'never synchronized is `not started`'],
  ['operation', 'getComplianceDataSubscription', '`entityModel` is null until an agent or an association'],
  [
    'operation',
    'syncAssociation',
    'retried every six minutes, five attempts in all; then it is `failed` with the reason',
  ],
  ['operation', 'syncAssociation', 'An NPN that the registry does not know is `failed` at once.'],
  ['operation', 'syncAssociation', 'no longer reports are deleted; regulatory actions stay'],
  ['operation', 'syncAssociation', 'An agency without an NPN is 409 `conflict`.'],
  ['operation', 'syncAssociation', 'queued for 60 minutes or in progress for 30: then a new one is queued'],

  ['operation', 'addAssociation', '`downstreamEntityNpn` or `downstreamEntityId` is required, else 400'],
  ['operation', 'inviteAssociation', 'The agency supplies its NPN itself.'],
  ['operation', 'addAssociation', 'the agency stays as it is; a different NPN or EIN is 400'],
  ['operation', 'addAssociation', 'Without it, a new agency is created.'],
  ['operation', 'addAssociation', 'else the same NPN, else the same EIN, else the same email and name'],
  ['operation', 'addAssociation', '`transient_transaction_error` within ten seconds and `conflict` later'],
  ['operation', 'inviteAssociation', 'becomes a contact of the association, without roles and not primary'],
  ['operation', 'listAssociationPolicyComplianceStatuses', 'whose newest transaction names the association'],
  [
    'operation',
    'listAssociationPolicyComplianceStatuses',
    'case is ignored. Where there is none, only a license',
  ],
  ['operation', 'inviteAssociation', '`<application>/invitation?token=…`, works once, within 7 days'],
  [
    'operation',
    'getAssociationSignInUrl',
    '`<application>/sign-in?token=…`, which works once, within 15 minutes',
  ],
  [
    'operation',
    'getAssociationSignInUrl',
    'not a contact of the association is 403 `contact_not_authorized`',
  ],
  ['operation', 'listAssociations', 'associations of a deleted agency are hidden'],
  ['operation', 'listAssociations', 'codes and their place under the plan are free again'],

  [
    'operation',
    'listContacts',
    'at its own associations, and at the whole of an agency with which it has one',
  ],
  ['operation', 'listContacts', 'the contacts of that association and those of its whole agency'],
  ['operation', 'listContacts', 'a single scope must match both'],
  ['operation', 'listContacts', '`isDeliverable` is false until an import says otherwise.'],
  ['operation', 'createContact', 'the email address identifies a contact; case is ignored'],
  ['operation', 'createContact', 'adds the scope to that contact, which keeps its names'],
  ['operation', 'createContact', 'Send `upstreamDownstreamAssociationId`, `downstreamEntityId`, or both.'],
  ['operation', 'createContact', '`isPrimary` without a market is 400.'],
  ['operation', 'createContact', 'An unknown market or entity, or one of another organization, is 404.'],
  ['operation', 'createContact', 'at most 60 scopes'],
  ['operation', 'listAgencyContacts', 'by last name, first name, and id'],

  ['operation', 'createWebhook', 'it is active at once'],
  ['operation', 'listWebhooks', 'oldest first'],
  ['operation', 'listWebhookDeliveries', 'Deliveries of the last 30 days, newest first'],
  ['operation', 'listWebhookDeliveries', 'its last 25 attempts'],
  ['operation', 'updateWebhook', '`isActive: true` clears `disabledReason`; `false` leaves it.'],
  ['operation', 'updateWebhook', 'or enabling the webhook, restarts the five days'],
  ['operation', 'deleteWebhook', 'returns it as it was. Its deliveries are deleted with it.'],
  ['operation', 'rotateWebhookSecret', 'within 24 hours ends the older of the two secrets'],
  ['operation', 'createWebhook', 'A public IP address is accepted as the host.'],
  ['operation', 'createWebhook', 'IPv6 addresses outside 2000::/3'],
  ['operation', 'createWebhook', 'one forbidden address forbids the name'],
  ['operation', 'createWebhook', 'the 21st is 409 `conflict`'],
  ['operation', 'redeliverWebhookDelivery', 'with the whole retry schedule from the start'],
  ['operation', 'redeliverWebhookDelivery', 'A disabled webhook is 409'],
  [
    'operation',
    'replayWebhookDeliveries',
    'from `since` (included) until `until` (excluded), oldest first, at most 1,000',
  ],
  ['operation', 'replayWebhookDeliveries', 'A disabled webhook is 409'],
  ['operation', 'testWebhook', 'A disabled webhook is 409'],

  ['tag', 'Events', '`…_CREATED` is also sent when a deleted record is restored.'],
  ['tag', 'Events', 'No event is sent for a deletion.'],
  ['tag', 'Events', 'when something changed that the receiver can see'],
  ['tag', 'Events', 'is sent for each of its associations, to whichever carrier has it'],
  ['tag', 'Events', 'For a file that an agency uploads for a market, it goes to that market’s carrier.'],
  ['tag', 'Events', 'it is sent when the file is first used'],
  ['tag', 'Events', '`sequence` follows the order in which the changes were written'],
  ['tag', 'Events', 'of several branches, the one with the lowest id'],
  ['tag', 'Events', 'counts from the day on which the event was made'],
  ['tag', 'Events', 'whatever was never reported before, whoever recorded it'],
  ['tag', 'Events', 'all nine fields are named as changed and `previousValues` is null'],
  ['tag', 'Events', 'the names of statuses are compared, not their messages'],
  ['tag', 'Events', 'compared with that of an entity without any registry records'],
  ['tag', 'Events', 'more than 200,000 bytes is split'],
  ['tag', 'Events', 'one contract for each association and template'],

  ['operation', 'listAgencyLicenses', 'by renewal date, state, status, NPN, and record id'],
  ['operation', 'listAgencyAppointments', 'by state, carrier, NPN, and record id'],
  ['operation', 'listCorporateRegistrations', 'by state and id'],
  ['operation', 'listMarkets', 'by name, then id'],
  ['operation', 'listEntities', 'by legal name, then id'],
  ['operation', 'listProducers', 'by last name, first name, and id'],
  ['operation', 'listLicenseRequests', 'oldest first'],
  ['operation', 'listActionsRequired', 'By due date, those without one last, then by id.'],
  [
    'operation',
    'listAgencyLicenses',
    'The records of an entity are those of its NPN; its producers have their own',
  ],
  ['operation', 'listAgencyAppointments', 'what a carrier holds of the agency is not shown'],
  [
    'operation',
    'getLicenseOverview',
    '`expired` once its renewal date has passed, and `expiring` from 60 days before',
  ],
  ['operation', 'getLicenseOverview', 'A license that the registry does not call active is `inactive`.'],
  ['operation', 'getLicenseOverview', 'A state has the most urgent status of its licenses.'],
  ['operation', 'getLicenseOverview', '`counts` covers all states'],
  ['operation', 'listActionsRequired', 'Derived from the records at the time of the request.'],
  ['operation', 'createLicenseRequest', 'one open request for an NPN, state, and license; another is 409'],
  ['operation', 'createLicenseRequest', 'from `submitted` through `in review` to `approved` or `rejected`'],
  ['operation', 'cancelLicenseRequest', 'Once it is decided or canceled, the answer is 409.'],
  ['operation', 'listCorporateRegistrations', 'They are recorded by operators.'],
  ['operation', 'listMarkets', 'one of a carrier that is not is recorded by operators'],

  ['file', operators, 'RFC 5952 for IPv6'],
  ['file', operators, 'opening or resolving an escalation twice, is `conflict`'],
  ['file', operators, 'can be put `on hold` and come back, and any of these five can be `canceled`'],
  ['file', operators, 'A resolved one can be opened again.'],
  ['file', operators, '`category` is `public` by default and cannot be changed later'],
  ['file', operators, 'Prints the filing as its customer sees it.'],
  ['file', operators, 'of up to 10 MB'],
  ['file', operators, 'a NAIC code belongs to one live carrier'],
  ['file', operators, 'an NPN belongs to one live agent of an organization'],
  ['file', operators, 'an import emits events only with `"emitEvents": true`'],
  ['file', operators, 'including everything it can be found by'],
  ['file', operators, 'covers the scopes that its organization can see'],
  ['file', operators, 'takes its relationships and contacts with it'],
  ['file', operators, 'the plan’s limit does not stop an import'],
  ['file', operators, 'same relationship within ten seconds applies to the API only'],
  ['file', operators, 'status, files, open escalations, and messages'],
  ['file', operators, '`isInternal` checklist categories are never shown'],
  ['file', operators, 'on an earlier line, or in the same chunk of 500 lines'],
  ['file', operators, 'Importing the same file again changes nothing.'],
  ['file', operators, 'markets of carriers that are not on the platform come from imports alone'],
  ['file', operators, 'without a template, that of the invitation counts'],
  ['file', operators, 'or as of a time or a date in New York. Sweeps missed days first.'],
  ['file', operators, 'the agencies’ application redeems its links with `redeem-one-time-link`'],
  ['file', operators, 'decided or canceled stay so; moving one is `conflict`'],
  ['file', operators, 'NPNs that begin with 0 are unknown to it'],
  ['file', 'infra/runbook.md', '## Uncounted requests'],
];

const words = (text: string): string => text.replace(/\s+/g, ' ');

it.each(decisions)('%s %s says: %s', (kind, place, sentence) => {
  const text = places[kind](place);
  if (text === undefined) throw new Error(`There is no ${kind} ${place}.`);
  expect(words(text)).toContain(sentence);
});

it('v2 has every operation of v1, as the changes say', () => {
  const twin = (path: string): string =>
    path.replace('/v1/auth/', '/v2/auth/').replace('/v1/', '/v2/upstream/');
  const missing = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => [twin(path), method] as const))
    .filter(([path, method]) => !isObject(document.paths[path]) || !(method in document.paths[path]));
  expect(missing).toEqual([]);
});
