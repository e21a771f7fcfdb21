import {
  amendableFieldsDocs,
  appointmentRowDocs,
  licenseRowDocs,
  lineOfAuthorityDocs,
  linesOfAuthorityWords,
  regulatoryActionDocs,
} from '../../shared/domain/registry/docs.ts';
import { pollEveryDays } from '../../shared/domain/registry/registry.ts';
import { exampleLicense, exampleRegulatoryAction } from '../../shared/domain/registry/resources.ts';
import { as, documented, type GroupDocs } from '../../shared/platform/contract/documented.ts';
import {
  appointment,
  clockAdvance,
  entity,
  license,
  mostDaysAhead,
  newRegistryRecord,
  ownRegistryRecord,
  regulatoryAction,
  sandboxClock,
  type sandboxRoutes,
} from './routes.ts';

const entityDocs = documented(entity, {
  id: 'RegistryEntity',
  description: 'Who holds an NPN.',
  examples: [{ kind: 'individual', name: 'Maria Delgado', residentStateCode: 'TX' }],
  fields: {
    kind: {
      description: 'What the holder is.',
      values: { firm: 'An agency or another business.', individual: 'A person.' },
    },
    name: ['Name as spelled by the registry.', 'Maria Delgado'],
    residentStateCode: 'Home state; null if it is not reported.',
  },
});

const ownLicenseDocs = documented(license, {
  id: 'SandboxLicense',
  description:
    'A license as the simulated registry is to report it; by default active, and of the home state.',
  fields: {
    ...licenseRowDocs,
    linesOfAuthority: { description: linesOfAuthorityWords, fields: lineOfAuthorityDocs },
  },
});

const ownAppointmentDocs = documented(appointment, {
  id: 'SandboxAppointment',
  description: 'An appointment as the simulated registry is to report it; by default active.',
  fields: appointmentRowDocs,
});

const { stateCode, actionId } = regulatoryActionDocs.fields;

const ownActionDocs = documented(regulatoryAction, {
  id: 'SandboxRegulatoryAction',
  description: 'A regulatory action as the simulated registry is to report it.',
  fields: { stateCode, actionId, ...amendableFieldsDocs },
});

const {
  registryDataSubscriptionId: _ofExample,
  npn: _ofHolder,
  updatedAt: _ofUpdate,
  ...licenseExample
} = exampleLicense;

const appointmentExample = {
  stateCode: 'TX',
  carrierName: 'Example Casualty Company',
  ein: null,
  companyCode: '19437',
  lineOfAuthorityName: 'Property',
  lineOfAuthorityCode: '16',
  status: 'active',
  terminationReason: null,
  statusChangeDate: '2024-02-01',
  renewalDate: '2027-03-31',
  appointerStateCoId: null,
  countyName: null,
  effectiveDate: '2024-02-01',
  countyCode: null,
} as const;

const {
  _id: _action,
  registryDataSubscriptionId: _subscribed,
  npn: _against,
  createdAt: _created,
  updatedAt: _amended,
  ...actionExample
} = exampleRegulatoryAction;

documented(newRegistryRecord, {
  id: 'NewSandboxRegistryRecord',
  description:
    'What the simulated registry is to report for an NPN. A list that is given is complete; what is left out is as the simulated registry makes it up.',
  minProperties: 1,
  examples: [
    { licenses: [licenseExample], appointments: [appointmentExample], regulatoryActions: [actionExample] },
  ],
  fields: {
    entity: as(entityDocs, 'Who holds the NPN.'),
    licenses: as(ownLicenseDocs, 'All licenses of the holder, in all states.'),
    appointments: as(ownAppointmentDocs, 'All appointments of the holder, in all states.'),
    regulatoryActions: as(ownActionDocs, 'All regulatory actions against the holder.'),
    isNotFound: ['Whether the registry does not recognize the NPN; then nothing else is given.', true],
  },
});

