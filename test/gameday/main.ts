// `npm run gameday -- <1 to 6> [--explain]`: breaks a local run in one of six ways, and prints what on-call gets.
import { parseArgs } from 'node:util';
import { openListener } from '../../infra/local/listener.ts';
import { exercises } from './exercises.ts';
import { startGame, timeoutsShortenedBy } from './game.ts';
import { play } from './play.ts';
import { report } from './report.ts';
import { createTraffic } from './traffic.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { explain: { type: 'boolean', default: false } },
});
const exercise = exercises[Number(positionals[0]) - 1];
if (exercise === undefined) {
  process.stderr.write(`npm run gameday -- <1 to ${exercises.length}> [--explain]\n`);
  process.exit(1);
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const game = await startGame(await openListener(Number(process.env['PORT'] ?? 0)));
try {
  const { alarms, logs } = await play(exercise, game, await createTraffic(game));
  print(`${report(game.deployment, alarms, logs)}

== What is compressed

The traffic of some seconds stands for each period of an alarm, as if it went on like that. The age of a queue's oldest
message is what SQS would show shortly before a message's third delivery, if every delivery failed as the first did.
Timeouts of ten seconds or more are ${timeoutsShortenedBy} times shorter. Lambda's own lines look different in CloudWatch.`);
  if (values.explain) print(`\n== Solution\n\n${exercise.broken} The alarm "${exercise.alarm}" watches it.`);
} finally {
  await game.stop();
}
process.exit(0);
