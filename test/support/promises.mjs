/**
 * What this repository promises, each with the tests that show it: all of a file, or those whose names hold `title`.
 * `.ci/run` prints one line for each.
 *
 * @type {readonly { sentence: string, file: string, title?: string }[]}
 */
export const promises = [
  {
    sentence: 'The lock file names no registry host',
    file: 'test/unit/house-rules.test.ts',
    title: 'the lock file names no registry host',
  },
  {
    sentence: "The route tables are the contract's list",
    file: 'test/unit/house-rules.test.ts',
  },
  { sentence: 'The OpenAPI document is what the route tables say', file: 'test/infra/openapi.test.ts' },
  { sentence: 'What v2 gains does not reach v1', file: 'test/infra/v1.test.ts' },
  { sentence: 'Every link of the pages leads to a file', file: 'test/infra/pages.test.ts' },
  { sentence: 'Every comment cites a place that exists', file: 'test/infra/citations.test.ts' },
  {
    sentence: 'Every alarm has a runbook heading',
    file: 'test/infra/alarms.test.ts',
    title: 'has a section in the runbook',
  },
  {
    sentence: 'Every queue has a dead-letter queue',
    file: 'test/infra/queues.test.ts',
    title: 'has a dead-letter queue',
  },
  { sentence: 'Nothing that must be kept is deleted with its stack', file: 'test/infra/data-stack.test.ts' },
  {
    sentence: 'A carrier that an agency has not agreed with learns no contact and signs nobody in',
    file: 'test/integration/consent.test.ts',
    title: 'a carrier with the id of an agency',
  },
  { sentence: 'No bundle exceeds its budget', file: 'test/infra/bundles.test.ts' },
  {
    sentence: 'No template breaks a rule of CloudFormation, CDK, or cdk-nag',
    file: 'test/infra/requirements.test.ts',
  },
  { sentence: 'Every route admits whom its row admits', file: 'test/e2e/every-route.test.ts' },
  {
    sentence: 'Every route refuses what its row does not describe',
    file: 'test/e2e/every-route.test.ts',
  },
  {
    sentence: 'Every parameter of a query changes an answer',
    file: 'test/e2e/every-route.slow.test.ts',
  },
  { sentence: 'Every field of a body is read', file: 'test/integration/body-reads.slow.test.ts' },
  {
    sentence: 'Errors have the details that the document promises',
    file: 'test/e2e/promised-details.test.ts',
  },
  {
    sentence: 'A function without a permission fails, and its caller learns nothing',
    file: 'test/start/impaired-run.slow.test.ts',
    title: 'a missing permission',
  },
  {
    sentence: 'A typed client compiles from the OpenAPI document',
    file: 'test/e2e/typed-client.slow.test.ts',
  },
  { sentence: 'npm start works and leaves nothing behind', file: 'test/start/start-command.slow.test.ts' },
  {
    sentence: 'Nothing acknowledged is lost or doubled, and no answer is wrongly yes, while AWS calls fail',
    file: 'test/faults/faults.slow.test.ts',
  },
];
