import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { document, writing } from '../support/openapi.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { longestMs } from '../support/until.ts';

/** What Redocly reports about a document. @throws Error if it ends without a report. */
async function lint(file: string): Promise<unknown> {
  const cli = ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--extends', 'recommended-strict'];
  const options = {
    // Otherwise it looks for a newer version and reports the run to its vendor.
    env: { ...process.env, CI: 'true', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    timeout: longestMs,
  };
  const report = await new Promise<string>((resolve, reject) => {
    // It fails with problems, which the report names.
    execFile(process.execPath, [...cli, '--format', 'json', file], options, (error, stdout) => {
      if (error?.killed === true) reject(new Error(`Redocly timed out after ${longestMs / 1_000} seconds.`));
      else if (error !== null && stdout === '') reject(error);
      else resolve(stdout);
    });
  });
  return JSON.parse(report);
}

const inFolder = temporaryFolder('openapi-');

it.each([
  ['of the service', document],
  ['of a write', writing],
])(
  'the OpenAPI document %s passes Redocly’s strict rules without an error or a warning',
  async (_name, api) => {
    const file = inFolder('openapi.json');
    await writeFile(file, JSON.stringify(api));
    expect(await lint(file)).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    });
  },
);
