import type { LogEvent } from './events.ts';

/** The fields of a log line, next to its message. Never a body, a header, a token, a name or an email. */
export type LogFields = { readonly event: LogEvent } & Readonly<Record<string, unknown>>;

/** What our code needs of a logger; Powertools' provides it. Every line names its event. */
export interface Log {
  info(message: string, fields: LogFields): void;
  warn(message: string, fields: LogFields): void;
  error(message: string, fields: LogFields): void;
}

/** What was thrown as an Error, since anything can be thrown. */
export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
