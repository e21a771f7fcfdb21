import { lastNightBefore } from '../../shared/domain/sandbox/nights.ts';
import { ApiError, invalidAt } from '../../shared/platform/contract/errors.ts';
import type { SandboxOperation } from './deps.ts';
import { mostDaysAhead } from './routes.ts';

/** The time of a clock that is so far ahead; the requests of this group are answered by the real time. */
const timeOf = (clock: { readonly aheadMs: number } | undefined, now: Date): Date =>
  new Date(now.getTime() + (clock?.aheadMs ?? 0));

/** The clock of the caller's organization. */
export const getSandboxClock: SandboxOperation<'getSandboxClock'> = async ({ identity, now }, { clocks }) => {
  const clock = await clocks.find(identity.organizationId);
  return {
    now: timeOf(clock, now).toISOString(),
    status: clock?.to === undefined ? ('ready' as const) : ('advancing' as const),
  };
};

/** How soon a caller may ask again whether a clock is ready. */
const retryAfterSeconds = 10;

/**
 * Has the clock go to a time; a schedule runs its nights (OpenAPI, "advanceSandboxClock").
 * @throws ApiError `validation_error` for a time that is not ahead of the clock, or too far; `conflict` while it advances.
 */
export const advanceSandboxClock: SandboxOperation<'advanceSandboxClock'> = async (
  { identity, body: { to }, now, recordResponse },
  { clocks },
) => {
  const { organizationId } = identity;
  const before = await clocks.find(organizationId);
  if (before?.to !== undefined) {
    throw new ApiError('conflict', { message: 'The clock is advancing.', retryAfterSeconds });
  }
  const present = timeOf(before, now);
  if (to <= present) throw invalidAt('to', `must be after ${present.toISOString()}, the time of the clock`);
  const latest = new Date(now.getTime() + mostDaysAhead * 86_400_000);
  if (to > latest)
    throw invalidAt('to', `must not be after ${latest.toISOString()}, in ${mostDaysAhead} days`);
  const answer = { now: present.toISOString(), status: 'advancing' as const };
  const after = {
    aheadMs: before?.aheadMs ?? 0,
    lastNight: before?.lastNight ?? lastNightBefore(now),
    to: to.toISOString(),
  };
  await clocks.advance(organizationId, before, after, recordResponse(answer));
  return answer;
};
