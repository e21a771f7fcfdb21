import * as z from 'zod/mini';
import { email } from '#domain/agents/resource.ts';
import {
  association,
  contractContainerTemplate,
  externalId,
  producerCode,
} from '#domain/associations/resource.ts';
import {
  licenseComplianceStatus,
  policyComplianceStatus,
  policyComplianceStatusV1,
} from '#domain/compliance/status.ts';
import { personNames } from '#domain/contacts/resource.ts';
import { downstreamEntityCategory } from '#domain/downstream-entities/resource.ts';
import { codeFilter, ein, npn } from '#domain/identifiers/identifiers.ts';
import {
  heldAppointment,
  heldLicense,
  registryFilters,
  regulatoryAction,
} from '#domain/registry/resources.ts';
import { registryDataSubscription } from '#domain/registry-records/resources.ts';
import {
  asOfQuery,
  recordOrDeleted,
  updatedSinceQuery,
  updatedUntilHeaders,
} from '#platform/contract/list-queries.ts';
import { objectId, stateCode, textUpTo, timestamp } from '#platform/contract/primitives.ts';
import { getOne, listAll, type Route, routeGroup, v1 } from '#platform/contract/route.ts';

/** Minutes that a synchronization may keep a status before it is considered lost and queued again. */
export const queuedMinutes = 60;
export const inProgressMinutes = 30;
/** Minutes for which a synchronization that is done is not repeated. */
export const doneMinutes = 5;

const one = '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}';
const access = { kind: 'upstream', feature: 'agencies' } as const;

/** The list as v1 has it, which is frozen. */
const listing = {
  ...listAll('/v2/upstream/downstream-entity-associations', access, association),
  query: z.object({
    downstreamEntityNpn: z.optional(npn),
    licenseNumber: z.optional(textUpTo(100)),
    stateCode: z.optional(stateCode),
    emailDomain: z.optional(
      z
        .string()
        .check(
          z.regex(
            /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/,
            'must be a domain such as example.com',
          ),
        ),
    ),
    email: z.optional(email),
  }),
} as const satisfies Route;

const list = {
  ...listing,
  query: z.object({
    ...listing.query.shape,
    externalId: z.optional(codeFilter),
    producerCode: z.optional(codeFilter),
    ...updatedSinceQuery.shape,
  }),
  answer: { status: 200, all: recordOrDeleted(association) },
  followHeaders: updatedUntilHeaders,
} as const satisfies Route;

const get = getOne(one, access, association);

export const associationChange = z
  .strictObject({
    externalId: z.optional(z.nullable(externalId)),
    producerCode: z.optional(z.nullable(producerCode)),
  })
  .check(
    z.refine(
      (change) => change.externalId !== undefined || change.producerCode !== undefined,
      'requires externalId or producerCode',
    ),
  );

const update = {
  ...get,
  method: 'PATCH',
  body: associationChange,
  errors: ['duplicate_external_id_error', 'duplicate_producer_code_error', 'transient_transaction_error'],
} as const satisfies Route;

const optionalId = z.optional(objectId);

export const inviteFields = z.object({
  downstreamEntityName: textUpTo(300),
  ...personNames.shape,
  email,
  category: downstreamEntityCategory,
  isNpnRequired: z.boolean(),
  downstreamEntityId: optionalId,
  producerCode: z.optional(producerCode),
  externalId: z.optional(externalId),
  contractContainerTemplateId: optionalId,
  producerAgreementId: optionalId,
});

export const newInvitation = z.strictObject(inviteFields.shape);

export const newAssociation = z.strictObject({
  ...inviteFields.shape,
  downstreamEntityNpn: z.optional(npn),
  ein: z.optional(ein),
  branchName: z.optional(textUpTo(200)),
  parentDownstreamEntityAssociationId: optionalId,
});

/** The body of an add; an invitation requires less. */
export type NewAssociation = z.output<typeof newAssociation>;

const creationErrors = [
  'conflict',
  'duplicate_external_id_error',
  'duplicate_producer_code_error',
  'invite_limit_reached',
  'not_found',
  'transient_transaction_error',
] as const;

