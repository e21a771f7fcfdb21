/** A number that nobody has measured, and why it is what it is. */
interface Assumption {
  readonly value: number;
  readonly means: string;
}

const assumed = (value: number, means: string): Assumption => ({ value, means });

/** What the service is planned for, and everything else that is assumed. Change it here; `npm run capacity` follows. */
export const assumptions = {
  carriers: assumed(1_000, 'carriers (given)'),
  agencies: assumed(50_000, 'agencies (given)'),
  policies: assumed(10_000_000, 'policies (given)'),
  licenses: assumed(5_000_000, 'licenses (given)'),
  eventsPerDay: assumed(
    50_000_000,
    'events a day (given); each is written like that of an imported producer',
  ),
  eventsOfImports: assumed(
    0.5,
    'share of the events that imports write, which are published at a limited rate all day',
  ),
  requestHours: assumed(
    5,
    'hours into which a day’s requests and events fall, which makes the peak 4.8 times the average',
  ),
  importHours: assumed(4, 'hours into which a night’s imports fall'),
  sweepHours: assumed(1, 'hours into which the license sweep and what it changes fall'),
  webhooksPerEvent: assumed(1.2, 'webhooks that an event is delivered to'),
  attemptsPerDelivery: assumed(
    1.05,
    'attempts of a delivery; a failed one costs what a successful one costs',
  ),
  transactionsPerPolicy: assumed(2, 'transactions of a policy'),
  policyLinesChanged: assumed(0.01, 'share of the policies of which a day’s imports bring a new transaction'),
  policyLinesUnchanged: assumed(
    0.1,
    'share of the policies that are imported again without a change each day',
  ),
  licensesChanged: assumed(0.01, 'share of the licenses that change each day, each with a compliance change'),
  licensesPerNpn: assumed(5, 'licenses of an NPN, so that there are a million NPNs to visit'),
  renewalDays: assumed(
    730,
    'days between renewals of a license, at each of which the sweep reports it twice',
  ),
  authorizerMisses: assumed(
    0.2,
    'share of the requests whose credential the authorizer’s instance does not remember',
  ),
  callMilliseconds: assumed(6, 'milliseconds of an AWS call; a request makes its calls one after the other'),
  ownMilliseconds: assumed(
    8,
    'milliseconds of a request’s own work on Lambda with 1 GB (the local run takes as long, its gateway’s share included)',
  ),
  authorizerMilliseconds: assumed(3, 'milliseconds of the authorizer for a credential that it remembers'),
  recordMilliseconds: assumed(
    0.02,
    'milliseconds for each record of an answer (6 µs in the bench, three times as long in Lambda)',
  ),
  receiverMilliseconds: assumed(300, 'milliseconds until a webhook’s receiver answers'),
  visitsAtOnce: assumed(5, 'visits of the registry that an execution waits for at once'),
  registryMilliseconds: assumed(1_000, 'milliseconds of a visit of the registry'),
  publisherAtOnce: assumed(20, 'calls that the publisher makes at once: a batch has up to 100 events'),
  importsAtOnce: assumed(10, 'calls that an import makes at once'),
  fanoutAtOnce: assumed(10, 'events of a full batch, with whose calls fan-out waits once'),
  attemptsAtOnce: assumed(
    14,
    'attempts under way in an execution while enough is due (20 at most; the bench makes 139 a second to one receiver that takes 100 ms)',
  ),
  logBytes: assumed(1_000, 'bytes of log for an invocation: Lambda’s two lines, and the function’s own'),
  refusalBytes: assumed(500, 'bytes of an error with its headers'),
  accessLogBytes: assumed(600, 'bytes of the gateway’s access log for a request'),
  logMonths: assumed(12, 'months for which prod keeps logs'),
  tracedShare: assumed(0.05, 'share of requests and of work that X-Ray’s default rule records'),
  importsPerSecond: assumed(330, 'records a second of one carrier’s import (10,000 in 30 s in the bench)'),
  instanceMinutes: assumed(
    30,
    'minutes for which an execution environment lives; a new one reads the secret',
  ),
} as const satisfies Record<string, Assumption>;

export type Workload = Readonly<Record<keyof typeof assumptions, number>>;

/** The numbers alone. */
export const workload = Object.fromEntries(
  Object.entries(assumptions).map(([name, { value }]) => [name, value]),
) as Workload;

/** How often a route is called, and how long its list is. */
export interface Calls {
  readonly perDay: number;
  /** Records on the list, and of them those in the answer; as measured if undefined. */
  readonly listed?: number;
  readonly answered?: number;
}

const whole = (perDay: number, records: number): Calls => ({ perDay, listed: records, answered: records });
const page = (perDay: number, listed: number): Calls => ({ perDay, listed, answered: 25 });

/** Requests of a carrier in a day, by operationId. Version 1 of a route costs what version 2 costs. */
export const carrierCalls: Readonly<Record<string, Calls>> = {
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
  getFiling: { perDay: 200 },
  replyToEscalation: { perDay: 10 },
  attachFiles: { perDay: 20 },
  createFileDocument: { perDay: 20 },
  getFileDocumentDownloadUrl: { perDay: 40 },
  addAssociation: { perDay: 2 },
  updateAssociation: { perDay: 20 },
  syncAssociation: { perDay: 20 },
  lookUpNpns: { perDay: 200 },
  // A month of a carrier's events, all to one webhook.
  listWebhookDeliveries: page(24, 1_500_000),
};

/** Requests of an agency in a day. */
export const agencyCalls: Readonly<Record<string, Calls>> = {
  exchangeToken: { perDay: 4 },
  listActionsRequired: page(5, 50),
  getLicenseOverview: page(5, 100),
  listAgencyLicenses: page(5, 100),
  listAgencyAppointments: page(3, 200),
  listMarketComplianceConfigs: page(2, 50),
  listAgencyFilings: page(3, 50),
  getAgencyFiling: { perDay: 2 },
  listAgencyContacts: page(1, 20),
  createDocument: { perDay: 0.5 },
  createLicenseRequest: { perDay: 0.2 },
};
