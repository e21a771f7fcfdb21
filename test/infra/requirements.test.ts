import { App } from 'aws-cdk-lib';
import { deployedEnvironments, type Environment, environments } from '../../infra/environments.ts';
import { checkRequirements } from '../../infra/requirements.ts';
import { blank } from './variants.ts';

/** An environment with everything that an operator fills in. */
const filledIn = (name: keyof typeof environments, changes: Partial<Environment> = {}): Environment => ({
  ...blank(name),
  account: '111122223333',
  region: 'us-east-1',
  pageAddress: 'on-call@carrier-compliance.com',
  ticketAddress: 'tickets@carrier-compliance.com',
  registry: { kind: 'http', address: 'https://api.producer-registry.org/v1' },
  sandbox: false,
  agencyAppUrl: 'https://agency.carrier-compliance.com',
  supportUrl: 'https://support.carrier-compliance.com',
  ...changes,
});

/** What a synthesis says of an environment; an error fails it. */
function said(environment: Environment, context: Readonly<Record<string, string>> = {}) {
  const app = new App({ context });
  checkRequirements(app, environment);
  const ofType = (type: string) =>
    app.node.metadata.filter((one) => one.type === type).map(({ data }) => String(data));
  return { errors: ofType('aws:cdk:error'), warnings: ofType('aws:cdk:warning') };
}

const fieldOf = (text: string): string | undefined => /^infra\/environments\.ts, \w+\.(\S+) /.exec(text)?.[1];
const refusedFields = (environment: Environment) => said(environment).errors.map(fieldOf);

describe('the fields that an operator fills in', () => {
  it.each(deployedEnvironments)('are listed for %s until none is missing', (name) => {
    const placeholders = {
      registry: { kind: 'http' as const, address: 'https://api.registry.example/v1' },
      sandbox: false,
      agencyAppUrl: 'https://agency.example.com',
      supportUrl: 'https://support.example.com',
    };
    expect(refusedFields({ ...blank(name), ...placeholders, keepsData: true })).toEqual([
      'account',
      'region',
      'pageAddress',
      'ticketAddress',
      'registry.address',
      'agencyAppUrl',
      'supportUrl',
    ]);
    expect(refusedFields(filledIn(name))).toEqual([]);
  });

  it('include no address of alarms if no data is kept, and no registry address if the registry is simulated', () => {
    const {
      pageAddress: _,
      ticketAddress: _ticketAddress,
      ...rest
    } = filledIn('dev', {
      registry: { kind: 'simulated' },
    });
    expect(refusedFields(rest)).toEqual([]);
    expect(refusedFields({ ...rest, keepsData: true })).toEqual(['pageAddress', 'ticketAddress']);
  });

  const certificateArn =
    'arn:aws:acm:us-east-1:111122223333:certificate/9f2c7e1a-0000-4000-8000-000000000000';

  it.each<[string, string, Partial<Environment>]>([
    ['an account that is none', 'account', { account: '1234' }],
    ['a region that is none', 'region', { region: 'Virginia' }],
    ['an address of pages on an example host', 'pageAddress', { pageAddress: 'me@mail.example.com' }],
    ['an address of tickets that is none', 'ticketAddress', { ticketAddress: 'me' }],
    [
      'a registry without TLS',
      'registry.address',
      { registry: { kind: 'http', address: 'http://registry.org' } },
    ],
    ['a sandbox beside a real registry', 'sandbox', { sandbox: true }],
    ['no calls of the registry', 'mostCallsANight', { mostCallsANight: 0 }],
    [
      'more calls of the registry than a night has time for',
      'mostCallsANight',
      { registryPollsPerSecond: 1, mostCallsANight: 100_000 },
    ],
    ['an application on an example host', 'agencyAppUrl', { agencyAppUrl: 'https://example.org' }],
    ['an application on this machine', 'agencyAppUrl', { agencyAppUrl: 'https://localhost:3001' }],
    ['an application whose address is none', 'agencyAppUrl', { agencyAppUrl: 'agency' }],
    ['a domain on an example host', 'domain.name', { domain: { name: 'api.example.net', certificateArn } }],
    [
      'a certificate of another region',
      'domain.certificateArn',
      {
        domain: {
          name: 'api.carrier-compliance.com',
          certificateArn: certificateArn.replace('us-east-1', 'us-west-2'),
        },
      },
    ],
  ])('are refused: %s', (_, field, changes) => {
    expect(refusedFields(filledIn('prod', changes))).toEqual([field]);
  });
});

describe.each(deployedEnvironments)('placeholders of %s', (name) => {
  const environment = blank(name);

  it('fail the synthesis of a deployment', () => {
    const { errors, warnings } = said(environment);
    expect(errors).toContainEqual(
      expect.stringContaining(
        `infra/environments.ts, ${name}.account is missing: the AWS account, twelve digits`,
      ),
    );
    expect(warnings.map(fieldOf)).not.toContain('account');
  });

  it('are warnings in a synthesis that only looks at templates', () => {
    const { errors, warnings } = said(environment, { placeholders: 'allowed' });
    expect(errors).toEqual([]);
    expect(warnings.map(fieldOf).filter((field) => field !== undefined)).toEqual(refusedFields(environment));
    expect(said(environment, { placeholders: 'true' })).toEqual(said(environment));
  });
});

it('warns if nobody receives alarms, where that prevents no deployment', () => {
  const { ticketAddress: _, ...environment } = filledIn('dev');
  expect(said(environment)).toEqual({
    errors: [],
    warnings: [expect.stringMatching(/^Alarms of dev notify nobody: .* no ticketAddress\./)],
  });
});

describe('reserved concurrency', () => {
  const { capacity } = environments.prod;
  const reserved = Object.values(capacity.reserved).reduce((sum, one) => sum + one, 0);
  const inAccountOf = (account: number) => filledIn('prod', { capacity: { ...capacity, account } });

  it('fails the synthesis if less than 100 of what the account has would not be reserved, placeholders or not', () => {
    const refusal = expect.stringMatching(
      new RegExp(
        `^infra/environments.ts, prod.capacity reserves ${reserved} of the account's ${reserved + 99} .*request a higher quota`,
      ),
    );
    expect(said(inAccountOf(reserved + 99)).errors).toEqual([refusal]);
    expect(said(inAccountOf(reserved + 99), { placeholders: 'allowed' }).errors).toEqual([refusal]);
    expect(said(inAccountOf(reserved + 100)).errors).toEqual([]);
  });

  it('does not matter where none is reserved', () => {
    const dev = filledIn('dev');
    expect(said({ ...dev, capacity: { ...dev.capacity, account: 10 } }).errors).toEqual([]);
  });
});
