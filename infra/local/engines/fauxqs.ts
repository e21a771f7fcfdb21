import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

export interface Fauxqs {
  readonly port: number;
  stop(): Promise<void>;
}

/** Where the engine keeps the pattern of characters that a message must not hold; its package exports it not. */
const characters = pathToFileURL(join('node_modules', 'fauxqs', 'dist', 'sqs', 'sqsTypes.js')).href;

/**
 * Text and not a file of its own, because it has to be an ES module's import whatever loads this module. The engine
 * refuses characters beyond the basic plane, an emoji say, which SQS takes
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html).
 */
const program = `
const { parentPort } = require('node:worker_threads');
Promise.all([import('fauxqs'), import(${JSON.stringify(characters)})]).then(async ([{ buildApp }, { INVALID_MESSAGE_BODY_CHAR }]) => {
  const invalid = /[^\\x09\\x0A\\x0D\\x20-\\uD7FF\\uE000-\\uFFFD\\u{10000}-\\u{10FFFF}]/u;
  INVALID_MESSAGE_BODY_CHAR.test = (body) => invalid.test(body);
  const app = buildApp({ logger: false });
  await app.listen({ port: 0, host: '127.0.0.1' });
  parentPort.postMessage(app.server.address().port);
});
`;

/** Starts the engine that stands in for SQS and S3, in memory, in a thread of its own. */
export async function startFauxqs(): Promise<Fauxqs> {
  const worker = new Worker(program, { eval: true, env: {} });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`fauxqs ended with code ${code}.`)));
  });
  return {
    port,
    stop: async () => {
      await worker.terminate();
    },
  };
}
