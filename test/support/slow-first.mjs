// The order of test files. Jest begins with the largest where it does not know yet how long each takes, as in a fresh clone; a
// small file that takes long would be the last, with one worker idle beside it.
import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Files that start a run of their own, or wait for schedules. */
const slow = [
  'e2e/code-samples.slow.test.ts',
  'start/start-command.slow.test.ts',
  'faults/faults.slow.test.ts',
];

const rankOf = ({ path, context }) => {
  const rank = slow.indexOf(relative(`${context.config.rootDir}/test`, path));
  return rank === -1 ? slow.length : rank;
};

export default class SlowFirst extends Sequencer {
  async sort(tests) {
    return Array.from(await super.sort(tests)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
