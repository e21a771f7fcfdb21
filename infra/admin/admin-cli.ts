// `npm run --silent admin -- <command> '<json>' [--environment <name>]`: runs an operator's command with the `admin`
// function, or an import with the `import` function, of the local run or of an environment in AWS. Prints one JSON
// object; exits with 1 if the command is rejected.
import { createReadStream } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { contentOf } from '../../shared/file-documents/content.ts';
import { fileTypes } from '../../shared/resources/file-types.ts';
import { deployedEnvironments, type EnvironmentName } from '../environments.ts';
import { type Answer, functionsOf, type Invoke } from './functions.ts';
import { importChunks } from './import-chunks.ts';

/** Runs a command with the admin function. */
type Ask = (command: string, input: unknown) => Promise<Answer>;

const refused = (message: string): Answer => ({
  ok: false,
  error: { errorType: 'validation_error', errorMessage: [message] },
});

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
