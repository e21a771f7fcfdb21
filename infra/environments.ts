import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { TableName, TableOrIndexName } from '#domain/tables.ts';
import { type Capacity, localCapacity, partitionedCapacity, sharedCapacity } from './capacity.ts';

/**
 * Everything that differs between deployments, and nothing else: rates of requests are part of the API and the same everywhere
 * (`shared/platform/contract/route.ts`).
 */
export interface Environment {
  /** Prefix of every requestId and of every stack's name. */
  readonly name: string;
  /** The AWS account, twelve digits; the CDK rejects credentials of any other. */
  readonly account?: string;
  readonly region?: string;
  /** Retention in days. Only its type is the CDK's, so that the operators' command loads nothing of the CDK. */
  readonly logRetention: RetentionDays;
  /** Email address that wakes the person on call. Without one, alarms of this severity are visible in CloudWatch only. */
  readonly pageAddress?: string;
  /** Email address of what can wait until the morning; usually that of the team's tickets. */
  readonly ticketAddress?: string;
  /** Dollars that the account may cost in a month; beyond 80 % of them, or if they will not do, a ticket is sent. */
  readonly monthlyBudgetInUSD: number;
  /** The domain that callers use; without one they use API Gateway's own address. */
  readonly domain?: Domain;
  /** Address of the API if it is neither a domain nor API Gateway's own: that of the local run. */
  readonly address?: string;
  /** Whether AWS WAF protects the gateway. */
  readonly firewall: boolean;
  readonly capacity: Capacity;
  /**
   * Whether a new version of an API function gets a tenth of its requests for five minutes first, and is rolled back if it
   * fails or is slow (`infra/service/rollback.ts`); otherwise all functions are replaced at once.
   */
  readonly gradualDeployment: boolean;
  /**
   * Names of the KMS keys of sale receipts: the first signs, the others are those that signed once, whose receipts can still be
   * verified (`infra/runbook.md`, "Receipt keys").
   */
  readonly receiptKeys: readonly [string, ...string[]];
  /** Handling of a response that does not match its schema; see `RESPONSE_CHECK` in `shared/function/start.ts`. */
  readonly responseCheck: 'refuse' | 'report';
  /**
   * The licensing registry: the base address of its reports in XML, whose secret is JSON of `customerNumber` and `pin` (`report`);
   * or a simulated one (`simulated`).
   */
  readonly registry: { readonly kind: 'simulated' } | { readonly kind: 'report'; readonly address: string };
  /**
   * Whether organizations with the feature `sandbox` say what the registry reports to them, and run nights, by the routes of
   * `functions/sandbox`, which other environments do not have. For a simulated `registry` alone.
   */
  readonly sandbox: boolean;
  /**
   * Calls of the registry that visits make at most from one license sweep to the next, since a call is paid for
   * (`infra/capacity.md`, "The registry"): those of the night, before it those of new NPNs, and those that are repeated. Without it,
   * every NPN is visited every night. What carriers ask for comes on top.
   */
  readonly mostCallsANight?: number;
  /** NPNs about which an organization may have the registry asked in a day: by adding agencies, synchronizing, and looking up. */
  readonly registryQuestionsADay: number;
  /** Whether operators can run the license sweep and the reconciliation as of a time that is still to come. */
  readonly futureAsOf: 'yes' | 'no';
  /**
   * Whether GuardDuty scans files for malware, and only clean ones are served. It charges for each GB and each file.
   * The bucket refuses to serve files from before it is switched on until an operator has them scanned (`infra/runbook.md`,
   * "Files that are not scanned").
   */
  readonly malwareScan: 'yes' | 'no';
  /** Whether webhooks may use loopback addresses, also over http. */
  readonly loopbackReceivers: 'yes' | 'no';
  /** Address of the agencies' application, where one-time links lead. */
  readonly agencyAppUrl: string;
  /** Address for help: the contact in the OpenAPI document. */
  readonly supportUrl: string;
  /** Whether data and audit logs are retained when their stack is deleted, and the data stack is protected against deletion. */
  readonly keepsData: boolean;
  /**
   * Units a second that tables and indexes serve from the first second, where that is more than AWS gives to new ones
   * (`infra/runbook.md`, "Start rates"). They can be raised and left out, never lowered.
   */
  readonly warmThroughput?: Readonly<Partial<Record<TableOrIndexName, WarmThroughput>>>;
  /** Tables that take the place of those that the data stack created, as `npm run restore` printed them. */
  readonly restoredTables?: RestoredTables;
}

/** Units a second, of one kind or of both. */
export interface WarmThroughput {
  readonly write?: number;
  readonly read?: number;
}

/** Tables by the names of their designs. */
export type RestoredTables = Readonly<Partial<Record<TableName, RestoredTable>>>;

/** A table that was restored under another name. */
export interface RestoredTable {
  readonly tableName: string;
  /** ARN of its stream, where the design has one. */
  readonly streamArn?: string;
}

