// Clients in Python, Java, and Go: generators make them, and a program of each goes from a token to a verified receipt.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isUnavailable, pythonTools, run, skip } from '../support/installed-tools.mjs';

const version = '7.25.0';
/** Of a client only what is compiled. An upload in a form has a model only if it is asked for. */
const parts =
  'models,apis,supportingFiles,skipFormModel=false,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';

/** What the programs of a language go through, by the name of the generator. */
export function languagePrograms({ here, output, document }) {
  const tools = join(here, 'node_modules', '.cache');
  mkdirSync(tools, { recursive: true });
  const file = join(output, 'languages.json');
  // Generators repeat the introduction in every file.
  writeFileSync(file, JSON.stringify({ ...document, info: { ...document.info, description: 'See /docs.' } }));
  const python = () =>
    pythonTools(join(tools, 'python'), readFileSync(join(here, 'requirements.txt'), 'utf8'));

  const openapiGenerator = (name, folder, ...options) => {
    const jar = join(tools, `openapi-generator-cli-${version}.jar`);
    if (!existsSync(jar)) {
      const artifact = `org.openapitools:openapi-generator-cli:${version}`;
      run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${tools}`]);
    }
    const words = ['-i', file, '-g', name, '-o', folder, '--global-property', parts, ...options];
    run('java', ['-jar', jar, 'generate', ...words]);
  };
  const runPython = (program, folder, env) => {
    for (const name of [program, 'carrier.py']) copyFileSync(join(here, name), join(folder, name));
    return run(join(python(), 'python'), [program], { cwd: folder, env: { ...process.env, ...env } });
  };

  return {
    'openapi-python-client': {
      generate(folder) {
        const config = join(output, 'openapi-python-client.json');
        writeFileSync(config, JSON.stringify({ post_hooks: [] }));
        const words = ['--path', file, '--config', config, '--meta', 'none', '--fail-on-warning'];
        run(join(python(), 'openapi-python-client'), [
          'generate',
          ...words,
          '--output-path',
          join(folder, 'carrier_client'),
        ]);
      },
      go: (folder, env) => runPython('openapi_python_client.py', folder, env),
    },
    'OpenAPI Generator for Python': {
      generate(folder) {
        python();
        openapiGenerator('python', folder);
      },
      go: (folder, env) => runPython('openapi_generator.py', folder, env),
    },
    'OpenAPI Generator for Java': {
      generate(folder) {
        openapiGenerator('java', folder, '--library', 'native');
        const paths = 'dependency:build-classpath';
        run('mvn', ['-q', '-B', '-DskipTests', 'compile', paths, '-Dmdep.outputFile=class-path'], {
          cwd: folder,
        });
      },
      go(folder, env) {
        const path = ['target/classes', readFileSync(join(folder, 'class-path'), 'utf8')].join(delimiter);
        const program = join(here, 'OpenapiGenerator.java');
        return run('java', ['-cp', path, program], { cwd: folder, env: { ...process.env, ...env } });
      },
    },
    'oapi-codegen for Go': {
      does: 'token and sale check',
      generate(folder) {
        const go = (...words) => run('go', words, { cwd: folder });
        const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
        mkdirSync(join(folder, 'api'), { recursive: true });
        copyFileSync(join(here, 'oapi_codegen.go'), join(folder, 'main.go'));
        writeFileSync(join(folder, 'go.mod'), 'module carrier\n');
        go('run', generator, '-generate', 'types,client', '-package', 'api', '-o', 'api/api.go', file);
        go('mod', 'tidy');
        go('build', '-o', 'carrier', '.');
      },
      go: (folder, env) => run(join(folder, 'carrier'), [], { env: { ...process.env, ...env } }),
    },
  };
}

/** Runs programs against a run of the API; `start` starts it. Says what was skipped because a tool is not to be had. */
export async function runPrograms({ output, programs, start }) {
  const made = [];
  for (const [name, { generate, go, does }] of programs) {
    const folder = join(output, name.replaceAll(' ', '-'));
    mkdirSync(folder, { recursive: true });
    try {
      await generate(folder);
      made.push({ name, folder, go, does });
    } catch (error) {
      if (isUnavailable(error)) skip(name, error.message);
      else broken(`${name} makes no client`, error);
    }
  }
  skip('NSwag and Kiota', 'they need .NET or a program from GitHub');
  const { demo, stop } = await start();
  const { clientId, clientSecret, restrictedToken } = demo.upstream;
  const env = {
    BASE_URL: demo.baseUrl,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    TOKEN: restrictedToken,
  };
  for (const { name, folder, go, does = 'token, sale check, lists, upload, webhook, and receipt' } of made) {
    try {
      const said = go(folder, env);
      if (said !== '') process.stdout.write(`${said.replaceAll(/^/gm, '       ').trimEnd()}\n`);
      process.stdout.write(`ok     ${name}: ${does}\n`);
    } catch (error) {
      broken(`the program of ${name} fails`, error);
    }
  }
  await stop();
}

function broken(what, { message }) {
  process.stdout.write(`BROKEN ${what}\n${message}\n`);
  process.exitCode = 1;
}
