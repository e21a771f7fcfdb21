// `npm run test:strangers [tool …]`: tools that others wrote look at the document and at the templates of prod. Each is installed on
// demand. What one finds is a failure, unless `acknowledged.mjs` says why it is accepted. It expects a build.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isUnavailable, npmTools, pythonTools, run, skip } from '../support/installed-tools.mjs';
import { acknowledged } from './acknowledged.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '../..');
const document = join(root, 'dist', 'functions', 'auth', 'openapi.json');
const installed = (name) => join(root, 'node_modules', '.cache', 'strangers', name);
const output = mkdtempSync(join(tmpdir(), 'strangers-'));
process.on('exit', () => rmSync(output, { recursive: true }));

/** Runs a program that fails where it finds something, and returns what it wrote to standard output. */
function found(program, words, options) {
  try {
    return run(program, words, options);
  } catch (error) {
    if (error.stdout === undefined) throw error;
    return error.stdout;
  }
}

/** The templates of prod, from what is built. */
function templates() {
  const folder = join(output, 'prod');
  const context = ['-c', 'environment=prod', '-c', 'placeholders=allowed'];
  const words = ['synth', '--quiet', '--build', '', ...context, '--output', folder];
  if (!existsSync(folder)) run(join(root, 'node_modules', '.bin', 'cdk'), words, { cwd: root });
  return ['data', 'service', 'watch'].map((stack) =>
    join(folder, `insurance-compliance-prod-${stack}.template.json`),
  );
}

/** What each tool finds: `{rule, what}` for each. */
const tools = {
  spectral() {
    const folder = installed('spectral');
    npmTools(folder, '@stoplight/spectral-cli@6.16.3', '@stoplight/spectral-owasp-ruleset@2.0.1');
    const rules = join(folder, 'rules.json');
    const owasp = join(folder, 'node_modules/@stoplight/spectral-owasp-ruleset/dist/ruleset.mjs');
    writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas', owasp] }));
    const words = ['lint', document, '--ruleset', rules, '--format', 'json', '--quiet'];
    const results = JSON.parse(found(join(folder, 'node_modules/.bin/spectral'), words));
    return results.map(({ code, message, path }) => ({ rule: code, what: `${path.join('.')}: ${message}` }));
  },
  'cfn-lint'() {
    const programs = pythonTools(installed('cfn-lint'), 'cfn-lint==1.58.0');
    const results = JSON.parse(found(join(programs, 'cfn-lint'), ['--format', 'json', '--', ...templates()]));
    return results.map(({ Rule, Message, Location }) => ({
      rule: Rule.Id,
      what: `${Location.Path?.join('.')}: ${Message}`,
    }));
  },
  checkov() {
    const programs = pythonTools(installed('checkov'), 'checkov==3.3.30');
    const files = templates().flatMap((file) => ['--file', file]);
    const words = ['--framework', 'cloudformation', '--quiet', '--compact', '--output', 'json', ...files];
    const { results } = JSON.parse(found(join(programs, 'checkov'), words));
    return results.failed_checks.map(({ check_id: rule, check_name: name, resource }) => ({
      rule,
      what: `${resource}: ${name}`,
    }));
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
