import * as z from 'zod/mini';
import { as, type DocsOf, documented, type FieldDocs } from '#platform/contract/documented.ts';
import { expiringWindowDays } from '../decision/renewal.ts';
import { associationStatusDocs, downstreamEntityDocs } from '../downstream-entities/docs.ts';
import {
  agentIdDocs,
  downstreamEntityAssociationIdDocs,
  downstreamEntityIdDocs,
  fileCategoryDocs,
  fileDocumentIdDocs,
  producerNamesDocs,
  productIdDocs,
  registryDataSubscriptionIdDocs,
} from '../identifiers/docs.ts';
import { actionIdentityDocs, amendableFieldsDocs, licenseIdentityDocs } from '../registry/docs.ts';
import type { associationFields, documentUploaded } from './agency-payloads.ts';
import { examplePayloads } from './example-payloads.ts';
import {
  downstreamEntityAssociationIds,
  type envelopeFields,
  eventOf,
  eventPayloads,
  type FeedType,
  feedEventType,
  type WebhookType,
  webhookDisabled,
  webhookTypes,
} from './payloads.ts';

/** Occasion of each type of event. */
export const eventMeanings = {
  ENTITY_COMPLIANCE_DATA_SYNCHRONIZED: 'The registry records of an NPN were synchronized.',
  AGENT_COMPLIANCE_STATUS_CHANGE: 'A producer’s compliance changed for some products and states.',
  DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE: 'An agency’s compliance changed for some products and states.',
  PRODUCER_AGREEMENT_EXECUTED: 'Both parties signed the producer agreement.',
  AGENT_REGULATORY_ACTION_UPDATED: 'A state amended a reported action against a producer.',
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED: 'A state amended a reported action against an agency.',
  AGENT_LICENSE_EXPIRING: `A producer’s license is due for renewal in ${expiringWindowDays} days.`,
  DOWNSTREAM_ENTITY_LICENSE_EXPIRING: `An agency’s license is due for renewal in ${expiringWindowDays} days.`,
  AGENT_LICENSE_EXPIRED: 'The renewal date of a producer’s license has passed.',
  DOWNSTREAM_ENTITY_LICENSE_EXPIRED: 'The renewal date of an agency’s license has passed.',
  AGENT_CREATED: 'A producer was added.',
  AGENT_UPDATED: 'A producer’s record changed.',
  DOWNSTREAM_ENTITY_CREATED: 'An association with an agency was added.',
  DOWNSTREAM_ENTITY_UPDATED: 'An association with an agency changed.',
  AGENT_REGULATORY_ACTION_ADDED: 'A state reported an action against a producer.',
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED: 'A state reported an action against an agency.',
  DOCUMENT_UPLOADED: 'A file was uploaded: a new document, or a new version of one.',
  CONTRACT_SIGNED: 'The last party signed a contract.',
} as const;

const documentUploadedDocs = {
  fileDocumentId: fileDocumentIdDocs,
  category: fileCategoryDocs,
  version: 'Number of the version, from 1; above 1 if the document had a version before.',
  fileName: 'Name under which the file is saved.',
  contentType: 'Media type, determined from the content.',
  sizeInBytes: 'Length of the content.',
  downstreamEntityAssociationId: 'Id of the association that the file was uploaded for; null if for none.',
  uploadedAt: 'When the version was added.',
} satisfies FieldDocs<typeof documentUploaded>;

const contractDocs = {
  downstreamEntityAssociationId: downstreamEntityAssociationIdDocs,
  downstreamEntityId: downstreamEntityIdDocs,
  producerCode: 'The agency’s code at the organization.',
  branchName: 'The branch that the association is with; null if it is with the whole agency.',
  contractContainerInstanceId: 'Id of the contract: there is one for each association and template.',
  contractContainerTemplateId: 'Id of the template that was signed; absent if the contract has none.',
  contractContainerTemplateName: 'Name of that template; absent if the contract has none.',
  signedFileDocumentId:
    'Id of the organization’s file document that contains the signed contract; absent if it was executed without a file.',
};

const actionDocs = { ...actionIdentityDocs, ...amendableFieldsDocs };

