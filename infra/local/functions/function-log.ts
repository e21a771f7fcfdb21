import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import * as z from 'zod/mini';

const logLine = z.looseObject({ level: z.optional(z.string()) });

/** A log file, one JSON object per line; an error is told to whoever runs this as well. */
export interface FunctionLog {
  /** Takes in what a function prints; a line that is no JSON is wrapped, as Lambda does, with the level given here. */
  follow(stream: Readable, plainLevel: 'INFO' | 'WARN'): void;
  /** Tells of an error that the local run has seen itself. */
  error(message: string, more?: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

function parse(line: string): z.output<typeof logLine> | undefined {
  try {
    return z.safeParse(logLine, JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** @param tell hears of each error. */
export function openFunctionLog(directory: string, name: string, tell: (line: string) => void): FunctionLog {
  mkdirSync(directory, { recursive: true });
  const file = createWriteStream(join(directory, `${name}.log`), { flags: 'a' });
  const write = (line: string, level: string | undefined): void => {
    file.write(`${line}\n`);
    if (level === 'ERROR') tell(`${name}: ${line}`);
  };
  const entry = (level: string, message: string, more: object = {}): string =>
    JSON.stringify({ timestamp: new Date().toISOString(), level, message, ...more });
  return {
    follow(stream, plainLevel) {
      createInterface({ input: stream }).on('line', (line) => {
        const parsed = parse(line);
        if (parsed === undefined) write(entry(plainLevel, line), plainLevel);
        else write(line, parsed.level);
      });
    },
    error: (message, more) => write(entry('ERROR', message, more), 'ERROR'),
    close: () => new Promise((resolve) => file.end(() => resolve())),
  };
}
