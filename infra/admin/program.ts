import { Command, Option } from 'commander';
import * as z from 'zod/mini';
import { effectOf, inputOf } from '../../functions/admin/commands.ts';
import { type ImportCommandName, importCommands } from '../../functions/import/commands.ts';
import type { RecordType } from '../../functions/import/record-schemas.ts';
import { deployedEnvironments, type EnvironmentName } from '../environments.ts';
import { descriptions, type OperatorCommand } from './descriptions.ts';
import { describeFields, describeRecords, recordTypes } from './fields.ts';
import { type Invoke, RefusedCommand } from './functions.ts';
import { importFile, importInput } from './import-file.ts';
import { addCompletionArtifact, artifactInput, rematch, rematchInput } from './own-commands.ts';
import { requestVisits, visitsInput } from './request-visits.ts';

/** Commands that this program does in several calls, or with a file. */
const ownCommands = {
  import: { input: importInput, run: importFile },
  rematch: { input: rematchInput, run: rematch },
  'request-visits': { input: visitsInput, run: requestVisits },
  'add-completion-artifact': { input: artifactInput, run: addCompletionArtifact },
};

const isOwn = (name: OperatorCommand): name is keyof typeof ownCommands => name in ownCommands;
const isOfImport = (name: OperatorCommand): name is Extract<OperatorCommand, ImportCommandName> =>
  name in importCommands;

/** The schema of what an operator gives a command. */
function inputSchemaOf(name: OperatorCommand): z.core.$ZodType {
  if (isOwn(name)) return ownCommands[name].input;
  return isOfImport(name) ? importCommands[name] : inputOf(name);
}

/** Runs a command. @throws ApiError, RefusedCommand, and what `invoke` throws. */
export function runCommand(name: OperatorCommand, invoke: Invoke, input: object): Promise<object> {
  if (isOwn(name)) return ownCommands[name].run(invoke, input);
  return invoke(isOfImport(name) ? 'import' : 'admin', { command: name, input });
}

/** A sentence about what a command takes away, or whom it locks out; undefined where it does neither. */
function effectOfCommand(name: OperatorCommand, input: object): string | undefined {
  if (isOwn(name)) {
    const isComplete = name === 'import' && z.safeParse(importInput, input).data?.complete === true;
    return isComplete ? 'Ends what the file leaves out of the holders and states that it names.' : undefined;
  }
  return isOfImport(name) ? undefined : effectOf(name, input);
}

/** The terminal of an operator. */
export interface Terminal {
  readonly isInteractive: boolean;
  readonly ask: (question: string) => Promise<string>;
}

/**
 * Asks before a command takes something away in `prod`, or locks somebody out; only on a terminal.
 * @throws RefusedCommand unless the answer is yes.
 */
export async function confirm(
  name: OperatorCommand,
  input: object,
  { environment, yes: isSure = false }: Pick<RunOptions, 'environment' | 'yes'>,
  { isInteractive, ask }: Terminal,
): Promise<void> {
  const effect = effectOfCommand(name, input);
  if (environment !== 'prod' || isSure || !isInteractive || effect === undefined) return;
  const answer = await ask(`${name} in ${environment}: ${effect} Go on? [y/N] `);
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new RefusedCommand({ errorType: 'conflict', errorMessage: ['Nothing was done.'] });
}

/** Reports what was imported on the way: a file is many calls. */
export const withProgress =
  (invoke: Invoke, report: (line: string) => void): Invoke =>
  async (functionName, payload) => {
    const answer = await invoke(functionName, payload);
    const { data: sentLines } = z.safeParse(sentChunk, payload);
    const { data: doneLines } = z.safeParse(doneChunk, answer);
    if (sentLines !== undefined && doneLines !== undefined) {
      report(
        `From line ${sentLines.firstLine}: ${doneLines.imported} imported, ${doneLines.rejected.length} rejected.`,
      );
    }
    return answer;
  };

const sentChunk = z.object({ firstLine: z.number() });
const doneChunk = z.object({ imported: z.number(), rejected: z.array(z.unknown()) });

/** The options of the program. */
export interface RunOptions {
  readonly environment: EnvironmentName;
  readonly json?: boolean;
  readonly yes?: boolean;
}

/** Does what an operator asks for. @param text the input as JSON. */
type Run = (name: OperatorCommand, text: string, options: RunOptions) => Promise<void>;

/** The operators' program, whose help has the fields of each command. Parsing throws a CommanderError. */
export function operatorProgram(run: Run): Command {
  const program = new Command('npm run --silent admin --')
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .usage("<command> '<json>' [--environment <name>]")
    .description(
      'Runs an operator command against the local run or, with --environment, in AWS with the AWS credentials of the shell. Prints tables on a terminal, else one JSON object, and exits with 1 if the command is rejected.',
    )
    .addOption(
      new Option('--environment <name>', 'environment in AWS')
        .choices(['local', ...deployedEnvironments])
        .default('local'),
    )
    .option('--json', 'print one JSON object on a terminal, too')
    .option('--yes', 'do not ask before a command that takes away or locks out in prod')
    .addHelpText(
      'after',
      '\nFor procedures: infra/runbook.md, such as "A receiver did not get its event" and "Who did what".',
    );
  for (const name of Object.keys(descriptions) as OperatorCommand[]) {
    const command = program
      .command(name)
      .usage("'<json>' [--environment <name>]")
      .argument('[json]', 'an object with the fields below, in single quotes', '{}')
      .description(descriptions[name])
      .addHelpText('after', () => `\nFields:\n${describeFields(inputSchemaOf(name))}`)
      .action((text: string, { describe }: { readonly describe?: RecordType }) => {
        if (describe === undefined) return run(name, text, program.opts<RunOptions>());
        return void process.stdout.write(`${describeRecords(describe)}\n`);
      });
    if (name === 'import') {
      command.addOption(
        new Option('--describe <type>', 'print the fields of records of a type').choices(recordTypes),
      );
    }
  }
  return program;
}
