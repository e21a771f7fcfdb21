import { rm } from 'node:fs/promises';
import type { Config } from '@jest/types';
import { leaveEngine } from '../support/engine.ts';
import { running } from './start.ts';

/**
 * Grants that no test of a run can need: `function action`, and why. A version of a compliance config that begins on a later day is read
 * by an import when that day has come, and the run's clock is the machine's; `config-versions.slow.test.ts` goes there.
 */
const neededLater = [
  { grant: 'import: dynamodb:BatchGetItem on ', table: 'complianceTable' },
  // A report of more than a transaction takes, and of an agency's own change: `compliance-changes.test.ts` goes there.
  { grant: 'compliance-changes: dynamodb:ConditionCheckItem on ', table: 'complianceTable' },
  { grant: 'sandbox-nightly-run: dynamodb:ConditionCheckItem on ', table: 'complianceTable' },
  { grant: 'sandbox-nightly-run: dynamodb:BatchGetItem on ', table: 'downstreamentitiesTable' },
  // A report after which no day to come changes anything of a holder: `recorded-holders.test.ts` goes there.
  { grant: 'registry-sync: dynamodb:DeleteItem on ', table: 'registryrecordsTable' },
  { grant: 'sandbox-nightly-run: dynamodb:DeleteItem on ', table: 'registryrecordsTable' },
  // Heads that the rules of a former release folded: what was recorded is read in their place.
  { grant: 'agency: dynamodb:Query on ', table: 'registryrecordsTable' },
  // Repeated requests with a key: `sandbox-records.test.ts` goes there.
  { grant: 'sandbox: dynamodb:', table: 'idempotencyTable' },
  // Places of lists longer than a page: `policies.test.ts` goes there for its group, and without one a list is served, and logged.
  { grant: 'agents: dynamodb:UpdateItem on ', table: 'ratecountersTable' },
  // A config by which an appointment is overdue on a day to come: `compliance-changes.test.ts` goes there.
  { grant: 'compliance-changes: dynamodb:PutItem on ', table: 'registryrecordsTable' },
];

/**
 * Stops the local run. After a run of all suites, but not of the reference alone, every grant of every role must have been needed:
 * one that was not is a permission too many, or a path that no test goes.
 */
export default async function stop(
  config: Config.GlobalConfig,
  { displayName }: Config.ProjectConfig,
): Promise<void> {
  const unused = running.grants.unused(running.localRun?.statements ?? new Map());
  await running.localRun?.stop();
  await leaveEngine();
  if (running.logDirectory !== undefined) await rm(running.logDirectory, { recursive: true });
  const everything =
    displayName?.name === 'e2e' &&
    config.testPathPatterns.patterns.length === 0 &&
    (config.testNamePattern ?? '') === '';
  const list = unused
    .map(({ functionName, action, resource }) => `${functionName}: ${action} on ${resource}`)
    .filter(
      (text) => !neededLater.some(({ grant, table }) => text.startsWith(grant) && text.includes(table)),
    );
  if (everything && list.length > 0) {
    throw new Error(`Grants that nothing used:\n${list.join('\n')}`);
  }
}
