/** A line of an operator's file that is not empty, or a row of a table, which may take several lines. */
export interface SourceLine {
  /** The number of its first line in the file, from 1. */
  readonly line: number;
  /** As it stands in the file, to be corrected there. */
  readonly raw: Uint8Array;
  /** Its record, as JSON; undefined where it cannot be read. */
  readonly text: string | undefined;
  /** Why it cannot be read; undefined where it can. */
  readonly fault?: string;
}

export const notUtf8 = 'is not UTF-8';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Text without a byte order mark; undefined if it is not UTF-8, or UTF-16 of which each byte is a character of UTF-8. */
export function decoded(bytes: Uint8Array): string | undefined {
  try {
    return bytes.includes(0) ? undefined : utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
