import { recordTimesDocs } from '#platform/contract/docs.ts';
import { documented } from '#platform/contract/documented.ts';
import { agencyEntity, associationStatus, downstreamEntity, downstreamEntityCategory } from './resource.ts';

export const downstreamEntityCategoryDocs = documented(downstreamEntityCategory, {
  id: 'DownstreamEntityCategory',
  description: 'Kind of agency.',
  values: {
    agency: 'Sells insurance to customers.',
    'agency network': 'Gives a group of agencies common access to carriers.',
    'wholesale brokerage': 'Places business with carriers for other agencies.',
    'third party administrator': 'Administers policies or claims for carriers.',
  },
  examples: ['agency'],
});

export const associationStatusDocs = documented(associationStatus, {
  id: 'AssociationStatus',
  description: 'Whether the carrier and the agency work together.',
  values: {
    invited: 'The agency has not agreed yet, for example by redeeming the invitation or signing a contract.',
    active: 'The carrier and the agency work together.',
    inactive: 'They no longer do; an operator sets this.',
  },
  examples: ['active'],
});

export const downstreamEntityDocs = documented(downstreamEntity, {
  id: 'DownstreamEntity',
  description: 'An agency.',
  fields: {
    _id: 'Id of the agency or branch, `downstreamEntityId` elsewhere.',
    legalName: ['Name under which the agency is registered.', 'Lone Star Brokerage'],
    category: downstreamEntityCategoryDocs,
    npn: ['National Producer Number of the agency; null until it has provided one.', '17654321'],
    ein: [
      'Employer Identification Number, with or without the hyphen. Null if it is not known, and for a carrier while its association is `invited`.',
      '75-7654321',
    ],
    isNpnRequired: 'Whether the agency must have an NPN. An agency without one has no registry records.',
  },
});

documented(agencyEntity, {
  id: 'Entity',
  description: 'An agency or branch of the organization.',
  fields: { ...downstreamEntityDocs.fields, ...recordTimesDocs },
});
