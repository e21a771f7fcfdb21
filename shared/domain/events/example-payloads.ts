import { exampleDownstreamEntity } from '../downstream-entities/resource.ts';
import { exampleLicense, exampleRegulatoryAction } from '../registry/resources.ts';
import type { AnyEvent, WebhookType } from './payloads.ts';
import { newEventId } from './stored.ts';

// Payloads as the OpenAPI document shows them and as test events carry them, from the records of one fictional carrier.

const subscription = { registryDataSubscriptionId: '65f0c1d2e3a4b5c6d7e8f910', npn: '17654321' };

const exampleProducts = [
  {
    productId: '65f0c1d2e3a4b5c6d7e8f905',
    productName: 'Contractors General Liability',
    states: [
      {
        stateCode: 'TX',
        complianceStatus: 'COMPLIANT',
        licenseStatus: { statusName: 'Licensed' },
        appointmentStatus: { statusName: 'Appointment on Binding' },
      },
      {
        stateCode: 'OK',
        licenseStatus: { statusName: 'STATE_REMOVED' },
        appointmentStatus: { statusName: 'STATE_REMOVED' },
      },
    ],
  },
] as const;

const exampleContract = {
  downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
  downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
  producerCode: 'P-7731',
  branchName: null,
  contractContainerInstanceId: '65f0c1d2e3a4b5c6d7e8f920',
  contractContainerTemplateId: '65f0c1d2e3a4b5c6d7e8f913',
  contractContainerTemplateName: 'Producer agreement 2026',
} as const;

const agentId = '65f0c1d2e3a4b5c6d7e8f903';
const downstreamEntityAssociationId = '65f0c1d2e3a4b5c6d7e8f904';

const { createdAt: _createdAt, updatedAt: _updatedAt, ...exampleAction } = exampleRegulatoryAction;

const exampleAmendment = {
  changedFields: ['disposition', 'penaltyFineForfeitureInUSD'],
  previousValues: { disposition: null, penaltyFineForfeitureInUSD: 250 },
} as const;

const {
  issueDate: _issued,
  expirationDate: _expires,
  linesOfAuthority: _lines,
  statusReason: _statusReason,
  statusDate: _statusDate,
  updatedAt: _,
  ...reportedLicense
} = exampleLicense;

const expiring = { ...reportedLicense, daysUntilExpiration: 60, expiringWindowDays: 60 };

const expiredLicense = { ...expiring, daysUntilExpiration: -1 };

const exampleAgent = {
  agentId,
  npn: '8123456',
  firstName: 'Maria',
  middleName: null,
  lastName: 'Delgado',
  externalId: 'AGT-118',
  downstreamEntityAssociationIds: [downstreamEntityAssociationId],
} as const;

const exampleAssociation = {
  downstreamEntityAssociationId,
  downstreamEntity: exampleDownstreamEntity,
  externalId: 'AG-0042',
  producerCode: 'P-7731',
  branchName: null,
  status: 'active',
} as const;

/** An example of every type's payload; `eventPayloads` checks each against its schema. */
export const examplePayloads = {
  ENTITY_COMPLIANCE_DATA_SYNCHRONIZED: subscription,
  AGENT_COMPLIANCE_STATUS_CHANGE: [
    {
      agentId,
      npn: '8123456',
      downstreamEntityAssociationIds: [downstreamEntityAssociationId],
      products: exampleProducts,
    },
  ],
  DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE: [
    {
      downstreamEntityAssociationId,
      legalName: 'Lone Star Brokerage',
      branchName: null,
      npn: '17654321',
      products: exampleProducts,
    },
  ],
  PRODUCER_AGREEMENT_EXECUTED: exampleContract,
  AGENT_REGULATORY_ACTION_UPDATED: { agentId, ...exampleAction, ...exampleAmendment },
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED: {
    downstreamEntityAssociationId,
    ...exampleAction,
    ...exampleAmendment,
  },
  AGENT_LICENSE_EXPIRING: { agentId, ...expiring },
  DOWNSTREAM_ENTITY_LICENSE_EXPIRING: { downstreamEntityAssociationId, ...expiring },
  AGENT_LICENSE_EXPIRED: { agentId, ...expiredLicense },
  DOWNSTREAM_ENTITY_LICENSE_EXPIRED: { downstreamEntityAssociationId, ...expiredLicense },
  AGENT_CREATED: exampleAgent,
  AGENT_UPDATED: exampleAgent,
  DOWNSTREAM_ENTITY_CREATED: exampleAssociation,
  DOWNSTREAM_ENTITY_UPDATED: exampleAssociation,
  AGENT_REGULATORY_ACTION_ADDED: { agentId, ...exampleAction },
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED: { downstreamEntityAssociationId, ...exampleAction },
  DOCUMENT_UPLOADED: {
    fileDocumentId: '65f0c1d2e3a4b5c6d7e8f9aa',
    category: 'W9',
    version: 1,
    fileName: 'w9.pdf',
    contentType: 'application/pdf',
    sizeInBytes: 48_213,
    downstreamEntityAssociationId,
    uploadedAt: '2026-06-01T09:00:00.000Z',
  },
  CONTRACT_SIGNED: { ...exampleContract, signedAt: '2026-06-01T09:00:00.000Z' },
} as const satisfies Record<WebhookType, unknown>;

/**
 * A test event with the payload that the OpenAPI document shows for its type; it concerns no real entity, so it is the first of
 * its sequence.
 */
export const exampleEvent = (webhookType: WebhookType, upstreamEntityId: string, now: Date): AnyEvent => ({
  eventId: newEventId(),
  webhookType,
  upstreamEntityId,
  occurredAt: now.toISOString(),
  sequence: 1,
  isTest: true,
  payload: examplePayloads[webhookType],
});
