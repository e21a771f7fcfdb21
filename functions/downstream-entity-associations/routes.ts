import * as z from 'zod/mini';
import { email } from '../../shared/domain/agents/resource.ts';
import { contractContainerTemplate } from '../../shared/domain/associations/contract-container-template.ts';
import { association, externalId, producerCode } from '../../shared/domain/associations/resource.ts';
import {
  licenseComplianceStatus,
  licenseComplianceStatusV1,
  policyComplianceStatus,
  policyComplianceStatusV1,
} from '../../shared/domain/compliance/compliance-rows.ts';
import { personNames } from '../../shared/domain/contacts/resource.ts';
import { downstreamEntityCategory } from '../../shared/domain/downstream-entities/resource.ts';
import { ein } from '../../shared/domain/identifiers/ein.ts';
import {
  downstreamEntityAssociationId,
  registryDataSubscriptionId,
} from '../../shared/domain/identifiers/ids.ts';
import { npn } from '../../shared/domain/identifiers/npn.ts';
import { appointment } from '../../shared/domain/registry-records/appointment.ts';
import { license } from '../../shared/domain/registry-records/license.ts';
import { registryDataSubscription } from '../../shared/domain/registry-records/registry-data-subscription.ts';
import { regulatoryAction } from '../../shared/domain/registry-records/regulatory-action.ts';
import { asOfDescription, asOfQuery } from '../../shared/platform/contract/as-of.ts';
import { described, describedShape } from '../../shared/platform/contract/described.ts';
import { lazily } from '../../shared/platform/contract/lazily.ts';
import { lazyObject, lazyStrictObject } from '../../shared/platform/contract/lazy-object.ts';
import { objectId, stateCode, timestamp } from '../../shared/platform/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/platform/contract/route.ts';
import { followed, orDeleted, updatedSinceQuery } from '../../shared/platform/contract/updated-since.ts';
import { updatedUntil } from '../../shared/platform/contract/updated-until.ts';
import { v1 } from '../../shared/platform/contract/v1.ts';

const access = { kind: 'upstream', feature: 'agencies' } as const;

const exact = (longest = 200) => z.string().check(z.minLength(1), z.maxLength(longest));

const address = z.string().check(z.maxLength(254), z.email());

/** The list as v1 has it, which is frozen. */
const listing = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations',
  access,
  summary: DOCUMENTED && 'List agency associations',
  description:
    DOCUMENTED &&
    'Returns all matching associations, streamed, without paging. Use only one of `downstreamEntityNpn`, `licenseNumber` with `stateCode`, `emailDomain`, and `email`. The last two find associations where the organization can see a contact with such an address; case is ignored. The associations of a deleted agency are hidden: their codes can be used again, and they no longer count toward the plan.',
  success: DOCUMENTED && 'All matching associations.',
  query: lazily(() =>
    describedShape(
      {
        downstreamEntityNpn: z.optional(npn),
        licenseNumber: z.optional(exact(100)),
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
        email: z.optional(address),
      },
      DOCUMENTED && {
        downstreamEntityNpn: 'National Producer Number of the agency.',
        licenseNumber: {
          description: 'Number of a license of the agency; requires `stateCode`.',
          examples: ['1456789'],
        },
        stateCode: 'State that issued that license; requires `licenseNumber`.',
        emailDomain: { description: 'Domain of a contact’s email address.', examples: ['example.com'] },
        email: { description: 'Email address of a contact.', examples: ['maria.delgado@example.com'] },
      },
    ),
  ),
  answer: { status: 200, all: association },
} as const satisfies Route;

const list = {
  ...listing,
  description:
    DOCUMENTED &&
    `${listing.description}

${followed} A change of the agency or of its registry subscription, as the association shows them, is a change of the association.`,
  success:
    DOCUMENTED && 'All matching associations; with `updatedSince`, those that changed or were deleted since.',
  query: lazily(() => ({ ...listing.query(), ...updatedSinceQuery() })),
  answer: { status: 200, all: orDeleted(association) },
  followed: updatedUntil,
} as const satisfies Route;

const get = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}',
  access,
  summary: DOCUMENTED && 'Get an agency association',
  description:
    DOCUMENTED &&
    'Returns one association with its agency and the organization’s registry subscription for it.',
  success: DOCUMENTED && 'The association as it is now.',
  answer: { status: 200, one: association },
} as const satisfies Route;

