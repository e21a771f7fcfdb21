import * as z from 'zod/mini';
import { isoDate, objectId, stateCode, timestamp } from '../contract/primitives.ts';
import { residencyStatuses } from '../resources/licence.ts';
import { npn } from '../resources/npn.ts';
import { amendableFieldNames, amendableFields } from '../resources/regulatory-action.ts';
import type { webhookTypes } from '../resources/webhook.ts';
import { documentUploaded } from './document-uploaded.ts';
import { downstreamEntityCreated, downstreamEntityUpdated } from './downstream-entity.ts';

// What each type of event carries as its `payload` (OpenAPI, "Events").

const text = z.nullable(z.string());

/** A registry sync completed; it names the subscription, not the entity. */
const complianceDataSynchronized = z
  .object({ registryDataSubscriptionId: objectId, npn })
  .register(z.globalRegistry, {
    id: 'ComplianceDataSynchronized',
    description: 'The registry records of an NPN were synchronized.',
    examples: [{ registryDataSubscriptionId: '65f0c1d2e3a4b5c6d7e8f910', npn: '17654321' }],
  });

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
];

const removedState =
  'A state that the product no longer asks about has the `statusName` `STATE_REMOVED` and no `complianceStatus`. More status names may be added.';

const agentComplianceStatusChange = z
  .array(
    z.object({
      agentId: objectId,
      npn,
      downstreamEntityAssociationIds: z.array(objectId),
      products: changedProducts,
    }),
  )
  .register(z.globalRegistry, {
    id: 'AgentComplianceStatusChange',
    description: `States of products in which a producer’s compliance changed. ${removedState}`,
    examples: [
      [
        {
          agentId: '65f0c1d2e3a4b5c6d7e8f903',
          npn: '8123456',
          downstreamEntityAssociationIds: ['65f0c1d2e3a4b5c6d7e8f904'],
          products: exampleProducts,
        },
      ],
    ],
  });

const downstreamEntityComplianceStatusChange = z
  .array(
    z.object({
      downstreamEntityAssociationId: objectId,
      legalName: z.string(),
      branchName: text,
      npn: z.nullable(npn),
      products: changedProducts,
    }),
  )
  .register(z.globalRegistry, {
    id: 'DownstreamEntityComplianceStatusChange',
    description: `States of products in which an agency’s compliance changed. ${removedState}`,
    examples: [
      [
        {
          downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
          legalName: 'Lone Star Brokerage',
          branchName: null,
          npn: '17654321',
          products: exampleProducts,
        },
      ],
    ],
  });

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

const exampleContract = {
  downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
  downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
  producerCode: 'P-7731',
  branchName: null,
  contractContainerInstanceId: '65f0c1d2e3a4b5c6d7e8f920',
  contractContainerTemplateId: '65f0c1d2e3a4b5c6d7e8f913',
  contractContainerTemplateName: 'Producer agreement 2026',
};

const producerAgreementExecuted = z.object(contract).register(z.globalRegistry, {
  id: 'ProducerAgreementExecuted',
  description: 'Both parties signed the producer agreement.',
  examples: [exampleContract],
});

const contractSigned = z.object({ ...contract, signedAt: timestamp }).register(z.globalRegistry, {
  id: 'ContractSigned',
  description: 'The last party signed a contract.',
  examples: [{ ...exampleContract, signedAt: '2026-06-01T09:00:00.000Z' }],
});

/** Whom an event of a producer, or of an agency, is about. */
const ofAgent = { agentId: z.nullable(objectId) };
const ofDownstreamEntity = { downstreamEntityAssociationId: z.nullable(objectId) };
const agentExample = { agentId: '65f0c1d2e3a4b5c6d7e8f903' };
const downstreamEntityExample = { downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904' };

const action = {
  _id: objectId,
  registryDataSubscriptionId: objectId,
  npn,
  stateCode,
  actionId: z.string(),
  ...amendableFields,
};

const exampleAction = {
  _id: '65f0c1d2e3a4b5c6d7e8f911',
  registryDataSubscriptionId: '65f0c1d2e3a4b5c6d7e8f910',
  npn: '17654321',
  stateCode: 'TX',
  actionId: '4471',
  originOfAction: 'Department of Insurance',
  reasonForAction: 'Late filing',
  disposition: 'Monetary penalty',
  dateOfAction: '2025-05-02',
  effectiveDate: '2025-05-02',
  enterDate: '2025-05-09',
  fileRef: 'TX-2025-4471',
  penaltyFineForfeitureInUSD: 500,
  lengthOfOrderInDays: null,
};

const amendment = {
  changedFields: z.array(z.enum(amendableFieldNames)),
  previousValues: z
    .nullable(z.partialRecord(z.enum(amendableFieldNames), z.nullable(z.union([z.string(), z.number()]))))
    .register(z.globalRegistry, {
      description:
        'The previous values of the changed fields. A field that is absent was not changed; one that is null was empty. The whole is null when the previous report cannot be read.',
    }),
};

const exampleAmendment = {
  changedFields: ['disposition', 'penaltyFineForfeitureInUSD'],
  previousValues: { disposition: null, penaltyFineForfeitureInUSD: 250 },
};

const regulatoryAction = <Shape extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  whose: Shape,
  example: object,
) =>
  z
    .object({ ...whose, ...action })
    .register(z.globalRegistry, { id, description, examples: [{ ...example, ...exampleAction }] });

