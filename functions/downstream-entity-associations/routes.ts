import * as z from 'zod/mini';
import { objectId, stateCode, timestamp } from '../../shared/contract/primitives.ts';
import { type Route, routeGroup } from '../../shared/contract/route.ts';
import { email } from '../../shared/resources/agent.ts';
import { appointment } from '../../shared/resources/appointment.ts';
import { association, externalId, producerCode } from '../../shared/resources/association.ts';
import { licenseComplianceStatus, policyComplianceStatus } from '../../shared/resources/compliance.ts';
import { personName } from '../../shared/resources/contact.ts';
import { contractContainerTemplate } from '../../shared/resources/contract-container-template.ts';
import { downstreamEntityCategories } from '../../shared/resources/downstream-entity.ts';
import { licence } from '../../shared/resources/licence.ts';
import { npn } from '../../shared/resources/npn.ts';
import { registryDataSubscription } from '../../shared/resources/registry-data-subscription.ts';
import { regulatoryAction } from '../../shared/resources/regulatory-action.ts';

const access = { kind: 'upstream', feature: 'agencies' } as const;

const exact = (description: string, example: string, longest = 200) =>
  z
    .string()
    .check(z.minLength(1), z.maxLength(longest))
    .register(z.globalRegistry, { description, examples: [example] });

const address = (description: string) =>
  z
    .string()
    .check(z.maxLength(254), z.email())
    .register(z.globalRegistry, { description, examples: ['maria.delgado@example.com'] });

const list = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations',
  access,
  rate: 'none',
  summary: 'List agency associations',
  description:
    'Every association that matches, without paging, streamed. `downstreamEntityNpn`, `licenseNumber` with `stateCode`, `emailDomain` and `email` exclude each other. `email` and `emailDomain` find the associations at which the organization sees a contact of such an address, whatever its case.',
  query: {
    downstreamEntityNpn: z.optional(npn),
    licenseNumber: z.optional(exact('Number of a licence of the agency; needs `stateCode`.', '1456789', 100)),
    stateCode: z.optional(stateCode),
    emailDomain: z.optional(
      z
        .string()
        .check(
          z.regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/, 'must be a domain, as example.com'),
        )
        .register(z.globalRegistry, {
          description: 'Domain of a contact’s e-mail address.',
          examples: ['example.com'],
        }),
    ),
    email: z.optional(address('E-mail address of a contact.')),
  },
  answer: { status: 200, all: association },
  errors: [],
} as const satisfies Route;

const get = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}',
  access,
  rate: 'none',
  summary: 'Get an agency association',
  description: 'One association with its agency and what the organization holds of it in the registry.',
  answer: { status: 200, one: association },
  errors: [],
} as const satisfies Route;

const associationChange = z
  .strictObject({
    externalId: z.optional(z.nullable(externalId)),
    producerCode: z.optional(z.nullable(producerCode)),
  })
  .check(
    z.refine(
      (change) => change.externalId !== undefined || change.producerCode !== undefined,
      'needs externalId or producerCode',
    ),
  )
  .register(z.globalRegistry, {
    id: 'DownstreamEntityAssociationChange',
    description: 'A text sets a field, null clears it, and a field that is left out stays.',
    examples: [{ externalId: 'AG-0042', producerCode: null }],
  });

const update = {
  ...get,
  method: 'PATCH',
  rate: 'write',
  summary: 'Change the codes of an agency association',
  description:
    'Sets or clears `externalId` and `producerCode`; each is unique among the organization’s associations. Sending the association’s own value again is no conflict.',
  body: associationChange,
  errors: ['duplicate_external_id_error', 'duplicate_producer_code_error', 'transient_transaction_error'],
} as const satisfies Route;

const inviteFields = {
  downstreamEntityName: exact('Legal name of the agency.', 'Lone Star Brokerage', 300),
  firstName: personName,
  lastName: personName,
  email,
  category: z
    .enum(downstreamEntityCategories)
    .register(z.globalRegistry, { description: 'Kind of agency.', examples: ['agency'] }),
  isNpnRequired: z
    .boolean()
    .register(z.globalRegistry, { description: 'Whether the agency must have an NPN.', examples: [true] }),
  downstreamEntityId: z.optional(objectId).register(z.globalRegistry, {
    description: 'An agency that exists; the association is made with it, and it stays as it is.',
  }),
  producerCode: z.optional(producerCode),
  externalId: z.optional(externalId),
  contractContainerTemplateId: z.optional(objectId).register(z.globalRegistry, {
    description: 'An active template of the organization, which the agency is to sign.',
  }),
  producerAgreementId: z.optional(objectId).register(z.globalRegistry, {
    deprecated: true,
    description: 'Former name of `contractContainerTemplateId`.',
  }),
};

