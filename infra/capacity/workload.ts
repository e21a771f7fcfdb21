import { reconciliationHour, sweepHour } from '../../shared/domain/registry-reconciliation/hours.ts';
import type { WorkName } from './measured-costs.ts';

/** What the service is planned for, and everything else that is assumed. Change it here; `npm run capacity` follows. */
export const assumptions = {
  carriers: [1_000, 'carriers (given)'],
  agencies: [50_000, 'agencies (given)'],
  policies: [10_000_000, 'policies (given)'],
  licenses: [5_000_000, 'licenses (given)'],
  eventsPerDay: [50_000_000, 'events a day (given)'],
  eventsOfImports: [
    0.5,
    'share of the events that imports write, each with a producer, and which are published at a limited rate all day; requests and synchronizations write the others, each in the transaction of a change that has its own row',
  ],
  requestHours: [
    5,
    'hours into which a day’s requests and events fall, which makes the peak 4.8 times the average',
  ],
  importHours: [4, 'hours into which a night’s imports fall'],
  nightHours: [
    24 - reconciliationHour + sweepHour,
    'hours from the reconciliation with the registry until the license sweep',
  ],
  sweepHours: [1, 'hours into which the license sweep and what it changes fall'],
  webhooksPerEvent: [1.2, 'webhooks that an event is delivered to'],
  destinations: [200, 'webhooks with a destination in AWS, all of which an instance remembers'],
  attemptsPerDelivery: [1.05, 'attempts of a delivery; a failed one costs what a successful one costs'],
  transactionsPerPolicy: [2, 'transactions of a policy'],
  policyLinesChanged: [0.01, 'share of the policies of which a day’s imports bring a new transaction'],
  policyLinesUnchanged: [0.1, 'share of the policies that are imported again without a change each day'],
  licensesChanged: [0.01, 'share of the licenses that change each day, each with a compliance change'],
  licensesPerNpn: [5, 'licenses of an NPN, so that there are a million NPNs to poll'],
  renewalDays: [730, 'days between renewals of a license, at each of which the sweep reports it twice'],
  authorizerMisses: [
    0.2,
    'share of the requests whose credential the authorizer’s instance does not remember',
  ],
  callMilliseconds: [6, 'milliseconds of an AWS call; a request makes its calls one after the other'],
  ownMilliseconds: [
    8,
    'milliseconds of a request’s own work on Lambda with 1 GB (the local run takes as long, its gateway’s share included)',
  ],
  authorizerMilliseconds: [3, 'milliseconds of the authorizer for a credential that it remembers'],
  recordMilliseconds: [
    0.02,
    'milliseconds for each record of an answer (6 µs in the bench, three times as long in Lambda)',
  ],
  receiverMilliseconds: [300, 'milliseconds until a webhook’s receiver answers'],
  pollsAtOnce: [5, 'polls of the registry that an execution waits for at once'],
  registryMilliseconds: [1_000, 'milliseconds of a poll of the registry'],
  publisherAtOnce: [20, 'calls that the publisher makes at once: a batch has up to 100 events'],
  importsAtOnce: [10, 'calls that an import makes at once'],
  importedLines: [500, 'lines of an invocation of an import'],
  fanoutAtOnce: [10, 'events of a full batch, with whose calls fan-out waits once'],
  attemptsAtOnce: [
    14,
    'attempts under way in an execution while enough is due (20 at most; the bench makes 139 a second to one receiver that takes 100 ms)',
  ],
  logBytes: [1_000, 'bytes of log for an invocation: Lambda’s two lines, and the function’s own'],
  accessLogBytes: [600, 'bytes of the gateway’s access log for a request'],
  logMonths: [12, 'months for which prod keeps logs'],
  receiptYears: [10, 'years for which receipts of sale checks are kept, all of which are over'],
  tracedShare: [0.05, 'share of requests and of work that X-Ray’s default rule records'],
  importsPerSecond: [330, 'records a second of one carrier’s import (10,000 in 30 s in the bench)'],
} as const satisfies Record<string, readonly [value: number, means: string]>;

type Workload = Readonly<Record<keyof typeof assumptions, number>>;

/** The numbers alone. */
export const workload = Object.fromEntries(
  Object.entries(assumptions).map(([name, [value]]) => [name, value]),
) as Workload;

/** How often one caller calls a route in a day, and how long its list is. */
export interface Calls {
  readonly perDay: number;
  /** Records on the list, and of them those in the answer; as measured if undefined. */
  readonly listed?: number;
  readonly answered?: number;
  /** Whether the answer adds the records up, so that its length does not follow theirs. */
  readonly isSum?: true;
}

const whole = (perDay: number, records: number): Calls => ({ perDay, listed: records, answered: records });
const page = (perDay: number, listed: number): Calls => ({ perDay, listed, answered: 25 });

