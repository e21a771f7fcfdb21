import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { build } from 'esbuild';
import * as z from 'zod/mini';
import { functionBundle } from '../../../infra/build/bundling.mjs';
import { stackName } from '../../../infra/environments.ts';
import { clientSettings } from '../../../infra/local/aws/call.ts';
import { createAwsEndpoint } from '../../../infra/local/aws/endpoint.ts';
import { sqsService } from '../../../infra/local/aws/sqs-service.ts';
import { createQueuesAndBuckets, startFauxqs } from '../../../infra/local/engines/queues-and-buckets.ts';
import { createFleet } from '../../../infra/local/functions/fleet.ts';
import { openListener } from '../../../infra/local/listener.ts';
import { type Deployment, readAssembly } from '../../../infra/local/template/template.ts';
import { startEventSources } from '../../../infra/local/triggers/event-sources.ts';
import { queueMessages } from '../../../infra/local/triggers/queue-messages.ts';
import { assemblyOf } from '../../infra/synthesized.ts';
import { fastQueues } from '../../support/fast-clock/fast-queues.ts';
import { bundleWorker } from '../../support/function-worker.ts';
import { longestMs } from '../../support/until.ts';

/**
 * Stands in for the function that delivers webhooks, and is bundled as it is: like it, it sends a message on to the queue
 * that invokes it, until the hops are done.
 */
const worker = `
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
const client = new SQSClient({});
export const handler = async ({ Records }) => {
  for (const { body } of Records) {
    const { hop, hops } = JSON.parse(body);
    console.log(JSON.stringify({ level: 'INFO', message: 'hop', hop }));
    if (hop === hops) continue;
    const MessageBody = JSON.stringify({ hop: hop + 1, hops });
    const QueueUrl = process.env.DELIVERIES_FAILING_QUEUE_URL;
    await client.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '0', MessageBody }] }));
  }
};
`;

let folder: string;
let code: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recursive-loops-'));
  code = join(folder, 'code');
  await build({
    ...functionBundle,
    stdin: { contents: worker, resolveDir: process.cwd() },
    sourcemap: false,
    outfile: join(code, 'index.mjs'),
  });
  await bundleWorker(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const name = 'webhook-delivery';
const templateSchema = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.optional(z.record(z.string(), z.unknown())) }),
  ),
});

/** A copy of the synthesized templates, in which a message that is refused once is a dead letter. */
async function copyOfAssembly(recursiveLoop: 'as it is' | 'taken away'): Promise<string> {
  const copy = await mkdtemp(join(folder, 'assembly-'));
  await cp(assemblyOf('local'), copy, { recursive: true });
  const file = join(copy, `${stackName('local', 'service')}.template.json`);
  const template = z.parse(templateSchema, JSON.parse(await readFile(file, 'utf8')));
  for (const { Properties = {} } of Object.values(template.Resources)) {
    const { RedrivePolicy, FunctionName } = Properties;
    if (typeof RedrivePolicy === 'object') {
      Properties['RedrivePolicy'] = { ...RedrivePolicy, maxReceiveCount: 1 };
    }
    if (recursiveLoop === 'taken away' && String(FunctionName).endsWith(`-${name}`)) {
      delete Properties['RecursiveLoop'];
    }
  }
  await writeFile(file, JSON.stringify(template));
  return copy;
}

/** The deployment with the event source mappings of the function alone, which runs the code of the stand-in. */
const withMappingsOf = (deployment: Deployment): Deployment => ({
  ...deployment,
  assetDirectory: () => code,
  ofType: (...types) =>
    deployment
      .ofType(...types)
      .filter(
        ({ type, properties }) =>
          type !== 'AWS::Lambda::EventSourceMapping' ||
          String(properties()['FunctionName']).endsWith(`-${name}:live`),
      ),
});

/** A message is visible again after a second instead of three minutes. */
const clockSpeed = 180;

/** Runs a chain of so many hops to its end; answers the hops that were made and the dead letter, if there is one. */
async function chain(hops: number, recursiveLoop: 'as it is' | 'taken away') {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const fauxqs = await startFauxqs();
    closing.push(fauxqs.stop);
    const listener = await openListener(0);
    closing.push(listener.close);
    const deployment = withMappingsOf(
      await readAssembly(await copyOfAssembly(recursiveLoop), listener.address),
    );
    const logDirectory = await mkdtemp(join(folder, 'logs-'));
    const errors: string[] = [];
    const fleet = createFleet(deployment, {
      awsEndpoint: listener.address,
      bootstrap: join(folder, 'worker.mjs'),
      logDirectory,
      onError: (line) => errors.push(line),
    });
    closing.push(fleet.stop);
    const operator = { endpoint: listener.address, accessKeyId: 'OPERATOR' };
    listener.serve(
      createAwsEndpoint({
        callers: new Map([
          ...fleet.callers,
          [operator.accessKeyId, { name: 'operator', statements: 'everything' as const }],
        ]),
        services: { sqs: sqsService(fauxqs.port) },
        middleware: fastQueues(clockSpeed),
        onGrantUsed: () => undefined,
        onRefusal: (_, message) => errors.push(message),
      }),
    );
    // Loading its code may take longer than a message stays invisible.
    await fleet.named(name).warm();
    const queues = deployment.ofType('AWS::SQS::Queue');
    await createQueuesAndBuckets({ queues, buckets: [] }, operator);
    const sources = await startEventSources({
      deployment,
      fleet,
      awsEndpoint: listener.address,
      onGrantUsed: () => undefined,
    });
    closing.push(sources.stop);
    const urlOf = (queue: string) => `${listener.address}/000000000000/insurance-compliance-local-${queue}`;
    const first = { QueueUrl: urlOf('deliveries-failing'), MessageBody: JSON.stringify({ hop: 1, hops }) };
    await new SQSClient(clientSettings(operator)).send(new SendMessageCommand(first));
    while (!(await sources.idle())) await pause(50);
    const dead = await queueMessages('insurance-compliance-local-deliveries-failing-dead', operator).receive(
      10,
      0,
      AbortSignal.timeout(longestMs),
    );
    for (let close = closing.pop(); close !== undefined; close = closing.pop()) await close();
    const log = await readFile(join(logDirectory, `${name}.log`), 'utf8');
    return {
      hops: Array.from(log.matchAll(/"message":"hop","hop":(\d+)/g), ([, hop]) => Number(hop)),
      dead: dead.map(({ Body }): unknown => JSON.parse(Body ?? '')),
      errors,
    };
  } finally {
    for (let close = closing.pop(); close !== undefined; close = closing.pop()) await close();
  }
}

const numbers = (to: number): number[] => Array.from({ length: to }, (_, index) => index + 1);

it('a chain of 17 completes, since the template allows recursion for the function', async () => {
  expect(await chain(17, 'as it is')).toEqual({ hops: numbers(17), dead: [], errors: [] });
});

it('without that permission, 16 invocations are made, and the 17th is dropped: its message becomes a dead letter', async () => {
  const { hops, dead, errors } = await chain(17, 'taken away');
  expect(hops).toEqual(numbers(16));
  expect(dead).toEqual([{ hop: 17, hops: 17 }]);
  expect(errors).toEqual([expect.stringContaining('RecursiveInvocationException')]);
});
