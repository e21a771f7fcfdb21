import * as z from 'zod/mini';
import { amount, isoDate, objectId, stateCode, timestamp } from '#platform/contract/primitives.ts';
import { complianceStatus, statusParts } from '../decision/compliance-config.ts';
import { npn, producerNames } from '../identifiers/identifiers.ts';
import {
  actionIdentity,
  amendableFieldNames,
  amendableFields,
  licenseIdentity,
} from '../registry/resources.ts';
import { documentUploaded, downstreamEntityCreated, downstreamEntityUpdated } from './agency-payloads.ts';

/** Events that the organization's feed alone has, never a webhook: the fan-out's rule is by webhooks' types. */
export const feedTypes = ['WEBHOOK_DISABLED'] as const;

export type FeedType = (typeof feedTypes)[number];

/** Associations with which that producer works. */
export const downstreamEntityAssociationIds = z.array(objectId);

const changedStates = z.array(
  z.object({ stateCode, complianceStatus: z.optional(complianceStatus), ...statusParts.shape }),
);

/** Changes of an NPN, by product and state. */
export const changedProducts = z.array(
  z.object({ productId: objectId, productName: z.string(), states: changedStates }),
);

/** Payload of `AGENT_COMPLIANCE_STATUS_CHANGE`. */
const agentComplianceStatusChange = z.array(
  z.object({ agentId: objectId, npn, downstreamEntityAssociationIds, products: changedProducts }),
);

/** Payload of `DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE`. */
const downstreamEntityComplianceStatusChange = z.array(
  z.object({
    downstreamEntityAssociationId: objectId,
    legalName: z.string(),
    branchName: z.nullable(z.string()),
    npn: z.nullable(npn),
    products: changedProducts,
  }),
);

/** The payload of the event that the service disabled a webhook. */
export const webhookDisabled = z.object({
  webhookId: objectId,
  url: z.string(),
  disabledReason: z.string(),
});

// What each type of event carries as its `payload` (OpenAPI, "Events").

const text = z.nullable(z.string());

const optionalId = z.optional(objectId);

const contract = z.object({
  downstreamEntityAssociationId: objectId,
  downstreamEntityId: objectId,
  producerCode: text,
  branchName: text,
  contractContainerInstanceId: optionalId,
  contractContainerTemplateId: optionalId,
  contractContainerTemplateName: z.optional(z.string()),
  signedFileDocumentId: optionalId,
});

/** The producer or agency that an event is about. */
const ofAgent = { agentId: objectId };
const ofDownstreamEntity = { downstreamEntityAssociationId: objectId };
const action = z.object({ ...actionIdentity.shape, ...amendableFields.shape });

const amendment = z.object({
  changedFields: z.array(z.enum(amendableFieldNames)),
  previousValues: z.nullable(
    z.partialRecord(z.enum(amendableFieldNames), z.nullable(z.union([z.string(), amount]))),
  ),
});

const license = z.object({
  ...licenseIdentity.shape,
  nextRenewalDate: isoDate,
  daysUntilExpiration: z.int(),
  expiringWindowDays: z.int(),
});

const agent = z.object({
  agentId: objectId,
  npn,
  ...producerNames.shape,
  externalId: text,
  downstreamEntityAssociationIds,
});

/** The payload's schema of every type of event. */
export const eventPayloads = {
  ENTITY_COMPLIANCE_DATA_SYNCHRONIZED: z.object({ registryDataSubscriptionId: objectId, npn }),
  AGENT_COMPLIANCE_STATUS_CHANGE: agentComplianceStatusChange,
  DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE: downstreamEntityComplianceStatusChange,
  PRODUCER_AGREEMENT_EXECUTED: contract,
  AGENT_REGULATORY_ACTION_UPDATED: z.object({ ...ofAgent, ...action.shape, ...amendment.shape }),
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED: z.object({
    ...ofDownstreamEntity,
    ...action.shape,
    ...amendment.shape,
  }),
  AGENT_LICENSE_EXPIRING: z.object({ ...ofAgent, ...license.shape }),
  DOWNSTREAM_ENTITY_LICENSE_EXPIRING: z.object({ ...ofDownstreamEntity, ...license.shape }),
  AGENT_LICENSE_EXPIRED: z.object({ ...ofAgent, ...license.shape }),
  DOWNSTREAM_ENTITY_LICENSE_EXPIRED: z.object({ ...ofDownstreamEntity, ...license.shape }),
  AGENT_CREATED: z.object(agent.shape),
  AGENT_UPDATED: z.object(agent.shape),
  DOWNSTREAM_ENTITY_CREATED: downstreamEntityCreated,
  DOWNSTREAM_ENTITY_UPDATED: downstreamEntityUpdated,
  AGENT_REGULATORY_ACTION_ADDED: z.object({ ...ofAgent, ...action.shape }),
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED: z.object({ ...ofDownstreamEntity, ...action.shape }),
  DOCUMENT_UPLOADED: documentUploaded,
  CONTRACT_SIGNED: z.object({ ...contract.shape, signedAt: timestamp }),
} as const;

/** Payloads of events that only the feed has. */
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
 * `docs.ts` and `example-payloads.ts`.
 */
export const webhookTypes = Object.keys(eventPayloads) as [WebhookType, ...WebhookType[]];

export const webhookType = z.enum(webhookTypes);

/** Names this service among the sources of a bus. */
export const eventSource = 'insurance-compliance';

export const envelopeFields = z.object({
  eventId: z.uuid(),
  upstreamEntityId: objectId,
  occurredAt: timestamp,
  sequence: z.int().check(z.gte(1)),
  isTest: z.optional(z.literal(true)),
});

/** The schema of a whole event of one type, as receivers get it (OpenAPI, "Events"). */
const payloads = { ...eventPayloads, ...feedPayloads };

export const eventOf = <Type extends WebhookType | FeedType>(type: Type) =>
  z.object({ ...envelopeFields.shape, webhookType: z.literal(type), payload: payloads[type] });

/** An event of which only the envelope is parsed. */
export const anyEvent = z.object({ ...envelopeFields.shape, webhookType, payload: z.unknown() });

export type AnyEvent = z.output<typeof anyEvent>;

export const feedEventType = z.enum([...webhookTypes, ...feedTypes]);

/** An event of a feed, of which only the envelope is parsed. */
export const feedEvent = z.object({ ...anyEvent.shape, webhookType: feedEventType });

export type FeedEvent = z.output<typeof feedEvent>;
