/** Requests that API Gateway admits to one method of one path: a token bucket of `burst`, refilled at `perSecond`. */
export interface Throttle {
  readonly perSecond: number;
  readonly burst: number;
}

/** Functions whose share of the account's executions is an environment's to set. */
export const reservableFunctions = [
  'authorizer',
  'auth',
  'not-found',
  'policies',
  'downstream-entity-associations',
  'agents',
  'contacts',
  'surplus-lines-filings',
  'compliance',
  'webhooks',
] as const;

export type ReservableFunction = (typeof reservableFunctions)[number];

/** Queues whose workers' number is an environment's to set. */
export type WorkedQueue =
  | 'registry-sync'
  | 'webhook-fanout'
  | 'deliveries-fast'
  | 'deliveries-slow'
  | 'compliance-changes'
  | 'license-sweep'
  | 'registry-reconciliation';

/**
 * How an environment's capacity is divided, so that no tenant, no stranger and no backlog takes what the others need.
 *
 * A function's reserved executions are set aside for it, and are the most that it gets. They come out of what the account
 * has in the region (1,000 unless AWS has granted more), of which 100 must stay unreserved: `npm run deploy` asks.
 */
export interface Capacity {
  readonly reserved: Readonly<Partial<Record<ReservableFunction, number>>>;
  /** Messages or batches that are worked on at the same time. A cap alone: it sets nothing aside. */
  readonly workers: Readonly<Record<WorkedQueue, number>>;
  /** For each method of the API by itself; undefined leaves it to the account's limits. */
  readonly throttles?: {
    readonly routes: Throttle;
    /** The routes that answer without a credential and share a function with the token exchange. */
    readonly publicRoutes: Throttle;
    /** `/`, unknown paths and wrong methods. */
    readonly unknownRoutes: Throttle;
  };
  /** Requests in five minutes after which the firewall answers an address with 429. */
  readonly requestsPerAddress: number;
}

/** As many as keep up in every environment; a queue's backlog takes no more of the account than this. */
const workers: Capacity['workers'] = {
  // The registry is somebody else's: four times five NPNs are asked for at once, and no more.
  'registry-sync': 4,
  // As for the synchronization: each job asks for five NPNs at once.
  'registry-reconciliation': 4,
  'webhook-fanout': 20,
  'deliveries-fast': 50,
  // Slow receivers hold a worker for 15 seconds: they get fewer than the others.
  'deliveries-slow': 20,
  // Changes of a carrier's thousands of agencies come at once, and write to the tables that requests read.
  'compliance-changes': 10,
  'license-sweep': 8,
};

const throttles: Capacity['throttles'] = {
  // A fifth of what an account is given (10,000 a second): one route's flood leaves the others their share. A client that
  // waits for each of twenty answers at a time makes a tenth of it.
  routes: { perSecond: 2_000, burst: 1_000 },
  // A monitor asks the heartbeat some times a minute, a developer for the document some times a day.
  publicRoutes: { perSecond: 100, burst: 100 },
  // A misspelt path is met while a client is written. What comes in floods is a scanner.
  unknownRoutes: { perSecond: 20, burst: 40 },
};

/**
 * A thousand a second from one address for five minutes. A good client's nightly job, twenty requests at a time of a tenth
 * of a second each, makes 60,000; several carriers may share an address behind a NAT.
 */
const requestsPerAddress = 300_000;

/** Sets nothing aside: for an account that has little (a new one has 10 executions) or that nobody's work depends on. */
export const sharedCapacity: Capacity = { reserved: {}, workers, throttles, requestsPerAddress };

/** The local run's: one developer throttles nobody. */
export const localCapacity: Capacity = { reserved: {}, workers, requestsPerAddress };

/** 690 of an account's 1,000 set aside; the 310 left are for the workers (116 at most), the other functions and bursts. */
export const partitionedCapacity: Capacity = {
  reserved: {
    // Every request with a credential waits for it: at some 20 ms each, 200 decide on 10,000 requests a second.
    authorizer: 200,
    // Signing in works while everything else is busy: at some 50 ms each, 60 exchange 1,200 secrets a second.
    auth: 60,
    // What strangers call; it answers in milliseconds and holds up nobody but them.
    'not-found': 10,
    // Lists without pages: a client that reads slowly holds an execution for minutes, and may ask for many.
    policies: 150,
    'downstream-entity-associations': 70,
    agents: 50,
    contacts: 50,
    'surplus-lines-filings': 50,
    compliance: 30,
    webhooks: 20,
  },
  workers,
  throttles,
  requestsPerAddress,
};
