import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { isoDate, objectId, stateCode, timestamp } from '../contract/primitives.ts';
import { residencyStatuses } from '../resources/license.ts';
import { npn } from '../resources/npn.ts';
import { amendableFieldNames, amendableFields } from '../resources/regulatory-action.ts';
import type { webhookTypes } from '../resources/webhook.ts';
import { documentUploaded } from './document-uploaded.ts';
import { downstreamEntityCreated, downstreamEntityUpdated } from './downstream-entity.ts';
import { examplePayloads } from './example-payloads.ts';

// What each type of event carries as its `payload` (OpenAPI, "Events").

const text = z.nullable(z.string());

/** A registry sync completed; it names the subscription, not the entity. */
const complianceDataSynchronized = z.object({ registryDataSubscriptionId: objectId, npn });

const statusName = z.object({ statusName: z.string(), statusMessages: z.optional(z.array(z.string())) });

const changedProducts = z.array(
  z.object({
    productId: objectId,
    productName: z.string(),
    states: z.array(
      z.object({
        stateCode,
        complianceStatus: z.optional(z.enum(['COMPLIANT', 'NOT_COMPLIANT'])),
        licenseStatus: statusName,
        appointmentStatus: statusName,
      }),
    ),
  }),
);

const removedState =
  'A state that the product no longer lists has the `statusName` `STATE_REMOVED` and no `complianceStatus`. More status names may be added.';

const agentComplianceStatusChange = z.array(
  z.object({
    agentId: objectId,
    npn,
    downstreamEntityAssociationIds: z.array(objectId),
    products: changedProducts,
  }),
);

const downstreamEntityComplianceStatusChange = z.array(
  z.object({
    downstreamEntityAssociationId: objectId,
    legalName: z.string(),
    branchName: text,
    npn: z.nullable(npn),
    products: changedProducts,
  }),
);

const contract = {
  downstreamEntityAssociationId: objectId,
  downstreamEntityId: objectId,
  producerCode: text,
  branchName: text,
  contractContainerInstanceId: z.optional(objectId),
  contractContainerTemplateId: z.optional(objectId),
  contractContainerTemplateName: z.optional(z.string()),
  signedFileDocumentId: z.optional(objectId),
};

/** The producer or agency that an event is about. */
const ofAgent = { agentId: objectId };
const ofDownstreamEntity = { downstreamEntityAssociationId: objectId };
const action = {
  _id: objectId,
  registryDataSubscriptionId: objectId,
  npn,
  stateCode,
  actionId: z.string(),
  ...amendableFields,
};

const amendment = {
  changedFields: z.array(z.enum(amendableFieldNames)),
  previousValues: described(
    z.nullable(z.partialRecord(z.enum(amendableFieldNames), z.nullable(z.union([z.string(), z.number()])))),
    DOCUMENTED && {
      description:
        'The previous values of the changed fields. A field that is absent did not change; one that is null had no value. The object is null when the previous report cannot be read.',
    },
  ),
};

const license = {
  registryDataSubscriptionId: objectId,
  npn,
  stateCode,
  licenseNumber: z.string(),
  licenseClassCode: text,
  licenseClassName: text,
  status: described(
    z.string(),
    DOCUMENTED && {
      description:
        'Status as spelled by the registry. An expired license is usually still `active`: use the renewal date.',
      examples: ['active'],
    },
  ),
  residencyStatus: z.enum(residencyStatuses),
  nextRenewalDate: isoDate,
  daysUntilExpiration: described(
    z.int(),
    DOCUMENTED && {
      description: 'Days until the renewal date; negative once the license has expired.',
      examples: [60],
    },
  ),
  expiringWindowDays: described(z.int(), DOCUMENTED && { examples: [60] }),
};

const agent = {
  agentId: objectId,
  npn,
  firstName: z.string(),
  middleName: text,
  lastName: z.string(),
  externalId: text,
  downstreamEntityAssociationIds: z.array(objectId),
};