const regulatoryActionUpdate = <Shape extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  whose: Shape,
  example: object,
) =>
  z.object({ ...whose, ...action, ...amendment }).register(z.globalRegistry, {
    id,
    description,
    examples: [{ ...example, ...exampleAction, ...exampleAmendment }],
  });

const licenceFields = {
  registryDataSubscriptionId: objectId,
  npn,
  stateCode,
  licenseNumber: z.string(),
  licenseClassCode: text,
  licenseClassName: text,
  status: z.string().register(z.globalRegistry, {
    description: 'As the registry spells it. An expired license usually still shows `active`: use the date.',
    examples: ['active'],
  }),
  residencyStatus: z.enum(residencyStatuses),
  nextRenewalDate: isoDate,
  daysUntilExpiration: z
    .int()
    .register(z.globalRegistry, { description: 'Negative once the license is expired.', examples: [60] }),
  expiringWindowDays: z.int().register(z.globalRegistry, { examples: [60] }),
};

const licence = <Shape extends z.core.$ZodLooseShape>(
  id: string,
  description: string,
  whose: Shape,
  example: object,
  days: number,
) =>
  z.object({ ...whose, ...licenceFields }).register(z.globalRegistry, {
    id,
    description,
    examples: [
      {
        ...example,
        registryDataSubscriptionId: '65f0c1d2e3a4b5c6d7e8f910',
        npn: '17654321',
        stateCode: 'TX',
        licenseNumber: '1456789',
        licenseClassCode: '1',
        licenseClassName: 'Property and Casualty Agency',
        status: 'active',
        residencyStatus: 'resident',
        nextRenewalDate: '2027-03-31',
        daysUntilExpiration: days,
        expiringWindowDays: 60,
      },
    ],
  });

const agent = (id: string, description: string) =>
  z
    .object({
      agentId: objectId,
      npn,
      firstName: z.string(),
      middleName: text,
      lastName: z.string(),
      externalId: text,
      downstreamEntityAssociationIds: z.array(objectId),
    })
    .register(z.globalRegistry, {
      id,
      description,
      examples: [
        {
          agentId: '65f0c1d2e3a4b5c6d7e8f903',
          npn: '8123456',
          firstName: 'Maria',
          middleName: null,
          lastName: 'Delgado',
          externalId: 'AGT-118',
          downstreamEntityAssociationIds: ['65f0c1d2e3a4b5c6d7e8f904'],
        },
      ],
    });

/** The payload's schema of every type of event. */
export const eventPayloads = {
  ENTITY_COMPLIANCE_DATA_SYNCHRONIZED: complianceDataSynchronized,
  AGENT_COMPLIANCE_STATUS_CHANGE: agentComplianceStatusChange,
  DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE: downstreamEntityComplianceStatusChange,
  PRODUCER_AGREEMENT_EXECUTED: producerAgreementExecuted,
  AGENT_REGULATORY_ACTION_UPDATED: regulatoryActionUpdate(
    'AgentRegulatoryActionUpdated',
    'A state amended a reported action against a producer.',
    ofAgent,
    agentExample,
  ),
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED: regulatoryActionUpdate(
    'DownstreamEntityRegulatoryActionUpdated',
    'A state amended a reported action against an agency.',
    ofDownstreamEntity,
    downstreamEntityExample,
  ),
  AGENT_LICENSE_EXPIRING: licence(
    'AgentLicenseExpiring',
    'A producer’s license is due for renewal in 60 days.',
    ofAgent,
    agentExample,
    60,
  ),
  DOWNSTREAM_ENTITY_LICENSE_EXPIRING: licence(
    'DownstreamEntityLicenseExpiring',
    'An agency’s license is due for renewal in 60 days.',
    ofDownstreamEntity,
    downstreamEntityExample,
    60,
  ),
  AGENT_LICENSE_EXPIRED: licence(
    'AgentLicenseExpired',
    'The renewal date of a producer’s license has passed.',
    ofAgent,
    agentExample,
    -1,
  ),
  DOWNSTREAM_ENTITY_LICENSE_EXPIRED: licence(
    'DownstreamEntityLicenseExpired',
    'The renewal date of an agency’s license has passed.',
    ofDownstreamEntity,
    downstreamEntityExample,
    -1,
  ),
  AGENT_CREATED: agent('AgentCreated', 'A producer was added.'),
  AGENT_UPDATED: agent('AgentUpdated', 'A producer’s record changed.'),
  DOWNSTREAM_ENTITY_CREATED: downstreamEntityCreated,
  DOWNSTREAM_ENTITY_UPDATED: downstreamEntityUpdated,
  AGENT_REGULATORY_ACTION_ADDED: regulatoryAction(
    'AgentRegulatoryActionAdded',
    'A state reported an action against a producer.',
    ofAgent,
    agentExample,
  ),
  DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED: regulatoryAction(
    'DownstreamEntityRegulatoryActionAdded',
    'A state reported an action against an agency.',
    ofDownstreamEntity,
    downstreamEntityExample,
  ),
  DOCUMENT_UPLOADED: documentUploaded,
  CONTRACT_SIGNED: contractSigned,
} as const satisfies Record<(typeof webhookTypes)[number], z.core.$ZodType>;

export type WebhookType = keyof typeof eventPayloads;
export type PayloadOf<Type extends WebhookType> = z.output<(typeof eventPayloads)[Type]>;
