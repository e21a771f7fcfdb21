// Ends a run of all tests, or of all slow ones, with one line for each promise (`promises.mjs`) that its files show.
import { promises } from './promises.mjs';

export default class PromisesReporter {
  #broken = [];

  onRunComplete(_contexts, { testResults }) {
    const isSlow = (file) => file.endsWith('.slow.test.ts');
    const ran = promises.filter(({ file }) =>
      testResults.some(({ testFilePath }) => isSlow(testFilePath) === isSlow(file)),
    );
    const lines = ran.map(({ sentence, file, title = '' }) => {
      const tests = testResults
        .filter(({ testFilePath }) => testFilePath.endsWith(`/${file}`))
        .flatMap((one) => one.testResults)
        .filter(({ fullName }) => fullName.includes(title));
      const isKept = tests.length > 0 && tests.every(({ status }) => status === 'passed');
      if (!isKept) this.#broken.push(sentence);
      return `${isKept ? 'ok    ' : 'BROKEN'} ${sentence}`;
    });
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }

  /** Fails the run for a promise that no test showed. */
  getLastError() {
    return this.#broken.length === 0 ? undefined : new Error(`Broken: ${this.#broken.join('; ')}.`);
  }
}
