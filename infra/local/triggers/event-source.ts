/** Something whose records are handed to a function. */
export interface EventSource {
  /** Resolves when whatever is written from now on will be handed over. */
  start(): Promise<void>;
  /** Whether nothing waits to be handed over and nothing is under way. */
  idle(): Promise<boolean>;
  /** Hands over nothing more; resolves when what is under way has come to its end. */
  stop(): Promise<void>;
}
