// Encodings of operators' files. Apart, since tables and files of lines are read by different programs.

/** Encodings of tables: those that spreadsheets write on Windows and on a Mac, beside UTF-8. */
export const encodings = ['utf-8', 'windows-1252', 'macintosh'] as const;

export type Encoding = (typeof encodings)[number];

/**
 * Reads text without a byte order mark; undefined if it is not in the encoding, or is UTF-16 of which each byte is a character of
 * it.
 */
export function decoderOf(encoding: Encoding): (bytes: Uint8Array) => string | undefined {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes) => {
    try {
      return bytes.includes(0) ? undefined : decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };
}
