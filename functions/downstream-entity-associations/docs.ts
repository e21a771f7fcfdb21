import { mostBranches } from '#domain/associations/agency-entries.ts';
import { personNamesDocs } from '#domain/contacts/docs.ts';
import { mostScopes, mostScopesOfCarrier } from '#domain/contacts/stored.ts';
import { downstreamEntityCategoryDocs } from '#domain/downstream-entities/docs.ts';
import { comparedIds } from '#domain/identifiers/docs.ts';
import { invitationDays, signInMinutes } from '#domain/one-time-links/store.ts';
import { registryFiltersDocs } from '#domain/registry/docs.ts';
import { registryDataSubscriptionDocs } from '#domain/registry-records/docs.ts';
import {
  asOfDescription,
  asOfQueryDocs,
  followSentence,
  updatedSinceQueryDocs,
} from '#platform/contract/docs.ts';
import { documented, type FieldDocs, type GroupDocs } from '#platform/contract/documented.ts';
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
  signInUrl,
  synchronization,
} from './routes.ts';

const list = {
  summary: 'List agency associations',
  description: `Returns all matching associations, streamed, without paging. Use only one of \`downstreamEntityNpn\`, \`licenseNumber\` with \`stateCode\`, \`emailDomain\`, \`email\`, \`externalId\`, and \`producerCode\`. Those of a deleted agency are hidden, and do not count toward the plan.

${followSentence}`,
  query: {
    downstreamEntityNpn: 'National Producer Number of the agency.',
    licenseNumber: ['Number of a license of the agency; requires `stateCode`.', '1456789'],
    stateCode: 'State that issued that license; requires `licenseNumber`.',
    emailDomain: ['Domain of the address of a contact that the organization can see.', 'example.com'],
    email: ['Address of a contact that the organization can see.', 'maria.delgado@example.com'],
    externalId: [`The organization’s own id for the agency. ${comparedIds}`, 'AG-0042'],
    producerCode: ['The agency’s code at the organization (“Validation”).', 'P-7731'],
    ...updatedSinceQueryDocs,
  },
} as const;

const get = {
  summary: 'Get an agency association',
  description: 'Returns one association with its agency and the organization’s registry subscription for it.',
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

const creation = `With \`downstreamEntityId\`, the existing agency is not changed; a different NPN or EIN returns 400 (an EIN only if the agency has agreed or is not shared). A carrier can have at most ${mostBranches} associations with an agency.

The named person becomes a contact of the association, without roles and not primary. The association is created without the contact if the person already has ${mostScopes} scopes (places where somebody is a contact) or ${mostScopesOfCarrier} that you named at this agency, or is a contact of an agency that has not agreed yet.

${consent}

Two requests are for the same association if they have the same branch and the same \`downstreamEntityId\`, or else the same NPN, or else the same EIN, or else the same email address and name. The second one returns \`transient_transaction_error\` within ten seconds and \`conflict\` later, both with the first one’s \`details.downstreamEntityAssociationId\`, as does an \`externalId\` or \`producerCode\` of another association. The plan’s limit counts agencies with an active or invited association, each once. At the limit, the response is 403 \`invite_limit_reached\`. Beyond the organization’s questions to the registry in a day, the agency is first looked up at night.`;

const add = {
  summary: 'Add an agency',
  description: `Creates an association with a new agency, or with the one in \`downstreamEntityId\`. It is active, or \`invited\` if a shared agency must agree first. If \`isNpnRequired\` is true, either \`downstreamEntityNpn\` or \`downstreamEntityId\` is required; without them, the response is 400.

${creation}`,
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

const appointments = {
  summary: 'List the appointments of an agency',
  description: `Returns the appointments of the agency’s NPN, without paging. ${asOfDescription.list}`,
  query: { ...registryFiltersDocs, ...asOfQueryDocs },
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
        'Sets or clears `externalId` and `producerCode`, each unique among the organization’s associations: that of another one returns 409 with its `details.downstreamEntityAssociationId`.',
    },
    addAssociation: add,
    inviteAssociation: {
      ...add,
      summary: 'Invite an agency',
      description: `As “Add an agency”, but the association is \`invited\`, the agency provides its NPN itself, and the answer has a link for the invited person, \`<application>/invitation?token=…\`. It works once, within ${invitationDays} days. Redeeming it makes the association active; with a shared agency, only somebody of the agency can redeem it, and it confirms the contact only if that is who redeems it.`,
    },
    syncAssociation: {
      summary: 'Synchronize an agency with the registry',
      description: `Queues a synchronization: poll the compliance data subscription until \`entityInfo.status\` is \`success\` or \`failed\`. If one is already queued or in progress, it is returned instead, unless it has been queued for ${queuedMinutes} minutes or in progress for ${inProgressMinutes}: then a new one is queued. For an agency without an NPN, the response is 409 \`conflict\`.

One that was done within ${doneMinutes} minutes is returned, too: its status is \`success\`, and no event follows. A new one counts toward the organization’s questions to the registry in a day (“Rate limits”).

While the registry is unavailable, it is asked every six minutes, five times in total; then the status is \`failed\`, with the reason, as it is where the registry does not recognize the NPN. Licenses and appointments that the registry no longer reports are left out; regulatory actions are kept.`,
    },
    listAssociationAppointments: appointments,
    listAssociationLicenses: {
      ...appointments,
      summary: 'List the licenses of an agency',
      description: `Returns the licenses of the agency’s NPN, without paging. ${asOfDescription.list}`,
    },
    listAssociationRegulatoryActions: {
      summary: 'List the regulatory actions against an agency',
      description: 'Returns the regulatory actions against the agency’s NPN, without paging.',
    },
    listAssociationLicenseComplianceStatuses: {
      summary: 'Check whether an agency may sell a product in a state',
      description: `Returns one row; “How compliance is decided” has the rules. A product that is unknown or has no config returns 404. ${asOfDescription.statuses}`,
      query: { productId: 'Id of a product with a compliance config.', ...asOfQueryDocs },
    },
    listAssociationPolicyComplianceStatuses: {
      summary: 'Check whether an agency may service its policies',
      description: `Returns one row for each policy of the agency, streamed, without paging: those whose newest transaction that names an agency names the association, and those that name no association but have the agency’s NPN. Those in \`manual review\` are left out; \`listPolicyComplianceStatuses\` has them. ${asOfDescription.policies}

The product is the one that matching found or an operator confirmed, else that of the policy’s \`productCode\`, else of its \`productName\`. If several fit, the strictest counts.`,
      query: asOfQueryDocs,
    },
    getAssociationSignInUrl: {
      summary: 'Get a sign-in link for a contact of an agency',
      description: `Returns a new link that signs a contact of the association in to the agencies’ application. It works once, within ${signInMinutes} minutes, and not after its contact is removed.\n\nAn address of no contact of the association returns 403 \`contact_not_authorized\`, and so does, for a shared agency (see “Add an agency”), any address while the association is \`invited\`, and a contact whom only a carrier has added, until the agency, an import, or a redeemed invitation confirms it.`,
      query: { email: ['Email address of the contact; case is ignored.', 'maria.delgado@example.com'] },
    },
    listContractContainerTemplates: {
      summary: 'List contract container templates',
      description: 'Returns the organization’s active templates, without paging.',
    },
  },
} satisfies GroupDocs<typeof downstreamEntityAssociationRoutes.routes>;