documented(ownRegistryRecord, {
  id: 'SandboxRegistryRecord',
  description: 'What the organization put over the simulated registry for an NPN.',
  fields: {
    npn: 'NPN that the record is about.',
    entity: as(entityDocs, 'Who holds the NPN; null where it was left out.'),
    licenses: as(ownLicenseDocs, 'All licenses of the holder; null where they were left out.'),
    appointments: as(ownAppointmentDocs, 'All appointments of the holder; null where they were left out.'),
    regulatoryActions: as(ownActionDocs, 'All actions against the holder; null where they were left out.'),
    isNotFound: 'Whether the registry does not recognize the NPN.',
  },
});

documented(sandboxClock, {
  id: 'SandboxClock',
  description: 'The clock of the organization.',
  fields: {
    now: 'The time of the clock. Without an advance, it is the real one.',
    status: {
      description: 'Whether the clock goes forward.',
      values: {
        ready: 'All nights up to `now` were run.',
        advancing: 'The nights up to the requested time are being run, or a reset is done.',
      },
    },
  },
});

documented(clockAdvance, {
  id: 'SandboxClockAdvance',
  description: 'Where the clock goes to.',
  examples: [{ to: '2027-03-01T12:00:00.000Z' }],
  fields: {
    to: [
      `A time after that of the clock, and at most ${mostDaysAhead} days after the real one.`,
      '2027-03-01T12:00:00.000Z',
    ],
  },
});

export const docs = {
  description:
    'Rehearsals, in the sandbox alone: other environments answer these routes with 404, as paths that do not exist.',
  routes: {
    getSandboxRegistryRecord: {
      summary: 'Get a record of the simulated registry',
      description: 'Returns what the organization put for an NPN; 404 if it put nothing.',
      success: 'The record as it was put.',
    },
    replaceSandboxRegistryRecord: {
      summary: 'Put a record into the simulated registry',
      description:
        'Has the simulated registry report a record for an NPN, to this organization alone. It replaces an earlier one as a whole. The next synchronization, lookup, or nightly poll of the NPN reads it.',
      success: 'The record that the registry reports from now on.',
    },
    getSandboxClock: {
      summary: 'Get the clock of the sandbox',
      description:
        'Returns the time by which everything is answered and recorded for the organization: what is today, what is valid, and when something was recorded, changed, or happened. It runs on like the real one, from wherever it was advanced to.',
      success: 'The time, and whether its nights are run.',
    },
    advanceSandboxClock: {
      summary: 'Advance the clock of the sandbox',
      description: `Has the clock of the organization go forward. Within a minute the service begins to run its nights one after the other, each at its own time: what changed in the registry is read, on the first and the last night, every ${pollEveryDays} days, and in the night after a record was put; expiring and expired licenses are reported, and so are changes to compliance. Poll \`getSandboxClock\` until it is \`ready\`.\n\nWebhook deliveries, signatures, tokens, links, and limits go by the real time, and nobody else’s clock changes. Until it is ready, another request returns 409.`,
      success: 'The clock goes forward.',
    },
    resetSandbox: {
      summary: 'Reset the sandbox',
      description:
        'Sets the clock of the organization back to the real time, at any time, also while it advances, and takes back what the organization put over the simulated registry. Within a minute, or once the night that is being run is over, the service begins to take back whatever of the organization is dated after the real time: what the registry and imports said, versions of compliance configs, events of the feed, and receipts. Then it visits its NPNs again.\n\nPoll `getSandboxClock` until it is `ready`. Events that are taken back keep their positions, which `listEvents` passes over, so go on from where you were. Webhooks that received them are sent nothing, and their deliveries stay in the log. Producers, agencies, filings, documents, and contacts stay as they are; policies and their sales, too, since none can be imported while the clock is ahead. What `x-updated-until` said before the reset lies ahead: follow lists anew. A request that is under way may still be dated ahead: call this again, which is always safe.',
      success: 'The clock is the real one.',
    },
    deleteSandboxRegistryRecord: {
      summary: 'Take back a record of the simulated registry',
      description:
        'Has the simulated registry report again what it makes up for an NPN. The next synchronization, lookup, or nightly poll reads it. 404 if the organization put nothing.',
      success: 'The record that was taken back.',
    },
  },
} satisfies GroupDocs<typeof sandboxRoutes.routes>;
