import { Worker } from 'node:worker_threads';

export interface Fauxqs {
  readonly port: number;
  stop(): Promise<void>;
}

/** Text and not a file of its own, because it has to be an ES module's import whatever loads this module. */
const program = `
const { parentPort } = require('node:worker_threads');
import('fauxqs').then(async ({ buildApp }) => {
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
