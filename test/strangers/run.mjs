// `npm run test:strangers [tool …]`: tools that others wrote look at the document, the API, and the templates of prod. Each is
// installed on demand. What one finds is a failure, unless `acknowledged.mjs` says why it is accepted. It expects a build.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isUnavailable, npmTools, pythonTools, run, skip } from '../support/installed-tools.mjs';
import { acknowledged } from './acknowledged.mjs';
import { startProxy } from './prism.mjs';
import { runSchemathesis } from './schemathesis.mjs';

const root = resolve(fileURLToPath(new URL('.', import.meta.url)), '../..');
const document = join(root, 'dist', 'functions', 'auth', 'openapi.json');
const installed = (name) => join(root, 'node_modules', '.cache', 'strangers', name);
const output = mkdtempSync(join(tmpdir(), 'strangers-'));
process.on('exit', () => rmSync(output, { recursive: true }));

/** Runs a program that fails where it finds something. @returns what it wrote, `{stdout, stderr}`. */
const found = (program, words, options) =>
  promisify(execFile)(program, words, { cwd: root, maxBuffer: 2 ** 28, ...options }).catch((error) => {
    if (typeof error.code !== 'number') throw error;
    return error;
  });

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
  async spectral() {
    const folder = installed('spectral');
    npmTools(folder, '@stoplight/spectral-cli@6.16.3', '@stoplight/spectral-owasp-ruleset@2.0.1');
    const rules = join(folder, 'rules.json');
    const owasp = join(folder, 'node_modules/@stoplight/spectral-owasp-ruleset/dist/ruleset.mjs');
    writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas', owasp] }));
    const words = ['lint', document, '--ruleset', rules, '--format', 'json', '--quiet'];
    const { stdout } = await found(join(folder, 'node_modules/.bin/spectral'), words);
    const results = JSON.parse(stdout);
    return results.map(({ code, message, path }) => ({ rule: code, what: `${path.join('.')}: ${message}` }));
  },
  async 'cfn-lint'() {
    const programs = pythonTools(installed('cfn-lint'), 'cfn-lint==1.58.0');
    const words = ['--format', 'json', '--', ...templates()];
    const { stdout } = await found(join(programs, 'cfn-lint'), words);
    const results = JSON.parse(stdout);
    return results.map(({ Rule, Message, Location }) => ({
      rule: Rule.Id,
      what: `${Location.Path?.join('.')}: ${Message}`,
    }));
  },
  async checkov() {
    const programs = pythonTools(installed('checkov'), 'checkov==3.3.30');
    const files = templates().flatMap((file) => ['--file', file]);
    const words = ['--framework', 'cloudformation', '--quiet', '--compact', '--output', 'json', ...files];
    const { stdout } = await found(join(programs, 'checkov'), words);
    const { results } = JSON.parse(stdout);
    return results.failed_checks.map(({ check_id: rule, check_name: name, resource }) => ({
      rule,
      what: `${resource}: ${name}`,
    }));
  },
  async schemathesis() {
    const programs = pythonTools(installed('schemathesis'), 'schemathesis==4.32.5');
    return runSchemathesis(join(programs, 'schemathesis'), document, output, root);
  },
  async prism() {
    const programs = npmTools(installed('prism'), '@stoplight/prism-http@5.16.0');
    const { address, stop } = await startProxy(programs, document);
    const words = [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), '--selectProjects', 'e2e'];
    const { stderr } = await found(process.execPath, words, { env: { ...process.env, TEST_PROXY: address } });
    const { findings, compared } = stop();
    const summary = /^Tests: .*$/m.exec(stderr)?.[0] ?? '';
    if (/failed/.test(summary) || summary === '') throw new Error(stderr);
    process.stdout.write(`       ${compared} exchanges of the end-to-end tests compared. ${summary}\n`);
    return findings;
  },
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(tools);
for (const name of chosen) {
  try {
    const findings = await tools[name]();
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
