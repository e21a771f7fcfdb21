import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { amount, isoDate, objectId, timestamp } from '../../platform/contract/primitives.ts';
import { producerNames } from '../agents/producer-names.ts';
import {
  agentId,
  downstreamEntityAssociationId,
  downstreamEntityId,
  registryDataSubscriptionId,
} from '../identifiers/ids.ts';
import { npn } from '../identifiers/npn.ts';
import { licenseIdentity } from '../registry-records/license.ts';
import {
  actionIdentity,
  amendableFieldNames,
  amendableFields,
} from '../registry-records/regulatory-action.ts';
import type { webhookTypes } from '../webhooks/resource.ts';
import {
  agentComplianceStatusChange,
  downstreamEntityAssociationIds,
  downstreamEntityComplianceStatusChange,
} from './compliance-status-change.ts';
import { documentUploaded } from './document-uploaded.ts';
import { downstreamEntityCreated, downstreamEntityUpdated } from './downstream-entity.ts';
import { eventMeanings } from './event-meanings.ts';
import { examplePayloads } from './example-payloads.ts';

// What each type of event carries as its `payload` (OpenAPI, "Events").

const text = z.nullable(z.string());

/** A registry sync completed; it names the subscription, not the entity. */
const complianceDataSynchronized = lazyObject(() =>
  describedShape(
    { registryDataSubscriptionId, npn },
    DOCUMENTED && { npn: 'NPN whose registry records were synchronized.' },
  ),
);

const removedState =
  'A state that the product no longer lists has the `statusName` `STATE_REMOVED` and no `complianceStatus`. More status names may be added.';

const optionalId = z.optional(objectId);

const contract = lazily(() =>
  describedShape(
    {
      downstreamEntityAssociationId,
      downstreamEntityId,
      producerCode: text,
      branchName: text,
      contractContainerInstanceId: optionalId,
      contractContainerTemplateId: optionalId,
      contractContainerTemplateName: z.optional(z.string()),
      signedFileDocumentId: optionalId,
    },
    DOCUMENTED && {
      producerCode: 'The agency’s code at the organization; null if it has not set one.',
      branchName: 'The branch that the association is with; null if it is with the whole agency.',
      contractContainerInstanceId: 'Id of the contract: there is one for each association and template.',
      contractContainerTemplateId: 'Id of the template that was signed; absent if the contract has none.',
      contractContainerTemplateName: 'Name of that template; absent if the contract has none.',
      signedFileDocumentId:
        'Id of the organization’s file document that contains the signed contract; absent if it was executed without a file.',
    },
  ),
);

/** The producer or agency that an event is about. */
const ofAgent = { agentId };
const ofDownstreamEntity = { downstreamEntityAssociationId };
const action = lazily(() => ({ ...actionIdentity(), ...amendableFields() }));

const amendment = lazily(() =>
  describedShape(
    {
      changedFields: z.array(z.enum(amendableFieldNames)),
      previousValues: z.nullable(
        z.partialRecord(z.enum(amendableFieldNames), z.nullable(z.union([z.string(), amount]))),
      ),
    },
    DOCUMENTED && {
      changedFields: 'Names of the fields that differ from what was last reported.',
      previousValues:
        'The previous values of the changed fields. A field that is absent did not change; one that is null had no value. The object is null when the previous report cannot be read.',
    },
  ),
);

const license = lazily(() => ({
  ...licenseIdentity(),
  ...describedShape(
    { nextRenewalDate: isoDate, daysUntilExpiration: z.int(), expiringWindowDays: z.int() },
    DOCUMENTED && {
      nextRenewalDate: 'Last day on which the license is valid unless it is renewed, in New York.',
      daysUntilExpiration: {
        description: 'Days until the renewal date; negative once the license has expired.',
        examples: [60],
      },
      expiringWindowDays: {
        description: 'How many days before the renewal date `…_EXPIRING` is sent.',
        examples: [60],
      },
    },
  ),
}));

const agent = lazily(() => ({
  ...describedShape(
    { agentId, npn },
    DOCUMENTED && { npn: 'National Producer Number, by which the registry knows the agent.' },
  ),
  ...producerNames(),
  ...describedShape(
    { externalId: text, downstreamEntityAssociationIds },
    DOCUMENTED && { externalId: 'The organization’s own id for the agent; null if it has none.' },
  ),
}));

