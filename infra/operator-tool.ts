// What the command-line tools have in common, each of which is an entry of its own.
/** Why a tool stopped; the message, one sentence mostly, says what the operator has to do. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Why arguments cannot be used; the usage follows. */
export class WrongArguments extends Refusal {}

/** Messages of the SDK, and what they mean here. */
const noRegion = 'Region is missing';
const whichRegion =
  'The region is missing: fill in "region" of the environment in infra/environments.ts, or set AWS_REGION.';

/**
 * Runs a command-line tool of operators: an error is one message on standard error, and exit code 1. Arguments that cannot be
 * used show the usage too, and `--help` shows it alone; a tool without one has help of its own.
 */
export function runTool(usage: string | undefined, main: () => Promise<void>): void {
  if (usage !== undefined && process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  main().catch((error: unknown) => {
    const isUsage =
      usage !== undefined &&
      (error instanceof WrongArguments || (error instanceof TypeError && 'code' in error));
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message === noRegion ? whichRegion : message}\n${isUsage ? `${usage}\n` : ''}`);
    process.exitCode = 1;
  });
}
