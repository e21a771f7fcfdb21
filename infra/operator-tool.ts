/** Why a tool stopped; the message is for the operator. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** What the SDK says, and what it means here. */
const noRegion = 'Region is missing';
const whichRegion =
  'The region is missing: fill in "region" of the environment in infra/environments.ts, or set AWS_REGION.';

/**
 * Runs a command-line tool of operators: an error is one message on standard error, and exit code 1. Arguments that cannot be
 * parsed show the usage too.
 */
export function runTool(usage: string, main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const isUsage = error instanceof TypeError && 'code' in error;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message === noRegion ? whichRegion : message}\n${isUsage ? `${usage}\n` : ''}`);
    process.exitCode = 1;
  });
}
