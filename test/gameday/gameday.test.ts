import { until } from '../support/until.ts';
import { exercises } from './exercises.ts';
import { type Game, startGame } from './game.ts';
import { carryOn, play } from './play.ts';
import { answersFor, headingOf, headingsOf, notifying } from './report.ts';
import { createTraffic, type Traffic } from './traffic.ts';

// One local run, broken in one way after the other, since a start takes seconds.

let game: Game;
let traffic: Traffic;

beforeAll(async () => {
  game = await startGame();
  traffic = await createTraffic(game);
});

afterAll(() => game.stop());

afterEach(() => game.mend());

test('no alarm goes off while nothing is broken', async () => {
  game.forget();
  await carryOn(traffic);
  await game.idle();
  const { alarms } = game.seen();
  expect(alarms.filter(({ isInAlarm }) => isInAlarm)).toEqual([]);
  // There was something to see: requests, messages, and deliveries.
  const seen = alarms.filter(({ measured }) => measured?.value !== undefined).map(({ name }) => name);
  const expected = ['gateway-faults', 'write-latency', 'deliveries-late'];
  expect(expected.filter((name) => !seen.includes(name))).toEqual([]);
});

test('one host that does not answer is its owner’s business, however many webhooks are there', async () => {
  game.forget();
  game.hangProvider('first');
  await carryOn(traffic, ['events']);
  const failing = () => answersFor('Failing receivers', game.deployment, game.seen().logs)[0]?.rows.length;
  await until(() => failing() === 3, 100);
  await game.settled();
  expect(game.seen().alarms.filter(({ isInAlarm }) => isInAlarm)).toEqual([]);
  // Of a receiver that still fails, nothing says that it begins to.
  await game.mend();
  await game.idle();
});

test.each(exercises)('$broken "$alarm" goes off, and its saved queries find the cause', async (exercise) => {
  const { alarms, logs } = await play(exercise, game, traffic);

  const inAlarm = alarms.filter(({ isInAlarm }) => isInAlarm);
  expect(inAlarm.map(({ name }) => name)).toContain(exercise.alarm);
  const notified = notifying(alarms);
  expect(notified.map(({ name }) => name)).toContain(exercise.notifies);
  const sections = new Set(inAlarm.map(headingOf));
  const found = Array.from(sections).flatMap((heading) => answersFor(heading, game.deployment, logs));
  expect(JSON.stringify(found.map(({ rows }) => rows))).toMatch(exercise.shows);
  const [first = ''] = headingsOf(notified);
  const [answer] = answersFor(first, game.deployment, logs);
  if (exercise.showsFirst) expect(JSON.stringify(answer?.rows)).toMatch(exercise.shows);
});
