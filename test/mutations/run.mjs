// `npm run test:mutations`: whether the tests notice when the product breaks. It applies each break of `breaks.mjs` in a copy of
// the checkout and runs the tests that are to catch it. One that survives shows a hole, or that a test was lost: run it before
// and after tests are merged or removed. It fails where a row does not end as the list says. `--only webhooks` takes the breaks
// of files with that text in their path, `--from 3 --to 5` those rows; `--check-unbroken` runs each row's tests without its break
// first, instead of all of them once.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { transformSync } from '@swc/core';
import { breaks } from './breaks.mjs';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const say = (text) => process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '1' },
    to: { type: 'string', default: String(breaks.length) },
    'check-unbroken': { type: 'boolean', default: false },
  },
});
const [from, to] = [Number(values.from), Number(values.to)];
const chosen = breaks
  .map((row, index) => ({ ...row, number: index + 1 }))
  .filter(({ file, number }) => file.includes(values.only) && number >= from && number <= to);
if (chosen.length === 0) throw new Error('The list has no such break.');

/** The file with and without its break, and the number of the line. */
function textsOf({ number, file, line, change, tests }) {
  const missing = [file, ...tests].find((path) => !existsSync(join(checkout, path)));
  if (missing !== undefined) throw new Error(`Row ${number}: ${missing} does not exist.`);
  const whole = readFileSync(join(checkout, file), 'utf8');
  const lines = whole.split('\n');
  const found = lines.flatMap((text, index) => (text.trim() === line ? [index] : []));
  if (found.length !== 1) throw new Error(`Row ${number}: ${file} has ${found.length} lines "${line}".`);
  const [at] = found;
  const broken = lines.with(at, change).join('\n');
  // What does not compile would be caught by any test.
  transformSync(broken, { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } });
  return { whole, broken, at: at + 1 };
}

const texts = new Map(chosen.map((row) => [row, textsOf(row)]));

const copy = realpathSync(mkdtempSync(join(tmpdir(), 'mutations-')));

const run = (command, args) =>
  spawnSync(command, args, { cwd: copy, encoding: 'utf8', env: { ...process.env, FORCE_COLOR: '0' } });

const jest = (tests, ...options) => run('npx', ['jest', ...options, '--runTestsByPath', ...tests]);

function build() {
  const { status, stderr } = run('npm', ['run', '--silent', 'build']);
  if (status !== 0) throw new Error(`The build failed.\n${stderr}`);
}

function checkUnbroken(rows) {
  if (rows.some((row) => row.build)) build();
  const { status, stderr } = jest([...new Set(rows.flatMap(({ tests }) => tests))]);
  if (status !== 0) throw new Error(`Without a break, the tests fail.\n${stderr}`);
}

/** Whether the tests survive a break, and the first of them that did not. */
function survives(row) {
  const { whole, broken } = texts.get(row);
  const path = join(copy, row.file);
  writeFileSync(path, broken);
  try {
    if (row.build) build();
    const { status, stderr } = jest(row.tests, '--bail');
    if (status === 0) return { isSurvivor: true, by: '' };
    const [, by] = /^ {2}● (.*)$/m.exec(stderr) ?? [];
    if (by === undefined) throw new Error(`Row ${row.number}: the tests did not run.\n${stderr}`);
    return { isSurvivor: false, by };
  } finally {
    writeFileSync(path, whole);
  }
}

let survived = 0;
try {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: checkout, encoding: 'utf8' });
  const present = files.split('\0').filter((file) => file !== '' && existsSync(join(checkout, file)));
  // With their times, by which the scripts know whether what is installed is older than the lock file.
  for (const file of present) cpSync(join(checkout, file), join(copy, file), { preserveTimestamps: true });
  // Each package for itself: whoever removed them in the copy would remove links.
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(checkout, 'node_modules'))) {
    symlinkSync(join(checkout, 'node_modules', name), join(copy, 'node_modules', name));
  }
  if (!values['check-unbroken']) checkUnbroken(chosen);
  for (const row of chosen) {
    if (values['check-unbroken']) checkUnbroken([row]);
    const startedAt = performance.now();
    const { isSurvivor, by } = survives(row);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    if (isSurvivor) survived += 1;
    const isKnown = isSurvivor === (row.survived === true);
    if (!isKnown) process.exitCode = 1;
    const outcome = `${isSurvivor ? 'SURVIVED' : 'caught'}${isKnown ? '' : ', not as recorded'}`;
    say(
      `${String(row.number).padStart(2)} ${outcome} in ${seconds} s: ${row.file}:${texts.get(row).at} ${by}`,
    );
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
say(`${chosen.length} breaks: ${chosen.length - survived} caught, ${survived} survived`);
