import { mostBranches } from '../../shared/domain/associations/agency-entries.ts';
import { personNamesDocs } from '../../shared/domain/contacts/docs.ts';
import { mostScopes, mostScopesOfCarrier } from '../../shared/domain/contacts/stored.ts';
import { downstreamEntityCategoryDocs } from '../../shared/domain/downstream-entities/docs.ts';
import { comparedIds } from '../../shared/domain/identifiers/docs.ts';
import { invitationDays, signInMinutes } from '../../shared/domain/one-time-links/store.ts';
import { registryDataSubscriptionDocs } from '../../shared/domain/registry-records/docs.ts';
import {
  asOfDescription,
  asOfQueryDocs,
  followed,
  updatedSinceQueryDocs,
} from '../../shared/platform/contract/docs.ts';
import { documented, type FieldDocs, type GroupDocs } from '../../shared/platform/contract/documented.ts';
import {
  associationChange,
  consent,
  doneMinutes,
  type downstreamEntityAssociationRoutes,
  inProgressMinutes,
  invitation,
  type inviteFields,
  newAssociation,
  newInvitation,
  queuedMinutes,
  type registryFilters,
  signInUrl,
  synchronization,
} from './routes.ts';

const listing = {
  summary: 'List agency associations',
  description:
    'Returns all matching associations, streamed, without paging. Use only one of `downstreamEntityNpn`, `licenseNumber` with `stateCode`, `emailDomain`, and `email`. The last two find associations where the organization can see a contact with such an address; case is ignored.\n\nThe associations of a deleted agency are hidden: their codes can be used again, and they no longer count toward the plan.',
  success: 'All matching associations.',
  query: {
    downstreamEntityNpn: 'National Producer Number of the agency.',
    licenseNumber: ['Number of a license of the agency; requires `stateCode`.', '1456789'],
    stateCode: 'State that issued that license; requires `licenseNumber`.',
    emailDomain: ['Domain of a contact’s email address.', 'example.com'],
    email: ['Email address of a contact.', 'maria.delgado@example.com'],
  },
} as const;

const list = {
  ...listing,
  description: `${listing.description}

Instead of one of these, \`externalId\` or \`producerCode\` can be used; each finds at most one association.

${followed} A change of the agency or of its registry subscription, as the association shows them, is a change of the association.`,
  success: 'All matching associations; with `updatedSince`, those that changed or were deleted since.',
  query: {
    ...listing.query,
    externalId: [`The organization’s own id for the agency. ${comparedIds}`, 'AG-0042'],
    producerCode: [
      'The agency’s code at the organization. Case is ignored, and full-width characters and other variants (Unicode’s NFKC) count as the plain ones.',
      'P-7731',
    ],
    ...updatedSinceQueryDocs,
  },
} as const;

const get = {
  summary: 'Get an agency association',
  description: 'Returns one association with its agency and the organization’s registry subscription for it.',
  success: 'The association as it is now.',
};

documented(associationChange, {
  id: 'DownstreamEntityAssociationChange',
  description: 'A string sets a field, null clears it, and an omitted field is not changed.',
  examples: [{ externalId: 'AG-0042', producerCode: null }],
  fields: {
    externalId: 'The organization’s own id for the agency; null clears it.',
    producerCode: 'The agency’s code at the organization; null clears it.',
  },
});

const inviteFieldsDocs = {
  downstreamEntityName: ['Legal name of the agency.', 'Lone Star Brokerage'],
  ...personNamesDocs,
  email: 'Email address of that person, who becomes a contact of the association.',
  category: downstreamEntityCategoryDocs,
  isNpnRequired: ['Whether the agency must have an NPN.', true],
  downstreamEntityId: 'Id of an existing agency to associate with. The agency itself is not changed.',
  producerCode: 'The agency’s code at the organization, unique among its associations.',
  externalId: 'The organization’s own id for the agency, unique among its associations.',
  contractContainerTemplateId: 'Id of an active template of the organization for the agency to sign.',
  producerAgreementId: { deprecated: true, description: 'Previous name of `contractContainerTemplateId`.' },
} satisfies FieldDocs<typeof inviteFields>;

const person = { firstName: 'Maria', lastName: 'Delgado', email: 'maria.delgado@example.com' } as const;

documented(newInvitation, {
  id: 'DownstreamEntityInvitation',
  description: 'An agency to invite, and the person to receive the invitation.',
  examples: [
    { downstreamEntityName: 'Lone Star Brokerage', ...person, category: 'agency', isNpnRequired: true },
  ],
  fields: inviteFieldsDocs,
});

documented(newAssociation, {
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
  fields: {
    ...inviteFieldsDocs,
    downstreamEntityNpn: [
      'National Producer Number of the agency; required when `isNpnRequired` is true and `downstreamEntityId` is not given.',
      '17654321',
    ],
    ein: ['Employer Identification Number of the agency, with or without the hyphen.', '75-7654321'],
    branchName: ['Name of the branch, if the agency has several.', 'Austin'],
    parentDownstreamEntityAssociationId:
      'Id of the organization’s association with the parent of this agency.',
  },
});

