/** A source whose records are passed to a function. */
export interface EventSource {
  /** Resolves when all records that are written from now on will be passed on. */
  start(): Promise<void>;
  /** Whether no records are waiting or being processed. */
  idle(): Promise<boolean>;
  /** Stops polling; resolves when the records in progress are done. */
  stop(): Promise<void>;
}
