import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../../../../package.json';

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
  Array.from(
    script.matchAll(/node dist\/(\S+)\.mjs/g),
    ([, program]) => [name, `${program}.ts`, script] as const,
  ),
);

it.each(programs)('npm run %s has %s built, which it runs', (_name, program, script) => {
  const built = `${script} ${readFileSync('esbuild.config.mjs', 'utf8')}`;
  expect(built).toMatch(new RegExp(`(--only |')${program}`));
});
