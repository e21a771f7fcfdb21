import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  type StackStatus,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { deployAs } from '../../infra/deployment/command.ts';
import { type DeploymentOptions, deploy, type Tools } from '../../infra/deployment/deployment.ts';
import { gapsOf } from '../../infra/deployment/requirements.ts';
import type { SmokeResult } from '../../infra/deployment/smoke.ts';
import {
  deployedEnvironments,
  type Environment,
  environments,
  stackParts,
} from '../../infra/environments.ts';
import { synthesized } from './synthesized.ts';
import { blank, variants } from './variants.ts';

/** An environment with everything that an operator fills in. */
const filledIn = (name: keyof typeof environments, changes: Partial<Environment> = {}): Environment => ({
  ...blank(name),
  account: '111122223333',
  region: 'us-east-1',
  pageAddress: 'on-call@carrier-compliance.com',
  ticketAddress: 'tickets@carrier-compliance.com',
  registry: { address: 'https://api.producer-registry.org/v1' },
  agencyAppUrl: 'https://agency.carrier-compliance.com',
  supportUrl: 'https://support.carrier-compliance.com',
  ...changes,
});

const changedEntries = (environment: Environment) =>
  gapsOf(environment).map(({ place }) => place.replace(`infra/environments.ts, ${environment.name}.`, ''));

describe('npm run deploy', () => {
  const calls: string[] = [];
  const aws = createServer((request, response) => {
    calls.push(String(request.url));
    response.end();
  });

  beforeAll(() => new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve)));
  afterAll(() => aws.close());

  /** Runs the command as an operator does, with AWS where this test hears of every call. */
  async function run(...words: string[]) {
    const child = spawn('npm', ['run', '--silent', 'deploy', '--', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        AWS_ENDPOINT_URL: `http://127.0.0.1:${(aws.address() as AddressInfo).port}`,
        AWS_ACCESS_KEY_ID: 'nobody',
        AWS_SECRET_ACCESS_KEY: 'nothing',
      },
    });
    const [[code], out, err] = await Promise.all([
      once(child, 'exit'),
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, told: out + err };
  }

  it('refuses an unknown option, and shows its usage', async () => {
    const { code, told } = await run('--environment', 'prod', '--force');
    expect(code).toBe(1);
    expect(told).toMatch(/--force[\s\S]*Usage/);
    expect(calls).toEqual([]);
  });

  it('refuses an unknown environment', async () => {
    await expect(deployAs(['--environment', 'local'])).rejects.toThrow(/dev\|sandbox\|prod/);
  });

  it('refuses placeholders, names each with its location, and does not call AWS', async () => {
    const gaps = gapsOf(environments.prod);
    const client = jest.fn();
    const refused = await deployAs(['--environment', 'prod', '--skip-tests'], () => ({
      run: async () => 1,
      say: () => undefined,
      ask: undefined,
      lambda: client,
      cloudFormation: client,
      canary: client,
      pause: client,
    })).catch(String);
    for (const { place, fault } of gaps) expect(refused).toContain(`${place} ${fault}`);
    // Whoever has filled in everything is refused all the same: here is no terminal.
    expect(refused).toMatch(
      gaps.length > 0 ? /prod can't be deployed yet:/ : /without a terminal, pass --yes/,
    );
    expect(client).not.toHaveBeenCalled();
  });
});

describe('the fields that an operator fills in', () => {
  it.each(deployedEnvironments)('are listed for %s until none is missing', (name) => {
    const placeholders = {
      registry: { address: 'https://api.registry.example/v1' },
      agencyAppUrl: 'https://agency.example.com',
      supportUrl: 'https://support.example.com',
    };
    expect(changedEntries({ ...blank(name), ...placeholders, keepsData: true })).toEqual([
      'account',
      'region',
      'pageAddress',
      'ticketAddress',
      'registry.address',
      'agencyAppUrl',
      'supportUrl',
    ]);
    expect(changedEntries(filledIn(name))).toEqual([]);
  });

  it('include no address of alarms if no data is kept, and no registry address if the registry is simulated', () => {
    const {
      pageAddress: _,
      ticketAddress: _ticketAddress,
      ...rest
    } = filledIn('dev', {
      registry: 'simulator',
    });
    expect(changedEntries(rest)).toEqual([]);
    expect(changedEntries({ ...rest, keepsData: true })).toEqual(['pageAddress', 'ticketAddress']);
  });

  const certificateArn =
    'arn:aws:acm:us-east-1:111122223333:certificate/9f2c7e1a-0000-4000-8000-000000000000';

  it.each<[string, string, Partial<Environment>]>([
    ['an account that is none', 'account', { account: '1234' }],
    ['a region that is none', 'region', { region: 'Virginia' }],
    ['an address of pages on an example host', 'pageAddress', { pageAddress: 'me@mail.example.com' }],
    ['an address of tickets that is none', 'ticketAddress', { ticketAddress: 'me' }],
    ['a registry without TLS', 'registry.address', { registry: { address: 'http://registry.org' } }],
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
    expect(changedEntries(filledIn('prod', changes))).toEqual([field]);
  });
});