/** Requests of one caller, by operationId. Version 1 of a route costs what version 2 costs. */
export const requests: Readonly<Record<'carriers' | 'agencies', Readonly<Record<string, Calls>>>> = {
  carriers: {
    exchangeToken: { perDay: 30 },
    // A nightly copy of everything, and what a person looks at during the day.
    listPolicies: whole(1, 10_000),
    getPolicy: { perDay: 500 },
    listPolicyTransactions: { perDay: 300 },
    listAssociations: whole(4, 100),
    getAssociation: { perDay: 300 },
    listAssociationLicenses: { perDay: 300 },
    listAgents: whole(2, 2_000),
    getAgent: { perDay: 500 },
    listAgentLicenses: { perDay: 500 },
    listAgentLicenseComplianceStatuses: { perDay: 500 },
    listAssociationLicenseComplianceStatuses: { perDay: 300 },
    listContacts: whole(2, 300),
    listFilings: whole(10, 200),
    listRegistryChanges: whole(24, 10),
    getFiling: { perDay: 200 },
    createFilingEscalationMessage: { perDay: 10 },
    attachFilingFiles: { perDay: 20 },
    createFileDocument: { perDay: 20 },
    getFileDocumentDownloadUrl: { perDay: 40 },
    addAssociation: { perDay: 2 },
    updateAssociation: { perDay: 20 },
    syncAssociation: { perDay: 20 },
    lookUpNpns: { perDay: 200 },
    // A check with a receipt for each policy that is quoted, of which a fifth is bound.
    checkSales: { perDay: 500 },
    getSaleReceipt: { perDay: 10 },
    // Whoever verifies receipts may keep the keys for an hour.
    getReceiptKeys: { perDay: 24 },
    listPolicyComplianceStatuses: whole(1, 10_000),
    getPolicyComplianceSummary: { ...whole(5, 10_000), isSum: true },
    listAppointmentsDue: whole(2, 500),
    listAgentAppointments: { perDay: 500 },
    previewComplianceConfig: whole(0.1, 2_000),
    // Without `since`: a day of a carrier's events, all to one webhook.
    listWebhookDeliveries: page(24, 50_000),
  },
  agencies: {
    exchangeToken: { perDay: 4 },
    listAgencyActionsRequired: page(5, 50),
    listAgencyLicenseOverview: page(5, 100),
    listAgencyLicenses: page(5, 100),
    listAgencyAppointments: page(3, 200),
    listAgencyComplianceConfigs: page(2, 50),
    listAgencyFilings: page(3, 50),
    getAgencyFiling: { perDay: 2 },
    listAgencyContacts: page(1, 20),
    createAgencyFileDocument: { perDay: 0.5 },
    createAgencyLicenseRequest: { perDay: 0.2 },
  },
};

/** Work beside requests. */
export interface Work {
  readonly name: string;
  /** What it costs each time: the work that was measured. */
  readonly cost: WorkName;
  readonly perDay: number;
  /** Hours into which a day's operations fall. */
  readonly hours: number;
  /** How often each function has a part in it, if not once. */
  readonly shares?: Readonly<Record<string, number>>;
  /** The table with which alone it has to do: what else the measured work does is counted elsewhere. */
  readonly table?: string;
  /** The function in whose invocations, and in whose time with the registry, it is done, if not those that were measured. */
  readonly within?: string;
}

const { policies, licenses, eventsPerDay, eventsOfImports, requestHours, importHours, nightHours } = workload;
const { webhooksPerEvent, attemptsPerDelivery } = workload;
const changedLicenses = licenses * workload.licensesChanged;

/** NPNs that the registry is asked about in a night. */
export const npns = licenses / workload.licensesPerNpn;

export const work: readonly Work[] = [
  {
    name: 'record imported with an event (of a producer)',
    cost: 'agentImportedWithEvent',
    perDay: eventsPerDay * eventsOfImports,
    hours: importHours,
  },
  {
    name: 'event written with the change of a request or a synchronization',
    cost: 'synchronization',
    table: 'outbox',
    perDay: eventsPerDay * (1 - eventsOfImports),
    hours: requestHours,
  },
  {
    name: 'event published (if no import wrote it) and delivered',
    cost: 'event',
    perDay: eventsPerDay,
    hours: requestHours,
    shares: {
      'event-publisher': 1 - eventsOfImports,
      'webhook-fanout': webhooksPerEvent,
      'webhook-delivery': webhooksPerEvent * attemptsPerDelivery,
    },
  },
  {
    name: 'event of an import released and published',
    cost: 'eventReleased',
    perDay: eventsPerDay * eventsOfImports,
    hours: 24,
  },
  {
    name: 'policy transaction imported',
    cost: 'policyTransactionImported',
    perDay: policies * workload.policyLinesChanged,
    hours: importHours,
  },
  {
    name: 'policy transaction imported again, unchanged',
    cost: 'policyTransactionImportedUnchanged',
    perDay: policies * workload.policyLinesUnchanged,
    hours: importHours,
  },
  { name: 'license imported', cost: 'licenseImported', perDay: changedLicenses, hours: importHours },
  {
    name: 'compliance change reported',
    cost: 'complianceChange',
    perDay: changedLicenses,
    hours: importHours,
  },
  {
    name: 'synchronization that a carrier asks for',
    cost: 'synchronization',
    perDay: (requests.carriers['syncAssociation']?.perDay ?? 0) * workload.carriers,
    hours: requestHours,
  },
  {
    name: 'license reported by the sweep',
    cost: 'licenseSwept',
    perDay: (licenses * 2) / workload.renewalDays,
    hours: workload.sweepHours,
  },
  { name: 'poll of the registry', cost: 'poll', perDay: npns, hours: nightHours },
  {
    name: 'what a poll of the registry finds',
    cost: 'synchronization',
    perDay: Math.min(npns, changedLicenses),
    hours: nightHours,
    within: 'registry-reconciliation',
  },
];

/** How a function that answers no request spends its time: AWS calls at once, and what it waits for others in each operation. */
export const paces: Readonly<Record<string, { readonly atOnce?: number; readonly waiting?: number }>> = {
  'event-publisher': { atOnce: workload.publisherAtOnce },
  import: { atOnce: workload.importsAtOnce },
  'webhook-fanout': { atOnce: workload.fanoutAtOnce },
  'webhook-delivery': {
    atOnce: workload.attemptsAtOnce,
    waiting: workload.receiverMilliseconds / workload.attemptsAtOnce,
  },
  'registry-reconciliation': { waiting: workload.registryMilliseconds / workload.pollsAtOnce },
  'registry-sync': { waiting: workload.registryMilliseconds / workload.pollsAtOnce },
};
