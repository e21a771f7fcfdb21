import { rm } from 'node:fs/promises';
import type { Config } from '@jest/types';
import { leaveEngine } from '../support/engine.ts';
import { running } from './start.ts';

/**
 * Stops the local run. After a run of all suites, but not of the pages alone, every grant of every role must have been needed:
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
  if (everything && unused.length > 0) {
    const list = unused.map(
      ({ functionName, action, resource }) => `${functionName}: ${action} on ${resource}`,
    );
    throw new Error(`Grants that nothing used:\n${list.join('\n')}`);
  }
}
