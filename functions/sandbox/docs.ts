import { expiringWindowDays } from '#domain/decision/renewal.ts';
import {
  amendableFieldsDocs,
  appointmentRowDocs,
  licenseRowDocs,
  lineOfAuthorityDocs,
  linesOfAuthorityWords,
} from '#domain/registry/docs.ts';
import { exampleLicense, exampleRegulatoryAction } from '#domain/registry/resources.ts';
import { simulatedRecordDays } from '#domain/registry/simulated-record.ts';
import { nightlyRunMinutes } from '#domain/sandbox/nightly-runs.ts';
import { as, documented, type GroupDocs } from '#platform/contract/documented.ts';
import {
  appointment,
  entity,
  license,
  mostRecords,
  newRegistryRecord,
  nightlyRun,
  ownRegistryRecord,
  regulatoryAction,
  type sandboxRoutes,
  startedRun,
} from './routes.ts';

const entityDocs = documented(entity, {
  id: 'RegistryEntity',
  description: 'Who holds an NPN.',
  examples: [{ kind: 'individual', name: 'Maria Delgado' }],
  fields: {
    kind: {
      description: 'What the holder is.',
      values: { firm: 'An agency or another business.', individual: 'A person.' },
    },
    name: ['Name as spelled by the registry.', 'Maria Delgado'],
  },
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

const ownLicenseDocs = documented(license, {
  id: 'SandboxLicense',
  description:
    'A license as the simulated registry is to report it; by default active, and of the home state.',
  examples: [licenseExample],
  fields: {
    ...licenseRowDocs,
    linesOfAuthority: { description: linesOfAuthorityWords, fields: lineOfAuthorityDocs },
  },
});

const ownAppointmentDocs = documented(appointment, {
  id: 'SandboxAppointment',
  description: 'An appointment as the simulated registry is to report it; by default active.',
  examples: [appointmentExample],
  fields: appointmentRowDocs,
});

const ownActionDocs = documented(regulatoryAction, {
  id: 'SandboxRegulatoryAction',
  description: 'A regulatory action as the simulated registry is to report it.',
  examples: [actionExample],
  fields: amendableFieldsDocs,
});

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

documented(startedRun, {
  id: 'StartedNightlyRun',
  description: 'A nightly run that was asked for.',
  fields: { runId: 'Id of the run, for `getSandboxNightlyRun`.' },
});

documented(nightlyRun, {
  id: 'NightlyRun',
  description: 'How far a nightly run is.',
  fields: {
    status: {
      description: 'Whether all of it is done.',
      values: {
        running: 'It is under way.',
        'broken off': `It did not end within ${nightlyRunMinutes} minutes; \`createSandboxNightlyRun\` goes on with it.`,
        done: 'All of it is done.',
      },
    },
    events: ['The number of events that it has emitted.', 3],
  },
});

export const docs = {
  description:
    'Records of the simulated registry, and nights that are run now; other environments do not have these paths.',
  routes: {
    getSandboxRegistryRecord: {
      summary: 'Get a record of the simulated registry',
      description: 'Returns what the organization put for an NPN; 404 if it put nothing.',
    },
    replaceSandboxRegistryRecord: {
      summary: 'Put a record into the simulated registry',
      description: `Has the simulated registry report a record for an NPN, to this organization alone. It replaces an earlier one as a whole. The next synchronization, lookup, or night reads it.\n\nA record is kept for ${simulatedRecordDays} days. An organization has at most ${mostRecords.toLocaleString('en')} at a time; one more is 409 with \`details.limit\`.`,
    },
    deleteSandboxRegistryRecord: {
      summary: 'Take back a record of the simulated registry',
      description:
        'Has the simulated registry report again what it makes up for an NPN. The next synchronization, lookup, or night reads it. 404 if the organization put nothing.',
    },
    createSandboxNightlyRun: {
      summary: 'Run a night',
      description: `Does now, for this organization alone, what the service does every night: it visits the registry for all its NPNs, and sends events of regulatory actions, licenses, and compliance at once.\n\nA license that a record states to end in ${expiringWindowDays} days, or to have ended yesterday, gets its event now, once for each license and boundary. Poll \`getSandboxNightlyRun\` until it is \`done\`. While one runs, another request returns 409 with its \`runId\` in \`details\`; one that was broken off goes on under the same \`runId\`.`,
    },
    getSandboxNightlyRun: {
      summary: 'Get a nightly run',
      description: `Returns how far a run is, for ${simulatedRecordDays} days; 404 for one that the organization does not have.`,
    },
  },
} satisfies GroupDocs<typeof sandboxRoutes.routes>;