/** A custom domain for the API, whose alias record the operator creates. */
export interface Domain {
  readonly name: string;
  /** ACM certificate in the environment's account and region. */
  readonly certificateArn: string;
}

/**
 * The only list of environments. Operators have to replace addresses on example hosts (`.example`, `example.com`) and fill
 * in account, region, and the addresses of alarms; until then `npx cdk deploy` refuses (`infra/requirements.ts`).
 */
export const environments = withNames({
  /** Never deployed: the local run executes its templates on this machine. */
  local: {
    monthlyBudgetInUSD: 0,
    logRetention: 1,
    firewall: false,
    capacity: localCapacity,
    // So that functions are called by their aliases, as in production; nothing is rolled out here.
    gradualDeployment: true,
    receiptKeys: ['first'],
    responseCheck: 'refuse',
    malwareScan: 'yes',
    loopbackReceivers: 'yes',
    registry: { kind: 'simulated' },
    sandbox: true,
    registryQuestionsADay: 5_000,
    futureAsOf: 'yes',
    agencyAppUrl: 'http://127.0.0.1:3001',
    supportUrl: 'https://support.example.com',
    keepsData: false,
  },
  dev: {
    // Without traffic but the canary's it costs some $30 a month (infra/capacity.md); a forgotten load test should not run for a week.
    monthlyBudgetInUSD: 100,
    logRetention: 14,
    firewall: false,
    capacity: sharedCapacity,
    gradualDeployment: false,
    receiptKeys: ['first'],
    responseCheck: 'refuse',
    malwareScan: 'no',
    loopbackReceivers: 'no',
    registry: { kind: 'simulated' },
    sandbox: true,
    registryQuestionsADay: 5_000,
    futureAsOf: 'no',
    agencyAppUrl: 'https://agency.dev.example.com',
    supportUrl: 'https://support.example.com',
    keepsData: false,
  },
  sandbox: {
    // Integrators try things out, some thousand requests a day, and sometimes a whole import.
    monthlyBudgetInUSD: 500,
    logRetention: 90,
    firewall: true,
    capacity: partitionedCapacity,
    gradualDeployment: true,
    receiptKeys: ['first'],
    responseCheck: 'report',
    malwareScan: 'yes',
    loopbackReceivers: 'no',
    registry: { kind: 'simulated' },
    sandbox: true,
    registryQuestionsADay: 5_000,
    futureAsOf: 'no',
    agencyAppUrl: 'https://agency.sandbox.example.com',
    supportUrl: 'https://support.example.com',
    keepsData: true,
  },
  prod: {
    // What infra/capacity.md expects of the planned load, and more. Lower it to what the first months cost.
    monthlyBudgetInUSD: 75_000,
    logRetention: 365,
    firewall: true,
    capacity: partitionedCapacity,
    gradualDeployment: true,
    receiptKeys: ['first'],
    responseCheck: 'report',
    malwareScan: 'yes',
    loopbackReceivers: 'no',
    // The registry's operator provides the address.
    registry: { kind: 'report', address: 'https://reports.registry.example/cgi-bin' },
    sandbox: false,
    // Of a million NPNs, 83,000 have a license that ends within 30 days; 36,000 visit the others within 26 days.
    mostCallsANight: 119_000,
    registryQuestionsADay: 5_000,
    futureAsOf: 'no',
    agencyAppUrl: 'https://agency.example.com',
    supportUrl: 'https://support.example.com',
    keepsData: true,
  },
});

export type EnvironmentName = keyof typeof environments;

export type DeployedEnvironmentName = Exclude<EnvironmentName, 'local'>;

/** The environments that can be deployed to AWS. */
export const deployedEnvironments = Object.keys(environments).filter(
  (name): name is DeployedEnvironmentName => name !== 'local',
);

/** Each environment with its name. */
function withNames<Name extends string>(
  environmentsByName: Readonly<Record<Name, Omit<Environment, 'name'>>>,
) {
  const entries = Object.entries<Omit<Environment, 'name'>>(environmentsByName);
  return Object.fromEntries(entries.map(([name, rest]) => [name, { name, ...rest }])) as Record<
    Name,
    Environment & { readonly name: Name }
  >;
}

const service = 'insurance-compliance';

/** The stacks of an environment, in the order in which they are deployed. */
export const stackParts = ['data', 'service', 'watch'] as const;

export type StackPart = (typeof stackParts)[number];

/** Name of a stack: `insurance-compliance-prod-data`. */
export const stackName = (environment: string, stack: StackPart): string =>
  `${service}-${environment}-${stack}`;

/** Name of a function, an alarm, the gateway or the signing secret in AWS: `insurance-compliance-prod-admin`. */
export const resourceName = (environment: string, name: string): string =>
  `${service}-${environment}-${name}`;
