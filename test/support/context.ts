import type { FunctionContext } from '#platform/config/context.ts';
import { recordingLogger } from './recording-logger.ts';

/** The context of a function under test: an answer that breaks its own schema becomes a 500. */
export const testContext = (given: Partial<FunctionContext> = {}): FunctionContext => ({
  environment: 'local',
  responseCheck: 'refuse',
  logger: recordingLogger(),
  now: () => new Date(),
  ...given,
});
