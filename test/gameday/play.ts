import { until } from '../support/until.ts';
import type { Exercise } from './exercises.ts';
import type { Game } from './game.ts';
import type { Traffic } from './traffic.ts';

/** Everything that carriers do in a period. */
export async function carryOn(traffic: Traffic, concerns = Object.keys(traffic)): Promise<void> {
  for (const [name, work] of Object.entries(traffic)) if (concerns.includes(name)) await work();
}

/**
 * Breaks the run, lets the carriers that it concerns go on for a period, and answers what on-call sees once it notifies.
 */
export async function play(
  exercise: Exercise,
  game: Game,
  traffic: Traffic,
): Promise<ReturnType<Game['seen']>> {
  await game.settled();
  game.forget();
  await exercise.breaks(game);
  await carryOn(traffic, [...exercise.concerns]);
  await until(
    () => game.seen().alarms.some(({ name, isInAlarm }) => isInAlarm && name === exercise.alarm),
    100,
  );
  await game.settled();
  return game.seen();
}
