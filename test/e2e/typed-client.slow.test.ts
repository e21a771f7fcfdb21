import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { newId } from '../support/filings.ts';
import { filing } from '../support/import-lines.ts';
import { call, importRecords, newOrganization } from '../support/local-api.ts';

const run = (...args: string[]) => promisify(execFile)(process.execPath, args);

const source = join('test', 'typed-client');
const output = join('dist', 'typed-client');

/** The generator stands beside its own TypeScript, which is older than ours. */
const generator = join(
  dirname(createRequire(resolve(source, 'package.json')).resolve('openapi-typescript/package.json')),
  'bin',
  'cli.js',
);

it('a client generated from the published document compiles and does the main job', async () => {
  const { text } = await call('GET', '/v2/openapi.json');
  await mkdir(output, { recursive: true });
  await writeFile(join(output, 'openapi.json'), text);
  await run(generator, join(output, 'openapi.json'), '-o', join(output, 'api.d.ts'));
  await run(join('node_modules', 'typescript', 'bin', 'tsc'), '-p', source).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(`The client does not compile: ${stdout}`);
    },
  );
  const client = join(output, 'main-job.mjs');
  await build({
    entryPoints: [join(source, 'main-job.ts')],
    outfile: client,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });

  const carrier = await newOrganization('upstreamEntity');
  const escalation = { status: 'waiting customer input', openedAt: '2026-03-01T00:00:00.000Z' };
  await importRecords(
    carrier.organizationId,
    filing(newId(), {
      checklist: [
        {
          sourceCategoryId: 'signatures',
          name: 'Signatures',
          items: [{ sourceTaskId: 'affidavit', label: 'Signed affidavit', escalation }],
        },
      ],
    }),
  );
  const { stdout } = await promisify(execFile)(process.execPath, [client], {
    env: {
      ...process.env,
      BASE_URL: process.env['TEST_BASE_URL'],
      CLIENT_ID: carrier.clientId,
      CLIENT_SECRET: carrier.clientSecret,
    },
  });
  expect(JSON.parse(stdout)).toEqual({
    areEventsRead: true,
    authorType: 'customer',
    escalationStatus: 'waiting service input',
    actionRequired: false,
    contentType: 'application/pdf',
    isEqual: true,
  });
});
