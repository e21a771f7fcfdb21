import * as z from 'zod/mini';
import { agentAuthority, agentItem, email } from '#domain/agents/resource.ts';
import { association, contractContainerTemplate, market } from '#domain/associations/resource.ts';
import { carrier } from '#domain/carriers/catalog.ts';
import { classKind } from '#domain/compliance/store.ts';
import { businessRole, contact, contactAssociation, personNames } from '#domain/contacts/resource.ts';
import { mostScopes } from '#domain/contacts/stored.ts';
import { complianceConfig, ruleFields, stateRequirement } from '#domain/decision/compliance-config.ts';
import { downstreamEntity } from '#domain/downstream-entities/resource.ts';
import { escalationStatuses, tones } from '#domain/filings/resource.ts';
import { filing } from '#domain/filings/view.ts';
import { comparable, npn } from '#domain/identifiers/identifiers.ts';
import { corporateRegistrationFields } from '#domain/licensing/requests.ts';
import {
  policy,
  policyFields,
  policyNumber,
  policyTransaction,
  policyTransactionFields,
} from '#domain/policies/resource.ts';
import {
  appointmentFields,
  licenseFields,
  regulatoryActionFields,
} from '#domain/registry-records/operator-fields.ts';
import { instant, multiline, objectId, textUpTo } from '#platform/contract/primitives.ts';

// The schema of a line of each type.

/** A time in an operator's record, in any zone; stored in UTC. */
const recordTime = z.pipe(
  instant,
  z.transform((time) => time.toISOString()),
);

/** Fields that every imported record may have. */
const commonFields = {
  _id: z.optional(objectId),
  createdAt: z.optional(recordTime),
  updatedAt: z.optional(recordTime),
  isDeleted: z.optional(z.boolean()),
};

/** Field of a record of an upstream organization: its owner, where the file has records of several owners. */
export const ownedFields = { ...commonFields, upstreamEntityId: z.optional(objectId) };

const name = textUpTo(200);
const nullableName = z.optional(z.nullable(z.string().check(z.maxLength(200))));

/** A producer. What a record leaves out stays as it is. */
export const agentRecord = z.strictObject({
  type: z.literal('agent'),
  ...ownedFields,
  npn,
  firstName: name,
  middleName: nullableName,
  lastName: name,
  email: z.optional(z.nullable(email)),
  labeledEmails: z.optional(z.array(z.strictObject({ label: name, email }))),
  isDeliverable: z.optional(agentItem.shape.isDeliverable),
  externalId: nullableName,
  authority: z.optional(z.array(z.strictObject({ ...agentAuthority.shape }))),
  downstreamEntityAssociationIds: z.optional(z.array(objectId)),
  downstreamEntityIds: z.optional(z.array(objectId)),
  creationPath: z.optional(agentItem.shape.creationPath),
  isUploadedByUpstreamEntity: z.optional(z.boolean()),
  isArchived: z.optional(agentItem.shape.isArchived),
});

export type AgentRecord = z.output<typeof agentRecord>;

/** The fields of an agency, in a line of its own or within that of an association. */
const downstreamEntityFields = {
  ...commonFields,
  legalName: downstreamEntity.shape.legalName,
  category: z.optional(downstreamEntity.shape.category),
  npn: z.optional(downstreamEntity.shape.npn),
  ein: z.optional(downstreamEntity.shape.ein),
  isNpnRequired: z.optional(downstreamEntity.shape.isNpnRequired),
  downstreamOrganizationId: z.optional(z.nullable(objectId)),
};

/** An agency as the resource shows it. */
export const downstreamEntityRecord = z.strictObject({
  type: z.literal('downstream-entity'),
  ...downstreamEntityFields,
});

export type DownstreamEntityRecord = z.output<typeof downstreamEntityRecord>;

/** An association, which may contain its agency. What a record leaves out stays as it is. */
export const associationRecord = z
  .strictObject({
    type: z.literal('association'),
    ...ownedFields,
    downstreamEntityId: z.optional(objectId),
    downstreamEntity: z.optional(z.strictObject(downstreamEntityFields)),
    externalId: z.optional(association.shape.externalId),
    producerCode: z.optional(association.shape.producerCode),
    branchName: z.optional(association.shape.branchName),
    parentDownstreamEntityAssociationId: z.optional(association.shape.parentDownstreamEntityAssociationId),
    status: z.optional(association.shape.status),
  })
  .check(
    z.refine(
      (record) => (record.downstreamEntityId === undefined) !== (record.downstreamEntity === undefined),
      'requires either downstreamEntityId or downstreamEntity',
    ),
  );

export type AssociationRecord = z.output<typeof associationRecord>;

const contactScope = z.strictObject({
  downstreamEntityAssociationId: contactAssociation.shape.downstreamEntityAssociationId,
  downstreamEntityId: contactAssociation.shape.downstreamEntityId,
  businessRoles: z._default(z.array(businessRole).check(z.maxLength(20)), []),
  isPrimary: z._default(z.boolean(), false),
});

