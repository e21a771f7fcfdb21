import { fastWorker } from './fast-clock/fast-worker.ts';

const patience = 10;

/**
 * Options of a local run in which no time limit of AWS or of a call passes on a machine that is ten times slower, or busy. The worker's
 * bundle goes into the folder.
 */
export const patientRun = async (folder: string) => ({
  patience,
  workerBundle: await fastWorker(folder, { speed: 1 / patience }),
});
