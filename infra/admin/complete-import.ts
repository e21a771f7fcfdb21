import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as z from 'zod/mini';
import type { completeLists } from '../../functions/import/complete.ts';
import { rematchInput as partInput } from '../../functions/import/policy/rematch.ts';
import { listKinds } from '../../shared/domain/decision/facts.ts';
import { contentOf, fileTypes } from '../../shared/domain/file-documents/content.ts';
import { artifactTypes } from '../../shared/domain/filings/resource.ts';
import { npn } from '../../shared/domain/identifiers/identifiers.ts';
import { MB } from '../../shared/platform/aws/limits.ts';
import { retry } from '../../shared/platform/aws/transient-errors.ts';
import { invalidAt } from '../../shared/platform/contract/errors.ts';
import { objectId, stateCode } from '../../shared/platform/contract/primitives.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { parseInput } from '../../shared/platform/request/validation.ts';
import { answersOf, type Invoke, RefusedCommand } from './functions.ts';
import type { SourceLine } from './report-lines.ts';

type Lists = z.output<typeof completeLists>;

/** Lines of a file about one NPN. */
interface HolderLines {
  readonly npn: string;
  readonly lines: readonly string[];
}

const record = z.object({ type: z.string() });
const listedLine = z.object({ type: z.enum(listKinds), npn });

/** The lines of licenses and appointments, by NPN; undefined where one is rejected anyway, so that the file ends nothing. */
async function linesByHolder(source: AsyncIterable<SourceLine>): Promise<Map<string, string[]> | undefined> {
  const byNpn = new Map<string, string[]>();
  for await (const { text } of source) {
    const given = parsed(text);
    const { data: { type } = {} } = z.safeParse(record, given);
    if (type !== undefined && !listKinds.some((kind) => kind === type)) continue;
    const { data: { npn: holder } = {} } = z.safeParse(listedLine, given);
    if (text === undefined || holder === undefined) return undefined;
    const lines = byNpn.get(holder) ?? [];
    lines.push(text);
    byNpn.set(holder, lines);
  }
  return byNpn;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    // The import function says what is wrong with the line.
    return undefined;
  }
}

const bytesOf = ({ lines }: HolderLines): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);

/** What one call takes: a holder takes two reads or writes, also one without lines. */
const perCall = { count: 250, size: { bytes: MB, of: bytesOf } };

const known = z.object({ npns: z.array(z.string()) });

const counted = z.object({
  lists: z.array(
    z.object({
      kind: z.enum(listKinds),
      stateCode,
      live: z.number(),
      ended: z.number(),
      isUnread: z.boolean(),
    }),
  ),
  rejected: z.number(),
});

type Counted = z.output<typeof counted>;

/** What an operator must say is right: more than ten end, and more than a tenth of what is in force. */
const isMany = ({ live, ended }: { readonly live: number; readonly ended: number }): boolean =>
  ended > 10 && ended > live / 10;

/** What the answer shows of a list. */
const shown = ({ isUnread: _, ...list }: Counted['lists'][number]) => list;

const totalOf = (lists: Counted['lists']) => ({
  live: lists.reduce((sum, { live }) => sum + live, 0),
  ended: lists.reduce((sum, { ended }) => sum + ended, 0),
});

/**
 * Reads what a file says completely, to be asked before its lines are imported, and done afterwards.
 * @param source the lines of the file.
 */
