import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import * as z from 'zod/mini';
import { workedQueues } from '#function/uses.ts';
import { statedCaller } from '#platform/operator/handler.ts';
import { recordSchemas } from '../../../../functions/import/record-schemas.ts';
import { describeRecords, recordTypes } from '../../../../infra/admin/fields.ts';
import { functionsOf } from '../../../../infra/admin/functions.ts';
import {
  confirm,
  descriptions,
  type OperatorCommand,
  operatorProgram,
  runnerOf,
} from '../../../../infra/admin/program.ts';
import { environments } from '../../../../infra/environments.ts';

describe('program', () => {
  const run = jest.fn();

  /** What the program prints. */
  async function printed(...args: string[]): Promise<string> {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      await operatorProgram(run).parseAsync(args, { from: 'user' });
    } catch (error) {
      expect(error).toMatchObject({ code: 'commander.helpDisplayed' });
    }
    const text = write.mock.calls.map(([chunk]) => chunk).join('');
    write.mockRestore();
    return text;
  }

  it('sends a command to the function that has the rights for it', async () => {
    const invoke = jest.fn().mockResolvedValue({});
    for (const name of ['redrive', 'confirm-match'] as const) await runnerOf(name)(invoke, {}, jest.fn());
    expect(invoke.mock.calls).toEqual([
      ['admin', { command: 'redrive', input: {} }],
      ['import', { command: 'confirm-match', input: {} }],
    ]);
  });

  it('hands a command on as it is given', async () => {
    await printed('redrive', '{"queue":"registry-sync"}', '--environment', 'dev');
    expect(run).toHaveBeenLastCalledWith('redrive', '{"queue":"registry-sync"}', { environment: 'dev' });
    await printed('rematch', '--json', '--yes');
    expect(run).toHaveBeenLastCalledWith('rematch', '{}', { environment: 'local', json: true, yes: true });
  });

  it.each([
    [['boat'], "unknown command 'boat'"],
    [
      ['redrive', '{}', '--environment', 'moon'],
      `Allowed choices are ${Object.keys(environments).join(', ')}.`,
    ],
    [['redrive', '{}', '--env', 'dev'], "unknown option '--env'"],
    [['redrive', '{"queue":', '"registry-sync"}'], "too many arguments for 'redrive'"],
    [['import', '--describe', 'boat'], 'Allowed choices are carrier, '],
  ])('refuses %j', async (args, message) => {
    await expect(operatorProgram(run).parseAsync(args, { from: 'user' })).rejects.toThrow(message);
  });

  it('the help lists every command with the sentence that its own help begins with', async () => {
    const help = (await printed('--help')).replaceAll(/\s+/g, ' ');
    for (const [name, sentence] of Object.entries(descriptions)) {
      expect(help).toMatch(new RegExp(` ${name} .*\\[json\\] `));
      expect(help).toContain(` ${sentence} `);
      expect((await printed(name, '--help')).replaceAll(/\s+/g, ' ')).toContain(` ${sentence} `);
    }
  });

  it('the help of a command has its fields, with their values and what they mean', async () => {
    const help = await printed('import', '--help');
    expect(help).toContain('\nemitEvents: boolean\n');
    expect(help).toContain('\nrejectedFile: string\n    Path of a file to write the rejected lines to');
    expect(help).not.toMatch(/^(firstLine|lines|commandId)( \(required\))?:/m);
    expect(await printed('redrive', '--help')).toContain(`queue (required): ${workedQueues.join(', ')}\n`);
    expect(await printed('set-registry-record', '--help')).toContain(
      '\nrecord.licenses[].licenseNumber (required): string of 1 to 100 characters\n',
    );
  });
});

