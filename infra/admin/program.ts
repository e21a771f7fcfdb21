import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import * as z from 'zod/mini';
import { contentOf, fileTypes } from '#domain/file-documents/content.ts';
import { artifactTypes } from '#domain/filings/resource.ts';
import { npn } from '#domain/identifiers/identifiers.ts';
import { retry } from '#platform/aws/calls.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { chunks } from '#platform/data/concurrently.ts';
import { parseInput } from '#platform/request/validation.ts';
import { type CommandName, effectOf, inputOf, mostVisitsRequested } from '../../functions/admin/commands.ts';
import { type ImportCommandName, importCommands } from '../../functions/import/commands.ts';
import { rematchInput as partInput } from '../../functions/import/policy/rematch.ts';
import type { RecordType } from '../../functions/import/record-schemas.ts';
import { deployedEnvironments, type EnvironmentName } from '../environments.ts';
import { describeFields, describeRecords, recordTypes } from './fields.ts';
import { type Invoke, RefusedCommand } from './functions.ts';
import { importFile, importInput } from './import-file.ts';
import { cellText, rowsOf } from './tables.ts';

const artifactInput = z.strictObject({
  filingId: objectId,
  type: z.enum(artifactTypes),
  file: z.string().check(z.describe('Path of the file.')),
});

const announcementAnswer = z.object({
  fileDocumentId: z.string(),
  upload: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
});

/** Milliseconds for the malware scan of an uploaded file. */
const scanTimeout = 60_000;

const isScanning = (error: unknown): boolean =>
  error instanceof RefusedCommand && error.refusal.details?.['actual'] === 'scanning';

/**
 * Uploads a file and makes it an artifact of its filing.
 * @throws ApiError `validation_error` for input that is not valid, and for a file that cannot be read or used; what `invoke`
 * throws.
 */
async function addCompletionArtifact(invoke: Invoke, input: unknown): Promise<object> {
  const { file, ...artifact } = parseInput(artifactInput, input);
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) throw invalidAt('file', `${file} cannot be read`);
  const { type: contentType } = await contentOf(bytes, true);
  if (contentType === undefined) {
    throw invalidAt('file', `${file} must be one of ${Object.values(fileTypes).join(', ')}`);
  }
  const announcement = await invoke('admin', {
    command: 'announce-completion-artifact',
    input: { ...artifact, fileName: basename(file), contentType, sizeInBytes: bytes.length },
  });
  const { fileDocumentId, upload } = z.parse(announcementAnswer, announcement);
  const { 'content-length': _, ...headers } = upload.headers;
  const response = await fetch(upload.url, { method: 'PUT', headers, body: bytes });
  if (!response.ok) throw new Error(`The upload failed with ${response.status}: ${await response.text()}`);
  const addition = { command: 'add-completion-artifact', input: { ...artifact, fileDocumentId } };
  return retry(() => invoke('admin', addition), {
    attempts: Number.POSITIVE_INFINITY,
    isRetryable: isScanning,
    withinMs: scanTimeout,
  });
}

export const rematchInput = z.omit(partInput, { after: true });

const outcome = z.object({
  matched: z.number(),
  review: z.number(),
  unmatched: z.number(),
  next: z.optional(z.looseObject({})),
});

/** Matches again, one part after another, each in a call of its own, and adds up the results. */
export async function rematch(invoke: Invoke, input: object) {
  const total = { matched: 0, review: 0, unmatched: 0 };
  for (let after: object | undefined; ; ) {
    const answer = await invoke('import', { command: 'rematch', input: { ...input, after } });
    const { next, ...counts } = z.parse(outcome, answer);
    total.matched += counts.matched;
    total.review += counts.review;
    total.unmatched += counts.unmatched;
    if (next === undefined) return total;
    after = next;
  }
}

const visitsInput = z.strictObject({
  npns: z.optional(z.array(npn)),
  file: z.optional(
    z.string().check(z.describe('Path of a file instead: one NPN a line or, with `column`, a CSV file.')),
  ),
  column: z.optional(z.string().check(z.describe('Name of the column with the NPNs.'))),
});

const visitsOutcome = z.object({ requested: z.number(), unknown: z.number() });

/**
 * Has NPNs visited in the next night, some in each call.
 * @throws ApiError `validation_error` for a file that cannot be read, or has a line without an NPN; what `invoke` throws.
 */
export async function requestVisits(invoke: Invoke, input: unknown): Promise<object> {
  const { npns = [], file, column } = parseInput(visitsInput, input);
  if ((npns.length === 0) === (file === undefined)) throw invalidAt('', 'one of npns and file is required');
  const allNpns = new Set(file === undefined ? npns : await npnsIn(file, column));
  const total = { requested: 0, unknown: 0 };
  for (const batch of chunks([...allNpns], { count: mostVisitsRequested })) {
    const answer = await invoke('admin', { command: 'request-visits', input: { npns: batch } });
    const { requested, unknown } = z.parse(visitsOutcome, answer);
    total.requested += requested;
    total.unknown += unknown;
  }
  return total;
}

