import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

export type Fauxqs = Awaited<ReturnType<typeof startFauxqs>>;

/** The engine's module with the pattern of invalid message characters, which the package does not export. */
const characters = pathToFileURL(join('node_modules', 'fauxqs', 'dist', 'sqs', 'sqsTypes.js')).href;

/**
 * A string and not a file, so that it is imported as an ES module regardless of how this module is loaded. The engine
 * rejects characters beyond the basic plane, such as emoji, which SQS accepts
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

/** Starts the engine that emulates SQS and S3 in memory, in a worker thread. */
export async function startFauxqs() {
  const worker = new Worker(program, { eval: true, env: {} });
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code) => resolve(`fauxqs, which emulates SQS and S3, ended with code ${code}`));
  });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    void ended.then((end) => reject(new Error(end)));
  });
  return {
    port,
    /** Resolves when the engine has ended, to a description of its end. */
    ended,
    stop: async (): Promise<void> => {
      await worker.terminate();
    },
  };
}