export const consent = `An agency is shared if it has its own organization, if another carrier has an association with it, or if somebody else added a contact. For the first carrier that knew the agency, the association of another carrier counts only once an operator has confirmed it or the agency has signed a contract. An agency that only the organization knows is not shared.

A new association with a shared agency is \`invited\` until the agency’s side agrees: somebody of the agency redeems the invitation, the agency signs a contract, or an operator confirms it. The organization also has the invitation’s link, so redeeming it counts only in a session of the agency’s organization or, if the agency has none, for somebody with the verified email address of a contact whom an operator or a carrier that the agency works with has confirmed. An organization that already has an active association with the agency needs no further agreement. While the association is \`invited\`, \`ein\` is null, an \`ein\` in a request is not compared with that of the agency, and the organization can see only those contacts that it added itself; the agency does not see them. An organization can have at most 3 \`invited\` associations with a shared agency; another one returns 403 \`invite_limit_reached\`. Synchronization, licenses, appointments, and compliance statuses are available, because they come from the registry.`;

const add = {
  method: 'POST',
  path: '/v2/upstream/downstream-entity-associations/add',
  access,
  body: newAssociation,
  answer: { status: 201, one: association },
  errors: creationErrors,
} as const satisfies Route;

export const invitation = z.object({ url: z.url(), downstreamEntityAssociationId: objectId });

const invite = {
  ...add,
  path: '/v2/upstream/downstream-entity-associations/invite',
  body: newInvitation,
  answer: { status: 201, one: invitation },
} as const satisfies Route;

export const synchronization = z.object({
  registryDataSubscriptionId: objectId,
  entityInfo: registryDataSubscription.shape.entityInfo,
});

const sync = {
  method: 'POST',
  path: `${one}/sync`,
  access,
  answer: { status: 202, one: synchronization },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

const appointments = {
  ...listAll(`${one}/appointments`, access, heldAppointment),
  query: z.object({ ...registryFilters.shape, ...asOfQuery.shape }),
} as const satisfies Route;

const licenses = {
  ...appointments,
  ...listAll(`${one}/licenses`, access, heldLicense),
} as const satisfies Route;

const regulatoryActions = listAll(`${one}/regulatory-actions`, access, regulatoryAction);

const licenseComplianceStatuses = {
  ...listAll(`${one}/license-compliance-statuses`, access, licenseComplianceStatus),
  query: z.object({ stateCode, productId: objectId, ...asOfQuery.shape }),
} as const satisfies Route;

const policyComplianceStatuses = {
  ...listAll(`${one}/policy-compliance-statuses`, access, policyComplianceStatus),
  query: asOfQuery,
} as const satisfies Route;

export const signInUrl = z.object({ url: z.url(), expiresAt: timestamp });

const getSignInUrl = {
  ...getOne(`${one}/sign-in-url`, access, signInUrl),
  query: z.object({ email }),
  errors: ['contact_not_authorized'],
} as const satisfies Route;

const listTemplates = listAll('/v2/upstream/contract-container-templates', access, contractContainerTemplate);

export const downstreamEntityAssociationRoutes = routeGroup(
  'downstream-entity-associations',
  {
    listAssociations: list,
    getAssociation: get,
    updateAssociation: update,
    addAssociation: add,
    inviteAssociation: invite,
    syncAssociation: sync,
    listAssociationAppointments: appointments,
    listAssociationLicenses: licenses,
    listAssociationRegulatoryActions: regulatoryActions,
    listAssociationLicenseComplianceStatuses: licenseComplianceStatuses,
    listAssociationPolicyComplianceStatuses: policyComplianceStatuses,
    getAssociationSignInUrl: getSignInUrl,
    listContractContainerTemplates: listTemplates,
    listAssociationsV1: v1(listing),
    getAssociationV1: v1(get),
    updateAssociationV1: v1(update),
    addAssociationV1: v1(add),
    inviteAssociationV1: v1(invite),
    syncAssociationV1: v1(sync),
    listAssociationAppointmentsV1: v1(appointments),
    listAssociationLicensesV1: v1(licenses),
    listAssociationRegulatoryActionsV1: v1(regulatoryActions),
    listAssociationLicenseComplianceStatusesV1: v1(licenseComplianceStatuses),
    listAssociationPolicyComplianceStatusesV1: v1(policyComplianceStatuses, {
      answer: { status: 200, all: policyComplianceStatusV1 },
    }),
    getAssociationSignInUrlV1: v1(getSignInUrl),
    listContractContainerTemplatesV1: v1(listTemplates),
  },
  { openLists: 23 },
);
