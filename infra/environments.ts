import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type Capacity, localCapacity, partitionedCapacity, sharedCapacity } from './capacity.ts';

/** All that differs between deployments, and nothing else. */
export interface Environment {
  /** Prefix of every requestId and of every stack's name. */
  readonly name: string;
  /** The AWS account, twelve digits; the CDK deploys with credentials of no other. */
  readonly account?: string;
  readonly region?: string;
  readonly logRetention: RetentionDays;
  /** Who is told of an alarm, by email. Without one an alarm shows in CloudWatch only. */
  readonly alarmAddress?: string;
  /** The address callers use; without one they use API Gateway's own. */
  readonly domain?: Domain;
  /** Whether AWS WAF stands before the gateway. */
  readonly firewall: boolean;
  readonly capacity: Capacity;
  /** What happens to an answer that breaks its own schema; see `apiEnvironment`. */
  readonly responseCheck: 'refuse' | 'report';
  /** The licensing registry: its base address over HTTP, or the simulator. */
  readonly registry: 'simulator' | { readonly address: string };
  /** Whether webhooks may point to the machine itself, over http too. */
  readonly loopbackReceivers: 'yes' | 'no';
  /** Where agencies' people sign in; one-time links lead there. */
  readonly agencyAppUrl: string;
  /** Whether data and audit logs outlive their stack, and the data stack refuses to be deleted. */
  readonly keepsData: boolean;
}

/** A name of the operator's own for the API. */
export interface Domain {
  readonly name: string;
  /** Of ACM, in the environment's own account and region. */
  readonly certificateArn: string;
  /** The zone of Route 53 that gets the record; without one the operator makes it where the zone is. */
  readonly hostedZone?: { readonly id: string; readonly name: string };
}

/**
 * Every environment there is; nothing else lists them. What stands on an example host (`.example`, `example.com`) and what
 * is left out of account, region and addresses is for the operator to fill in: `npm run deploy` refuses without.
 */
export const environments = named({
  /** Never deployed: the local run executes its templates on this machine. */
  local: {
    logRetention: RetentionDays.ONE_DAY,
    firewall: false,
    capacity: localCapacity,
    responseCheck: 'refuse',
    loopbackReceivers: 'yes',
    registry: 'simulator',
    agencyAppUrl: 'http://127.0.0.1:3001',
    keepsData: false,
  },
  dev: {
    logRetention: RetentionDays.TWO_WEEKS,
    firewall: false,
    capacity: sharedCapacity,
    responseCheck: 'refuse',
    loopbackReceivers: 'no',
    registry: 'simulator',
    agencyAppUrl: 'https://agency.dev.example.com',
    keepsData: false,
  },
  sandbox: {
    logRetention: RetentionDays.THREE_MONTHS,
    firewall: true,
    capacity: partitionedCapacity,
    responseCheck: 'report',
    loopbackReceivers: 'no',
    registry: 'simulator',
    agencyAppUrl: 'https://agency.sandbox.example.com',
    keepsData: true,
  },
  prod: {
    logRetention: RetentionDays.ONE_YEAR,
    firewall: true,
    capacity: partitionedCapacity,
    responseCheck: 'report',
    loopbackReceivers: 'no',
    // The registry's operator names the address in its contract.
    registry: { address: 'https://api.registry.example/v1' },
    agencyAppUrl: 'https://agency.example.com',
    keepsData: true,
  },
});

export type EnvironmentName = keyof typeof environments;

export type DeployedEnvironmentName = Exclude<EnvironmentName, 'local'>;

/** The environments that exist in AWS. */
export const deployedEnvironments = Object.keys(environments).filter(
  (name): name is DeployedEnvironmentName => name !== 'local',
);

/** Each environment with its name. */
function named<Name extends string>(all: Readonly<Record<Name, Omit<Environment, 'name'>>>) {
  const entries = Object.entries<Omit<Environment, 'name'>>(all);
  return Object.fromEntries(entries.map(([name, rest]) => [name, { name, ...rest }])) as Record<
    Name,
    Environment & { readonly name: Name }
  >;
}

const service = 'insurance-compliance';

/** Name of a stack: `insurance-compliance-prod-data`. */
export const stackName = (environment: string, stack: 'data' | 'service'): string =>
  `${service}-${environment}-${stack}`;

/** Name of a function, an alarm, the gateway or the signing secret in AWS: `insurance-compliance-prod-admin`. */
export const resourceName = (environment: string, name: string): string =>
  `${service}-${environment}-${name}`;
