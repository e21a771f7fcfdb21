import { TransactionContention, VersionConflict } from '#platform/data/transact.ts';
import { newClientId, newClientSecret } from '#platform/identity/organizations.ts';
import { auditOf, operatorHandler, statedCaller } from '#platform/operator/handler.ts';
import { recordingLogger } from '../../../../support/recording-logger.ts';

const organizationId = 'a'.repeat(24);
const clientId = newClientId();
const caller = 'arn:aws:sts::123456789012:assumed-role/Operators/jane@acme.example';
const call = { awsRequestId: 'the-id-that-cloudtrail-records', clientContext: { custom: { caller } } };

/** Handles one call of the command `revoke-credential` and returns what it logs. */
async function linesOf(
  input: unknown,
  run: () => Promise<{ result: object; audit?: Record<string, unknown> }>,
) {
  const logger = recordingLogger();
  const handler = operatorHandler(logger, {
    auditOf: (event) => auditOf(event, ['revoke-credential']),
    run,
  });
  const answer = await handler({ command: 'revoke-credential', input }, call).catch(
    (error: unknown) => error,
  );
  return { answer, lines: logger.lines };
}

const who = { command: 'revoke-credential', caller, clientId, lambdaRequestId: call.awsRequestId };

test('a command logs what it did, on whom, and the id by which CloudTrail says who it was', async () => {
  const { lines } = await linesOf({ clientId }, async () => ({ result: {}, audit: { organizationId } }));
  expect(lines).toMatchObject([
    { level: 'info', event: 'operator_command', outcome: 'done', organizationId, ...who },
  ]);
});

test.each([new TransactionContention(), new VersionConflict()])(
  '$name is returned to an operator and logged as a refusal of the same command, not as a failure',
  async (error) => {
    const { answer, lines } = await linesOf({ clientId }, () => Promise.reject(error));
    expect(answer).toMatchObject({ ok: false, error: { errorType: 'transient_transaction_error' } });
    expect(lines).toMatchObject([{ level: 'info', event: 'operator_command', outcome: 'refused', ...who }]);
  },
);

test('a command that fails logs the same', async () => {
  const { lines } = await linesOf({ clientId }, () => Promise.reject(new Error('ours')));
  expect(lines).toMatchObject([{ level: 'error', event: 'operator_command_failed', ...who }]);
});

test.each([
  ['in place of an id', (secret: string) => ({ clientId: secret })],
  ['in place of a queue', (secret: string) => ({ queue: secret })],
  ['under any other name', (secret: string) => ({ clientSecret: secret, token: secret, name: secret })],
])('a secret %s is not logged', async (_, input) => {
  const secret = newClientSecret();
  const { lines } = await linesOf(input(secret), async () => ({ result: { clientSecret: secret } }));
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain(secret);
});

test.each([
  undefined,
  null,
  'text',
  { custom: {} },
  { custom: { caller: newClientSecret() } },
  { custom: { caller: 'arn:aws:iam::1:user/a\nb' } },
])('a caller that is stated in no ARN is not logged: %j', (context) => {
  expect(statedCaller(context)).toBeUndefined();
});

test.each([[undefined], ['text'], [{ command: 5 }], [{ command: newClientSecret(), input: {} }]])(
  'what is no command is logged as unknown: %j',
  (event) => {
    expect(auditOf(event, ['revoke-credential'])).toEqual({ command: 'unknown' });
  },
);