/** The payload's schema of every type of event. */
export const eventPayloads = {
  ENTITY_COMPLIANCE_DATA_SYNCHRONIZED: described(
    complianceDataSynchronized,
    DOCUMENTED && {
      id: 'ComplianceDataSynchronized',
      description: 'The registry records of an NPN were synchronized.',
      examples: [examplePayloads.ENTITY_COMPLIANCE_DATA_SYNCHRONIZED],
    },
  ),
  AGENT_COMPLIANCE_STATUS_CHANGE: described(
    agentComplianceStatusChange,
    DOCUMENTED && {
      id: 'AgentComplianceStatusChange',
      description: `Products and states in which a producer’s compliance changed. ${removedState}`,
      examples: [examplePayloads.AGENT_COMPLIANCE_STATUS_CHANGE],
    },
  ),
  DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE: described(
    downstreamEntityComplianceStatusChange,
    DOCUMENTED && {
      id: 'DownstreamEntityComplianceStatusChange',
      description: `Products and states in which an agency’s compliance changed. ${removedState}`,
      examples: [examplePayloads.DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE],
    },
  ),
  PRODUCER_AGREEMENT_EXECUTED: described(
    z.object(contract),
    DOCUMENTED && {
      id: 'ProducerAgreementExecuted',
      description: 'Both parties signed the producer agreement.',
      examples: [examplePayloads.PRODUCER_AGREEMENT_EXECUTED],
    },
  ),
  AGENT_REGULATORY_ACTION_UPDATED: described(
    z.object({ ...ofAgent, ...action, ...amendment }),
    DOCUMENTED && {
      id: 'AgentRegulatoryActionUpdated',
      description: 'A state amended a reported action against a producer.',
      examples: [examplePayloads.AGENT_REGULATORY_ACTION_UPDATED],
    },
  ),
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED: described(
    z.object({ ...ofDownstreamEntity, ...action, ...amendment }),
    DOCUMENTED && {
      id: 'DownstreamEntityRegulatoryActionUpdated',
      description: 'A state amended a reported action against an agency.',
      examples: [examplePayloads.DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED],
    },
  ),
  AGENT_LICENSE_EXPIRING: described(
    z.object({ ...ofAgent, ...license }),
    DOCUMENTED && {
      id: 'AgentLicenseExpiring',
      description: 'A producer’s license is due for renewal in 60 days.',
      examples: [examplePayloads.AGENT_LICENSE_EXPIRING],
    },
  ),
  DOWNSTREAM_ENTITY_LICENSE_EXPIRING: described(
    z.object({ ...ofDownstreamEntity, ...license }),
    DOCUMENTED && {
      id: 'DownstreamEntityLicenseExpiring',
      description: 'An agency’s license is due for renewal in 60 days.',
      examples: [examplePayloads.DOWNSTREAM_ENTITY_LICENSE_EXPIRING],
    },
  ),
  AGENT_LICENSE_EXPIRED: described(
    z.object({ ...ofAgent, ...license }),
    DOCUMENTED && {
      id: 'AgentLicenseExpired',
      description: 'The renewal date of a producer’s license has passed.',
      examples: [examplePayloads.AGENT_LICENSE_EXPIRED],
    },
  ),
  DOWNSTREAM_ENTITY_LICENSE_EXPIRED: described(
    z.object({ ...ofDownstreamEntity, ...license }),
    DOCUMENTED && {
      id: 'DownstreamEntityLicenseExpired',
      description: 'The renewal date of an agency’s license has passed.',
      examples: [examplePayloads.DOWNSTREAM_ENTITY_LICENSE_EXPIRED],
    },
  ),
  AGENT_CREATED: described(
    z.object(agent),
    DOCUMENTED && {
      id: 'AgentCreated',
      description: 'A producer was added.',
      examples: [examplePayloads.AGENT_CREATED],
    },
  ),
  AGENT_UPDATED: described(
    z.object(agent),
    DOCUMENTED && {
      id: 'AgentUpdated',
      description: 'A producer’s record changed.',
      examples: [examplePayloads.AGENT_UPDATED],
    },
  ),
  DOWNSTREAM_ENTITY_CREATED: described(
    downstreamEntityCreated,
    DOCUMENTED && {
      id: 'DownstreamEntityCreated',
      description: 'An association with an agency was added.',
      examples: [examplePayloads.DOWNSTREAM_ENTITY_CREATED],
    },
  ),
  DOWNSTREAM_ENTITY_UPDATED: described(
    downstreamEntityUpdated,
    DOCUMENTED && {
      id: 'DownstreamEntityUpdated',
      description: 'An association with an agency changed.',
      examples: [examplePayloads.DOWNSTREAM_ENTITY_UPDATED],
    },
  ),
  AGENT_REGULATORY_ACTION_ADDED: described(
    z.object({ ...ofAgent, ...action }),
    DOCUMENTED && {
      id: 'AgentRegulatoryActionAdded',
      description: 'A state reported an action against a producer.',
      examples: [examplePayloads.AGENT_REGULATORY_ACTION_ADDED],
    },
  ),
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED: described(
    z.object({ ...ofDownstreamEntity, ...action }),
    DOCUMENTED && {
      id: 'DownstreamEntityRegulatoryActionAdded',
      description: 'A state reported an action against an agency.',
      examples: [examplePayloads.DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED],
    },
  ),
  DOCUMENT_UPLOADED: described(
    documentUploaded,
    DOCUMENTED && {
      id: 'DocumentUploaded',
      description: 'A file was uploaded: a new document, or a new version of one.',
      examples: [examplePayloads.DOCUMENT_UPLOADED],
    },
  ),
  CONTRACT_SIGNED: described(
    z.object({ ...contract, signedAt: timestamp }),
    DOCUMENTED && {
      id: 'ContractSigned',
      description: 'The last party signed a contract.',
      examples: [examplePayloads.CONTRACT_SIGNED],
    },
  ),
} as const satisfies Record<(typeof webhookTypes)[number], z.core.$ZodType>;

export type WebhookType = keyof typeof eventPayloads;
export type PayloadOf<Type extends WebhookType> = z.output<(typeof eventPayloads)[Type]>;
