/** What code of ours asks of a logger; Powertools' has it. Never a body, a header, a token, a name or an email. */
export interface Log {
  info(message: string, extra: Readonly<Record<string, unknown>>): void;
  error(message: string, extra: Readonly<Record<string, unknown>>): void;
}