const associationChange = described(
  lazyStrictObject(
    () =>
      describedShape(
        {
          externalId: z.optional(z.nullable(externalId)),
          producerCode: z.optional(z.nullable(producerCode)),
        },
        DOCUMENTED && {
          externalId: 'The organization’s own id for the agency; null clears it.',
          producerCode: 'The agency’s code at the organization; null clears it.',
        },
      ),
    z.refine(
      (change) => change.externalId !== undefined || change.producerCode !== undefined,
      'requires externalId or producerCode',
    ),
  ),
  DOCUMENTED && {
    id: 'DownstreamEntityAssociationChange',
    description: 'A string sets a field, null clears it, and an omitted field is not changed.',
    examples: [{ externalId: 'AG-0042', producerCode: null }],
  },
);

const update = {
  ...get,
  method: 'PATCH',
  summary: DOCUMENTED && 'Change the codes of an agency association',
  description:
    DOCUMENTED &&
    'Sets or clears `externalId` and `producerCode`. Each must be unique among the organization’s associations, a `producerCode` without regard to case, and full-width characters and other variants (Unicode’s NFKC) count as the plain ones; sending the association’s current value is not a conflict.',
  success: DOCUMENTED && 'The association with its new codes.',
  body: associationChange,
  errors: ['duplicate_external_id_error', 'duplicate_producer_code_error', 'transient_transaction_error'],
} as const satisfies Route;

const optionalId = z.optional(objectId);

const inviteFields = lazily(() => ({
  ...describedShape(
    { downstreamEntityName: exact(300) },
    DOCUMENTED && {
      downstreamEntityName: { description: 'Legal name of the agency.', examples: ['Lone Star Brokerage'] },
    },
  ),
  ...personNames(),
  ...describedShape(
    {
      email,
      category: downstreamEntityCategory,
      isNpnRequired: z.boolean(),
      downstreamEntityId: optionalId,
      producerCode: z.optional(producerCode),
      externalId: z.optional(externalId),
      contractContainerTemplateId: optionalId,
      producerAgreementId: optionalId,
    },
    DOCUMENTED && {
      email: 'Email address of that person, who becomes a contact of the association.',
      isNpnRequired: { description: 'Whether the agency must have an NPN.', examples: [true] },
      downstreamEntityId: 'Id of an existing agency to associate with. The agency itself is not changed.',
      producerCode: 'The agency’s code at the organization, unique among its associations.',
      externalId: 'The organization’s own id for the agency, unique among its associations.',
      contractContainerTemplateId: 'Id of an active template of the organization for the agency to sign.',
      producerAgreementId: {
        deprecated: true,
        description: 'Previous name of `contractContainerTemplateId`.',
      },
    },
  ),
}));

const person = {
  firstName: 'Maria',
  lastName: 'Delgado',
  email: 'maria.delgado@example.com',
};

const newInvitation = described(
  lazyStrictObject(inviteFields),
  DOCUMENTED && {
    id: 'DownstreamEntityInvitation',
    description: 'An agency to invite, and the person to receive the invitation.',
    examples: [
      { downstreamEntityName: 'Lone Star Brokerage', ...person, category: 'agency', isNpnRequired: true },
    ],
  },
);

const newAssociation = described(
  lazyStrictObject(() => ({
    ...inviteFields(),
    ...describedShape(
      {
        downstreamEntityNpn: z.optional(npn),
        ein: z.optional(ein),
        branchName: z.optional(exact()),
        parentDownstreamEntityAssociationId: optionalId,
      },
      DOCUMENTED && {
        downstreamEntityNpn: {
          description:
            'National Producer Number of the agency; required when `isNpnRequired` is true and `downstreamEntityId` is not given.',
          examples: ['17654321'],
        },
        ein: {
          description: 'Employer Identification Number of the agency, with or without the hyphen.',
          examples: ['75-7654321'],
        },
        branchName: { description: 'Name of the branch, if the agency has several.', examples: ['Austin'] },
        parentDownstreamEntityAssociationId:
          'Id of the organization’s association with the parent of this agency.',
      },
    ),
  })),
  DOCUMENTED && {
    id: 'NewDownstreamEntityAssociation',
    description: 'An agency to associate with, and a contact there.',
    examples: [
      {
        downstreamEntityName: 'Lone Star Brokerage',
        ...person,
        category: 'agency',
        isNpnRequired: true,
        downstreamEntityNpn: '17654321',
        producerCode: 'P-7731',
      },
    ],
  },
);

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