async function npnsIn(file: string, column: string | undefined): Promise<string[]> {
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) throw invalidAt('file', `${file} cannot be read`);
  const foundNpns: string[] = [];
  let position = column === undefined ? 0 : undefined;
  for await (const { line, cells = [] } of rowsOf(single(bytes))) {
    const texts = cells.map(cellText);
    if (position === undefined) {
      position = texts.findIndex((text) => text.toLowerCase() === column?.toLowerCase());
      if (position === -1) throw invalidAt('column', `${column} is not a column of the file`);
    } else {
      const { data } = z.safeParse(npn, texts[position]);
      if (data === undefined) throw invalidAt('file', `line ${line} has no NPN, which is 1 to 10 digits`);
      foundNpns.push(data);
    }
  }
  return foundNpns;
}

async function* single(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Names of the commands as operators call them. */
export type OperatorCommand =
  | Exclude<CommandName, 'announce-completion-artifact'>
  | ImportCommandName
  | 'import';

/**
 * What each command does, in the order of the help. `announce-completion-artifact` is the program's own, in
 * `add-completion-artifact`.
 */
export const descriptions: Readonly<Record<OperatorCommand, string>> = {
  'create-organization': 'Creates an organization, by default with all features and an active subscription.',
  'update-organization': 'Changes the given fields of an organization; a list is replaced as a whole.',
  'find-organization': 'Finds organizations by a part of their names.',
  'create-api-client': 'Creates client credentials, whose secret is shown only here.',
  'create-restricted-access-token':
    'Creates a token that is admitted from these addresses alone, and is shown only here.',
  'list-credentials':
    'Lists the API clients and restricted access tokens of an organization, without secrets.',
  'revoke-credential':
    'Revokes an API client or a restricted access token, named by its id or by the token, within a minute.',
  import: 'Imports a file of records; "Import" in functions/admin/README.md describes what files may have.',
  rematch:
    'Matches again the transactions and policies whose agency, agents, or product are not known, and counts sales imported before a config appointed on binding.',
  'confirm-match':
    'Records what a person decided about a transaction: its agency, its agents, its product, or all as found.',
  'check-config':
    'Finds the codes, names, classes, and companies that a product requires and no license or appointment held there carries.',
  'list-unread': 'Lists the rows of reports that cannot be read, and the words that are not recognized.',
  'set-filing-status': 'Changes the status of a filing.',
  'open-escalation': 'Opens an escalation on a checklist item, which customers see unless it is private.',
  'message-escalation': 'Adds a message to an open escalation, which then waits for the customer.',
  'resolve-escalation': 'Resolves an open escalation.',
  'add-completion-artifact': 'Uploads a file, and adds it to a filing, which needs one to become completed.',
  'set-license-request-status': 'Moves a license request to in review, and then to approved or rejected.',
  'redeem-one-time-link': 'Redeems the token of an invitation or a sign-in link, once.',
  'activate-association': 'Makes an association active, because the agency agreed to it in another way.',
  'execute-contract': 'Signs the contract of an association for one party or, by default, for both.',
  'run-license-sweep':
    'Reports licenses that expire, those of missed days first, as of now or another time; counts licenses at a boundary and their events, by organization too.',
  'run-registry-reconciliation':
    'Visits the registry for every NPN, as of now or another time, as a night does; counts what changed, by organization too.',
  'request-visits':
    'Has NPNs, such as those of the registry’s alerts, visited first in the next night, but for never verified ones.',
  'set-registry-record': 'Sets what the simulated registry reports for an NPN, list by list.',
  redrive: 'Moves the messages of a dead-letter queue back to their queue.',
};

/** Runs a command; `report` takes a line about what was done on the way, since a file is many calls. */
type RunCommand = (invoke: Invoke, input: object, report: (line: string) => void) => Promise<object>;

/** Commands that this program does in several calls, or with a file. */
const ownCommands = {
  import: { input: importInput, run: importFile },
  rematch: { input: rematchInput, run: rematch },
  'request-visits': { input: visitsInput, run: requestVisits },
  'add-completion-artifact': { input: artifactInput, run: addCompletionArtifact },
} satisfies Record<string, { readonly input: z.core.$ZodType; readonly run: RunCommand }>;

const isOwn = (name: OperatorCommand): name is keyof typeof ownCommands => name in ownCommands;
const isOfImport = (name: OperatorCommand): name is Extract<OperatorCommand, ImportCommandName> =>
  name in importCommands;

/** The schema of what an operator gives a command. */
function inputSchemaOf(name: OperatorCommand): z.core.$ZodType {
  if (isOwn(name)) return ownCommands[name].input;
  return isOfImport(name) ? importCommands[name] : inputOf(name);
}

/** The way in which a command is run. It throws an ApiError, a RefusedCommand, and what `invoke` throws. */
export function runnerOf(name: OperatorCommand): RunCommand {
  if (isOwn(name)) return ownCommands[name].run;
  const functionName = isOfImport(name) ? 'import' : 'admin';
  return (invoke, input) => invoke(functionName, { command: name, input });
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

/** The options of the program. */
interface RunOptions {
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
