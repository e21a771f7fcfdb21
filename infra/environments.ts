import { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** All that differs between deployments, and nothing else. */
export interface Environment {
  /** Prefix of every requestId and of every stack's name. */
  readonly name: EnvironmentName;
  readonly logRetention: RetentionDays;
  /** Who is told of an alarm, by email. Without one an alarm shows in CloudWatch only. */
  readonly alarmAddress?: string;
  /** The address callers use; without one they use API Gateway's own. */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
  /** Whether AWS WAF stands before the gateway. */
  readonly firewall: boolean;
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

/** The environments that exist in AWS. */
export const deployedEnvironments = ['dev', 'sandbox', 'prod'] as const;

export type EnvironmentName = 'local' | (typeof deployedEnvironments)[number];

export const environments: Readonly<Record<EnvironmentName, Environment>> = {
  /** Never deployed: the local run executes its templates on this machine. */
  local: {
    name: 'local',
    logRetention: RetentionDays.ONE_DAY,
    firewall: false,
    responseCheck: 'refuse',
    loopbackReceivers: 'yes',
    registry: 'simulator',
    agencyAppUrl: 'http://127.0.0.1:3001',
    keepsData: false,
  },
  dev: {
    name: 'dev',
    logRetention: RetentionDays.TWO_WEEKS,
    firewall: false,
    responseCheck: 'refuse',
    loopbackReceivers: 'no',
    registry: 'simulator',
    agencyAppUrl: 'https://agency.dev.example.com',
    keepsData: false,
  },
  sandbox: {
    name: 'sandbox',
    logRetention: RetentionDays.THREE_MONTHS,
    firewall: true,
    responseCheck: 'report',
    loopbackReceivers: 'no',
    registry: 'simulator',
    agencyAppUrl: 'https://agency.sandbox.example.com',
    keepsData: true,
  },
  prod: {
    name: 'prod',
    logRetention: RetentionDays.ONE_YEAR,
    firewall: true,
    responseCheck: 'report',
    loopbackReceivers: 'no',
    // The registry's operator names the address in its contract.
    registry: { address: 'https://api.registry.example/v1' },
    agencyAppUrl: 'https://agency.example.com',
    keepsData: true,
  },
};

const service = 'insurance-compliance';

/** Name of a stack: `insurance-compliance-prod-data`. */
export const stackName = (environment: EnvironmentName, stack: 'data' | 'service'): string =>
  `${service}-${environment}-${stack}`;

/** Name of a function, an alarm, the gateway or the signing secret in AWS: `insurance-compliance-prod-admin`. */
export const resourceName = (environment: EnvironmentName, name: string): string =>
  `${service}-${environment}-${name}`;
