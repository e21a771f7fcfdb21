import type { Log } from '#platform/log/log.ts';

/** A logger that keeps its lines. */
export function recordingLogger() {
  const lines: {
    readonly level: keyof Log;
    readonly message: string;
    readonly [key: string]: unknown;
  }[] = [];
  const at =
    (level: keyof Log): Log['info'] =>
    (message, fields) => {
      lines.push({ ...fields, level, message });
    };
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}
