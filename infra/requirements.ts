import { type App, Validations } from 'aws-cdk-lib';
import { unreservedConcurrency } from '#platform/aws/limits.ts';
import type { Environment } from './environments.ts';

/** Returns what is wrong with a field of an environment; undefined if nothing is. */
type Check = (environment: Environment) => string | undefined;

/** The fields that operators fill in, in the order in which they are reported. */
const requirements: Readonly<Record<string, Check>> = {
  account: ({ account }) => formFault(account, /^\d{12}$/, 'the AWS account, twelve digits'),
  region: ({ region }) => formFault(region, /^[a-z]{2}(-[a-z]+)+-\d$/, 'the region, such as us-east-1'),
  pageAddress: ({ pageAddress, keepsData }) =>
    mailFault(pageAddress, keepsData, 'the email address that wakes the person on call'),
  ticketAddress: ({ ticketAddress, keepsData }) =>
    mailFault(ticketAddress, keepsData, 'the email address of alarms that can wait until the morning'),
  // A simulated one has no address.
  'registry.address': ({ registry }) =>
    registry.kind === 'simulated' ? undefined : addressFault(registry.address),
  sandbox: ({ sandbox, registry: { kind } }) =>
    sandbox && kind !== 'simulated'
      ? `is true, and organizations say there what a simulated registry reports: set it to false, or registry.kind, which is ${kind}, to simulated`
      : undefined,
  mostCallsANight: ({ mostCallsANight: most = 1 }) =>
    Number.isInteger(most) && most >= 1 ? undefined : `is ${most} instead of a number of calls`,
  agencyAppUrl: ({ agencyAppUrl }) => addressFault(agencyAppUrl),
  supportUrl: ({ supportUrl }) => addressFault(supportUrl),
  'domain.name': ({ domain }) => (domain === undefined ? undefined : hostFault(domain.name)),
  'domain.certificateArn': ({ domain, account, region }) =>
    domain === undefined || domain.certificateArn.startsWith(`arn:aws:acm:${region}:${account}:certificate/`)
      ? undefined
      : 'is not an ACM certificate in the environment’s account and region',
};

/**
 * Makes the synthesis of an environment that cannot be deployed fail, with each field of its entry that prevents it and what
 * is wrong with it (`infra/environments.ts, prod.registry.address is …`). Makes no call to AWS. With the context
 * `placeholders=allowed`, for a look at templates that nobody deploys, a field that an operator still has to fill in is a
 * warning. So is it if alarms notify nobody, where no data is kept.
 */
export function checkRequirements(app: App, environment: Environment): void {
  const { name, keepsData, capacity } = environment;
  const validations = Validations.of(app);
  const mayBePlaceholder = app.node.tryGetContext('placeholders') === 'allowed';
  for (const [field, check] of Object.entries(requirements)) {
    const fault = check(environment);
    if (fault === undefined) continue;
    const refusal = [`placeholder ${field}`, `infra/environments.ts, ${name}.${field} ${fault}`] as const;
    if (mayBePlaceholder) validations.addWarning(...refusal);
    else validations.addError(...refusal);
  }
  const reservedSum = Object.values(capacity.reserved).reduce((sum, executions) => sum + executions, 0);
  if (reservedSum > 0 && capacity.account - reservedSum < unreservedConcurrency) {
    validations.addError(
      'concurrency',
      `infra/environments.ts, ${name}.capacity reserves ${reservedSum} of the account's ${capacity.account} concurrent executions, and Lambda requires ${unreservedConcurrency} that are not reserved: reserve less, or request a higher quota (Service Quotas, Lambda, "Concurrent executions") and raise "account" to it.`,
    );
  }
  if (keepsData) return;
  for (const field of ['pageAddress', 'ticketAddress'] as const) {
    if (environment[field] !== undefined) continue;
    validations.addWarning(
      `silent ${field}`,
      `Alarms of ${name} notify nobody: its entry in infra/environments.ts has no ${field}.`,
    );
  }
}

function formFault(value: string | undefined, form: RegExp, expectation: string): string | undefined {
  if (value === undefined) return `is missing: ${expectation}`;
  return form.test(value) ? undefined : `is "${value}" instead of ${expectation}`;
}

/** An environment that keeps no data needs no on-call. */
function mailFault(address: string | undefined, keepsData: boolean, expectation: string): string | undefined {
  if (address !== undefined) return hostFault(address.split('@')[1]);
  return keepsData ? `is missing: ${expectation}` : undefined;
}

function addressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return `is "${address}", which is not a URL`;
  const url = new URL(address);
  if (url.protocol !== 'https:') return `is ${address}, which is not https`;
  return hostFault(url.hostname);
}

/** Host names reserved for examples and tests (RFC 2606). */
const exampleHost = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/;

function hostFault(host = ''): string | undefined {
  if (exampleHost.test(host)) return `is on the example host ${host}`;
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host) ? undefined : `has the invalid host "${host}"`;
}
