// `npm run test:clients`: four generators make clients of the published document, and TypeScript compiles them, and what uploads files
// with them, in strict mode; then it is uploaded. Others make clients for Python and Java, which
// programs use.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient as heyApi } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate as orval } from 'orval';
import { generateApi as swaggerTypescriptApi } from 'swagger-typescript-api';
import ts from 'typescript';
import { run, startRun } from '../support/installed-tools.mjs';
import { languagePrograms, runPrograms } from './languages.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const output = resolve(here, '../../dist/clients');
const published = JSON.parse(readFileSync(resolve(here, '../../dist/functions/auth/openapi.json'), 'utf8'));

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });

/** The document for generators that support one media type for each operation: with the forms of uploads, without their JSON. */
const forms = structuredClone(published);
for (const operation of Object.values(forms.paths).flatMap((methods) => Object.values(methods))) {
  const content = operation.requestBody?.content ?? {};
  if ('multipart/form-data' in content) delete content['application/json'];
}
const documents = { api: published, forms };
const fileOf = (name) => join(output, `${name}.json`);
for (const [name, document] of Object.entries(documents))
  writeFileSync(fileOf(name), JSON.stringify(document));

const blob = ts.factory.createTypeReferenceNode('Blob');
const generators = {
  async 'openapi-typescript'(folder) {
    const transform = ({ format }) => (format === 'binary' ? blob : undefined);
    writeFileSync(join(folder, 'api.ts'), astToString(await openapiTypescript(published, { transform })));
  },
  async 'swagger-typescript-api'(folder) {
    for (const name of Object.keys(documents)) {
      await swaggerTypescriptApi({
        input: fileOf(name),
        output: folder,
        fileName: `${name}.ts`,
        silent: true,
      });
    }
  },
  async orval(folder) {
    for (const name of Object.keys(documents)) {
      const target = join(folder, `${name}.ts`);
      await orval({ input: fileOf(name), output: { target, client: 'fetch' } }, here, { projectName: name });
    }
  },
  async 'hey-api'(folder) {
    for (const name of Object.keys(documents)) {
      await heyApi({
        input: fileOf(name),
        output: join(folder, name),
        plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
        logs: { level: 'silent' },
      });
    }
  },
};

for (const [name, generate] of Object.entries(generators)) {
  const folder = join(output, name);
  mkdirSync(folder);
  await generate(folder);
  process.stdout.write(`ok     ${name} makes clients of the document\n`);
}

try {
  const tsc = join(here, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', here], { encoding: 'utf8' });
  process.stdout.write('ok     they, and both ways of uploading with each, compile in strict mode\n');
} catch (error) {
  process.stdout.write(`BROKEN a client does not compile\n${error.stdout}`);
  process.exitCode = 1;
}

/** Programs that upload in both ways, with a client of each generator. */
const uploads = Object.keys(generators).map((name) => [
  name,
  {
    does: 'both ways of uploading',
    async generate(folder) {
      const contents = `import { multipart, presigned } from './${name}.ts'; await presigned(); await multipart();`;
      const outfile = join(folder, 'uploads.mjs');
      const stdin = { contents, resolveDir: here };
      await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' });
    },
    go: (folder, env) =>
      run(process.execPath, [join(folder, 'uploads.mjs')], { env: { ...process.env, ...env } }),
  },
]);

await runPrograms({
  output,
  programs: [...uploads, ...Object.entries(languagePrograms({ here, output, document: published }))],
  start: () => startRun(resolve(here, '../..')),
});