const consent = `An agency is shared if it has its own organization, if another carrier has an association with it, or if somebody else added a contact. For the first carrier that knew the agency, the association of another carrier counts only once an operator has confirmed it or the agency has signed a contract. An agency that only the organization knows is not shared.

A new association with a shared agency is \`invited\` until the agency’s side agrees: somebody of the agency redeems the invitation, the agency signs a contract, or an operator confirms it. The organization also has the invitation’s link, so redeeming it counts only in a session of the agency’s organization or, if the agency has none, for somebody with the verified email address of a contact whom an operator or a carrier that the agency works with has confirmed. An organization that already has an active association with the agency needs no further agreement. While the association is \`invited\`, \`ein\` is null, an \`ein\` in a request is not compared with that of the agency, and the organization can see only those contacts that it added itself; the agency does not see them. An organization can have at most 3 \`invited\` associations with a shared agency; another one returns 403 \`invite_limit_reached\`. Synchronization, licenses, appointments, and compliance statuses are available, because they come from the registry.`;

const creation = `With \`downstreamEntityId\`, the existing agency is not changed; a different NPN or EIN returns 400 (an EIN only if the agency has agreed or is not shared). Without it, a new agency is created.

The named person becomes a contact of the association, without roles and not primary. A contact has at most 60 scopes, and at most 10 at one agency that the same carrier named; beyond that, the association is created without the scope. The same applies if the agency has not agreed and the person is already its contact.

${consent}

Two requests are for the same association if they have the same branch and the same \`downstreamEntityId\`, or else the same NPN, or else the same EIN, or else the same email address and name. The second one returns \`transient_transaction_error\` within ten seconds and \`conflict\` later. The plan’s limit counts agencies with an active or invited association, each once. At the limit, the response is 403 \`invite_limit_reached\`.`;

const add = {
  method: 'POST',
  path: '/v2/upstream/downstream-entity-associations/add',
  access,
  summary: DOCUMENTED && 'Add an agency',
  description:
    DOCUMENTED &&
    `Creates an association with a new agency, or with the one in \`downstreamEntityId\`. It is active, or \`invited\` if a shared agency must agree first. If \`isNpnRequired\` is true, either \`downstreamEntityNpn\` or \`downstreamEntityId\` is required; without them, the response is 400.

${creation}`,
  success: DOCUMENTED && 'The new association: active, or `invited` if the agency must agree first.',
  body: newAssociation,
  answer: { status: 201, one: association },
  errors: creationErrors,
} as const satisfies Route;

const invitation = described(
  lazyObject(() =>
    describedShape(
      { url: z.url(), downstreamEntityAssociationId },
      DOCUMENTED && {
        url: 'Link in the agencies’ application, for the invited person; nobody else receives it.',
        downstreamEntityAssociationId: 'Id of the association that was created, which is `invited`.',
      },
    ),
  ),
  DOCUMENTED && {
    id: 'DownstreamEntityInvitationLink',
    description: 'A link for the invited person. It works once, within 7 days.',
    examples: [
      {
        url: 'https://agency.example.com/invitation?token=UjNqk3HkXn4mJ2pVYd0s1Zb8oT5wQeRfGhLcAiKuMxE',
        downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
      },
    ],
  },
);

const invite = {
  ...add,
  path: '/v2/upstream/downstream-entity-associations/invite',
  summary: DOCUMENTED && 'Invite an agency',
  description:
    DOCUMENTED &&
    `Creates an association of status \`invited\` with a new agency, or with the one in \`downstreamEntityId\`, and a link for the invited person. The link, \`<application>/invitation?token=…\`, works once, within 7 days. Redeeming it makes the association active; with a shared agency, it also confirms the contact, and only somebody of the agency can redeem it. The agency provides its NPN itself.

${creation}`,
  success: DOCUMENTED && 'The association was created; send the link to the invited person.',
  body: newInvitation,
  answer: { status: 201, one: invitation },
} as const satisfies Route;

