// `npm run --silent admin -- <command> '<json>' [--environment <name>]`: runs an operator's command with the `admin`
// function, or one about imports with the `import` function, of the local run or of an environment in AWS. Prints tables
// on a terminal, else one JSON object; exits with 1 if the command is rejected, or no line of an import is imported. `--help` explains
// the commands.
import { createInterface } from 'node:readline/promises';
import { CommanderError } from 'commander';
import * as z from 'zod/mini';
import { ApiError, invalidAt } from '#platform/contract/errors.ts';
import { jsonValue, parseInput } from '#platform/request/validation.ts';
import { runTool } from '../operator-tool.ts';
import { functionsOf, RefusedCommand } from './functions.ts';
import { confirm, operatorProgram, runnerOf, type Terminal } from './program.ts';
import { shownAnswer } from './shown-answer.ts';

const { stdout, stderr, stdin } = process;

/** Prints tables on a terminal, else JSON. */
const print = (result: object, isJson: boolean): void =>
  void stdout.write(
    stdout.isTTY && !isJson ? shownAnswer(result, stdout.columns) : `${JSON.stringify(result)}\n`,
  );

const terminal: Terminal = {
  isInteractive: stdin.isTTY && stderr.isTTY,
  async ask(question) {
    const asking = createInterface({ input: stdin, output: stderr });
    // The end of the input is no answer.
    const inputEnd = new Promise<string>((resolve) => void asking.once('close', () => resolve('')));
    const answer = await Promise.race([asking.question(question), inputEnd]);
    asking.close();
    return answer;
  },
};

/** The result of an import, or of its dry run, of which not one line could be used: nothing went as it was meant to. */
const nothingImported = z.union([
  z.object({ imported: z.literal(0), rejected: z.array(z.unknown()) }),
  z.object({ counts: z.strictObject({}), rejected: z.array(z.unknown()) }),
]);

/** The input of a command. @throws ApiError `validation_error`. */
function inputOf(text: string): object {
  // What Node.js makes of an argument's bytes that are not UTF-8. A text that does have this character can write it as \ufffd.
  if (text.includes('\uFFFD')) throw invalidAt('', 'The JSON is not UTF-8.');
  try {
    return parseInput(z.record(z.string(), z.unknown()), jsonValue(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidAt('', 'The argument is not valid JSON; put it in single quotes.');
  }
}

/** Why a command was refused, by its function or by this program. @throws any other error. */
function refusalOf(error: unknown): object {
  if (error instanceof RefusedCommand) return error.refusal;
  if (error instanceof ApiError) {
    const { errorType, message, details } = error;
    return { errorType, errorMessage: [message], details };
  }
  if (error instanceof CommanderError) {
    return { errorType: 'validation_error', errorMessage: [error.message.replace(/^error: /, '')] };
  }
  throw error;
}

async function main(): Promise<void> {
  const program = operatorProgram(async (name, text, options) => {
    const input = inputOf(text);
    await confirm(name, input, options, terminal);
    const report = (line: string) => void stderr.write(`${line}\n`);
    const result = await runnerOf(name)(functionsOf(options.environment), input, report);
    print(result, options.json ?? false);
    if (z.safeParse(nothingImported, result).success) process.exitCode = 1;
  });
  const args = process.argv.slice(2);
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    print(refusalOf(error), process.argv.includes('--json'));
    process.exitCode = 1;
  }
}

// What reads the output, such as `head`, may have enough of it.
stdout.on('error', (error) => {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
});

runTool(undefined, main);
