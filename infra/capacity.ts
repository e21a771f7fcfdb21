import type { WorkedQueue } from '#function/uses.ts';
import { accountConcurrency } from '#platform/aws/limits.ts';

/** API Gateway's throttle for one method of one path: a token bucket of size `burst`, refilled at `perSecond`. */
export interface Throttle {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * Division of an environment's capacity, so that no organization, unauthenticated caller, or backlog can starve the
 * others.
 *
 * Reserved concurrency is guaranteed to a function and is also its maximum. It is taken from the account's concurrency in
 * the region (1,000 unless AWS has granted more), of which 100 must stay unreserved. The synthesis fails otherwise.
 */
export interface Capacity {
  /** Concurrent executions of the account in the region; raise it when AWS has granted more. */
  readonly account: number;
  /** Reserved executions by function. */
  readonly reserved: Readonly<Record<string, number>>;
  /** Maximum number of batches that are processed at the same time. It reserves nothing. */
  readonly workers: Readonly<Record<WorkedQueue, number>>;
  /** Throttles for each method of the API; if undefined, only the account's limits apply. */
  readonly throttles?: {
    /** Routes with a credential, and the token exchange; also `/`, and wrong methods of known paths. */
    readonly routes: Throttle;
    /** Routes without a credential that share a function with the token exchange. */
    readonly publicRoutes: Throttle;
    /** Unknown paths, as if they were one. */
    readonly unknownRoutes: Throttle;
  };
  /** Requests in five minutes after which the firewall responds to an address with 429. */
  readonly requestsPerAddress: number;
}

/** Enough to keep up in every environment, and the most that a backlog takes of the account's concurrency. */
const workers: Capacity['workers'] = {
  // Limits the load on the registry: each of four workers queries five NPNs at once.
  'registry-sync': 4,
  // The environment's polls a second limit the load on the registry; these keep up with them where a poll takes seconds.
  'registry-reconciliation': 8,
  'webhook-fanout': 20,
  // Few, so that an import takes little of what other events use: each carries some two hundred events a second.
  'webhook-fanout-imports': 8,
  // Each drains one webhook with up to 20 attempts at once, 50 where much is due.
  'deliveries-healthy': 50,
  // Each drains ten webhooks, of which none gets more than half of its time: 200 time out at once, twice a minute.
  'deliveries-failing': 20,
  // Changes to a carrier's thousands of agencies arrive at once and write to tables that requests read.
  'compliance-changes': 10,
  'compliance-changes-imports': 4,
  'license-sweep': 8,
  // Each works on one organization, for minutes where that has thousands of NPNs.
  'sandbox-nightly-run': 4,
  // An operator moves agencies a few at a time.
  'agency-moves': 2,
};

const throttles: Capacity['throttles'] = {
  // A fifth of the account's quota (10,000 per second), so that a flood on one route does not exhaust it. A client with
  // twenty requests in flight makes about a tenth of it.
  routes: { perSecond: 2_000, burst: 1_000 },
  // Monitors call the heartbeat a few times a minute; developers download the document a few times a day.
  publicRoutes: { perSecond: 100, burst: 100 },
  // A developer mistypes a path now and then; large numbers of unknown paths come from scanners.
  unknownRoutes: { perSecond: 20, burst: 40 },
};

/**
 * 1,000 per second from one address for five minutes. A nightly job with twenty requests in flight, each taking 0.1
 * seconds, makes 60,000 in that time, and several carriers may share an address behind a NAT.
 */
const requestsPerAddress = 300_000;

/** Capacity of the local run, which does not throttle and reserves nothing. */
export const localCapacity: Capacity = {
  account: accountConcurrency,
  reserved: {},
  workers,
  requestsPerAddress,
};

/** Reserves nothing: for development, and for accounts with little concurrency (a new one has 10). */
export const sharedCapacity: Capacity = { ...localCapacity, throttles };

/** Reserves 760 of 1,000. The other 240 are for workers (at most 138), the other functions, and bursts. */
export const partitionedCapacity: Capacity = {
  ...sharedCapacity,
  reserved: {
    // Every request with a credential passes it: at about 20 ms each, 180 handle 9,000 requests per second.
    authorizer: 180,
    // Token exchange must work while everything else is busy: at about 50 ms each, 60 handle 1,200 per second.
    auth: 60,
    // Called without a credential. It responds within milliseconds, and a flood delays only its own callers.
    'not-found': 10,
    // Streamed lists: a slow client occupies an execution for minutes, and may request many.
    policies: 150,
    'downstream-entity-associations': 70,
    agents: 50,
    contacts: 50,
    'surplus-lines-filings': 50,
    compliance: 30,
    webhooks: 20,
    // Uploads as forms, whose bodies callers choose: at about half a second each, 30 handle 60 per second, and hold no more.
    'file-documents': 30,
    // Checks at quote time, which no list may keep waiting: at about 100 ms each, 50 handle 500 per second.
    'sale-checks': 50,
    // Agencies' contacts must be able to sign in while everything else is busy: at about 50 ms each, 10 handle 200 per second.
    'link-redemption': 10,
  },
};
