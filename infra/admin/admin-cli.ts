// `npm run --silent admin -- <command> '<json>' [--environment <name>]`: runs an operator's command with the `admin`
// function, or an import with the `import` function, of the local run or of an environment in AWS. Prints one JSON
// object; exits with 1 if the command is rejected.
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { contentOf } from '../../shared/file-documents/content.ts';
import { fileTypes } from '../../shared/resources/file-types.ts';
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

/** Runs a command with the admin function. */
type Ask = (command: string, input: unknown) => Promise<Answer>;

/** Invokes one of the functions for operators. */
type Invoke = (functionName: 'admin' | 'import', payload: object) => Promise<Answer>;

const refused = (message: string): Answer => ({
  ok: false,
  error: { errorType: 'validation_error', errorMessage: [message] },
});

const noLocalRun =
  'The local run is not running: start it with "npm start", or choose an environment with --environment.';

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

/** The region in the environment's entry, or else the shell's. */
function deployedClient(environment: EnvironmentName): LambdaClientConfig {
  const { region }: Environment = environments[environment];
  return region === undefined ? {} : { region };
}

/** Invokes the functions of an environment. Invocations are not retried, because a failed one may have made its changes. */
async function functionsOf(environment: EnvironmentName): Promise<Invoke> {
  // On Node 20 the SDK prints a warning about its support for Node versions, which does not concern operators.
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

/** Sends a file in chunks, in order, and adds up the results. */
async function importFile(invoke: Invoke, input: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { file, ...rest } = input;
  if (typeof file !== 'string') return refused('file: is required: the path of an NDJSON file');
  try {
    await access(file);
  } catch {
    return refused(`file: ${file} cannot be read`);
  }
  let imported = 0;
  const rejected: unknown[] = [];
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const chunk of importChunks(lines)) {
    const response = await invoke('import', { ...rest, ...chunk });
    if (!response.ok) {
      // Earlier chunks were imported: the details say where to continue.
      const details = { ...response.error.details, stoppedAtLine: chunk.firstLine, imported, rejected };
      return { ok: false, error: { ...response.error, details } };
    }
    const part = z.parse(outcome, response.result);
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
    throw new Error(`Unknown environment "${asked}". Choose one of ${deployedEnvironments.join(', ')}.`);
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
  (response) => {
    process.stdout.write(`${JSON.stringify(response.ok ? response.result : response.error)}\n`);
    process.exitCode = response.ok ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
