import { as, documented, type FieldDocs } from '#platform/contract/documented.ts';
import { expiringWindowDays } from '../decision/renewal.ts';
import {
  type countsByStatus,
  entityModel,
  licenseCounts,
  registryDataSubscription,
  stateLicenseOverview,
} from './resources.ts';

const entityModelDocs = documented(entityModel, {
  description: 'Whose NPN it is.',
  values: { agent: 'The NPN of a person.', downstreamEntity: 'The NPN of an agency or branch.' },
});

export const registryDataSubscriptionDocs = documented(registryDataSubscription, {
  id: 'RegistryDataSubscription',
  description:
    'The organization’s subscription to the registry records of one NPN, with the state of its synchronization.',
  examples: [
    {
      _id: '65f0c1d2e3a4b5c6d7e8f910',
      dataOwnerId: '65f0c1d2e3a4b5c6d7e8f900',
      dataOwnerModel: 'upstreamEntity',
      entityModel: 'downstreamEntity',
      entityInfo: {
        status: 'success',
        jobId: '3f1c9ad4-6f0e-4a53-9d0b-0f6a2d9a7c11',
        message: null,
        rawEntityInfoId: null,
      },
      npn: '17654321',
      lastSynchronizationDate: '2026-06-01T09:00:00.000Z',
      pdbAlertsSubscriptionStatus: 'active',
      pdbAlertsPausedAt: null,
    },
  ],
  fields: {
    _id: '`registryDataSubscriptionId` elsewhere.',
    dataOwnerModel: {
      description: 'Category of that organization.',
      values: {
        upstreamEntity: 'A carrier, MGA, or wholesaler.',
        downstreamEntity: 'An agency or brokerage.',
      },
    },
    entityModel: as(entityModelDocs, {
      description:
        'Null until an agent or association refers to the NPN; of one that is of both, which of them came first.',
      examples: ['downstreamEntity'],
    }),
    entityInfo: {
      description: 'State of the last synchronization with the registry, to poll after requesting one.',
      fields: {
        status: {
          description: 'Of the last synchronization.',
          values: {
            'not started': 'The registry was never asked.',
            queued: 'A synchronization was requested.',
            'in progress': 'It is reading the registry.',
            success: 'It ended at `lastSynchronizationDate`.',
            failed: '`message` says why.',
          },
        },
        rawEntityInfoId: 'Always null.',
      },
    },
    lastSynchronizationDate: 'Also by the nightly poll; null if never.',
    pdbAlertsSubscriptionStatus: ['`active` from the first synchronization on.', 'active'],
  },
});

const countsByStatusDocs = {
  active: `Licenses in force that end in more than ${expiringWindowDays} days, or never.`,
  expiring: `Licenses in force that end today or within ${expiringWindowDays} days.`,
  expired: 'Licenses whose last day has passed, however the registry reports them.',
  inactive: 'Others: those that the registry does not report as active, or that have not begun.',
} satisfies FieldDocs<typeof countsByStatus>;

export const licenseCountsDocs = documented(licenseCounts, {
  id: 'LicenseCounts',
  description: 'Number of licenses by status across all states; the four add up to the total.',
  examples: [{ total: 9, active: 6, expiring: 1, expired: 1, inactive: 1 }],
  fields: countsByStatusDocs,
});

documented(stateLicenseOverview, {
  id: 'StateLicenseOverview',
  description: 'The licenses of the organization’s entities and producers in one state.',
  examples: [
    {
      stateCode: 'TX',
      status: 'expiring',
      licenses: 4,
      active: 3,
      expiring: 1,
      expired: 0,
      inactive: 0,
      nextRenewalDate: '2027-03-31',
      daysLeft: 41,
      entities: 1,
      producers: 3,
    },
  ],
  fields: {
    status: {
      description: 'The most urgent status of the state’s licenses, from most to least urgent:',
      values: {
        expired: 'The end of a license has passed.',
        expiring: `A license must be renewed today or within ${expiringWindowDays} days.`,
        active: 'All licenses in force are valid for longer.',
        inactive: 'No license is in force, and none has expired.',
      },
      examples: ['expiring'],
    },
    ...countsByStatusDocs,
    nextRenewalDate: 'The earliest end of a license that is not inactive; null if none has one.',
    daysLeft: 'Days until `nextRenewalDate`, in New York; negative once it has passed.',
    entities: 'Those with a current license in the state.',
    producers: 'Those with a current license in the state.',
  },
});
