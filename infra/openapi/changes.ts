/** What the versions of this API differ in, for the section “Changes”, in Markdown. */
export const changes = `
**v2** has everything in v1, at \`/v2/auth\` and \`/v2/upstream\`, and adds:

- \`/v2/oauth/token\`, the token endpoint for OAuth libraries;
- operations for downstream organizations, \`/v2/downstream\`;
- policies and single transactions, carriers, lists of filings, compliance configs, and the list of compliance data
  subscriptions;
- changes to filings: policy document, checklist files, and replies to escalations;
- files of the category \`Surplus Lines\`, and \`fileDocumentId\` on every file of a filing;
- \`asOf\` on lists of licenses, appointments, and compliance statuses: what was true on a former day; \`basis\` on every
  compliance status, and \`atEffectiveDate\` on those of policies;
- webhooks: create, get, delete, rotate the secret, test, list deliveries, redeliver, replay. v2 requires the feature
  \`webhook_settings\` for them; v1 requires no feature;
- a webhook’s destination in an AWS account of the organization, and its \`filter\` by states;
- the events of an organization without a webhook, \`/v2/upstream/events\`; lists by \`updatedSince\`; and every version that was
  recorded of a license, an appointment, or a regulatory action, \`/v2/upstream/registry-changes\`;
- checks of sales with receipts, the compliance of all policies, appointments that are due, and what a compliance config would
  change.

Clients that were written for earlier releases must take account of these changes:

- A webhook has a list \`types\` instead of a single \`type\`.
- Deliveries are plain JSON with a signature in \`X-Service-Signature\`; their bodies are no longer encrypted.
- Files are attached to a filing by \`fileDocumentId\`, after they have been uploaded as documents. The multipart operations
  \`POST …/policy-document\` and \`POST …/checklist-item/attachments\` were removed and return 404. The reply to an escalation
  accepts JSON only.
- \`contractContainerTemplateId\` replaces \`producerAgreementId\`, which is deprecated.
- An appointment status can be \`Appointment on Binding\`; it is reported as \`COMPLIANT\`.
- The status of a withdrawn license request is \`canceled\`, with one l.
`.trim();
