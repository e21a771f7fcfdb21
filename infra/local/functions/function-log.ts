import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { splitLines } from '../../text.ts';

const logLine = z.looseObject({ level: z.optional(z.string()) });

export type FunctionLog = ReturnType<typeof openFunctionLog>;

function parse(line: string): z.output<typeof logLine> | undefined {
  try {
    return z.safeParse(logLine, JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/**
 * A log file with one JSON object per line.
 *
 * @param report called with each error
 */
export function openFunctionLog(directory: string, name: string, report: (line: string) => void) {
  mkdirSync(directory, { recursive: true });
  const file = createWriteStream(join(directory, `${name}.log`), { flags: 'a' });
  const write = (line: string, level: string | undefined): void => {
    file.write(`${line}\n`);
    if (level === 'ERROR') report(`${name}: ${line}`);
  };
  const entry = (level: string, message: string, more: object = {}): string =>
    JSON.stringify({ timestamp: new Date().toISOString(), level, message, ...more });
  return {
    /** Logs what a function prints; a line that is not JSON is wrapped with the level, as in Lambda. */
    follow(stream: Readable, plainLevel: 'INFO' | 'WARN'): void {
      stream.pipe(splitLines()).on('data', (bytes: Buffer) => {
        const line = bytes.toString();
        const logEntry = parse(line);
        if (logEntry === undefined) write(entry(plainLevel, line), plainLevel);
        else write(line, logEntry.level);
      });
    },
    /** Logs an error that the local run detected. */
    error: (message: string, more?: Readonly<Record<string, unknown>>): void =>
      write(entry('ERROR', message, more), 'ERROR'),
    close: (): Promise<void> => new Promise((resolve) => file.end(() => resolve())),
  };
}
