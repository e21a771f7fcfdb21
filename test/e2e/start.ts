import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalRun, startLocalRun } from '../../infra/local/local-run.ts';
import { shareEngine } from '../support/engine.ts';
import { longerTimeouts } from '../support/fast-clock/fast-worker.ts';
import { scannedSlowly } from '../support/files.ts';
import { createGrantLedger } from '../support/grants.ts';
import { waitUntilIdle } from '../support/idle.ts';
import { markedChanges } from '../support/marked-changes.ts';

/** Handed from the project's setup to its teardown, which run in one process. */
export const running: {
  readonly grants: ReturnType<typeof createGrantLedger>;
  localRun?: LocalRun;
  logDirectory?: string;
} = { grants: createGrantLedger() };

/** Starts the one local run that every suite of this project calls; the suites make organizations of their own. */
export default async function start(): Promise<void> {
  const logDirectory = await mkdtemp(join(tmpdir(), 'insurance-compliance-logs-'));
  // Suites cause errors on purpose and look into the logs for them.
  const localRun = await startLocalRun({
    seed: true,
    logDirectory,
    engines: { dynamoDbLocal: await shareEngine() },
    onError: () => undefined,
    onGrantUsed: running.grants.use,
    // Suites do not wait, but for files that say they take longer: whoever uploads one and attaches it at once is refused.
    scanDuration: (bytes) => (bytes.includes(scannedSlowly) ? { resultReads: 3 } : 0),
    ...(await longerTimeouts(logDirectory)),
    // Every suite is a test of it: a function whose write followers would miss gets an error.
    awsMiddleware: () => markedChanges,
  });
  // Suites find what the demo's events led to, such as deliveries.
  await waitUntilIdle(localRun);
  running.logDirectory = logDirectory;
  running.localRun = localRun;
  process.env['TEST_BASE_URL'] = localRun.baseUrl;
  process.env['TEST_AWS_ENDPOINT'] = localRun.operator.endpoint;
  process.env['TEST_OPERATOR_KEY'] = localRun.operator.accessKeyId;
  process.env['TEST_FUNCTION_KEYS'] = JSON.stringify(Object.fromEntries(localRun.accessKeyIds));
  process.env['TEST_DYNAMODB'] = JSON.stringify(localRun.dynamo);
  process.env['TEST_LOGS'] = logDirectory;
  process.env['TEST_DEMO'] = JSON.stringify(localRun.demo);
}