describe('confirm', () => {
  const organizationId = '65f0c1d2e3a4b5c6d7e8f901';
  const terminal = (answer: string, isInteractive = true) => {
    const ask = jest.fn().mockResolvedValue(answer);
    return { ask, isInteractive };
  };
  const prod = { environment: 'prod' as const };

  it.each<[name: OperatorCommand, input: object, effect: string]>([
    ['revoke-credential', { clientId: 'c-1' }, 'Locks out whoever uses the credential c-1'],
    ['update-organization', { organizationId, subscription: 'inactive' }, 'Locks out the organization 65f0'],
    ['update-organization', { organizationId, features: ['policies'] }, 'these features alone: policies'],
    ['set-filing-status', { filingId: organizationId, status: 'canceled' }, 'Cancels the filing 65f0'],
    ['import', { file: 'roster.csv', complete: true }, 'Ends what the file leaves out'],
  ])('names what %s takes away in prod, and asks', async (name, input, effect) => {
    const sure = terminal('Yes');
    await confirm(name, input, prod, sure);
    expect(sure.ask).toHaveBeenCalledWith(expect.stringContaining(effect));
    for (const answer of ['', 'n', 'never'])
      await expect(confirm(name, input, prod, terminal(answer))).rejects.toThrow('Nothing was done.');
  });

  it.each<
    [
      why: string,
      name: OperatorCommand,
      input: object,
      options: Parameters<typeof confirm>[2],
      isTerminal: boolean,
    ]
  >([
    ['with --yes', 'revoke-credential', { clientId: 'c-1' }, { ...prod, yes: true }, true],
    ['not on a terminal', 'revoke-credential', { clientId: 'c-1' }, prod, false],
    ['in another environment', 'revoke-credential', { clientId: 'c-1' }, { environment: 'dev' }, true],
    ['what takes nothing away', 'redrive', { queue: 'registry-sync' }, prod, true],
    ['a new name', 'update-organization', { organizationId, name: 'Acme' }, prod, true],
    ['another status', 'set-filing-status', { filingId: organizationId, status: 'filed' }, prod, true],
    ['input that its function refuses', 'update-organization', { features: ['boats'] }, prod, true],
    ['a file that adds', 'import', { file: 'roster.csv' }, prod, true],
  ])('does not ask %s', async (_why, name, input, options, isTerminal) => {
    const nobody = terminal('n', isTerminal);
    await confirm(name, input, options, nobody);
    expect(nobody.ask).not.toHaveBeenCalled();
  });
});

describe('functions', () => {
  const lambda = mockClient(LambdaClient);

  const sts = mockClient(STSClient);

  beforeEach(() => {
    lambda.reset();
    sts.reset();
    sts.on(GetCallerIdentityCommand).resolves({});
  });

  const failure = (name: string, more: object = {}) =>
    Object.assign(new Error('The raw message'), { name, ...more });

  /** What an operator reads when the invocation of `admin` in `sandbox` fails with this error. */
  async function sentenceFor(error: Error): Promise<string> {
    lambda.on(InvokeCommand).rejects(error);
    const invoke = functionsOf('sandbox');
    return invoke('admin', {}).then(
      () => 'no failure',
      ({ message }: Error) => message,
    );
  }

  it.each([
    [
      'no credentials',
      failure('CredentialsProviderError'),
      /^There are no AWS credentials, or they have expired: /,
    ],
    [
      'expired credentials',
      failure('ExpiredTokenException'),
      /^There are no AWS credentials, or they have expired: /,
    ],
    [
      'an environment that is not deployed',
      failure('ResourceNotFoundException'),
      /^There is no function insurance-compliance-sandbox-admin .*"npx cdk deploy --all -c environment=sandbox"/,
    ],
    ['no network', failure('Error', { code: 'ENOTFOUND' }), /^AWS Lambda cannot be reached \(ENOTFOUND\): /],
  ])('%s: an operator reads one sentence about it', async (_, error, sentence) => {
    const read = await sentenceFor(error);
    expect(read).toMatch(sentence);
    expect(read).not.toContain('The raw message');
  });

  /** What the function learns of its caller when the operator's tool invokes it. */
  async function statedContext(): Promise<unknown> {
    await sentenceFor(failure('TooManyRequestsException'));
    const { ClientContext = '' } = lambda.commandCalls(InvokeCommand)[0]?.args[0].input ?? {};
    return JSON.parse(Buffer.from(ClientContext, 'base64').toString('utf8'));
  }

  it('the function learns who calls, which its log says', async () => {
    const arn = 'arn:aws:sts::123456789012:assumed-role/AWSReservedSSO_Operators_1a2b/jane@acme.example';
    sts.on(GetCallerIdentityCommand).resolves({ Arn: arn });
    const context = await statedContext();
    expect(statedCaller(context)).toBe(arn);
  });

  it('a command runs without it where AWS cannot say who calls', async () => {
    sts.on(GetCallerIdentityCommand).rejects(failure('Error', { code: 'ETIMEDOUT' }));
    expect(statedCaller(await statedContext())).toBeUndefined();
  });

  it('another error keeps its message', async () => {
    expect(await sentenceFor(failure('TooManyRequestsException'))).toBe('The raw message');
  });
});

describe('describe records', () => {
  it.each(recordTypes)(
    '%s: the description has the required fields, and an example that is valid',
    (type) => {
      const [fields = '', example = ''] = describeRecords(type).split('\n\nExample:\n\n');
      expect(fields).toMatch(new RegExp(`^type \\(required\\): ${type}$`, 'm'));
      const record: unknown = JSON.parse(example);
      expect(z.safeParse(recordSchemas[type], record).error).toBeUndefined();
      const required = Array.from(fields.matchAll(/^([A-Za-z_]+) \(required\): /gm), ([, field]) => field);
      expect(Object.keys(record ?? {})).toEqual(expect.arrayContaining(required));
    },
  );
});