const creation = `With \`downstreamEntityId\`, the existing agency is not changed; a different NPN or EIN returns 400 (an EIN only if the agency has agreed or is not shared). Without it, a new agency is created. A carrier can have at most ${mostBranches} associations with an agency; one more returns 409, with \`details.limit\`.

The named person becomes a contact of the association, without roles and not primary. A contact has at most ${mostScopes} scopes, and at most ${mostScopesOfCarrier} at one agency that the same carrier named; beyond that, the association is created without the scope. The same applies if the agency has not agreed and the person is already its contact.

${consent}

Two requests are for the same association if they have the same branch and the same \`downstreamEntityId\`, or else the same NPN, or else the same EIN, or else the same email address and name. The second one returns \`transient_transaction_error\` within ten seconds and \`conflict\` later, both with the first one’s \`details.downstreamEntityAssociationId\`, as does an \`externalId\` or \`producerCode\` of another association. The plan’s limit counts agencies with an active or invited association, each once. At the limit, the response is 403 \`invite_limit_reached\`. Beyond the organization’s questions to the registry in a day, the agency is first looked up at night.`;

const add = {
  summary: 'Add an agency',
  description: `Creates an association with a new agency, or with the one in \`downstreamEntityId\`. It is active, or \`invited\` if a shared agency must agree first. If \`isNpnRequired\` is true, either \`downstreamEntityNpn\` or \`downstreamEntityId\` is required; without them, the response is 400.

${creation}`,
  success: 'The new association: active, or `invited` if the agency must agree first.',
};

documented(invitation, {
  id: 'DownstreamEntityInvitationLink',
  description: `A link for the invited person. It works once, within ${invitationDays} days.`,
  examples: [
    {
      url: 'https://agency.example.com/invitation?token=UjNqk3HkXn4mJ2pVYd0s1Zb8oT5wQeRfGhLcAiKuMxE',
      downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
    },
  ],
  fields: {
    url: 'Link in the agencies’ application, for the invited person; nobody else receives it.',
    downstreamEntityAssociationId: 'Id of the association that was created, which is `invited`.',
  },
});

documented(synchronization, {
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
  fields: {
    registryDataSubscriptionId: 'Id of the compliance data subscription to poll.',
    entityInfo: {
      ...registryDataSubscriptionDocs.fields.entityInfo,
      description: 'State of the synchronization when the request was handled.',
    },
  },
});

export const registryFiltersDocs = {
  stateCode: 'State of the record; only its records are returned.',
  status: ['Exact status, as spelled by the registry.', 'active'],
} satisfies FieldDocs<typeof registryFilters>;

const currentAppointments = {
  summary: 'List the appointments of an agency',
  description:
    'Returns the organization’s registry records for the agency, without paging. Filters can be combined; `status` must match the registry’s spelling exactly. An agency without an NPN has no records.',
  success: 'All matching appointments of the agency.',
  query: registryFiltersDocs,
} as const;

const appointments = {
  ...currentAppointments,
  description: `${currentAppointments.description}\n\n${asOfDescription.list}`,
  success: 'All matching appointments of the agency, as of the day that is asked about.',
  query: { ...registryFiltersDocs, ...asOfQueryDocs },
};

const ofLicenses = {
  summary: 'List the licenses of an agency',
  success: 'All matching licenses of the agency.',
};

const currentLicenseStatuses = {
  summary: 'Check whether an agency may sell a product in a state',
  description:
    'Compares the agency’s licenses and appointments, as of today in New York, with the product’s compliance config, and returns one row; “How compliance is decided” has the rules. For an unknown product, the response is 404.',
  success: 'An array with the one status of the agency for the product and state.',
  query: {
    stateCode: 'State in which the agency is to sell.',
    productId: 'Id of a product with a compliance config.',
  },
};

const currentPolicyStatuses = {
  summary: 'Check whether an agency may service its policies',
  description:
    'Returns one row for each policy of the agency, streamed, without paging: the policies whose newest transaction that names an agency names the association, and those that name no association but have the agency’s NPN. Those whose agency is in `manual review` are left out, because it is not settled whose they are. “How compliance is decided” has the rules, including those about the agents who sold a policy; `listPolicyComplianceStatuses` returns the policies of all agencies, including those in review.\n\nThe product is the one that matching found or an operator confirmed, else the compliance config with the policy’s `productCode`, else with its `productName`; case is ignored. If several fit, the strictest counts. If there is none, nothing can be said of what is required: `product_unknown`.',
  success: 'One status for each policy of the agency.',
};

