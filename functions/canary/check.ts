import type { Log } from '../../shared/platform/log/log.ts';
import { awaitEvent } from './await-event.ts';
import { type Caller, CallFailure } from './caller.ts';
import type { CanaryCredentials } from './credentials.ts';
import {
  exchangeToken,
  type Found,
  listAssociations,
  readAssociation,
  repeatWrite,
  type StepName,
  writeAssociation,
} from './steps.ts';

/** What a caller felt of one step. */
export interface FeltStep {
  readonly step: StepName;
  readonly status?: number | undefined;
  /** Milliseconds until the response; of `webhook`, from the write until the event arrived. */
  readonly ms: number;
  /** Why it failed, without secrets; only of the last step. */
  readonly reason?: string;
  readonly requestId?: string | undefined;
}

/** What a run found. The steps after a failed one are not made. */
export interface CanaryResult {
  readonly passed: boolean;
  readonly steps: readonly FeltStep[];
}

interface CheckDependencies {
  readonly call: Caller;
  readonly readCredentials: () => Promise<CanaryCredentials | undefined>;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly now: () => Date;
  readonly logger: Log;
}

/** Makes all steps, and logs what each felt like and how the run ended. Does not fail. */
export async function check(deps: CheckDependencies): Promise<CanaryResult> {
  const { call, now, pause, logger } = deps;
  const steps: FeltStep[] = [];
  const began = performance.now();

  const feel = async <Value>(step: StepName, make: () => Promise<Found<Value>>): Promise<Value> => {
    const stepBegan = performance.now();
    const elapsed = () => Math.round(performance.now() - stepBegan);
    try {
      const { status, value, ms = elapsed() } = await make();
      steps.push({ step, status, ms });
      logger.info('A step of the canary succeeded.', { event: 'canary_step', step, status, ms });
      return value;
    } catch (error) {
      // An error of anything but the API has a text of its own, which may hold whatever it was about.
      const {
        message: reason,
        status,
        requestId,
      } = error instanceof CallFailure ? error : new CallFailure(nameOf(error));
      steps.push({ step, status, ms: elapsed(), reason, requestId });
      throw error;
    }
  };

  try {
    const credentials = await feel('credentials', () => ownCredentials(deps));
    const token = await feel('token', () => exchangeToken(call, credentials));
    const session = { call, token, credentials };
    await feel('list', () => listAssociations(session));
    await feel('read', () => readAssociation(session));
    const written = await feel('write', () => writeAssociation(session));
    await feel('repeat', () => repeatWrite(session, written));
    await feel('webhook', () => awaitEvent({ ...session, now, pause }, written));
  } catch (error) {
    const failed = steps.at(-1);
    // While the release that brings the canary is deployed, it has no credentials, and its alarm would roll that back.
    if (error instanceof NotSetUp) logger.warn(error.message, { event: 'canary_not_set_up' });
    else logger.error('The canary failed.', { event: 'canary_failed', ...failed });
    return { passed: false, steps };
  }
  const ms = Math.round(performance.now() - began);
  logger.info('The canary passed.', { event: 'canary_passed', ms });
  return { passed: true, steps };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

class NotSetUp extends CallFailure {
  constructor() {
    super('The secret has no credentials yet: "npm run deploy" makes them.');
  }
}

async function ownCredentials({ readCredentials }: CheckDependencies): Promise<Found<CanaryCredentials>> {
  const value = await readCredentials();
  if (value === undefined) throw new NotSetUp();
  return { value };
}