const synchronization = described(
  lazyObject(() =>
    describedShape(
      { registryDataSubscriptionId, entityInfo: registryDataSubscription.shape.entityInfo },
      DOCUMENTED && {
        registryDataSubscriptionId: 'Id of the compliance data subscription to poll.',
        entityInfo: 'State of the synchronization when the request was handled.',
      },
    ),
  ),
  DOCUMENTED && {
    id: 'RegistrySynchronization',
    description: 'The compliance data subscription to poll, and the state of its synchronization.',
    examples: [
      {
        registryDataSubscriptionId: '65f0c1d2e3a4b5c6d7e8f910',
        entityInfo: {
          status: 'queued',
          jobId: '3f1c9ad4-6f0e-4a53-9d0b-0f6a2d9a7c11',
          message: null,
          rawEntityInfoId: null,
        },
      },
    ],
  },
);

const sync = {
  method: 'POST',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/sync',
  access,
  summary: DOCUMENTED && 'Synchronize an agency with the registry',
  description:
    DOCUMENTED &&
    `Queues a synchronization, which completes within minutes: poll the compliance data subscription until \`entityInfo.status\` is \`success\`. If one is already queued or in progress, it is returned instead, unless it has been queued for 60 minutes or in progress for 30: then a new one is queued. For an agency without an NPN, the response is 409 \`conflict\`.

While the registry is unavailable, the synchronization is attempted every six minutes, five times in total; then its status is \`failed\`, with the reason. If the registry does not recognize the NPN, the status is \`failed\` immediately. Licenses and appointments that the registry no longer reports are deleted; regulatory actions are kept.`,
  success: DOCUMENTED && 'The synchronization is queued, or was already under way.',
  answer: { status: 202, one: synchronization },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

const registryFilters = lazily(() =>
  describedShape(
    { stateCode: z.optional(stateCode), status: z.optional(exact(100)) },
    DOCUMENTED && {
      stateCode: 'State of the record; only its records are returned.',
      status: { description: 'Exact status, as spelled by the registry.', examples: ['active'] },
    },
  ),
);

// v1 has the present alone, without `asOf`.
const currentAppointments = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/appointments',
  access,
  summary: DOCUMENTED && 'List the appointments of an agency',
  description:
    DOCUMENTED &&
    'Returns the organization’s registry records for the agency, without paging. Filters can be combined; `status` must match the registry’s spelling exactly. An agency without an NPN has no records.',
  success: DOCUMENTED && 'All matching appointments of the agency.',
  query: registryFilters,
  answer: { status: 200, all: appointment },
} as const satisfies Route;

const appointments = {
  ...currentAppointments,
  description: DOCUMENTED && `${currentAppointments.description}\n\n${asOfDescription.list}`,
  query: lazily(() => ({ ...registryFilters(), ...asOfQuery() })),
} as const satisfies Route;

const ofLicenses = {
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/licenses',
  summary: DOCUMENTED && 'List the licenses of an agency',
  success: DOCUMENTED && 'All matching licenses of the agency.',
  answer: { status: 200, all: license },
} as const;

const licenses = { ...appointments, ...ofLicenses } as const satisfies Route;

const regulatoryActions = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/regulatory-actions',
  access,
  summary: DOCUMENTED && 'List the regulatory actions against an agency',
  description: DOCUMENTED && 'Returns the organization’s registry records for the agency, without paging.',
  success: DOCUMENTED && 'All regulatory actions against the agency.',
  answer: { status: 200, all: regulatoryAction },
} as const satisfies Route;

const currentLicenseStatuses = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/license-compliance-statuses',
  access,
  summary: DOCUMENTED && 'Check whether an agency may sell a product in a state',
  description:
    DOCUMENTED &&
    'Compares the agency’s licenses and appointments, as of today in New York, with the product’s compliance config, and returns one row; “How compliance is decided” has the rules. For an unknown product, the response is 404.',
  success: DOCUMENTED && 'An array with the one status of the agency for the product and state.',
  query: lazily(() =>
    describedShape(
      { stateCode, productId: objectId },
      DOCUMENTED && {
        stateCode: 'State in which the agency is to sell.',
        productId: 'Id of a product with a compliance config.',
      },
    ),
  ),
  answer: { status: 200, all: licenseComplianceStatusV1 },
} as const satisfies Route;

const licenseComplianceStatuses = {
  ...currentLicenseStatuses,
  description: DOCUMENTED && `${currentLicenseStatuses.description}\n\n${asOfDescription.statuses}`,
  success:
    DOCUMENTED &&
    'An array with the one status of the agency for the product and state, and what it goes by.',
  query: lazily(() => ({ ...currentLicenseStatuses.query(), ...asOfQuery() })),
  answer: { status: 200, all: licenseComplianceStatus },
} as const satisfies Route;