describe('a deployment', () => {
  const lambda = mockClient(LambdaClient);
  const cloudFormation = mockClient(CloudFormationClient);
  const commands: string[] = [];
  const said: string[] = [];
  const questions: string[] = [];
  const asked: string[] = [];
  let smoke: SmokeResult | Error;

  /** Stacks in this state, the first time and whenever they are asked for later; without one there are none. */
  const stacks = (before: StackStatus | undefined, after: StackStatus | undefined) => {
    const state = (StackStatus: StackStatus | undefined, updated: number) =>
      StackStatus === undefined
        ? new CloudFormationServiceException({ name: 'ValidationError', $fault: 'client', $metadata: {} })
        : {
            Stacks: [
              { StackName: 's', CreationTime: new Date(0), StackStatus, LastUpdatedTime: new Date(updated) },
            ],
          };
    let calls = 0;
    cloudFormation.on(DescribeStacksCommand).callsFake(() => {
      calls += 1;
      const one = calls <= stackParts.length ? state(before, 1) : state(after, 2);
      if (one instanceof Error) throw one;
      return one;
    });
  };

  beforeEach(() => {
    lambda.reset();
    cloudFormation.reset();
    stacks('UPDATE_COMPLETE', 'UPDATE_COMPLETE');
    smoke = { passed: true };
    for (const list of [commands, said, questions, asked]) list.length = 0;
    lambda.on(GetAccountSettingsCommand).resolves({
      AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 },
    });
    lambda
      .on(GetFunctionConcurrencyCommand)
      .rejects(new ResourceNotFoundException({ message: 'no function', $metadata: {} }));
  });

  const tools = (answer: string | undefined, failing?: string): Tools => ({
    run: async (command, words) => {
      commands.push([command, ...words].join(' '));
      return failing !== undefined && words.includes(failing) ? 1 : 0;
    },
    say: (line) => said.push(line),
    ask:
      answer === undefined
        ? undefined
        : async (question) => {
            questions.push(question);
            return answer;
          },
    lambda: (region) => new LambdaClient({ region }),
    cloudFormation: (region) => new CloudFormationClient({ region }),
    // The minute of a pause is longer than a deployment here.
    pause: () => new Promise(() => {}),
    canary: async () => ({
      setUp: async () => {
        asked.push('set up');
        return 'made';
      },
      test: async () => {
        asked.push('test');
        if (smoke instanceof Error) throw smoke;
        return smoke;
      },
    }),
  });
  const options = (changes: Partial<DeploymentOptions> = {}): DeploymentOptions => ({
    environment: filledIn('prod'),
    skipTests: false,
    yes: false,
    cdkArguments: [],
    ...changes,
  });
  const ran = () =>
    commands.map((command) => /npm test|cdk (synth|diff|deploy)|npm run --silent release/.exec(command)?.[0]);

  it('tests, synthesizes, shows the diff, asks, and deploys what it showed', async () => {
    await deploy(options({ cdkArguments: ['--verbose'] }), tools('prod'));
    expect(ran().slice(0, 4)).toEqual(['npm test', 'cdk synth', 'cdk diff', 'cdk deploy']);
    expect(questions).toEqual([expect.stringMatching(/prod, account 111122223333, us-east-1/)]);
    const [, synth = '', diff, deployment] = commands;
    const [, assembly] = /--context environment=prod --output (\S+)/.exec(synth) ?? [];
    expect(diff).toContain(`--app ${assembly}`);
    expect(deployment).toMatch(new RegExp(`--app ${assembly} .*--verbose$`));
  });

  it('synthesizes with the context that was given', async () => {
    const contextOf = async (...cdkArguments: string[]): Promise<unknown> => {
      await deploy(options({ cdkArguments }), tools('prod'));
      const synth = commands.findLast((command) => command.includes('cdk synth')) ?? '';
      return Object.fromEntries(
        Array.from(synth.matchAll(/--context (\S+)=(\S+)/g), ([, key, value]) => [key, value]),
      );
    };
    const atOnce = { environment: 'prod', ...variants.withoutHostedZone.context };
    expect(await contextOf('--verbose', '--context', 'rollout=at-once')).toEqual(atOnce);
    expect(commands.at(-2)).toMatch(/cdk deploy .*--require-approval never --verbose$/);
    expect(await contextOf('-c', 'rollout=at-once')).toEqual(atOnce);
    expect(await contextOf('--context=rollout=at-once')).toEqual(atOnce);
    expect(await contextOf()).toEqual({ environment: 'prod' });
  });

  it('has no update policy of an alias in a template for a rollout at once', () => {
    const policies = (name: 'prod' | 'withoutHostedZone') =>
      synthesized(name)
        .service.ofType('AWS::Lambda::Alias')
        .map(([, { UpdatePolicy }]) => UpdatePolicy);
    const atOnce = policies('withoutHostedZone');
    expect(atOnce.length).toBeGreaterThan(0);
    expect(atOnce.filter((policy) => policy !== undefined)).toEqual([]);
    expect(policies('prod').filter((policy) => policy !== undefined)).not.toEqual([]);
  });

  it('sets up the canary, has it run, and says at last that the release is live', async () => {
    stacks(undefined, 'CREATE_COMPLETE');
    await deploy(options(), tools('prod'));
    expect(asked).toEqual(['set up', 'test']);
    expect(said.slice(-3)).toEqual([
      expect.stringMatching(/^Made the organization/),
      expect.stringMatching(/canary/),
      expect.stringMatching(/^live\./),
    ]);
  });

  it('creates a stack again whose creation failed: its protection is lifted before the CDK deletes it', async () => {
    stacks('ROLLBACK_COMPLETE', 'CREATE_COMPLETE');
    let wasDeployed = true;
    cloudFormation.on(UpdateTerminationProtectionCommand).callsFake(() => {
      wasDeployed = ran().includes('cdk deploy');
      return {};
    });
    await deploy(options(), tools('prod'));
    expect(wasDeployed).toBe(false);
    const lifted = cloudFormation
      .commandCalls(UpdateTerminationProtectionCommand)
      .map(({ args: [{ input }] }) => input);
    expect(lifted).toContainEqual({
      StackName: 'insurance-compliance-prod-data',
      EnableTerminationProtection: false,
    });
  });

  it.each(['UPDATE_ROLLBACK_COMPLETE', 'UPDATE_COMPLETE', undefined] as const)(
    'lifts no protection of a stack that is %s',
    async (status) => {
      stacks(status, 'UPDATE_COMPLETE');
      await deploy(options(), tools('prod'));
      expect(cloudFormation.commandCalls(UpdateTerminationProtectionCommand)).toEqual([]);
    },
  );

  it('says that it was rolled back, and has the canary of the previous release run', async () => {
    stacks('UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE');
    await expect(deploy(options(), tools('prod', 'deploy'))).rejects.toThrow(
      /^rolled back\. .*insurance-compliance-prod-service.* The canary passed\.$/,
    );
    expect(asked).toEqual(['test']);
  });

  describe('while it is under way', () => {
    /** Deploys for three minutes; how often the canary ran meanwhile. */
    async function runsWhileDeploying(changes: Partial<DeploymentOptions> = {}): Promise<number> {
      let minutes = 0;
      let runs = 0;
      let end: (code: number) => void = () => {};
      const { run, ...others } = tools('prod');
      await deploy(options(changes), {
        ...others,
        run: (command, words) =>
          words.includes('deploy')
            ? new Promise((resolve) => {
                end = (code) => {
                  runs = asked.length;
                  resolve(code);
                };
              })
            : run(command, words),
        pause: async (ms) => {
          expect(ms).toBe(60_000);
          minutes += 1;
          if (minutes <= 3) return;
          end(0);
          await new Promise(() => {});
        },
      });
      return runs;
    }

    // Its schedule alone calls it once while new versions get a tenth of the requests.
    it('has the canary run every minute', async () => {
      await expect(runsWhileDeploying()).resolves.toBe(3);
    });

    it('says what the canary finds', async () => {
      smoke = { passed: false, reason: '"write" failed.' };
      await expect(runsWhileDeploying()).rejects.toThrow(/^failing/);
      expect(said).toContain('While this is deployed, the canary fails: "write" failed.');
    });
  });

  it('has no canary run while the first release is created', async () => {
    stacks(undefined, 'CREATE_COMPLETE');
    const never = jest.fn(() => new Promise(() => {}));
    await deploy(options(), { ...tools('prod'), pause: never });
    expect(never).not.toHaveBeenCalled();
  });

  it('fails when the new release is live and the canary fails, or cannot run', async () => {
    smoke = { passed: false, reason: '"write" failed. The response was 500.' };
    await expect(deploy(options(), tools('prod'))).rejects.toThrow(
      /^failing\. .*"write" failed.*Rolling back/,
    );
    smoke = new Error('Task timed out');
    await expect(deploy(options(), tools('prod'))).rejects.toThrow(/^failing\. .*could not be asked/);
    expect(said).toContain('The canary cannot run: Task timed out');
  });

  it('says what it skips', async () => {
    await deploy(options({ skipTests: true }), tools('prod'));
    expect(ran().slice(0, 3)).toEqual(['cdk synth', 'cdk diff', 'cdk deploy']);
    expect(said).toContainEqual(expect.stringMatching(/type check, the style check, and all tests/));
  });

  it('records the release of prod once it is deployed, and of no other environment', async () => {
    await deploy(options(), tools('prod'));
    expect(ran().slice(-2)).toEqual(['cdk deploy', 'npm run --silent release']);
    await deploy(options({ environment: filledIn('sandbox') }), tools('sandbox'));
    expect(ran().at(-1)).toBe('cdk deploy');
    await expect(deploy(options(), tools('prod', 'deploy'))).rejects.toThrow();
    expect(ran().at(-1)).toBe('cdk deploy');
  });

  it('says so if the release is deployed and cannot be recorded', async () => {
    await deploy(options(), tools('prod', 'release'));
    expect(said).toContainEqual(expect.stringMatching(/not recorded: run "npm run release"/));
  });

  it('deploys nothing unless the answer is the name', async () => {
    await expect(deploy(options(), tools('yes'))).rejects.toThrow('Nothing was deployed.');
    expect(ran()).not.toContain('cdk deploy');
  });

  it('does not ask with --yes, and refuses without a terminal', async () => {
    await expect(deploy(options(), tools(undefined))).rejects.toThrow(/--yes/);
    expect(commands).toEqual([]);
    await deploy(options({ yes: true }), tools(undefined));
    expect(ran()).toContain('cdk deploy');
  });

  it.each(['test', 'synth', 'diff'])('stops when a step fails: %s', async (failing) => {
    await expect(deploy(options(), tools('prod', failing))).rejects.toThrow(/exit code 1/);
    expect(commands.at(-1)).toContain(failing);
  });

  it('does nothing while a field is missing', async () => {
    await expect(deploy(options({ environment: blank('prod') }), tools('prod'))).rejects.toThrow(
      /prod\.account is missing/,
    );
    expect(commands).toEqual([]);
    expect(lambda.calls()).toEqual([]);
  });

  it('says so if nobody receives alarms', async () => {
    const { ticketAddress: _, ...environment } = filledIn('dev');
    await deploy(options({ environment }), tools('dev'));
    expect(said).toContainEqual(expect.stringMatching(/Alarms of dev notify nobody.*ticketAddress/));
    expect(said.join()).not.toContain('pageAddress');
  });

  describe('checks the concurrency of the account', () => {
    const reserved = Object.values(environments.prod.capacity.reserved).reduce((sum, one) => sum + one, 0);
    const unreserved = (executions: number) =>
      lambda.on(GetAccountSettingsCommand).resolves({
        AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: executions },
      });

    it('and refuses when fewer than 100 would stay unreserved', async () => {
      unreserved(reserved + 99);
      await expect(deploy(options(), tools('prod'))).rejects.toThrow(
        /99 would be left, and Lambda requires 100/,
      );
      expect(ran()).not.toContain('cdk deploy');
    });

    it('and continues when 100 do', async () => {
      unreserved(reserved + 100);
      await deploy(options(), tools('prod'));
      expect(ran()).toContain('cdk deploy');
    });

    it('and includes what the environment has already reserved', async () => {
      unreserved(1_000 - reserved);
      for (const [name, executions] of Object.entries(environments.prod.capacity.reserved)) {
        lambda
          .on(GetFunctionConcurrencyCommand, { FunctionName: `insurance-compliance-prod-${name}` })
          .resolves({ ReservedConcurrentExecutions: executions });
      }
      await deploy(options(), tools('prod'));
      expect(ran()).toContain('cdk deploy');
    });

    it('but not for an environment that reserves none', async () => {
      await deploy(options({ environment: filledIn('dev') }), tools('dev'));
      expect(lambda.calls()).toEqual([]);
    });
  });
});
