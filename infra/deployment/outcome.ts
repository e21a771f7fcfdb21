import {
  type CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { type StackPart, stackName, stackParts } from '../environments.ts';
import type { SmokeResult } from './smoke.ts';

/** A stack as CloudFormation has it. */
export interface StackState {
  readonly part: StackPart;
  readonly name: string;
  /** Undefined if there is no such stack. */
  readonly status: string | undefined;
  /** When it was last created or updated, in milliseconds since 1970. */
  readonly changedAt: number | undefined;
}

/** The stacks of an environment. @throws SDK errors. */
export const readStacks = (environment: string, client: CloudFormationClient): Promise<StackState[]> =>
  Promise.all(stackParts.map((part) => readStack(environment, part, client)));

async function readStack(
  environment: string,
  part: StackPart,
  client: CloudFormationClient,
): Promise<StackState> {
  const name = stackName(environment, part);
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
    const { StackStatus: status, LastUpdatedTime, CreationTime } = Stacks?.[0] ?? {};
    return { part, name, status, changedAt: (LastUpdatedTime ?? CreationTime)?.getTime() };
  } catch (error) {
    // CloudFormation has no error of its own for a stack that does not exist.
    if (error instanceof CloudFormationServiceException && error.name === 'ValidationError') {
      return { part, name, status: undefined, changedAt: undefined };
    }
    throw error;
  }
}

/** Whether a stack was never created: it has nothing but what its creation left behind, and can only be deleted. */
export const isCreationFailed = ({ status = '' }: StackState): boolean =>
  ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'].includes(status);

/** What is known when `cdk deploy` has ended. */
export interface Ended {
  /** Exit code of `cdk deploy`. */
  readonly exitCode: number;
  /** The stacks before it and after it. */
  readonly before: readonly StackState[];
  readonly after: readonly StackState[];
  /** What the canary found then; undefined if there is none. */
  readonly smoke: SmokeResult | undefined;
}

/**
 * What callers have after a deployment: `live` is the new release and works, `failing` is the new release and does not,
 * `unwatched` is the new release with the alarms of before, `rolled back` is the previous release, `not deployed` is what was
 * there before, and `unfinished` is neither. The text is for the operator, and begins with it.
 */
const outcome = (
  is: 'live' | 'failing' | 'unwatched' | 'rolled back' | 'not deployed' | 'unfinished',
  sentences: string,
) => ({ is, text: `${is}. ${sentences}` });

/**
 * The outcome of a deployment. `cdk deploy` waits for CodeDeploy, which shifts traffic within the update of the service
 * stack: when it stops, the update fails and CloudFormation rolls the stack back. The exit code alone does not tell that
 * from a deployment that never began, so the stacks decide.
 */
export function outcomeOf({ exitCode, before, after, smoke }: Ended) {
  const canary = canarySays(smoke);
  if (exitCode === 0) {
    return smoke?.passed === true
      ? outcome('live', canary)
      : outcome('failing', `The new release is live. ${canary} See "Rolling back" in infra/runbook.md.`);
  }
  const changed = after.filter(
    ({ name, changedAt }) => changedAt !== before.find((one) => one.name === name)?.changedAt,
  );
  const unfinished = after.filter(
    ({ status = '' }) => /(IN_PROGRESS|FAILED)$/.test(status) && !isCleaningUp(status),
  );
  if (unfinished.length > 0) {
    const named = unfinished.map(({ name, status }) => `${name} is ${status}`).join(', ');
    return outcome('unfinished', `${named}: look at its events in CloudFormation. ${canary}`);
  }
  // The watch stack comes last, and what callers have is not in it.
  const rolledBack = changed.filter(
    ({ part, status = '' }) => part !== 'watch' && status.includes('ROLLBACK_COMPLETE'),
  );
  if (rolledBack.length > 0) {
    const names = rolledBack.map(({ name }) => name).join(', ');
    return outcome('rolled back', `The first FAILED among the events of ${names} says why. ${canary}`);
  }
  if (changed.some(({ part }) => part !== 'data')) {
    return outcome(
      'unwatched',
      `The new release is live, but alarms, dashboard, and saved queries are those of before: deploy again. If the watch stack was rolled back, the first FAILED among its events says why. ${canary}`,
    );
  }
  return outcome('not deployed', `No stack was rolled back; what was live before still is. ${canary}`);
}

/** Deletes what the previous release had and this one has not; what is live does not change anymore. */
const isCleaningUp = (status: string): boolean => status.endsWith('COMPLETE_CLEANUP_IN_PROGRESS');

function canarySays(smoke: SmokeResult | undefined): string {
  if (smoke === undefined) return 'The canary could not be asked.';
  return smoke.passed ? 'The canary passed.' : `The canary fails: ${smoke.reason}`;
}
