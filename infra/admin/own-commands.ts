// Commands that the operators' program does in several calls, or with a file.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as z from 'zod/mini';
import { contentOf, fileTypes } from '#domain/file-documents/content.ts';
import { artifactTypes } from '#domain/filings/resource.ts';
import { npn } from '#domain/identifiers/identifiers.ts';
import { retry } from '#platform/aws/transient-errors.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { chunks } from '#platform/data/chunks.ts';
import { parseInput } from '#platform/request/validation.ts';
import { mostVisitsRequested } from '../../functions/admin/commands.ts';
import { rematchInput as partInput } from '../../functions/import/policy/rematch.ts';
import { type Invoke, RefusedCommand } from './functions.ts';
import { cellText } from './table-cells.ts';
import { rowsOf } from './table-rows.ts';

export const artifactInput = z.strictObject({
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
export async function addCompletionArtifact(invoke: Invoke, input: unknown): Promise<object> {
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

export const visitsInput = z.strictObject({
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
