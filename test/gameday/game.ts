import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { resourceName } from '../../infra/environments.ts';
import type { Statement } from '../../infra/local/aws/policy-evaluation.ts';
import type { Listener } from '../../infra/local/listener.ts';
import { startLocalRun } from '../../infra/local/local-run.ts';
import type { Deployment } from '../../infra/local/template/template.ts';
import { injectedFaults } from '../support/aws-faults/faults.ts';
import { fastWorker } from '../support/fast-clock/fast-worker.ts';
import { withoutAction } from '../support/grants.ts';
import { type Reply, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { type AlarmState, readAlarms } from './alarms.ts';
import { type Logs, readLogs } from './logs.ts';
import { createObserver } from './observer.ts';

/** How many times shorter timeouts of ten seconds or more are, so that nobody waits for a registry or a receiver that hangs. */
export const timeoutsShortenedBy = 20;

/** A local run that can be broken, and what on-call would see of it. */
export interface Game {
  readonly baseUrl: string;
  readonly deployment: Deployment;
  /** Addresses of receivers at the hosts of one provider, and at another. */
  readonly receivers: { readonly provider: readonly string[]; readonly other: string };
  /** Takes an action from a function's role. */
  withhold(functionName: string, action: string): void;
  /** Has DynamoDB throttle all requests of functions to a table. */
  throttle(table: string): void;
  /** Has the registry accept requests and not answer them. */
  hangRegistry(): void;
  /** Has the receivers at all hosts of the provider, or at its first one, accept requests and not answer them. */
  hangProvider(hosts?: 'all' | 'first'): void;
  /** Replaces a function's code by code that fails when it is loaded. */
  deployBroken(functionName: string): Promise<void>;
  /** Undoes what is broken, and forgets what was seen. */
  mend(): Promise<void>;
  /** Forgets what was seen until now: what follows stands for one period of the alarms. */
  forget(): void;
  seen(): { readonly alarms: readonly AlarmState[]; readonly logs: Logs };
  /** Resolves when everything is done, which it never is while something is broken. */
  idle(): Promise<void>;
  /** Resolves when nothing is under way but what waits for a retry. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Answers of a registry in which nobody has a license. */
const registryAnswer = (method: string, path: string): object => {
  if (method === 'PUT') return {};
  if (path.endsWith('/regulatory-actions')) return { regulatoryActions: [] };
  return { kind: 'firm', name: 'A firm', residentStateCode: 'TX', licenses: [], appointments: [] };
};

async function startRegistry() {
  let isHanging = false;
  const waiting = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    request.resume();
    if (isHanging) waiting.add(response);
    else {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(registryAnswer(request.method ?? '', request.url ?? '')));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hang(hangs: boolean): void {
      isHanging = hangs;
      for (const response of waiting) response.destroy();
      waiting.clear();
    },
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

const functionCode = z.object({ Code: z.object({ S3Key: z.string() }), Handler: z.string() });

/** What the first line of the broken code throws, as a deployment might that nobody tried. */
const brokenCode = `throw new TypeError("Cannot read properties of undefined (reading 'healthy')");\n`;

/** Nothing may happen for so long until everything counts as done. */
const idleMs = 250;

/** Starts a local run without the demo, with a registry and two receivers of its own. */
export async function startGame(listener?: Listener): Promise<Game> {
  const directory = await mkdtemp(join(tmpdir(), 'insurance-compliance-gameday-'));
  const logDirectory = join(directory, 'logs');
  const observer = createObserver();
  const registry = await startRegistry();
  const hosts = [0, 1, 2];
  let hanging: readonly number[] = [];
  const atProvider = await Promise.all(
    hosts.map((host) => startReceiver((): Reply => (hanging.includes(host) ? 'hang' : 204))),
  );
  const elsewhere = await startReceiver(() => 204);
  const allowed = new Map<string, { readonly all: readonly Statement[]; readonly now: Statement[] }>();
  const originals = new Map<string, string>();
  let throttledTable: string | undefined;
  let deployment: Deployment | undefined;
  let crash = async (_functionName: string): Promise<void> => {};

  const run = await startLocalRun({
    ...(listener === undefined ? {} : { listener }),
    logDirectory,
    onError: () => undefined,
    observe: observer.observe,
    onRequest: observer.onRequest,
    workerBundle: await fastWorker(directory, { speed: timeoutsShortenedBy }),
    environment: { registry: { address: registry.address }, malwareScan: 'no' },
    statementsFor: (name, statements) => {
      const now = [...statements];
      allowed.set(name, { all: statements, now });
      return now;
    },
    awsMiddleware: (parts) => {
      ({ deployment, crash } = parts);
      const faults = injectedFaults(({ resources }) => {
        const isThrottled = resources.some(
          (one) => throttledTable !== undefined && one.includes(throttledTable),
        );
        if (!isThrottled || throttledTable === undefined) return 'none';
        observer.onThrottled(throttledTable);
        return 'throttle';
      }, parts);
      return (call, next) => faults(call, () => observer.middleware(call, next));
    },
  });
  if (deployment === undefined) throw new Error('The local run has no deployment.');
  const deployed: Deployment = deployment;
  process.env['TEST_BASE_URL'] = run.baseUrl;
  process.env['TEST_AWS_ENDPOINT'] = run.awsEndpoint;
  process.env['TEST_OPERATOR_KEY'] = run.operatorAccessKeyId;
  const evaluate = readAlarms(deployed);

  const permit = (name: string, statements: readonly Statement[]): void => {
    const now = allowed.get(name)?.now;
    if (now === undefined) throw new Error(`There is no role of ${name}.`);
    now.splice(0, now.length, ...statements);
  };
  const moduleOf = (name: string): string => {
    const resource = deployed
      .ofType('AWS::Lambda::Function')
      .find((one) => one.properties()['FunctionName'] === resourceName('local', name));
    const { Code, Handler } = z.parse(functionCode, resource?.properties());
    return join(deployed.assetDirectory(Code.S3Key), `${Handler.split('.')[0]}.mjs`);
  };
  const deploy = async (name: string, code: string): Promise<void> => {
    await writeFile(moduleOf(name), code);
    await crash(name);
  };

  return {
    baseUrl: run.baseUrl,
    deployment: deployed,
    receivers: { provider: atProvider.map(({ url }) => url('/')), other: elsewhere.url('/') },
    withhold: (name, action) => permit(name, withoutAction(allowed.get(name)?.all ?? [], action)),
    throttle(table) {
      const { ref } =
        deployed.ofType('AWS::DynamoDB::GlobalTable').find(({ logicalId }) => logicalId.startsWith(table)) ??
        {};
      if (ref === undefined) throw new Error(`There is no table ${table}.`);
      throttledTable = ref;
    },
    hangRegistry: () => registry.hang(true),
    hangProvider(which = 'all') {
      hanging = which === 'all' ? hosts : [0];
    },
    async deployBroken(name) {
      const code = await readFile(moduleOf(name), 'utf8');
      originals.set(name, code);
      await deploy(name, brokenCode + code);
    },
    async mend() {
      for (const [name, { all }] of allowed) permit(name, all);
      throttledTable = undefined;
      registry.hang(false);
      hanging = [];
      for (const [name, code] of originals) await deploy(name, code);
      originals.clear();
    },
    forget: observer.forget,
    seen() {
      const observed = observer.observed();
      const logs = readLogs(deployed, logDirectory, observed);
      return { logs, alarms: evaluate(observed, logs) };
    },
    idle: () => run.waitUntilIdle(),
    async settled() {
      let idleSince = performance.now();
      await until(() => {
        if (!observer.isIdle()) idleSince = performance.now();
        return performance.now() - idleSince > idleMs;
      });
    },
    async stop() {
      await run.stop();
      registry.close();
      for (const receiver of atProvider) receiver.close();
      elsewhere.close();
      await rm(directory, { recursive: true });
    },
  };
}
