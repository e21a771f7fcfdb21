// `npm run --silent admin -- <command> '<json>' [--environment <name>]`: an operator's command, run by the admin
// function, imports by the import function, of the local run or of an environment in AWS. Prints one JSON object; exits
// 1 when the command is refused.
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { contentOf } from '../../shared/file-documents/content.ts';
import { fileTypes } from '../../shared/resources/file-document.ts';
import {
  deployedEnvironments,
  type Environment,
  type EnvironmentName,
  environments,
  resourceName,
} from '../environments.ts';
import { runDescription, runDirectory } from '../local/run-directory.ts';
import { importChunks } from './import-chunks.ts';

const refusal = z.object({
  errorType: z.string(),
  errorMessage: z.array(z.string()),
  details: z.optional(z.record(z.string(), z.unknown())),
});

const answer = z.union([
  z.object({ ok: z.literal(true), result: z.record(z.string(), z.unknown()) }),
  z.object({ ok: z.literal(false), error: refusal }),
]);

type Answer = z.output<typeof answer>;

/** Has the admin function run a command. */
type Ask = (command: string, input: unknown) => Promise<Answer>;

/** Calls one of the functions for operators. */
type Invoke = (functionName: 'admin' | 'import', payload: object) => Promise<Answer>;

const refused = (message: string): Answer => ({
  ok: false,
  error: { errorType: 'validation_error', errorMessage: [message] },
});

const noLocalRun =
  'No local run is up: start one with "npm start", or name an environment with --environment.';

async function localClient(): Promise<LambdaClientConfig> {
  const text = await readFile(runDirectory.run, 'utf8').catch(() => {
    throw new Error(noLocalRun);
  });
  const run = z.parse(runDescription, JSON.parse(text));
  return {
    endpoint: run.awsEndpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: run.accessKeyId, secretAccessKey: 'local' },
  };
}

/** The region of the environment's entry; the shell's where it names none. */
function deployedClient(environment: EnvironmentName): LambdaClientConfig {
  const { region }: Environment = environments[environment];
  return region === undefined ? {} : { region };
}

/** Calls the functions of an environment; a call is not repeated, for a command may have done its work. */
async function functionsOf(environment: EnvironmentName): Promise<Invoke> {
  // The SDK would tell an operator on Node 20 about its own plans.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';
  const client = new LambdaClient({
    maxAttempts: 1,
    ...(environment === 'local' ? await localClient() : deployedClient(environment)),
  });
  return async (functionName, payload) => {
    const invocation = new InvokeCommand({
      FunctionName: resourceName(environment, functionName),
      Payload: JSON.stringify(payload),
    });
    const result = await client.send(invocation).catch((error: unknown) => {
      const refusedConnection = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
      throw environment === 'local' && refusedConnection ? new Error(noLocalRun) : error;
    });
    const text = Buffer.from(result.Payload ?? []).toString('utf8');
    if (result.FunctionError !== undefined) {
      throw new Error(`The ${functionName} function failed: ${text}`);
    }
    return z.parse(answer, JSON.parse(text));
  };
}

const outcome = z.object({ imported: z.number(), rejected: z.array(z.unknown()) });

/** Sends a file chunk by chunk, in its order, and adds up what became of it. */
async function importFile(invoke: Invoke, input: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { file, ...rest } = input;
  if (typeof file !== 'string') return refused('file: is required, the path of an NDJSON file');
  try {
    await access(file);
  } catch {
    return refused(`file: there is no ${file} that can be read`);
  }
  let imported = 0;
  const rejected: unknown[] = [];
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const chunk of importChunks(lines)) {
    const told = await invoke('import', { ...rest, ...chunk });
    if (!told.ok) {
      // What came before is taken in: the operator sees where to go on.
      const details = { ...told.error.details, stoppedAtLine: chunk.firstLine, imported, rejected };
      return { ok: false, error: { ...told.error, details } };
    }
    const part = z.parse(outcome, told.result);
    imported += part.imported;
    rejected.push(...part.rejected);
  }
  return { ok: true, result: { imported, rejected } };
}

const announced = z.object({
  fileDocumentId: z.string(),
  upload: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
});

/** Uploads a file and makes it an artifact of its filing. */
async function addCompletionArtifact(ask: Ask, input: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { file, ...rest } = input;
  if (typeof file !== 'string') return refused('file: is required, the path of the artifact');
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) return refused(`file: there is no ${file} that can be read`);
  const { type: contentType } = await contentOf(bytes, true);
  if (contentType === undefined) {
    return refused(`file: ${file} is none of ${Object.values(fileTypes).join(', ')}`);
  }
  const told = await ask('announce-completion-artifact', {
    ...rest,
    fileName: basename(file),
    contentType,
    sizeInBytes: bytes.length,
  });
  if (!told.ok) return told;
  const { fileDocumentId, upload } = z.parse(announced, told.result);
  const { 'content-length': _, ...headers } = upload.headers;
  const answered = await fetch(upload.url, { method: 'PUT', headers, body: bytes });
  if (!answered.ok) throw new Error(`The upload was answered ${answered.status}: ${await answered.text()}`);
  return ask('add-completion-artifact', { ...rest, fileDocumentId });
}

const usage = "Usage: npm run --silent admin -- <command> '<json>' [--environment <name>]";

function readArguments(): { command: string; text: string; environment: EnvironmentName } {
  const { values, positionals } = parseArgs({
    options: { environment: { type: 'string' } },
    allowPositionals: true,
  });
  const [command, text = '{}', ...more] = positionals;
  if (command === undefined || more.length > 0) throw new Error(usage);
  const asked = values.environment ?? 'local';
  const environment = (['local', ...deployedEnvironments] as const).find((name) => name === asked);
  if (environment === undefined) {
    throw new Error(`There is no environment "${asked}": choose ${deployedEnvironments.join(', ')}.`);
  }
  return { command, text, environment };
}

function readInput(text: string): Record<string, unknown> | undefined {
  try {
    return z.safeParse(z.record(z.string(), z.unknown()), JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function main(): Promise<Answer> {
  const { command, text, environment } = readArguments();
  const input = readInput(text);
  if (input === undefined) return refused('The second argument must be a JSON object.');
  const invoke = await functionsOf(environment);
  const ask: Ask = (name, given) => invoke('admin', { command: name, input: given });
  switch (command) {
    case 'import':
      return importFile(invoke, input);
    case 'add-completion-artifact':
      return addCompletionArtifact(ask, input);
    default:
      return ask(command, input);
  }
}

main().then(
  (told) => {
    process.stdout.write(`${JSON.stringify(told.ok ? told.result : told.error)}\n`);
    process.exitCode = told.ok ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