const person = {
  firstName: 'Maria',
  lastName: 'Delgado',
  email: 'maria.delgado@example.com',
};

const newInvitation = z.strictObject(inviteFields).register(z.globalRegistry, {
  id: 'DownstreamEntityInvitation',
  description: 'An agency to invite, and the person there who is invited.',
  examples: [
    { downstreamEntityName: 'Lone Star Brokerage', ...person, category: 'agency', isNpnRequired: true },
  ],
});

const newAssociation = z
  .strictObject({
    ...inviteFields,
    downstreamEntityNpn: z.optional(npn).register(z.globalRegistry, {
      description:
        'National Producer Number of the agency; needed where `isNpnRequired` is true and no `downstreamEntityId` is given.',
      examples: ['17654321'],
    }),
    ein: z.optional(
      z
        .string()
        .check(z.regex(/^\d{2}-?\d{7}$/, 'must be nine digits, as 75-1234567'))
        .register(z.globalRegistry, {
          description: 'Employer Identification Number of the agency.',
          examples: ['75-1234567'],
        }),
    ),
    branchName: z.optional(exact('Name of the branch, where the agency has several.', 'Austin')),
    parentDownstreamEntityAssociationId: z.optional(objectId).register(z.globalRegistry, {
      description: 'The organization’s association with the agency that this one belongs to.',
    }),
  })
  .register(z.globalRegistry, {
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
  });

/** What an add asks for; an invitation asks for less. */
export type NewAssociation = z.output<typeof newAssociation>;

const creationErrors = [
  'conflict',
  'duplicate_external_id_error',
  'duplicate_producer_code_error',
  'invite_limit_reached',
  'not_found',
  'transient_transaction_error',
] as const;

const creation =
  'The person named becomes a contact of the association. The same agency again is a `conflict`, or a `transient_transaction_error` where the first request was less than ten seconds ago; at the plan’s ceiling the answer is `invite_limit_reached`.';

const add = {
  method: 'POST',
  path: '/v2/upstream/downstream-entity-associations/add',
  access,
  rate: 'write',
  summary: 'Add an agency',
  description: `Makes an active association with a new agency, or with the one that \`downstreamEntityId\` names. ${creation}`,
  body: newAssociation,
  answer: { status: 201, one: association },
  errors: creationErrors,
} as const satisfies Route;

const invitation = z
  .object({ url: z.url(), downstreamEntityAssociationId: objectId })
  .register(z.globalRegistry, {
    id: 'DownstreamEntityInvitationLink',
    description: 'A link for the person invited. It works once, for seven days.',
    examples: [
      {
        url: 'https://agency.example.com/invitation?token=UjNqk3HkXn4mJ2pVYd0s1Zb8oT5wQeRfGhLcAiKuMxE',
        downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
      },
    ],
  });

const invite = {
  ...add,
  path: '/v2/upstream/downstream-entity-associations/invite',
  summary: 'Invite an agency',
  description: `Makes an association of status \`invited\` with a new agency, or with the one that \`downstreamEntityId\` names, and a link for the person invited. ${creation}`,
  body: newInvitation,
  answer: { status: 201, one: invitation },
} as const satisfies Route;

const synchronization = z
  .object({
    registryDataSubscriptionId: objectId,
    entityInfo: registryDataSubscription.shape.entityInfo,
  })
  .register(z.globalRegistry, {
    id: 'RegistrySynchronization',
    description: 'The compliance data subscription to poll, and how its synchronization goes.',
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
  });

const sync = {
  method: 'POST',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/sync',
  access,
  rate: 'write',
  summary: 'Synchronize an agency with the registry',
  description:
    'Queues a synchronization, which completes in minutes: poll the compliance data subscription until `entityInfo.status` is `success`. One that is queued or in progress already is answered as it is. An agency without an NPN is a `conflict`.',
  answer: { status: 202, one: synchronization },
  errors: ['transient_transaction_error'],
} as const satisfies Route;

const registryFilters = {
  stateCode: z.optional(stateCode),
  status: z.optional(exact('Status, as the registry spells it.', 'active', 100)),
};

