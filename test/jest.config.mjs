// The test projects. What they have in common stands once; `npx jest --selectProjects unit` runs one of them. `npm test` leaves
// out `*.slow.test.ts`, which `npm run test:slow` runs, and `pages`, which `npm run test:long` runs, and gives
// V8 a young generation twice as large as its default: the units take a seventh less processor time.
import { fileURLToPath } from 'node:url';

const rootDir = fileURLToPath(new URL('..', import.meta.url));

/** TypeScript through swc, to CommonJS; jest hands the packages that are only ES modules through it too. */
const common = {
  rootDir,
  transform: {
    '\\.[cm]?[jt]s$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(canonicalize|character-entities|decode-named-character-reference|jose|micromark|micromark-[a-z-]+|openid-client|oauth4webapi|@noble|file-type|marked|strtok3|token-types|uint8array-extras|@borewit|@tokenizer)/)',
  ],
  setupFilesAfterEnv: ['<rootDir>/test/support/timeout.ts'],
  // The copy in which `npm run test:mutations` changes the code.
  modulePathIgnorePatterns: ['<rootDir>/coverage/'],
};

const project = (displayName, options = {}) => ({
  ...common,
  displayName,
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  ...options,
});

export default {
  rootDir,
  // Files wait for DynamoDB Local, for queues, and for processes of their own: with two at once, a fifth of two cores is idle.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/slow-first.mjs',
  projects: [
    project('unit'),
    project('decision'),
    project('infra', {
      globalSetup: '<rootDir>/test/infra/start.ts',
      globalTeardown: '<rootDir>/test/infra/stop.ts',
    }),
    project('local', {
      globalSetup: '<rootDir>/test/infra/start.ts',
      globalTeardown: '<rootDir>/test/infra/stop.ts',
    }),
    project('integration', {
      setupFilesAfterEnv: [...common.setupFilesAfterEnv, '<rootDir>/test/integration/tables-of-test.ts'],
      globalSetup: '<rootDir>/test/integration/start.ts',
      globalTeardown: '<rootDir>/test/integration/stop.ts',
    }),
    project('e2e', {
      globalSetup: '<rootDir>/test/e2e/start.ts',
      globalTeardown: '<rootDir>/test/e2e/stop.ts',
    }),
    project('faults'),
    project('start'),
    project('pages', {
      globalSetup: '<rootDir>/test/e2e/start.ts',
      globalTeardown: '<rootDir>/test/e2e/stop.ts',
    }),
    project('fuzz', {
      globalSetup: '<rootDir>/test/integration/start.ts',
      globalTeardown: '<rootDir>/test/integration/stop.ts',
    }),
  ],
};
