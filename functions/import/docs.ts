import { agentAuthorityDocs, agentItemDocs } from '#domain/agents/docs.ts';
import { associationDocs, contractContainerTemplateDocs, marketDocs } from '#domain/associations/docs.ts';
import { carrierDocs } from '#domain/carriers/docs.ts';
import { complianceConfigDocs, ruleDocs } from '#domain/compliance/docs.ts';
import { contactAssociationDocs, contactDocs, personNamesDocs } from '#domain/contacts/docs.ts';
import { downstreamEntityDocs } from '#domain/downstream-entities/docs.ts';
import { filingDocs } from '#domain/filings/docs.ts';
import { corporateRegistrationDocs } from '#domain/licensing/docs.ts';
import { policyDocs, policyTransactionDocs } from '#domain/policies/docs.ts';
import { appointmentDocs, licenseDocs, regulatoryActionDocs } from '#domain/registry/docs.ts';
import type { RecordType } from './record-schemas.ts';

const commonDocs = {
  _id: 'Id of the record. Without one, the id is derived from what identifies the record.',
  createdAt: 'When the record was created; the time of its first import by default.',
  updatedAt: 'When the record was changed; the time of the import by default.',
  isDeleted: 'Whether the record is deleted.',
};

const ownedDocs = {
  ...commonDocs,
  upstreamEntityId: 'Carrier that owns the record; the organizationId of the command by default.',
};

const neverWasDocs = 'Whether the record never was in what was recorded before.';

const holderDocs = {
  npn: 'The holder; may be left out beside a licenseNumber that exactly one holder has in the state.',
  licenseNumber: 'Number of a license of the holder in the state.',
};

const entityDocs = {
  ...downstreamEntityDocs.fields,
  ...commonDocs,
  category: 'If absent, it stays; `agency` for a new agency.',
  npn: 'If absent, it stays; `null` for a new agency.',
  ein: 'If absent, it stays; `null` for a new agency.',
  isNpnRequired: 'If absent, it stays; `true` for a new agency.',
  downstreamOrganizationId:
    'Organization of the agency; null removes the agency from it. If absent, it stays; in an import for an agency’s organization, it is that one.',
};

const filesDocs = 'Must be empty: files are uploaded, not imported.';
const derivedDocs = 'Ignored: the API computes it.';
const orderDocs = 'Position in its list; by default, as in the record.';

/** Words for the fields of a line of each type, where they are not those of the resource. */
export const recordDocs: Readonly<Record<RecordType, Readonly<Record<string, unknown>>>> = {
  carrier: { ...carrierDocs.fields, ...commonDocs },
  'downstream-entity': entityDocs,
  association: {
    ...associationDocs.fields,
    ...ownedDocs,
    downstreamEntityId: 'The agency; this or downstreamEntity is required.',
    downstreamEntity: {
      description: 'The agency, which is imported with the association.',
      fields: entityDocs,
    },
    externalId: 'Unique id of the relationship in the carrier’s own system.',
    producerCode: 'Unique code that the carrier gives the agency.',
    parentDownstreamEntityAssociationId: 'For a branch, the association of its agency.',
  },
  'contract-container-template': { ...contractContainerTemplateDocs.fields, ...ownedDocs },
  agent: {
    ...agentItemDocs.fields,
    ...ownedDocs,
    firstName: 'First name of the agent.',
    middleName: 'Middle name of the agent, if one is known.',
    lastName: 'Last name of the agent.',
    email:
      'Primary email address, by which the agent is found. One that is not valid is left out, and `notes` says so.',
    labeledEmails: {
      description:
        'Further email addresses, by which the agent is also found; those that are not valid are left out.',
      fields: { label: 'What the address is for.' },
    },
    externalId: 'Your own id for the agent.',
    authority: { description: 'Products that the agent may sell, or asked to.', fields: agentAuthorityDocs },
    downstreamEntityAssociationIds: 'Associations that the agent works under.',
    downstreamEntityIds: 'Entities of an agency’s organization that the agent works for.',
    isUploadedByUpstreamEntity:
      'Whether the record came from a carrier; by default, whether a carrier owns it.',
  },
  license: { ...licenseDocs.fields, ...ownedDocs, npn: holderDocs.npn, isDeleted: neverWasDocs },
  appointment: { ...appointmentDocs.fields, ...ownedDocs, ...holderDocs, isDeleted: neverWasDocs },
  'regulatory-action': {
    ...regulatoryActionDocs.fields,
    ...ownedDocs,
    ...holderDocs,
    _id: 'Not kept: the NPN, the state, and the number of the action identify it.',
    isDeleted: neverWasDocs,
  },
  'compliance-config': {
    ...complianceConfigDocs.fields,
    states: { description: 'Each state once.', fields: ruleDocs },
    otherStates: { description: 'Requirements in the states that `states` does not list.', fields: ruleDocs },
    productId:
      'Id of the product; by default that of the organization’s product with this code, else with this name.',
    ...ownedDocs,
  },
  'class-kind': {
    ...ownedDocs,
    _id: 'Not kept: the state, the code, and the name identify what is said.',
    createdAt: 'Not kept.',
    updatedAt: 'Not kept.',
    isDeleted: 'Whether what was said of the class is taken back.',
    upstreamEntityId:
      'Carrier for which it counts; the organizationId of the command by default. Without either, it counts for every carrier that says nothing else of the class.',
    stateCode: 'State that issues licenses of the class.',
    classCode: 'Code of the class, as the registry reports it; null, the default, for any.',
    className:
      'Name of the class, likewise. With neither code nor name, the line is about licenses without a class.',
    kind: {
      description: 'What the license allows.',
      values: {
        producer: 'To sell insurance.',
        'surplus lines': 'To place surplus lines insurance.',
        adjuster: 'To adjust claims.',
        consultant: 'To advise on insurance for a fee.',
        other: 'Something else.',
        unrecognized: 'It is not known.',
      },
    },
  },
  policy: {
    ...policyDocs.fields,
    ...ownedDocs,
    type: 'What the transactions of a policy do not say. Its agency and agents are matched by its lines of the type `policy-transaction`: a policy without one stays unmatched, whatever it says of its agency.',
  },
  'policy-transaction': { ...policyTransactionDocs.fields, ...ownedDocs },
  filing: {
    ...filingDocs.fields,
    ...ownedDocs,
    downstreamEntityId: 'The agency.',
    externalReference: 'The carrier’s own reference; it identifies a filing without an id.',
    checklist: {
      fields: {
        order: orderDocs,
        isInternal: 'Whether customers never see the category.',
        items: {
          fields: {
            order: orderDocs,
            attachments: filesDocs,
            escalation: {
              fields: { checklistItemLabel: derivedDocs, messages: { fields: { attachments: filesDocs } } },
            },
          },
        },
      },
    },
    completionArtifacts: filesDocs,
    actionRequired: derivedDocs,
    checklistProgress: derivedDocs,
    escalations: derivedDocs,
  },
  market: { ...marketDocs.fields, ...commonDocs, downstreamEntityId: 'An agency of the organization.' },
  'corporate-registration': { ...corporateRegistrationDocs.fields, ...commonDocs },
  contact: {
    ...contactDocs.fields,
    ...personNamesDocs,
    ...commonDocs,
    isDeliverable: 'Whether the email address is known to be deliverable.',
    associations: {
      fields: {
        ...contactAssociationDocs,
        downstreamEntityId: 'The agency.',
        isPrimary: 'Whether it is the primary contact of the association.',
      },
    },
  },
};