/** A contact; `_id` is its `contactId`. */
export const contactRecord = z.strictObject({
  type: z.literal('contact'),
  ...commonFields,
  ...personNames.shape,
  email: contact.shape.email,
  isDeliverable: z._default(z.boolean(), false),
  associations: z.array(contactScope).check(
    z.minLength(1),
    z.maxLength(mostScopes),
    z.refine(
      (scopes) =>
        new Set(scopes.map((scope) => `${scope.downstreamEntityId} ${scope.downstreamEntityAssociationId}`))
          .size === scopes.length,
      { error: 'every scope must be different' },
    ),
  ),
});

export type ContactRecord = z.output<typeof contactRecord>;

/** A scope of a record. */
export type ContactScopeRecord = ContactRecord['associations'][number];

const text = z.string();
const label = text.check(z.minLength(1), z.maxLength(1_000));
/** Position among its siblings. */
const order = z.optional(z.int());
const sourceId = text.check(z.minLength(1), z.maxLength(200));

/** Files of a record, which are uploaded, not imported. */
const files = z._default(
  z.array(z.unknown()).check(z.maxLength(0, 'must be empty: files are uploaded, not imported')),
  [],
);

/** Derived members of a filing are accepted in a record and ignored: the import computes them. */
const derivedField = z.optional(z.unknown());

const messageRecord = z.strictObject({
  _id: z.optional(objectId),
  authorType: z.enum(['service', 'customer']),
  body: multiline(text.check(z.minLength(1), z.maxLength(5_000))),
  attachments: files,
  sentAt: recordTime,
});

const escalationRecord = z.strictObject({
  category: z._default(z.enum(['public', 'private']), 'public'),
  checklistItemLabel: derivedField,
  status: z.enum(escalationStatuses),
  openedAt: z._default(z.nullable(recordTime), null),
  resolvedAt: z._default(z.nullable(recordTime), null),
  messages: z._default(z.array(messageRecord), []),
});

const itemRecord = z.strictObject({
  sourceTaskId: sourceId,
  label,
  order,
  checked: z._default(z.boolean(), false),
  attachments: files,
  escalation: z._default(z.nullable(escalationRecord), null),
});

const categoryRecord = z.strictObject({
  sourceCategoryId: sourceId,
  name: label,
  tone: z._default(z.enum(tones), 'neutral'),
  order,
  isInternal: z._default(z.boolean(), false),
  items: z._default(
    z.array(itemRecord).check(
      z.refine((items) => new Set(items.map((item) => item.sourceTaskId)).size === items.length, {
        error: 'every sourceTaskId of a category must be different',
      }),
    ),
    [],
  ),
});

const nameText = text.check(z.minLength(1), z.maxLength(300));

/** A filing as its detail shows it. */
export const filingRecord = z.strictObject({
  type: z.literal('filing'),
  ...ownedFields,
  downstreamEntityId: z.optional(objectId),
  externalReference: z._default(z.nullable(nameText), null),
  policyNumber: nameText,
  stateCode: filing.shape.stateCode,
  policyTransactionType: filing.shape.policyTransactionType,
  status: z._default(filing.shape.status, 'not started'),
  effectiveDate: z._default(filing.shape.effectiveDate, null),
  namedInsured: nameText,
  carrier: nameText,
  carrierNaicCode: nameText,
  grossPremium: filing.shape.grossPremium,
  totalTaxDue: z._default(filing.shape.totalTaxDue, null),
  checklist: z._default(
    z
      .array(categoryRecord)
      .check(
        z.refine(
          (categories) =>
            new Set(categories.map((category) => category.sourceCategoryId)).size === categories.length,
          { error: 'every sourceCategoryId must be different' },
        ),
      ),
    [],
  ),
  completionArtifacts: files,
  policyDocument: z.optional(z.null('must be null: files are uploaded, not imported')),
  actionRequired: derivedField,
  checklistProgress: derivedField,
  escalations: derivedField,
});

export type FilingRecord = z.output<typeof filingRecord>;

export type EscalationRecord = z.output<typeof escalationRecord>;

/** The fields of a `policy` line: those that the policy's transactions don't have. */
export const policyOwnFields = {
  ...ownedFields,
  policyNumber,
  currentStatus: z._default(policy.shape.currentStatus, 'bound'),
  productMatchStatus: z.optional(policy.shape.productMatchStatus),
  entityMatchStatus: z.optional(policy.shape.entityMatchStatus),
  riskStateCode: z.optional(policy.shape.riskStateCode),
  ...policyFields.shape,
};

const policyRecord = z.strictObject({ type: z.literal('policy'), ...policyOwnFields });

export type PolicyRecord = z.output<typeof policyRecord>;

/** A transaction, which names its policy by `policyNumber`. The agency, agents, and product that it does not name are matched. */
const policyTransactionRecord = z.strictObject({
  type: z.literal('policy-transaction'),
  ...policyTransactionFields.shape,
  ...policyFields.shape,
  ...ownedFields,
  isDeleted: z._default(z.boolean(), false),
  entityMatchStatus: z.optional(policy.shape.entityMatchStatus),
  matchedAgents: z.optional(policyTransaction.shape.matchedAgents),
  agentMatchStatus: z.optional(policyTransaction.shape.agentMatchStatus),
  transactionFingerprint: z.optional(policyTransaction.shape.transactionFingerprint),
  dedupResult: z.optional(policyTransaction.shape.dedupResult),
});

