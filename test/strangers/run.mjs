// `npm run test:strangers [tool …]`: tools that others wrote look at the document. Each is installed
// on demand. What one finds is a failure, unless `acknowledged.mjs` says why it is accepted. It expects a build.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isUnavailable, run, skip } from '../support/installed-tools.mjs';
import { acknowledged } from './acknowledged.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '../..');
const document = join(root, 'dist', 'functions', 'auth', 'openapi.json');
const installed = (name) => join(root, 'node_modules', '.cache', 'strangers', name);

/** Runs a program that fails where it finds something, and returns what it wrote to standard output. */
function found(program, words, options) {
  try {
    return run(program, words, options);
  } catch (error) {
    if (error.stdout === undefined) throw error;
    return error.stdout;
  }
}

/** What each tool finds: `{rule, what}` for each. */
const tools = {
  spectral() {
    const folder = installed('spectral');
    mkdirSync(folder, { recursive: true });
    const packages = ['@stoplight/spectral-cli@6.16.3', '@stoplight/spectral-owasp-ruleset@2.0.1'];
    run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages]);
    const rules = join(folder, 'rules.json');
    const owasp = join(folder, 'node_modules/@stoplight/spectral-owasp-ruleset/dist/ruleset.mjs');
    writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas', owasp] }));
    const words = ['lint', document, '--ruleset', rules, '--format', 'json', '--quiet'];
    const results = JSON.parse(found(join(folder, 'node_modules/.bin/spectral'), words));
    return results.map(({ code, message, path }) => ({ rule: code, what: `${path.join('.')}: ${message}` }));
  },
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(tools);
for (const name of chosen) {
  try {
    const findings = tools[name]();
    const rows = acknowledged[name] ?? [];
    const open = findings.filter(
      ({ rule, what }) => !rows.some((row) => row.rule === rule && (row.what ?? /./s).test(what)),
    );
    for (const { rule, what } of open.slice(0, 50)) process.stdout.write(`       ${rule} ${what}\n`);
    const accepted = findings.length - open.length;
    process.stdout.write(
      `${open.length === 0 ? 'ok    ' : 'BROKEN'} ${name}: ${open.length} findings, ${accepted} acknowledged\n`,
    );
    if (open.length > 0) process.exitCode = 1;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    skip(name, error.message);
  }
}
