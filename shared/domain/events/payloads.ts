import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { amount, isoDate, objectId, timestamp } from '../../platform/contract/primitives.ts';
import { npn } from '../identifiers/npn.ts';
import { producerNames } from '../identifiers/producer-names.ts';
import { licenseIdentity } from '../registry/license.ts';
import { actionIdentity, amendableFieldNames, amendableFields } from '../registry/regulatory-action.ts';
import {
  agentComplianceStatusChange,
  downstreamEntityAssociationIds,
  downstreamEntityComplianceStatusChange,
} from './compliance-status-change.ts';
import { documentUploaded } from './document-uploaded.ts';
import { downstreamEntityCreated, downstreamEntityUpdated } from './downstream-entity.ts';
import type { FeedType } from './feed-types.ts';
import { webhookDisabled } from './webhook-disabled.ts';

// What each type of event carries as its `payload` (OpenAPI, "Events").

const text = z.nullable(z.string());

const optionalId = z.optional(objectId);

const contract = object(() => ({
  downstreamEntityAssociationId: objectId,
  downstreamEntityId: objectId,
  producerCode: text,
  branchName: text,
  contractContainerInstanceId: optionalId,
  contractContainerTemplateId: optionalId,
  contractContainerTemplateName: z.optional(z.string()),
  signedFileDocumentId: optionalId,
}));

/** The producer or agency that an event is about. */
const ofAgent = { agentId: objectId };
const ofDownstreamEntity = { downstreamEntityAssociationId: objectId };
const action = fields(() => ({ ...actionIdentity.shape, ...amendableFields.shape }));

const amendment = fields(() => ({
  changedFields: z.array(z.enum(amendableFieldNames)),
  previousValues: z.nullable(
    z.partialRecord(z.enum(amendableFieldNames), z.nullable(z.union([z.string(), amount]))),
  ),
}));

const license = fields(() => ({
  ...licenseIdentity.shape,
  nextRenewalDate: isoDate,
  daysUntilExpiration: z.int(),
  expiringWindowDays: z.int(),
}));

const agent = fields(() => ({
  agentId: objectId,
  npn,
  ...producerNames.shape,
  externalId: text,
  downstreamEntityAssociationIds,
}));

/** The payload's schema of every type of event. */
export const eventPayloads = {
  ENTITY_COMPLIANCE_DATA_SYNCHRONIZED: object(() => ({ registryDataSubscriptionId: objectId, npn })),
  AGENT_COMPLIANCE_STATUS_CHANGE: agentComplianceStatusChange,
  DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE: downstreamEntityComplianceStatusChange,
  PRODUCER_AGREEMENT_EXECUTED: contract,
  AGENT_REGULATORY_ACTION_UPDATED: object(() => ({ ...ofAgent, ...action.shape, ...amendment.shape })),
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED: object(() => ({
    ...ofDownstreamEntity,
    ...action.shape,
    ...amendment.shape,
  })),
  AGENT_LICENSE_EXPIRING: object(() => ({ ...ofAgent, ...license.shape })),
  DOWNSTREAM_ENTITY_LICENSE_EXPIRING: object(() => ({ ...ofDownstreamEntity, ...license.shape })),
  AGENT_LICENSE_EXPIRED: object(() => ({ ...ofAgent, ...license.shape })),
  DOWNSTREAM_ENTITY_LICENSE_EXPIRED: object(() => ({ ...ofDownstreamEntity, ...license.shape })),
  AGENT_CREATED: object(() => agent.shape),
  AGENT_UPDATED: object(() => agent.shape),
  DOWNSTREAM_ENTITY_CREATED: downstreamEntityCreated,
  DOWNSTREAM_ENTITY_UPDATED: downstreamEntityUpdated,
  AGENT_REGULATORY_ACTION_ADDED: object(() => ({ ...ofAgent, ...action.shape })),
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED: object(() => ({ ...ofDownstreamEntity, ...action.shape })),
  DOCUMENT_UPLOADED: documentUploaded,
  CONTRACT_SIGNED: object(() => ({ ...contract.shape, signedAt: timestamp })),
} as const;

/** Likewise of those that the feed alone has. */
export const feedPayloads = { WEBHOOK_DISABLED: webhookDisabled } as const satisfies Record<
  FeedType,
  z.core.$ZodType
>;

export type WebhookType = keyof typeof eventPayloads;
export type PayloadOf<Type extends WebhookType | FeedType> = z.output<
  (typeof eventPayloads & typeof feedPayloads)[Type]
>;

/**
 * Every type of event (OpenAPI, "Events"). What a new one lacks beside its payload does not compile: its meaning and example, in
 * `event-meanings.ts` and `example-payloads.ts`.
 */
export const webhookTypes = Object.keys(eventPayloads) as [WebhookType, ...WebhookType[]];

export const webhookType = z.enum(webhookTypes);