const appointments = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/appointments',
  access,
  rate: 'none',
  summary: 'List the appointments of an agency',
  description:
    'What the organization holds of the registry on the agency, without paging. Filters combine; an agency without an NPN has none.',
  query: registryFilters,
  answer: { status: 200, all: appointment },
  errors: [],
} as const satisfies Route;

const licenses = {
  ...appointments,
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/licenses',
  summary: 'List the licenses of an agency',
  answer: { status: 200, all: licence },
} as const satisfies Route;

const regulatoryActions = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/regulatory-actions',
  access,
  rate: 'none',
  summary: 'List the regulatory actions against an agency',
  description: 'What the organization holds of the registry on the agency, without paging.',
  answer: { status: 200, all: regulatoryAction },
  errors: [],
} as const satisfies Route;

const licenseComplianceStatuses = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/license-compliance-statuses',
  access,
  rate: 'none',
  summary: 'Tell whether an agency may sell a product in a state',
  description:
    'One row: the agency’s licences and appointments held against the product’s compliance config. An unknown product is not found.',
  query: { stateCode, productId: objectId },
  answer: { status: 200, all: licenseComplianceStatus },
  errors: [],
} as const satisfies Route;

const policyComplianceStatuses = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/policy-compliance-statuses',
  access,
  rate: 'none',
  summary: 'Tell whether an agency may service its policies',
  description:
    'One row for every policy of the agency, without paging, streamed: those whose newest transaction names the association, and those that name no association and carry the agency’s NPN. A policy’s product is the compliance config of its `productName`, whatever its case; where there is none, a licence alone is asked for.',
  answer: { status: 200, all: policyComplianceStatus },
  errors: [],
} as const satisfies Route;

const signInUrl = z.object({ url: z.url(), expiresAt: timestamp }).register(z.globalRegistry, {
  id: 'SignInUrl',
  description: 'A link that signs a contact in. It works once, for fifteen minutes.',
  examples: [
    {
      url: 'https://agency.example.com/sign-in?token=UjNqk3HkXn4mJ2pVYd0s1Zb8oT5wQeRfGhLcAiKuMxE',
      expiresAt: '2026-03-01T14:20:09.000Z',
    },
  ],
});

const getSignInUrl = {
  method: 'GET',
  path: '/v2/upstream/downstream-entity-associations/{downstreamEntityAssociationId}/sign-in-url',
  access,
  rate: 'none',
  summary: 'Get a sign-in link for a contact of an agency',
  description:
    'A link into the agencies’ application for a contact of the association, good for fifteen minutes and one use. Every call makes another one.',
  query: { email: address('E-mail address of the contact, whatever its case.') },
  answer: { status: 200, one: signInUrl },
  errors: ['contact_not_authorized'],
} as const satisfies Route;

const listTemplates = {
  method: 'GET',
  path: '/v2/upstream/contract-container-templates',
  access,
  rate: 'none',
  summary: 'List contract container templates',
  description:
    'The organization’s active templates, without paging. An `_id` is used as `contractContainerTemplateId` of an invitation.',
  answer: { status: 200, all: contractContainerTemplate },
  errors: [],
} as const satisfies Route;

type PathOfV1<Path extends string> = Path extends `/v2/upstream/${infer Rest}` ? `/v1/${Rest}` : never;

/** The v1 twin of a route, alike but for its path. */
const v1 = <const R extends Route>(route: R): Omit<R, 'path'> & { readonly path: PathOfV1<R['path']> } => ({
  ...route,
  path: route.path.replace('/v2/upstream/', '/v1/') as PathOfV1<R['path']>,
});

/** Specification, "Upstream: associations, appointments, sync", and the agency operations that it names besides. */
export const downstreamEntityAssociationRoutes = routeGroup(
  'downstream-entity-associations',
  'Agencies that the organization works with, and what is known of them.',
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
    listAssociationsV1: v1(list),
    getAssociationV1: v1(get),
    updateAssociationV1: v1(update),
    addAssociationV1: v1(add),
    inviteAssociationV1: v1(invite),
    syncAssociationV1: v1(sync),
    listAssociationAppointmentsV1: v1(appointments),
    listAssociationLicensesV1: v1(licenses),
    listAssociationRegulatoryActionsV1: v1(regulatoryActions),
    listAssociationLicenseComplianceStatusesV1: v1(licenseComplianceStatuses),
    listAssociationPolicyComplianceStatusesV1: v1(policyComplianceStatuses),
    getAssociationSignInUrlV1: v1(getSignInUrl),
    listContractContainerTemplatesV1: v1(listTemplates),
  },
);