/** The payload's schema of every type of event. */
export const eventPayloads = {
  ENTITY_COMPLIANCE_DATA_SYNCHRONIZED: described(
    complianceDataSynchronized,
    DOCUMENTED && {
      id: 'ComplianceDataSynchronized',
      description: eventMeanings.ENTITY_COMPLIANCE_DATA_SYNCHRONIZED,
      examples: [examplePayloads.ENTITY_COMPLIANCE_DATA_SYNCHRONIZED],
    },
  ),
  AGENT_COMPLIANCE_STATUS_CHANGE: described(
    agentComplianceStatusChange,
    DOCUMENTED && {
      id: 'AgentComplianceStatusChange',
      description: `${eventMeanings.AGENT_COMPLIANCE_STATUS_CHANGE} ${removedState}`,
      examples: [examplePayloads.AGENT_COMPLIANCE_STATUS_CHANGE],
    },
  ),
  DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE: described(
    downstreamEntityComplianceStatusChange,
    DOCUMENTED && {
      id: 'DownstreamEntityComplianceStatusChange',
      description: `${eventMeanings.DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE} ${removedState}`,
      examples: [examplePayloads.DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE],
    },
  ),
  PRODUCER_AGREEMENT_EXECUTED: described(
    lazyObject(contract),
    DOCUMENTED && {
      id: 'ProducerAgreementExecuted',
      description: eventMeanings.PRODUCER_AGREEMENT_EXECUTED,
      examples: [examplePayloads.PRODUCER_AGREEMENT_EXECUTED],
    },
  ),
  AGENT_REGULATORY_ACTION_UPDATED: described(
    lazyObject(() => ({ ...ofAgent, ...action(), ...amendment() })),
    DOCUMENTED && {
      id: 'AgentRegulatoryActionUpdated',
      description: eventMeanings.AGENT_REGULATORY_ACTION_UPDATED,
      examples: [examplePayloads.AGENT_REGULATORY_ACTION_UPDATED],
    },
  ),
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED: described(
    lazyObject(() => ({ ...ofDownstreamEntity, ...action(), ...amendment() })),
    DOCUMENTED && {
      id: 'DownstreamEntityRegulatoryActionUpdated',
      description: eventMeanings.DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED,
      examples: [examplePayloads.DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED],
    },
  ),
  AGENT_LICENSE_EXPIRING: described(
    lazyObject(() => ({ ...ofAgent, ...license() })),
    DOCUMENTED && {
      id: 'AgentLicenseExpiring',
      description: eventMeanings.AGENT_LICENSE_EXPIRING,
      examples: [examplePayloads.AGENT_LICENSE_EXPIRING],
    },
  ),
  DOWNSTREAM_ENTITY_LICENSE_EXPIRING: described(
    lazyObject(() => ({ ...ofDownstreamEntity, ...license() })),
    DOCUMENTED && {
      id: 'DownstreamEntityLicenseExpiring',
      description: eventMeanings.DOWNSTREAM_ENTITY_LICENSE_EXPIRING,
      examples: [examplePayloads.DOWNSTREAM_ENTITY_LICENSE_EXPIRING],
    },
  ),
  AGENT_LICENSE_EXPIRED: described(
    lazyObject(() => ({ ...ofAgent, ...license() })),
    DOCUMENTED && {
      id: 'AgentLicenseExpired',
      description: eventMeanings.AGENT_LICENSE_EXPIRED,
      examples: [examplePayloads.AGENT_LICENSE_EXPIRED],
    },
  ),
  DOWNSTREAM_ENTITY_LICENSE_EXPIRED: described(
    lazyObject(() => ({ ...ofDownstreamEntity, ...license() })),
    DOCUMENTED && {
      id: 'DownstreamEntityLicenseExpired',
      description: eventMeanings.DOWNSTREAM_ENTITY_LICENSE_EXPIRED,
      examples: [examplePayloads.DOWNSTREAM_ENTITY_LICENSE_EXPIRED],
    },
  ),
  AGENT_CREATED: described(
    lazyObject(agent),
    DOCUMENTED && {
      id: 'AgentCreated',
      description: eventMeanings.AGENT_CREATED,
      examples: [examplePayloads.AGENT_CREATED],
    },
  ),
  AGENT_UPDATED: described(
    lazyObject(agent),
    DOCUMENTED && {
      id: 'AgentUpdated',
      description: eventMeanings.AGENT_UPDATED,
      examples: [examplePayloads.AGENT_UPDATED],
    },
  ),
  DOWNSTREAM_ENTITY_CREATED: described(
    downstreamEntityCreated,
    DOCUMENTED && {
      id: 'DownstreamEntityCreated',
      description: eventMeanings.DOWNSTREAM_ENTITY_CREATED,
      examples: [examplePayloads.DOWNSTREAM_ENTITY_CREATED],
    },
  ),
  DOWNSTREAM_ENTITY_UPDATED: described(
    downstreamEntityUpdated,
    DOCUMENTED && {
      id: 'DownstreamEntityUpdated',
      description: eventMeanings.DOWNSTREAM_ENTITY_UPDATED,
      examples: [examplePayloads.DOWNSTREAM_ENTITY_UPDATED],
    },
  ),
  AGENT_REGULATORY_ACTION_ADDED: described(
    lazyObject(() => ({ ...ofAgent, ...action() })),
    DOCUMENTED && {
      id: 'AgentRegulatoryActionAdded',
      description: eventMeanings.AGENT_REGULATORY_ACTION_ADDED,
      examples: [examplePayloads.AGENT_REGULATORY_ACTION_ADDED],
    },
  ),
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED: described(
    lazyObject(() => ({ ...ofDownstreamEntity, ...action() })),
    DOCUMENTED && {
      id: 'DownstreamEntityRegulatoryActionAdded',
      description: eventMeanings.DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED,
      examples: [examplePayloads.DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED],
    },
  ),
  DOCUMENT_UPLOADED: described(
    documentUploaded,
    DOCUMENTED && {
      id: 'DocumentUploaded',
      description: eventMeanings.DOCUMENT_UPLOADED,
      examples: [examplePayloads.DOCUMENT_UPLOADED],
    },
  ),
  CONTRACT_SIGNED: described(
    lazyObject(() => ({
      ...contract(),
      ...describedShape({ signedAt: timestamp }, DOCUMENTED && { signedAt: 'When the last party signed.' }),
    })),
    DOCUMENTED && {
      id: 'ContractSigned',
      description: eventMeanings.CONTRACT_SIGNED,
      examples: [examplePayloads.CONTRACT_SIGNED],
    },
  ),
} as const satisfies Record<(typeof webhookTypes)[number], z.core.$ZodType>;

export type WebhookType = keyof typeof eventPayloads;
export type PayloadOf<Type extends WebhookType> = z.output<(typeof eventPayloads)[Type]>;
