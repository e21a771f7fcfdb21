// `npm run test:mutations`: StrykerJS (https://stryker-mutator.io/docs/stryker-js/configuration) changes the decision in every small
// way it knows and runs the tests that execute the changed code. `npm run test:mutations -- --mutate shared/platform/request/form.ts`
// takes other files.
import jestConfig from '../jest.config.mjs';

const { transform, transformIgnorePatterns, setupFilesAfterEnv } = jestConfig.projects[0];

export default {
  mutate: ['shared/domain/decision/**/*.ts'],
  testRunner: 'jest',
  jest: {
    // In place of the projects of the tests.
    config: {
      projects: [],
      testMatch: ['<rootDir>/test/{unit,decision}/**/*.test.ts'],
      transform,
      transformIgnorePatterns,
      setupFilesAfterEnv,
    },
  },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  incremental: true,
  incrementalFile: 'coverage/mutations/incremental.json',
  reporters: ['clear-text', 'progress-append-only', 'html'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false },
  htmlReporter: { fileName: 'coverage/mutations/index.html' },
  tempDirName: 'coverage/mutations/sandbox',
  ignorePatterns: ['/dist', '/cdk.out', '/.local', '/coverage'],
  tsconfigFile: 'none',
  concurrency: 2,
  dryRunTimeoutMinutes: 60,
};
