// An entry of its own, without packages. Installs the locked dependencies when they are missing or older than the lock file, so
// that `npm start` and `npm test` work in a fresh clone. With --build it also builds if there is no build yet.
//
// It runs by `npm run setup`: a shell that has run `node` keeps to where it found it, even when npm has installed another one
// earlier on the PATH.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

if (modified('node_modules/.package-lock.json') < modified('package-lock.json')) {
  process.stderr.write('Installing dependencies (npm ci), which takes about a minute ...\n');
  // Warnings are left out: npm's are about the version of Node that installs, and the installed one is another.
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

if (process.argv.includes('--build') && !existsSync('dist/infra/admin/admin-cli.mjs')) {
  execFileSync(process.execPath, ['esbuild.config.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