const amendmentDocs = {
  changedFields: {
    description: 'Names of the fields that differ from what was last reported.',
    isPlain: true as const,
  },
  previousValues:
    'The previous values of the changed fields. A field that is absent did not change; one that is null had no value. The object is null when the previous report cannot be read.',
};

const licenseDocs = {
  ...licenseIdentityDocs,
  nextRenewalDate:
    'Last day on which the license is valid unless it is renewed, in New York: its renewal date, or its expiration date where it has none.',
  daysUntilExpiration: [
    'Days from the day of the sweep until the renewal date; negative once the license has expired.',
    60,
  ],
  expiringWindowDays: ['How many days before the renewal date `…_EXPIRING` is sent.', 60],
} as const;

const downstreamEntityAssociationIdsDocs = documented(downstreamEntityAssociationIds, {
  description: 'Ids of the associations that the agent works under; may be empty.',
});

const agentDocs = {
  agentId: agentIdDocs,
  npn: 'National Producer Number, by which the registry knows the agent.',
  ...producerNamesDocs,
  externalId: 'The organization’s own id for the agent.',
  downstreamEntityAssociationIds: downstreamEntityAssociationIdsDocs,
};

const envelopeFieldsDocs = {
  eventId: ['The same in every delivery of the event.', '0d6c4f0e-4c0c-8f5e-9a51-2f6a3c1d7b21'],
  upstreamEntityId: 'Id of the organization whose webhooks receive the event.',
  occurredAt: 'When the change was written, in UTC.',
  sequence: ['Increases by one with each event of the type about the same entity.', 1],
  isTest: {
    description: '`true` for an event that was requested as a test; absent otherwise.',
    examples: [true],
    omits: ['const'], // Of which OpenAPI Generator makes the text "true" for Python, and then refuses true.
  },
} satisfies FieldDocs<typeof envelopeFields>;

const productsDocs = {
  description: 'Products for which a status changed in at least one state.',
  fields: {
    productId: productIdDocs,
    productName: 'Name of the product in its compliance config.',
    states: {
      description: 'States in which a status changed, with their present statuses.',
      fields: { complianceStatus: 'Absent for a state that was removed.' },
    },
  },
};

const agentComplianceStatusChangeDocs = {
  agentId: agentIdDocs,
  npn: 'NPN whose licenses and appointments were checked.',
  downstreamEntityAssociationIds: downstreamEntityAssociationIdsDocs,
  products: productsDocs,
};

const downstreamEntityComplianceStatusChangeDocs = {
  downstreamEntityAssociationId: downstreamEntityAssociationIdDocs,
  legalName: 'Name under which the agency is registered.',
  branchName: 'The branch that the association is with; null if it is with the whole agency.',
  npn: 'NPN whose licenses and appointments were checked; null for an agency without one.',
  products: productsDocs,
};

const downstreamEntityDocsOf = {
  downstreamEntityAssociationId: downstreamEntityAssociationIdDocs,
  downstreamEntity: as(downstreamEntityDocs, 'The agency or branch on the other side of the relationship.'),
  externalId: 'The organization’s own id for the agency.',
  producerCode: 'The agency’s code at the organization.',
  branchName: 'The branch that the association is with; null if it is with the whole agency.',
  status: associationStatusDocs,
} satisfies FieldDocs<typeof associationFields>;

const removedState =
  'A state that the product no longer lists has the `statusName` `STATE_REMOVED` and no `complianceStatus`. More status names may be added.';

const ofAgent = { agentId: agentIdDocs };
const ofDownstreamEntity = { downstreamEntityAssociationId: downstreamEntityAssociationIdDocs };