export type PolicyTransactionRecord = z.output<typeof policyTransactionRecord>;

const {
  upstreamDownstreamAssociationId: _id,
  isOnPlatform: _isOnPlatform,
  branchName: _branchName,
  ...marketFields
} = market.shape;

/** Defaults of a rule in a compliance config. */
const ruleDefaults = {
  linesOfAuthority: z._default(ruleFields.shape.linesOfAuthority, []),
  appointment: z._default(ruleFields.shape.appointment, 'not required'),
};

/**
 * NPN of the holder of a license or an appointment, or the subject of an action; without it, a license of the state names
 * them.
 */
const holderNpn = z.optional(npn);

const { licenseNumber } = licenseFields.shape;

/** The holder of what has no number of a license of its own. */
const holderFields = { npn: holderNpn, licenseNumber: z.optional(licenseNumber) };

const isHolderNamed = () =>
  z.refine<Readonly<Partial<Record<keyof typeof holderFields, string | undefined>>>>(
    ({ npn: holder, licenseNumber: license }) => holder !== undefined || license !== undefined,
    { path: ['npn'], error: 'is required, or licenseNumber: the holder must be known' },
  );

/**
 * The schema of a line of each type: that of the resource, of which some fields have defaults. Licenses and appointments are
 * identified by their content and have no id.
 */
export const recordSchemas = {
  carrier: z.strictObject({
    type: z.literal('carrier'),
    ...carrier.shape,
    ...commonFields,
    groupName: z._default(carrier.shape.groupName, null),
    domicileStateCode: z._default(carrier.shape.domicileStateCode, null),
    status: z._default(carrier.shape.status, 'active'),
  }),
  'downstream-entity': downstreamEntityRecord,
  association: associationRecord,
  'contract-container-template': z.strictObject({
    type: z.literal('contract-container-template'),
    ...contractContainerTemplate.shape,
    ...ownedFields,
    description: z._default(contractContainerTemplate.shape.description, null),
    isActive: z._default(contractContainerTemplate.shape.isActive, true),
  }),
  agent: agentRecord,
  'class-kind': z.strictObject({
    type: z.literal('class-kind'),
    ...ownedFields,
    ...classKind.shape,
    classCode: z._default(classKind.shape.classCode, null),
    className: z._default(classKind.shape.className, null),
  }),
  license: z.strictObject({
    type: z.literal('license'),
    ...ownedFields,
    npn: holderNpn,
    ...licenseFields.shape,
  }),
  appointment: z
    .strictObject({
      type: z.literal('appointment'),
      ...ownedFields,
      ...holderFields,
      ...appointmentFields.shape,
    })
    .check(
      isHolderNamed(),
      z.refine(
        ({ companyCode, ein, carrierName }) =>
          [companyCode, ein, carrierName].some((name) => comparable(name) !== ''),
        { path: ['companyCode'], error: 'is required, or ein or carrierName: the company must be known' },
      ),
    ),
  'regulatory-action': z
    .strictObject({
      type: z.literal('regulatory-action'),
      ...ownedFields,
      ...holderFields,
      ...regulatoryActionFields.shape,
    })
    .check(isHolderNamed()),
  'compliance-config': z.strictObject({
    type: z.literal('compliance-config'),
    ...complianceConfig.shape,
    productId: z.optional(complianceConfig.shape.productId),
    ...ownedFields,
    validFrom: z.optional(complianceConfig.shape.validFrom),
    states: z.array(z.strictObject({ ...stateRequirement.shape, ...ruleDefaults })),
    otherStates: z.optional(z.strictObject({ ...ruleFields.shape, ...ruleDefaults })),
  }),
  policy: policyRecord,
  'policy-transaction': policyTransactionRecord,
  filing: filingRecord,
  market: z.strictObject({
    type: z.literal('market'),
    ...marketFields,
    ...commonFields,
    marketType: z._default(marketFields.marketType, null),
    producerCode: z._default(marketFields.producerCode, null),
    status: z._default(marketFields.status, 'active'),
  }),
  'corporate-registration': z.strictObject({
    type: z.literal('corporate-registration'),
    ...commonFields,
    ...corporateRegistrationFields.shape,
    registeredName: z._default(corporateRegistrationFields.shape.registeredName, null),
    registrationNumber: z._default(corporateRegistrationFields.shape.registrationNumber, null),
    status: z._default(corporateRegistrationFields.shape.status, 'active'),
    registrationDate: z._default(corporateRegistrationFields.shape.registrationDate, null),
    nextReportDueDate: z._default(corporateRegistrationFields.shape.nextReportDueDate, null),
    expirationDate: z._default(corporateRegistrationFields.shape.expirationDate, null),
  }),
  contact: contactRecord,
} satisfies Readonly<Record<string, z.core.$ZodType>>;

/** The `type` of a line. */
export type RecordType = keyof typeof recordSchemas;
