import { Command, Option } from 'commander';
import type * as z from 'zod/mini';
import { inputOf } from '../../functions/admin/commands.ts';
import { type ImportCommandName, importCommands } from '../../functions/import/commands.ts';
import type { RecordType } from '../../functions/import/record-schemas.ts';
import { deployedEnvironments, type EnvironmentName } from '../environments.ts';
import { descriptions, type OperatorCommand } from './descriptions.ts';
import { describeFields, describeRecords, recordTypes } from './fields.ts';
import type { Invoke } from './functions.ts';
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

/** Does what an operator asks for. @param text the input as JSON. */
type Run = (name: OperatorCommand, text: string, environment: EnvironmentName) => Promise<void>;

/** The operators' program, whose help has the fields of each command. Parsing throws a CommanderError. */
export function operatorProgram(run: Run): Command {
  const program = new Command('npm run --silent admin --')
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .usage("<command> '<json>' [--environment <name>]")
    .description(
      'Runs an operator command against the local run or, with --environment, in AWS with the AWS credentials of the shell. Prints one JSON object, and exits with 1 if the command is rejected.',
    )
    .addOption(
      new Option('--environment <name>', 'environment in AWS')
        .choices(['local', ...deployedEnvironments])
        .default('local'),
    )
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
      .action((given: string, { describe }: { readonly describe?: RecordType }) => {
        if (describe === undefined) return run(name, given, program.opts()['environment']);
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