/** The words for the fields of every payload. */
const payloadFieldsDocs = {
  ENTITY_COMPLIANCE_DATA_SYNCHRONIZED: {
    registryDataSubscriptionId: registryDataSubscriptionIdDocs,
    npn: 'NPN whose registry records were synchronized.',
  },
  AGENT_COMPLIANCE_STATUS_CHANGE: agentComplianceStatusChangeDocs,
  DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE: downstreamEntityComplianceStatusChangeDocs,
  PRODUCER_AGREEMENT_EXECUTED: contractDocs,
  AGENT_REGULATORY_ACTION_UPDATED: { ...ofAgent, ...actionDocs, ...amendmentDocs },
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED: { ...ofDownstreamEntity, ...actionDocs, ...amendmentDocs },
  AGENT_LICENSE_EXPIRING: { ...ofAgent, ...licenseDocs },
  DOWNSTREAM_ENTITY_LICENSE_EXPIRING: { ...ofDownstreamEntity, ...licenseDocs },
  AGENT_LICENSE_EXPIRED: { ...ofAgent, ...licenseDocs },
  DOWNSTREAM_ENTITY_LICENSE_EXPIRED: { ...ofDownstreamEntity, ...licenseDocs },
  AGENT_CREATED: agentDocs,
  AGENT_UPDATED: agentDocs,
  DOWNSTREAM_ENTITY_CREATED: downstreamEntityDocsOf,
  DOWNSTREAM_ENTITY_UPDATED: downstreamEntityDocsOf,
  AGENT_REGULATORY_ACTION_ADDED: { ...ofAgent, ...actionDocs },
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED: { ...ofDownstreamEntity, ...actionDocs },
  DOCUMENT_UPLOADED: documentUploadedDocs,
  CONTRACT_SIGNED: { ...contractDocs, signedAt: 'When the last party signed.' },
} satisfies { readonly [Type in WebhookType]: DocsOf<(typeof eventPayloads)[Type]>['fields'] };

/** The name of a payload as a component, such as `AgentLicenseExpiring`. */
const componentOf = (type: WebhookType | FeedType): string =>
  type
    .replace(/^ENTITY_/, '')
    .toLowerCase()
    .replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

for (const type of webhookTypes) {
  const payload: z.core.$ZodType = eventPayloads[type];
  const meaning = eventMeanings[type];
  documented(payload, {
    id: componentOf(type),
    description: type.endsWith('_COMPLIANCE_STATUS_CHANGE') ? `${meaning} ${removedState}` : meaning,
    fields: payloadFieldsDocs[type],
    examples: [examplePayloads[type]],
  });
}

const eventDocs = {
  ...envelopeFieldsDocs,
  webhookType: 'Type of the event, which determines the shape of `payload`.',
  payload: 'What changed, and what it concerns.',
};

/** The schema of an event of every type, with its words. */
export const documentedEvents = webhookTypes.map((type) => {
  const schema = eventOf(type);
  documented<z.core.$ZodType>(schema, {
    id: `${componentOf(type)}Event`,
    description: eventMeanings[type],
    fields: eventDocs,
  });
  return { type, schema };
});

documented(webhookDisabled, {
  id: 'WebhookDisabled',
  description:
    'The service disabled a webhook; its owner did not. The event is only in the feed and is sent to no webhook.',
  examples: [
    {
      webhookId: '65f0c1d2e3a4b5c6d7e8f914',
      url: 'https://example.com/hooks/compliance',
      disabledReason: 'The receiver responded with 410.',
    },
  ],
  fields: {
    webhookId: 'The `_id` of the webhook, which sends nothing until its owner enables it again.',
    url: ['Where its events were delivered.', 'https://example.com/hooks/compliance'],
    disabledReason: ['Why the service disabled it.', 'The receiver responded with 410.'],
  },
});

const disabledMeaning = 'The service disabled a webhook. Only in the feed; sent to no webhook.';
const feedOnly = eventOf('WEBHOOK_DISABLED');
documented<z.core.$ZodType>(feedOnly, {
  id: `${componentOf('WEBHOOK_DISABLED')}Event`,
  description: disabledMeaning,
  fields: eventDocs,
});

documented(feedEventType, {
  id: 'FeedEventType',
  description: 'Type of an event of the feed.',
  values: {
    ...eventMeanings,
    WEBHOOK_DISABLED: disabledMeaning,
  },
});

/** An event of any type, as the feed has it. */
export const publishedEvent = z.union([...documentedEvents.map(({ schema }) => schema), feedOnly]);

documented(publishedEvent, {
  id: 'Event',
  description:
    'An event, as webhooks receive it, or one that only the feed has; `webhookType` determines the shape of `payload`.',
});
