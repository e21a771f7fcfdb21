import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import type { CodeSample } from '../../infra/openapi/document.ts';
import { pdf, pdfOf, scannedSlowly } from '../support/files.ts';
import { newOrganization, type Organization } from '../support/local-api.ts';
import { document, operationOf } from '../support/openapi.ts';

// Samples of the document as a reader pastes them, with a file that is scanned as slowly as in AWS.

const run = promisify(execFile);
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'samples-'));
  const start = pdf(scannedSlowly);
  // The length that the samples announce.
  await writeFile(join(directory, 'certificate.pdf'), Buffer.concat([start, pdfOf(48_213 - start.length)]));
});
afterAll(() => rm(directory, { recursive: true }));

const environmentOf = ({ bearer }: Organization) => ({
  PATH: process.env['PATH'],
  BASE_URL: process.env['TEST_BASE_URL'],
  UPSTREAM_ACCESS_TOKEN: bearer['authorization']?.replace('Bearer ', ''),
});

/** Runs a sample; returns the last answer that it gets. */
async function lastAnswer({ lang, source }: CodeSample): Promise<unknown> {
  const options = { cwd: directory, env: environmentOf(await newOrganization('upstreamEntity')) };
  if (lang === 'Shell') return JSON.parse((await run('sh', ['-c', source], options)).stdout);
  const { code } = await transform(`${source}\nconsole.log(await link.text());`, { loader: 'ts' });
  return JSON.parse((await run(process.execPath, ['--input-type=module', '-e', code], options)).stdout);
}

it('each sample of an upload ends with a link to the scanned file', async () => {
  const samples = operationOf(document, 'createFileDocument')['x-codeSamples'];
  expect(await Promise.all(samples.map(lastAnswer))).toEqual(
    samples.map(() =>
      expect.objectContaining({
        statusCode: 200,
        data: expect.objectContaining({ url: expect.any(String) }),
      }),
    ),
  );
});