const currentPolicyStatuses = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/policy-compliance-statuses',
  access,
  summary: DOCUMENTED && 'Check whether an agency may service its policies',
  description:
    DOCUMENTED &&
    'Returns one row for each policy of the agency, streamed, without paging: the policies whose newest transaction that names an agency names the association, and those that name no association but have the agency’s NPN. The product is the one that matching found or an operator confirmed, else the compliance config with the policy’s `productCode`, else with its `productName`; case is ignored. Where several fit, the strictest counts. If there is none, only a license is required. “How compliance is decided” has the rules, also those about the agents who sold a policy.',
  success: DOCUMENTED && 'One status for each policy of the agency.',
  answer: { status: 200, all: policyComplianceStatusV1 },
} as const satisfies Route;

const policyComplianceStatuses = {
  ...currentPolicyStatuses,
  description: DOCUMENTED && `${currentPolicyStatuses.description}\n\n${asOfDescription.policies}`,
  success: DOCUMENTED && 'One status for each policy of the agency, and that on its effective date.',
  query: asOfQuery,
  answer: { status: 200, all: policyComplianceStatus },
} as const satisfies Route;

const signInUrl = described(
  lazyObject(() =>
    describedShape(
      { url: z.url(), expiresAt: timestamp },
      DOCUMENTED && {
        url: 'Link in the agencies’ application that signs the contact in.',
        expiresAt: 'Until when the link works, if it is not used before.',
      },
    ),
  ),
  DOCUMENTED && {
    id: 'SignInUrl',
    description: 'A sign-in link for a contact. It works once, within 15 minutes.',
    examples: [
      {
        url: 'https://agency.example.com/sign-in?token=ZfDB0uOktcbX6PkBZfDB0uOktcbX6PkCAABppC7pUjNqk3HkXn4mJ2pVYd0s1Zb8oT5wQeRfGhLcAiKuMxEnV3qLr8WzYtBdFpHsGaJc',
        expiresAt: '2026-03-01T14:20:09.000Z',
      },
    ],
  },
);

const getSignInUrl = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/sign-in-url',
  access,
  summary: DOCUMENTED && 'Get a sign-in link for a contact of an agency',
  description:
    DOCUMENTED &&
    'Returns a link that signs a contact of the association in to the agencies’ application: `<application>/sign-in?token=…`, which works once, within 15 minutes. Each call creates a new link and stores nothing, so that calls are not counted against a rate limit. A link ends when its contact is removed. If the address does not belong to a contact of the association, the response is 403 `contact_not_authorized`. For a shared agency (see “Add an agency”), the response is the same while the association is `invited`, and for a contact that only a carrier added: the agency, an import, or a redeemed invitation must have confirmed it.',
  success: DOCUMENTED && 'A new sign-in link for the contact.',
  query: lazily(() =>
    describedShape(
      { email: address },
      DOCUMENTED && {
        email: {
          description: 'Email address of the contact; case is ignored.',
          examples: ['maria.delgado@example.com'],
        },
      },
    ),
  ),
  answer: { status: 200, one: signInUrl },
  errors: ['contact_not_authorized'],
} as const satisfies Route;

const listTemplates = {
  method: 'GET',
  path: '/v2/upstream/contract-container-templates',
  access,
  summary: DOCUMENTED && 'List contract container templates',
  description:
    DOCUMENTED &&
    'Returns the organization’s active templates, without paging. Use the `_id` as `contractContainerTemplateId` when you add or invite an agency.',
  success: DOCUMENTED && 'All active templates of the organization.',
  answer: { status: 200, all: contractContainerTemplate },
} as const satisfies Route;

export const downstreamEntityAssociationRoutes = routeGroup(
  'downstream-entity-associations',
  DOCUMENTED && 'Agencies that the organization works with, and their registry records.',
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
    listAssociationAppointmentsV1: v1(currentAppointments),
    listAssociationLicensesV1: v1({ ...currentAppointments, ...ofLicenses }),
    listAssociationRegulatoryActionsV1: v1(regulatoryActions),
    listAssociationLicenseComplianceStatusesV1: v1(currentLicenseStatuses),
    listAssociationPolicyComplianceStatusesV1: v1(currentPolicyStatuses),
    getAssociationSignInUrlV1: v1(getSignInUrl),
    listContractContainerTemplatesV1: v1(listTemplates),
  },
);
