import * as z from 'zod/mini';
import { contractContainerTemplate, market } from '#domain/associations/resource.ts';
import { carrier } from '#domain/carriers/catalog.ts';
import { classKind } from '#domain/compliance/class-kinds.ts';
import { complianceConfig, ruleFields, stateRequirement } from '#domain/decision/compliance-config.ts';
import { comparable, npn } from '#domain/identifiers/identifiers.ts';
import { corporateRegistrationFields } from '#domain/licensing/requests.ts';
import {
  appointmentFields,
  licenseFields,
  regulatoryActionFields,
} from '#domain/registry-records/operator-fields.ts';
import { agentRecord } from './agent/schema.ts';
import { associationRecord } from './association/schema.ts';
import { commonFields, ownedFields } from './common-fields.ts';
import { contactRecord } from './contact/schema.ts';
import { downstreamEntityRecord } from './downstream-entity/schema.ts';
import { filingRecord } from './filing/schema.ts';
import { policyRecord, policyTransactionRecord } from './policy/stored.ts';

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
