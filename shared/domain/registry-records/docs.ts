import { as, documented, type FieldDocs } from '../../platform/contract/documented.ts';
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
    _id: 'Id of the subscription, `registryDataSubscriptionId` elsewhere.',
    dataOwnerId: 'Id of the organization that the subscription belongs to.',
    dataOwnerModel: {
      description: 'Category of that organization.',
      values: {
        upstreamEntity: 'A carrier, MGA, or wholesaler.',
        downstreamEntity: 'An agency or brokerage.',
      },
    },
    entityModel: as(entityModelDocs, {
      description:
        'Whether the NPN belongs to an agent or an agency; null until an agent or association of the organization refers to it. Of an NPN that belongs to both, which of them came first.',
      examples: ['downstreamEntity'],
    }),
    entityInfo: {
      description: 'State of the last synchronization with the registry, to poll after requesting one.',
      fields: {
        status: {
          description: 'State of the last synchronization.',
          values: {
            'not started': 'The registry was never asked about the NPN.',
            queued: 'A synchronization was requested and waits for its slot.',
            'in progress': 'A synchronization is reading the registry.',
            success: 'The registry was last read at `lastSynchronizationDate`.',
            failed: 'The last synchronization failed; `message` says why.',
          },
        },
        jobId: [
          'The last requested synchronization; null if none was requested.',
          '3f1c9ad4-6f0e-4a53-9d0b-0f6a2d9a7c11',
        ],
        message: [
          'Why the last synchronization failed; null unless it did.',
          'The registry does not recognize this NPN.',
        ],
        rawEntityInfoId: 'Reserved for the registry’s original record; always null.',
      },
    },
    npn: 'NPN whose registry records the subscription is for.',
    lastSynchronizationDate:
      'When the records were last brought up to date, on request or in the nightly poll; null if never.',
    pdbAlertsSubscriptionStatus: [
      'Whether the registry reports changes of this NPN: `active` from the first synchronization on, null before.',
      'active',
    ],
    pdbAlertsPausedAt: 'When the registry’s alerts were paused; null while they are not.',
  },
});

const countsByStatusDocs = {
  active: [`Licenses in force that end in more than ${expiringWindowDays} days, or never.`, 3],
  expiring: [`Licenses in force that end today or within ${expiringWindowDays} days.`, 1],
  expired: ['Licenses whose last day has passed, however the registry reports them.', 0],
  inactive: ['Other licenses: those that the registry does not report as active, or that have not begun.', 0],
} satisfies FieldDocs<typeof countsByStatus>;

export const licenseCountsDocs = documented(licenseCounts, {
  id: 'LicenseCounts',
  description: 'Number of licenses by status across all states; the four add up to the total.',
  examples: [{ total: 9, active: 6, expiring: 1, expired: 1, inactive: 1 }],
  fields: { total: ['Number of licenses in all states, whatever their status.', 4], ...countsByStatusDocs },
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
    stateCode: 'State that issued the licenses.',
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
    licenses: ['Number of licenses in the state, whatever their status.', 4],
    ...countsByStatusDocs,
    nextRenewalDate: [
      'The earliest end of a license that is not inactive; null if none has one.',
      '2027-03-31',
    ],
    daysLeft: [
      'Days until `nextRenewalDate`, in New York; negative once it has passed, null if there is none.',
      41,
    ],
    entities: ['Number of the organization’s entities with a current license in the state.', 1],
    producers: ['Number of the organization’s producers with a current license in the state.', 3],
  },
});