documented(signInUrl, {
  id: 'SignInUrl',
  description: `A sign-in link for a contact. It works once, within ${signInMinutes} minutes.`,
  examples: [
    {
      url: 'https://agency.example.com/sign-in?token=ZfDB0uOktcbX6PkBZfDB0uOktcbX6PkCAABppC7pUjNqk3HkXn4mJ2pVYd0s1Zb8oT5wQeRfGhLcAiKuMxEnV3qLr8WzYtBdFpHsGaJc',
      expiresAt: '2026-03-01T14:20:09.000Z',
    },
  ],
  fields: {
    url: 'Link in the agencies’ application that signs the contact in.',
    expiresAt: 'When the link expires, if it is not used before then.',
  },
});

export const docs = {
  description: 'Agencies that the organization works with, and their registry records.',
  routes: {
    listAssociations: list,
    getAssociation: get,
    updateAssociation: {
      ...get,
      summary: 'Change the codes of an agency association',
      description:
        'Sets or clears `externalId` and `producerCode`. Each must be unique among the organization’s associations: case is ignored in a `producerCode`, and full-width characters and other variants (Unicode’s NFKC) count as the plain ones. Sending the association’s current value is not a conflict; that of another one returns 409 with its `details.downstreamEntityAssociationId`.',
      success: 'The association with its new codes.',
    },
    addAssociation: add,
    inviteAssociation: {
      ...add,
      summary: 'Invite an agency',
      description: `Creates an association of status \`invited\` with a new agency, or with the one in \`downstreamEntityId\`, and a link for the invited person. The link, \`<application>/invitation?token=…\`, works once, within ${invitationDays} days. Redeeming it makes the association active; with a shared agency, only somebody of the agency can redeem it, and it confirms the contact only if that is who redeems it.

The agency provides its NPN itself.

${creation}`,
      success: 'The association was created; send the link to the invited person.',
    },
    syncAssociation: {
      summary: 'Synchronize an agency with the registry',
      description: `Queues a synchronization, which completes within minutes: poll the compliance data subscription until \`entityInfo.status\` is \`success\`. If one is already queued or in progress, it is returned instead, unless it has been queued for ${queuedMinutes} minutes or in progress for ${inProgressMinutes}: then a new one is queued. For an agency without an NPN, the response is 409 \`conflict\`.

One that was done within ${doneMinutes} minutes is returned, too: its status is \`success\`, and no event follows. A new one counts toward the organization’s questions to the registry in a day (“Rate limits”).

While the registry is unavailable, the synchronization is attempted every six minutes, five times in total; then its status is \`failed\`, with the reason. If the registry does not recognize the NPN, the status is \`failed\` immediately. An older response of the registry never replaces a newer one: where a nightly check was recorded meanwhile, the registry is asked again. Licenses and appointments that the registry no longer reports are deleted; regulatory actions are kept.`,
      success: 'The synchronization is queued, or was already under way.',
    },
    listAssociationAppointments: appointments,
    listAssociationLicenses: {
      ...appointments,
      ...ofLicenses,
      success: 'All matching licenses of the agency, as of the day that is asked about.',
    },
    listAssociationRegulatoryActions: {
      summary: 'List the regulatory actions against an agency',
      description: 'Returns the organization’s registry records for the agency, without paging.',
      success: 'All regulatory actions against the agency.',
    },
    listAssociationLicenseComplianceStatuses: {
      ...currentLicenseStatuses,
      description: `${currentLicenseStatuses.description}\n\n${asOfDescription.statuses}`,
      success:
        'An array with the one status of the agency for the product and state, and what it is based on.',
      query: { ...currentLicenseStatuses.query, ...asOfQueryDocs },
    },
    listAssociationPolicyComplianceStatuses: {
      ...currentPolicyStatuses,
      description: `${currentPolicyStatuses.description}\n\n${asOfDescription.policies}`,
      success: 'One status for each policy of the agency, and that on its effective date.',
      query: asOfQueryDocs,
    },
    getAssociationSignInUrl: {
      summary: 'Get a sign-in link for a contact of an agency',
      description: `Returns a link that signs a contact of the association in to the agencies’ application: \`<application>/sign-in?token=…\`, which works once, within ${signInMinutes} minutes. Each call creates a new link and stores nothing, so calls are not counted against a rate limit. A link stops working when its contact is removed, or could no longer be given one.\n\nIf the address does not belong to a contact of the association, the response is 403 \`contact_not_authorized\`. For a shared agency (see “Add an agency”), the response is the same while the association is \`invited\`, and for a contact that only a carrier added: the agency, an import, or a redeemed invitation must have confirmed it.`,
      success: 'A new sign-in link for the contact.',
      query: { email: ['Email address of the contact; case is ignored.', 'maria.delgado@example.com'] },
    },
    listContractContainerTemplates: {
      summary: 'List contract container templates',
      description:
        'Returns the organization’s active templates, without paging. Use the `_id` as `contractContainerTemplateId` when you add or invite an agency.',
      success: 'All active templates of the organization.',
    },
  },
} satisfies GroupDocs<typeof downstreamEntityAssociationRoutes.routes>;
