// `npm run test:long`: what takes too long for every run of `npm test`, one part after the other, and a line for each at the end.
// It expects a build.
import { spawnSync } from 'node:child_process';

const jest = ['npx', 'jest', '--selectProjects'];

/** @type {readonly { name: string, command: readonly string[], env?: Readonly<Record<string, string>> }[]} */
const parts = [
  { name: 'fault runs', command: [...jest, 'faults'], env: { FAULT_RUN: 'long' } },
  { name: 'restore rehearsal', command: ['node', 'test/support/run-built.mjs', 'restore'] },
  { name: 'random requests', command: [...jest, 'fuzz'], env: { FUZZ_REQUESTS: '100000', LONG: '1' } },
  {
    name: 'recorded histories',
    command: ['npx', 'jest', 'test/decision/grounds', 'test/decision/receipts'],
    env: { DECISION_HISTORIES: '100000' },
  },
  {
    name: 'their properties',
    command: ['npx', 'jest', 'test/decision/properties'],
    env: { DECISION_HISTORIES: '10000' },
  },
  // What `test/support/extent.ts` has `npm test` try a part of.
  { name: 'stores at length', command: [...jest, 'integration'], env: { LONG: '1' } },
  { name: 'routes at length', command: ['npx', 'jest', 'test/e2e/every-route'], env: { LONG: '1' } },
  { name: 'pages in a browser', command: [...jest, 'pages'] },
];

const summary = parts.map(({ name, command: [program, ...words], env }) => {
  process.stdout.write(`\n== ${name}\n`);
  const began = performance.now();
  const { status } = spawnSync(program, words, { stdio: 'inherit', env: { ...process.env, ...env } });
  const seconds = Math.round((performance.now() - began) / 1_000);
  if (status !== 0) process.exitCode = 1;
  return `${status === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(20)} ${String(seconds).padStart(5)} s`;
});
process.stdout.write(`\n${summary.join('\n')}\n`);
