import type { Environment } from '../environments.ts';

/** What keeps an environment from being deployed, and where it stands. */
export interface Gap {
  /** `infra/environments.ts, prod.registry.address` */
  readonly place: string;
  readonly fault: string;
}

/** Fields that an operator fills in. */
type RequiredField =
  | 'account'
  | 'region'
  | 'alarmAddress'
  | 'registry.address'
  | 'agencyAppUrl'
  | 'domain.name'
  | 'domain.certificateArn';

/** What is wrong with a field of an environment; undefined where nothing is. */
type Check = (environment: Environment) => string | undefined;

/** Every field that has to be right before anything is deployed, in the order in which it is told. */
const requirements: Readonly<Record<RequiredField, Check>> = {
  account: ({ account }) => formFault(account, /^\d{12}$/, 'the AWS account, twelve digits'),
  region: ({ region }) => formFault(region, /^[a-z]{2}(-[a-z]+)+-\d$/, 'the region, such as us-east-1'),
  // Where nothing is kept, nobody is called at night.
  alarmAddress: ({ alarmAddress, keepsData }) =>
    alarmAddress === undefined
      ? keepsData
        ? 'is missing: who is told of alarms, by email'
        : undefined
      : hostFault(alarmAddress.split('@')[1]),
  // The simulator is no address, and needs none.
  'registry.address': ({ registry }) =>
    registry === 'simulator' ? undefined : addressFault(registry.address),
  agencyAppUrl: ({ agencyAppUrl }) => addressFault(agencyAppUrl),
  'domain.name': ({ domain }) => (domain === undefined ? undefined : hostFault(domain.name)),
  'domain.certificateArn': ({ domain, account, region }) =>
    domain === undefined || domain.certificateArn.startsWith(`arn:aws:acm:${region}:${account}:certificate/`)
      ? undefined
      : 'is no certificate of ACM in the environment’s account and region',
};

/** What an operator still has to fill in; nothing is asked of AWS. */
export const gapsOf = (environment: Environment): Gap[] =>
  Object.entries(requirements).flatMap(([field, check]) => {
    const fault = check(environment);
    return fault === undefined
      ? []
      : [{ place: `infra/environments.ts, ${environment.name}.${field}`, fault }];
  });

function formFault(value: string | undefined, form: RegExp, what: string): string | undefined {
  if (value === undefined) return `is missing: ${what}`;
  return form.test(value) ? undefined : `is "${value}", not ${what}`;
}

function addressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return `is "${address}", not an address`;
  const url = new URL(address);
  if (url.protocol !== 'https:') return `is ${address}, not https`;
  return hostFault(url.hostname);
}

/** Names that are nobody's: RFC 2606. */
const exampleHost = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/;

function hostFault(host = ''): string | undefined {
  if (exampleHost.test(host)) return `is on the example host ${host}`;
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host) ? undefined : `names no host: "${host}"`;
}
