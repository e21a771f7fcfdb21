// `npm run --silent admin -- <command> '<json>' [--environment <name>]`: runs an operator's command with the `admin`
// function, or one about imports with the `import` function, of the local run or of an environment in AWS. Prints one JSON
// object; exits with 1 if the command is rejected, or no line of an import is imported. `--help` explains the commands, and `import --describe` the records.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { contentOf } from '../../shared/domain/file-documents/content.ts';
import { fileTypes } from '../../shared/domain/file-documents/file-types.ts';
import { ApiError } from '../../shared/platform/contract/errors.ts';
import { jsonValue } from '../../shared/platform/request/validation.ts';
import { deployedEnvironments, type EnvironmentName } from '../environments.ts';
import { Refusal, runTool } from '../operator-tool.ts';
import { describeRecords } from './describe-records.ts';
import { operatorCommands } from './descriptions.ts';
import { type Answer, functionsOf, refused } from './functions.ts';
import { commandHelp, helpText } from './help.ts';
import { importFile } from './import-file.ts';
import { rematch } from './rematch.ts';

/** Runs a command with the admin function. */
type Ask = (command: string, input: unknown) => Promise<Answer>;

const announced = z.object({
  fileDocumentId: z.string(),
  upload: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
});

/** Milliseconds between questions whether a file has been scanned, and in all. */
const scanInterval = 2_000;
const scanTimeout = 60_000;

const scanning = z.object({
  ok: z.literal(false),
  error: z.object({ details: z.object({ actual: z.literal('scanning') }) }),
});
const isScanning = (answer: Answer): boolean => z.safeParse(scanning, answer).success;

/** Uploads a file and makes it an artifact of its filing. */
async function addCompletionArtifact(ask: Ask, input: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { file, ...rest } = input;
  if (typeof file !== 'string') return refused('file: is required: the path of the artifact');
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) return refused(`file: ${file} cannot be read`);
  const { type: contentType } = await contentOf(bytes, true);
  if (contentType === undefined) {
    return refused(`file: ${file} must be one of ${Object.values(fileTypes).join(', ')}`);
  }
  const announcement = await ask('announce-completion-artifact', {
    ...rest,
    fileName: basename(file),
    contentType,
    sizeInBytes: bytes.length,
  });
  if (!announcement.ok) return announcement;
  const { fileDocumentId, upload } = z.parse(announced, announcement.result);
  const { 'content-length': _, ...headers } = upload.headers;
  const response = await fetch(upload.url, { method: 'PUT', headers, body: bytes });
  if (!response.ok) throw new Error(`The upload failed with ${response.status}: ${await response.text()}`);
  const add = () => ask('add-completion-artifact', { ...rest, fileDocumentId });
  let added = await add();
  // The file is scanned for malware first.
  for (let waited = 0; isScanning(added) && waited < scanTimeout; waited += scanInterval) {
    await pause(scanInterval);
    added = await add();
  }
  return added;
}

/** The result of an import of which not one line could be used: nothing went as it was meant to. */
const nothingImported = z.object({
  imported: z.literal(0),
  rejected: z.array(z.unknown()).check(z.minLength(1)),
});

const options = {
  environment: { type: 'string', default: 'local' },
  describe: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** @throws Refusal for an unknown option or environment. */
function readArguments() {
  const { values, positionals } = parsed();
  const { describe, help } = values;
  const environment = (['local', ...deployedEnvironments] as const).find(
    (name) => name === values.environment,
  );
  if (environment === undefined) {
    throw new Refusal(
      `Unknown environment "${values.environment}". Choose one of ${deployedEnvironments.join(', ')}; without --environment, commands go to the local run.`,
    );
  }
  const [command, text, ...more] = positionals;
  if (more.length > 0) throw new Refusal(`The JSON must be one argument: put it in single quotes.`);
  return { command, text, environment, describe, help };
}

function parsed() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    // Node's message goes on with advice about positional arguments, which no command has.
    const [problem = ''] = String(error instanceof Error ? error.message : error).split('. ');
    throw new Refusal(`${problem}. See "npm run --silent admin -- --help".`);
  }
}

/** The input of a command, or what is wrong with it. */
function readInput(text: string): Record<string, unknown> | string {
  // What Node.js makes of an argument's bytes that are not UTF-8. A text that does have this character can write it as \ufffd.
  if (text.includes('\uFFFD')) return 'The second argument is not UTF-8.';
  const noObject = 'The second argument must be a JSON object.';
  try {
    return z.safeParse(z.record(z.string(), z.unknown()), jsonValue(text)).data ?? noObject;
  } catch (error) {
    return error instanceof ApiError ? error.message : noObject;
  }
}

async function run(command: string, text: string, environment: EnvironmentName): Promise<Answer> {
  const input = readInput(text);
  if (typeof input === 'string') return refused(input);
  const invoke = await functionsOf(environment);
  const ask: Ask = (name, given) => invoke('admin', { command: name, input: given });
  switch (command) {
    case 'import':
      return importFile(invoke, input);
    case 'rematch':
      return rematch(invoke, input);
    case 'confirm-match':
      return invoke('import', { command, input });
    case 'add-completion-artifact':
      return addCompletionArtifact(ask, input);
    default:
      return ask(command, input);
  }
}

async function main(): Promise<void> {
  const { command, text, environment, describe, help } = readArguments();
  const known = operatorCommands.find((name) => name === command);
  let page: string | undefined;
  if (describe && known === 'import') page = describeRecords(text);
  else if (known !== undefined && help) page = commandHelp(known);
  else if (command === undefined || help) page = helpText();
  if (page !== undefined) {
    process.stdout.write(`${page}\n`);
    return;
  }
  const response =
    known === undefined
      ? refused(`There is no command "${command}". See "npm run --silent admin -- --help".`)
      : await run(known, text ?? '{}', environment);
  process.stdout.write(`${JSON.stringify(response.ok ? response.result : response.error)}\n`);
  process.exitCode = response.ok && !z.safeParse(nothingImported, response.result).success ? 0 : 1;
}

runTool(undefined, main);
