// Files that say all there is of the holders, states, and kinds that they name: read through before anything is sent.
import * as z from 'zod/mini';
import { npn } from '#domain/identifiers/identifiers.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { stateCode } from '#platform/contract/primitives.ts';
import { readLine } from './dry-run.ts';
import { recordTypes } from './fields.ts';
import type { SourceLine } from './report-lines.ts';

const kind = z.enum(['license', 'appointment', 'regulatory-action']);

const ofHolder = z.object({ type: kind, npn, stateCode, upstreamEntityId: z.optional(z.unknown()) });

const ofLicense = z.object({ type: kind, npn: z.optional(z.undefined()), licenseNumber: z.string() });

const otherRecord = z.object({
  type: z.enum(recordTypes.filter((type) => !z.safeParse(kind, type).success)),
});

/** The lines of one holder, state, and kind. */
interface Statement {
  readonly lines: SourceLine[];
  isPartial: boolean;
}

/** A complete file: the lines that are sent as those of any file, and those that are all of a holder, a state, and a kind. */
export interface CompleteFile {
  readonly lines: readonly SourceLine[];
  readonly statements: readonly (readonly SourceLine[])[];
  /** Number of further statements, which count as partial because of a rejected line. */
  readonly partial: number;
}

/**
 * Reads a complete file. A line that is to be rejected makes the statement partial that it is of; where that cannot be read, all.
 * @throws ApiError `validation_error` for a file without a line that can be read, and one that names a holder by a license.
 */
export async function readCompleteFile(
  source: AsyncIterable<SourceLine>,
  organizationId: string | undefined,
): Promise<CompleteFile> {
  const statements = new Map<string, Statement>();
  const lines: SourceLine[] = [];
  let areAllPartial = false;
  let isAnyRead = false;
  for await (const line of source) {
    const reading = readLine(line);
    const isRejected = 'issues' in reading;
    isAnyRead ||= !isRejected;
    const record = isRejected ? reading.source : reading.read;
    if (!isRejected && z.safeParse(ofLicense, record).success) {
      throw invalidAt('complete', `needs the npn of each holder: line ${line.line} has none`);
    }
    const { data: holder } = z.safeParse(ofHolder, record);
    if (holder === undefined) {
      areAllPartial ||= isRejected && !z.safeParse(otherRecord, record).success;
      lines.push(line);
      continue;
    }
    // In a file of one organization, another owner is a fault.
    const { upstreamEntityId: owner = organizationId } = holder;
    const isOfOther = organizationId !== undefined && owner !== organizationId;
    const key = JSON.stringify([
      holder.type,
      holder.npn,
      holder.stateCode,
      organizationId === undefined ? owner : '',
    ]);
    const statement = statements.get(key) ?? { lines: [], isPartial: false };
    statements.set(key, statement);
    statement.lines.push(line);
    statement.isPartial ||= isRejected || isOfOther;
  }
  if (!isAnyRead) throw invalidAt('file', 'has no line that can be read');
  const { whole = [], partial = [] } = Object.groupBy(statements.values(), ({ isPartial }) =>
    areAllPartial || isPartial ? 'partial' : 'whole',
  );
  return {
    lines: [...lines, ...partial.flatMap((statement) => statement.lines)],
    statements: whole.map((statement) => statement.lines),
    partial: partial.length,
  };
}
