// `npm run test:mutations`: StrykerJS changes the code of each area in every small way it knows, one at a time, and runs the tests
// that execute the changed code. A change that they do not notice survives; README.md says what to do about it. What is found is
// in coverage/mutations: a page for each area, and what the next run need not repeat, also when this one is interrupted.
// `npm run test:mutations -- request data` takes these areas alone; `-- request --mutate shared/platform/request/form.ts
// --tests test/unit/shared/platform/request/body.test.ts` some files of one, or some tests.
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import jestConfig from '../jest.config.mjs';
import { leaveEngine, shareEngine } from '../support/engine.ts';

/** What is changed, and the tests that are to notice, by area. */
const areas = {
  request: {
    mutate: ['shared/platform/request/**/*.ts'],
    tests: [
      'test/unit/shared/platform/request/**/*.test.ts',
      'test/integration/{idempotency,rate-limit}*.test.ts',
    ],
  },
  data: {
    mutate: ['shared/platform/data/**/*.ts'],
    tests: [
      'test/unit/shared/platform/data/**/*.test.ts',
      'test/integration/{carriers,updated-since,index-lag}*.test.ts',
    ],
  },
  'webhook-delivery': {
    mutate: ['functions/webhook-delivery/**/*.ts'],
    tests: ['test/unit/functions/webhook-delivery/**/*.test.ts', 'test/integration/webhook-*.test.ts'],
  },
  decision: {
    mutate: ['shared/domain/decision/**/*.ts'],
    tests: ['test/decision/**/*.test.ts'],
  },
};

const list = { type: 'string', multiple: true };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mutate: list, tests: list, concurrency: { type: 'string', default: '2' } },
});
const unknown = positionals.filter((name) => !(name in areas));
if (unknown.length > 0) throw new Error(`No area ${unknown.join()}: there are ${Object.keys(areas).join()}.`);

const integration = jestConfig.projects.find(({ displayName }) => displayName === 'integration');
const { transform, transformIgnorePatterns, setupFilesAfterEnv } = integration;
const reports = 'coverage/mutations';

// One DynamoDB Local for all changes, instead of one for each.
await shareEngine();
try {
  for (const name of positionals.length === 0 ? Object.keys(areas) : positionals) {
    const { mutate, tests } = { ...areas[name], ...values };
    await new Stryker({
      mutate,
      testRunner: 'jest',
      plugins: [import.meta.resolve('@stryker-mutator/jest-runner')],
      jest: {
        config: {
          projects: [],
          testMatch: tests.map((path) => `<rootDir>/${path}`),
          transform,
          transformIgnorePatterns,
          setupFilesAfterEnv,
        },
      },
      coverageAnalysis: 'perTest',
      // What a module does while it is loaded would need all tests of it.
      ignoreStatic: true,
      incremental: true,
      incrementalFile: `${reports}/${name}.json`,
      reporters: ['clear-text', 'progress-append-only', 'html'],
      clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false },
      htmlReporter: { fileName: `${reports}/${name}.html` },
      tempDirName: `${reports}/sandbox`,
      ignorePatterns: ['/dist', '/cdk.out', '/.local', '/coverage'],
      // Nothing is compiled in the copy: swc takes the types away.
      tsconfigFile: 'none',
      concurrency: Number(values.concurrency),
      timeoutMS: 20_000,
      dryRunTimeoutMinutes: 60,
    }).runMutationTest();
  }
} finally {
  await leaveEngine();
}
