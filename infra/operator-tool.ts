/** Why a tool stopped; the message is for the operator. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/**
 * Runs a command-line tool of operators: an error is one message on standard error, and exit code 1. Arguments that cannot be
 * parsed show the usage too.
 */
export function runTool(usage: string, main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const isUsage = error instanceof TypeError && 'code' in error;
    process.stderr.write(
      `${error instanceof Error ? error.message : String(error)}\n${isUsage ? `${usage}\n` : ''}`,
    );
    process.exitCode = 1;
  });
}
