// What the command-line tools have in common, each of which is an entry of its own.
/** Why a tool stopped; the message, one sentence mostly, says what the operator has to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** What the SDK says, and what it means here. */
const noRegion = 'Region is missing';
const whichRegion =
  'The region is missing: fill in "region" of the environment in infra/environments.ts, or set AWS_REGION.';

/**
 * Runs a command-line tool of operators: an error is one message on standard error, and exit code 1. Arguments that cannot be
 * parsed show the usage too, where the message does not say how to get it.
 */
export function runTool(usage: string | undefined, main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const isUsage = usage !== undefined && error instanceof TypeError && 'code' in error;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message === noRegion ? whichRegion : message}\n${isUsage ? `${usage}\n` : ''}`);
    process.exitCode = 1;
  });
}
