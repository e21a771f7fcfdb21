// Schemathesis, which makes requests of the document, against a local run. It is told the ids that the demo's organizations have:
// those that it makes up are of nothing.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { run, startRun } from '../support/installed-tools.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Restricted access tokens of each side, so many that the limit of writes, which each has for itself, does not end the tests. */
function tokensOf({ baseUrl, upstream, downstream }, root) {
  const tokens = ({ organizationId }) =>
    Array.from({ length: 24 }, (_, number) => {
      const input = JSON.stringify({
        organizationId,
        name: `strangers ${number}`,
        ipAddresses: ['127.0.0.1'],
      });
      const words = ['dist/infra/admin/admin-cli.mjs', 'create-restricted-access-token', input];
      const env = { ...process.env, PORT: new URL(baseUrl).port };
      return JSON.parse(run(process.execPath, words, { cwd: root, env })).token;
    });
  return { upstream: tokens(upstream), downstream: tokens(downstream) };
}

/** The token with which the carrier of the demo calls what takes no other. */
async function accessToken({ baseUrl, upstream: { clientId, clientSecret } }) {
  const body = JSON.stringify({ clientId, clientSecret });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${baseUrl}/v2/auth/jwt`, { method: 'POST', headers, body });
  return (await answer.json()).data.accessToken;
}

/** The ids of each path that has some, by the names of their parameters: of what lists show, and of what the demo has made. */
async function knownIds(paths, { baseUrl, npn, receiptId, fileDocumentId }, tokens) {
  const made = { npn: [npn], receiptId: [receiptId], fileDocumentId: [fileDocumentId] };
  const listed = async (path, name) => {
    const side = path.includes('/downstream/') ? 'downstream' : 'upstream';
    const headers = { 'x-restricted-access-token': tokens[side][0] };
    const answer = await fetch(`${baseUrl}${path}`, { headers });
    if (answer.status !== 200) return [];
    const { data } = await answer.json();
    const items = data.items ?? data.transactions ?? data;
    if (!Array.isArray(items)) return [];
    return items.slice(0, 10).flatMap((item) => item[name] ?? item._id ?? item.agent?._id ?? []);
  };
  const known = {};
  for (const path of Object.keys(paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    // Some lists are of v2 alone.
    let found = path.replace(/^\/v1\//, '/v2/upstream/');
    for (const [index, name] of names.entries()) {
      const all = await listed(found.slice(0, found.indexOf('/{')), name);
      const ids = all.length > 0 ? all : (made[name] ?? []);
      // The last of several is of the first of those before.
      const some = index < names.length - 1 ? ids.slice(0, 1) : ids;
      found = found.replace(`{${name}}`, some[0]);
      known[path] = { ...known[path], [name]: some };
    }
  }
  return known;
}

/** The document, with the ids that there are. */
async function documentFor(document, demo, tokens) {
  const told = structuredClone(document);
  const known = await knownIds(told.paths, demo, tokens);
  const unknown = [];
  for (const [path, methods] of Object.entries(told.paths)) {
    for (const { operationId, parameters = [] } of Object.values(methods)) {
      for (const [index, { $ref }] of parameters.entries()) {
        if ($ref !== undefined)
          parameters[index] = structuredClone(told.components.parameters[basename($ref)]);
        const parameter = parameters[index];
        const { name } = parameter;
        const ids = known[path]?.[name];
        const value = ids?.[0];
        // Not with a key that other requests have, too.
        if (value !== undefined || name.endsWith('idempotency-key')) delete parameter.schema.examples;
        if (value !== undefined) parameter.example = value;
        if (parameter.in !== 'path') continue;
        if (value === undefined) unknown.push(`${operationId} ${name}`);
        // PUT takes others, too.
        else if (!('put' in methods)) parameter.schema = { type: 'string', enum: ids };
      }
    }
  }
  process.stdout.write(`       Without known ids: ${unknown.join(', ') || 'none'}\n`);
  return told;
}

/** The failed checks of a report of Schemathesis, and what it could not check. */
function failedChecks(report) {
  const events = readFileSync(report, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (!('EngineFinished' in events.at(-1))) throw new Error(`Not finished: ${JSON.stringify(events.at(-1))}`);
  return events.flatMap(({ NonFatalError: failure, ScenarioFinished: scenario }) => {
    if (failure !== undefined) return [{ rule: 'error', what: JSON.stringify(failure).slice(0, 1_000) }];
    const { recorder } = scenario ?? {};
    return Object.entries(recorder?.checks ?? {}).flatMap(([id, checks]) => {
      const { request, response } = recorder.interactions[id] ?? {};
      const { method, path } = recorder.cases[id].value;
      const body = Buffer.from(response?.content?.$base64 ?? '', 'base64')
        .toString()
        .slice(0, 500);
      return checks
        .filter(({ status }) => status === 'failure')
        .map(({ name, failure_info: info }) => ({
          rule: name,
          what: `${method} ${path}: ${request?.uri} ${response?.status_code} ${body} ${info?.failure?.message ?? ''}`,
        }));
    });
  });
}

/** Runs Schemathesis with a file of the document. @param output a folder. @returns what it finds, `{rule, what}` for each. */
export async function runSchemathesis(program, file, output, root) {
  const [told, report] = ['openapi.json', 'schemathesis.ndjson'].map((name) => join(output, name));
  const { demo, stop } = await startRun(root);
  try {
    const tokens = tokensOf(demo, root);
    const document = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(told, JSON.stringify(await documentFor(document, demo, tokens)));
    // A method that is not in the document is an unknown path, whichever it is.
    writeFileSync(join(output, 'schemathesis.toml'), '[phases.coverage]\nunexpected-methods = ["TRACE"]\n');
    const words = ['run', told, `--url=${demo.baseUrl}`, `--report-ndjson-path=${report}`, '--no-color'];
    const cases = [
      '--phases=examples,coverage,fuzzing,stateful',
      '--max-examples=2',
      '--seed=1',
      '--no-shrink',
      '--continue-on-failure',
    ];
    // Below what the tokens of one side may write in a minute.
    const limits = ['--rate-limit=20/s', '--request-timeout=120'];
    const hooks = { PYTHONPATH: here, PYTHONDONTWRITEBYTECODE: '1', SCHEMATHESIS_HOOKS: 'credentials' };
    const env = {
      ...process.env,
      ...hooks,
      TOKENS: JSON.stringify(tokens),
      ACCESS_TOKEN: await accessToken(demo),
    };
    // It fails where it finds something.
    const { stdout } = await promisify(execFile)(program, [...words, ...cases, ...limits], {
      cwd: output,
      env,
      maxBuffer: 2 ** 28,
    }).catch((error) => {
      if (typeof error.code !== 'number') throw error;
      return error;
    });
    process.stdout.write(stdout.slice(stdout.lastIndexOf('= SUMMARY =')));
  } finally {
    await stop();
  }
  return failedChecks(report);
}