export async function completeImport(
  invoke: Invoke,
  { organizationId, lists }: { readonly organizationId: string; readonly lists: Lists },
  source: AsyncIterable<SourceLine>,
) {
  const call = (input: object) =>
    invoke('import', { command: 'complete-import', input: { organizationId, ...input } });
  const listed = await linesByHolder(source);
  let ending = lists;

  async function* notListed(): AsyncGenerator<HolderLines[]> {
    const step = { organizationId, lists, step: 'known' };
    for await (const page of answersOf(invoke, 'complete-import', step)) {
      const { npns } = z.parse(known, page);
      yield npns.filter((npn) => listed?.has(npn) !== true).map((one) => ({ npn: one, lines: [] }));
    }
  }

  /** Does a step for every NPN of the lists, and adds up what they end. */
  async function all(step: object): Promise<Counted> {
    const nothing = { live: 0, ended: 0, isUnread: false };
    const sums = new Map(ending.map(({ kind, stateCode: state }) => [`${kind} ${state}`, nothing]));
    let rejected = 0;
    const some = async (ofLists: Lists, holders: readonly HolderLines[]): Promise<void> => {
      for (const chunk of ofLists.length === 0 ? [] : chunks(holders, perCall)) {
        const part = z.parse(counted, await call({ lists: ofLists, holders: chunk, ...step }));
        rejected += part.rejected;
        for (const { kind, stateCode: state, live, ended, isUnread } of part.lists) {
          const before = sums.get(`${kind} ${state}`) ?? nothing;
          sums.set(`${kind} ${state}`, {
            live: before.live + live,
            ended: before.ended + ended,
            isUnread: before.isUnread || isUnread,
          });
        }
      }
    };
    await some(
      ending,
      Array.from(listed ?? [], ([holder, lines]) => ({ npn: holder, lines })),
    );
    const ofKnown = ending.filter(({ holders }) => holders === 'known');
    if (ofKnown.length > 0) for await (const page of notListed()) await some(ofKnown, page);
    const ofEach = ending.map(({ kind, stateCode: state }) => ({
      kind,
      stateCode: state,
      ...(sums.get(`${kind} ${state}`) ?? nothing),
    }));
    return { lists: ofEach, rejected };
  }

  return {
    /** Whether the lines of all holders are known. */
    isReadable: listed !== undefined,
    /**
     * Counts what would end.
     * @returns the lists that end nothing, since a row of them cannot be read.
     * @throws RefusedCommand where too much would end, unless that is forced.
     */
    async check(isForced: boolean): Promise<Lists> {
      if (listed === undefined) return [];
      const { lists: found, rejected } = await all({ step: 'count' });
      const unread = lists.filter((_, index) => found[index]?.isUnread === true);
      ending = lists.filter((_, index) => found[index]?.isUnread !== true);
      const ofEach = found.filter(({ isUnread }) => !isUnread);
      if (isForced || rejected > 0 || ![...ofEach, totalOf(ofEach)].some(isMany)) return unread;
      const { live, ended } = totalOf(ofEach);
      throw new RefusedCommand({
        errorType: 'conflict',
        errorMessage: [
          `force: the file would end ${ended} of ${live} licenses and appointments that are in force. Nothing was imported: if it is really complete, import it with "force": true.`,
        ],
        details: { lists: ofEach.map(shown) },
      });
    },
    /**
     * Ends what the file leaves out.
     * @param command the import of its lines.
     */
    async end(command: object) {
      const { lists: ended } = await all({ step: 'end', ...command });
      return { lists: ended.map(shown) };
    },
  };
}

export const artifactInput = z.strictObject({
  filingId: objectId,
  type: z.enum(artifactTypes),
  file: z.string().check(z.describe('Path of the file.')),
});

const announced = z.object({
  fileDocumentId: z.string(),
  upload: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }),
});

/** How long an uploaded file may take to be scanned for malware, in milliseconds. */
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
  const { fileDocumentId, upload } = z.parse(announced, announcement);
  const { 'content-length': _, ...headers } = upload.headers;
  const response = await fetch(upload.url, { method: 'PUT', headers, body: bytes });
  if (!response.ok) throw new Error(`The upload failed with ${response.status}: ${await response.text()}`);
  const added = { command: 'add-completion-artifact', input: { ...artifact, fileDocumentId } };
  return retry(() => invoke('admin', added), {
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
  withoutTransactions: z.number(),
});

/** Matches again, one part after another, each in a call of its own, and adds up the results. */
export async function rematch(invoke: Invoke, input: object) {
  const total = { matched: 0, review: 0, unmatched: 0, withoutTransactions: 0 };
  for await (const answer of answersOf(invoke, 'rematch', input)) {
    const part = z.parse(outcome, answer);
    total.matched += part.matched;
    total.review += part.review;
    total.unmatched += part.unmatched;
    total.withoutTransactions += part.withoutTransactions;
  }
  return total;
}
