import type * as z from 'zod/mini';
import { comparableNpn } from '#domain/identifiers/identifiers.ts';
import type { WrittenReport } from '#domain/registry/read-rows.ts';
import { RegistryUnavailable } from '#domain/registry/registry.ts';
import { reportDecoder, writtenReport } from '#domain/registry/report-registry.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import type { registryReport } from '../../functions/import/types/registry-records.ts';

/** A column of a table, as refusals name it. */
export interface SourceColumn {
  readonly column: string;
  /** The forms of its dates; undefined for others. */
  readonly dates?: readonly string[] | undefined;
}

/** A line of an operator's file that is not empty, or a row of a table, which may take several lines. */
export interface SourceLine {
  /** The number of its first line in the file, from 1. */
  readonly line: number;
  /** Bytes of the line in the file, to be corrected there. */
  readonly raw: Uint8Array;
  /** The line's record, as JSON; undefined where it cannot be read. */
  readonly text: string | undefined;
  /** Why it cannot be read; undefined where it can. */
  readonly fault?: string | undefined;
  /** The column of a table that a field of its record is read from, by its path. */
  readonly columnOf?: (path: string) => SourceColumn | undefined;
}

const end = '</PDB>';

const lineFeeds = (text: string): number => text.split('\n').length - 1;

type Decoder = ReturnType<typeof reportDecoder>;

/** A report, or why it cannot be imported. */
function reportOrFault(bytes: Uint8Array, decoder: Decoder): WrittenReport | string {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return 'has bytes that are not in its encoding';
  }
  try {
    const report = writtenReport(text);
    if (report === undefined) return 'says that the registry does not find the NPN';
    return report.npn === null ? 'has no NPN' : report;
  } catch (error) {
    if (error instanceof RegistryUnavailable) return error.message;
    throw error;
  }
}

function lineOf(raw: Uint8Array, line: number, decoder: Decoder, npnsBefore: Set<string>): SourceLine {
  const report = reportOrFault(raw, decoder);
  const place = { line, raw };
  if (typeof report === 'string') return { ...place, text: undefined, fault: report };
  const npn = comparableNpn(report.npn ?? '');
  // Which of two of one moment is the later one, nobody could tell.
  if (npnsBefore.has(npn))
    return {
      ...place,
      text: undefined,
      fault: 'is a second report of its NPN: import it by its own askedAt',
    };
  npnsBefore.add(npn);
  const record: z.input<typeof registryReport> = {
    type: 'registry-report',
    ...report,
    npn: report.npn ?? '',
    licenses: [...report.licenses],
    appointments: [...report.appointments],
    regulatoryActions: [...report.regulatoryActions],
  };
  return { ...place, text: JSON.stringify(record) };
}

/**
 * The registry's reports in a file in XML, one or several under one root, as records. Only what is kept of them leaves this
 * program. Each is decoded by itself: they are separated as bytes.
 * @throws ApiError `validation_error` for a file without a report, or of an unknown encoding.
 */
export async function* reportLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SourceLine> {
  let decoder: Decoder | undefined;
  let [text, line, reports] = ['', 1, 0];
  const npns = new Set<string>();
  for await (const part of bytes) {
    try {
      decoder ??= reportDecoder(part);
    } catch {
      throw invalidAt('file', 'is in an encoding that is not known');
    }
    text += Buffer.from(part).toString('latin1');
    for (let position = text.indexOf(end); position !== -1; position = text.indexOf(end)) {
      const part = text.slice(0, position + end.length);
      const start = Math.max(part.search(/<PDB[\s>]/), 0);
      reports += 1;
      const raw = Buffer.from(part.slice(start), 'latin1');
      yield lineOf(raw, line + lineFeeds(part.slice(0, start)), decoder, npns);
      line += lineFeeds(part);
      text = text.slice(part.length);
    }
  }
  const open = text.search(/<PDB[\s>]/);
  if (open !== -1) {
    const raw = Buffer.from(text.slice(open), 'latin1');
    yield {
      line: line + lineFeeds(text.slice(0, open)),
      raw,
      text: undefined,
      fault: 'is a report that breaks off',
    };
  } else if (reports === 0) {
    throw invalidAt(
      'file',
      'has no report of the registry, whose root is PDB: save other XML as a table (.csv), to import it with a `mapping`',
    );
  }
}
