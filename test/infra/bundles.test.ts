import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { buildFunctions } from '../../infra/build/bundling.mjs';
import { functionUses, routeGroups } from '../../infra/function-uses.ts';
import { documentedGroups } from '../../infra/openapi/docs.ts';
import { objectsIn } from '../../infra/openapi/json.ts';
import { openApiDocument } from '../../infra/openapi/publish.ts';
import { policyRules, rules } from '../../shared/domain/decision/rules.ts';
import { errorRegistry } from '../../shared/platform/contract/errors.ts';
import { budgetOf, clientsAmong, decisionBytes } from '../support/bundle-budgets.ts';
import { requestFunctions, startEnvironment } from '../support/start-environment.ts';

/** Operators' functions: no caller waits for their start, and they hold what every type of record needs. */
const unlimited = ['admin', 'import'];

const names = readdirSync('functions').filter((name) => !unlimited.includes(name));

interface Built {
  readonly bytes: number;
  readonly clients: readonly string[];
  readonly sources: readonly string[];
  readonly text: string;
}

/**
 * A program that imports the bundle of its argument and prints how many schemas and checks zod has constructed by then; zod
 * calls the hook for each.
 */
const counter = `
  let constructed = 0;
  globalThis.__zod_globalConfig = { postProcessor: () => { constructed += 1; } };
  globalThis.awslambda = { streamifyResponse: (handler) => handler };
  await import(process.argv[1]);
  process.stdout.write(String(constructed));
`;

async function constructedAtImport(name: string, folder: string): Promise<number> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', counter, pathToFileURL(join(folder, name, 'index.mjs')).href],
    { env: { ...process.env, ...startEnvironment(name, folder) } },
  );
  return Number(stdout);
}

describe('the bundle of', () => {
  const built = new Map<string, Built>();
  const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeAll(async () => {
    const builds = await buildFunctions(names, 'bundles', {
      write: false,
      sourcemap: false,
      metafile: true,
    });
    for (const { metafile, outputFiles = [] } of builds) {
      for (const [path, output] of Object.entries(metafile?.outputs ?? {})) {
        const name = path.split('/')[1] ?? '';
        const text = outputFiles.find((file) => file.path.endsWith(`/${path}`))?.text ?? '';
        mkdirSync(join(folder, name), { recursive: true });
        writeFileSync(join(folder, name, basename(path)), text);
        const sources = Object.keys(output.inputs).filter((input) => output.inputs[input]?.bytesInOutput);
        const { bytes, clients, ...before } = built.get(name) ?? {
          bytes: 0,
          clients: [],
          sources: [],
          text: '',
        };
        built.set(name, {
          bytes: bytes + output.bytes,
          clients: [...new Set([...clients, ...clientsAmong(sources)])],
          sources: [...before.sources, ...sources],
          text: before.text + text,
        });
      }
    }
  });
  const bundleOf = (name: string): Built => {
    const bundle = built.get(name);
    if (bundle === undefined) throw new Error(`Nothing was built of ${name}.`);
    return bundle;
  };

  it.each(names)('%s is within its budget', (name) => {
    const { bytes, clients, sources } = bundleOf(name);
    expect(bytes).toBeLessThanOrEqual(budgetOf(clients).bytes + decisionBytes(sources));
  });

  it.each(names)('%s contains no file of words', (name) => {
    const { sources } = bundleOf(name);
    expect(sources.filter((source) => source.endsWith('/docs.ts'))).toEqual([]);
    expect(sources.length).toBeGreaterThan(5);
  });

  it('every group of routes is among the functions that are imported below', () => {
    expect(requestFunctions).toEqual(expect.arrayContaining(routeGroups.map(({ name }) => name)));
  });

  // What all requests share, and a few for each route and table: fields are built when a request first uses them.
  it.each(requestFunctions)('%s constructs few schemas when it is imported', async (name) => {
    writeFileSync(join(folder, name, 'access-map.json'), '{}');
    const { routes = {} } = routeGroups.find((group) => group.name === name) ?? {};
    const { tables = {} } = functionUses.get(name) ?? {};
    const most = 50 + 5 * Object.keys(routes).length + 13 * Object.keys(tables).length;
    expect(await constructedAtImport(name, folder)).toBeLessThanOrEqual(most);
  });

  // esbuild spells other characters as escapes.
  const isAscii = (text: string): boolean => /^[ -~]{20,}$/.test(text);
  const sentences = new Set<string>(Object.values(errorRegistry).map(({ sentence }) => sentence));
  const documentation = Array.from(objectsIn(openApiDocument(documentedGroups).components.schemas))
    .map(({ description }) => description)
    .filter((text) => typeof text === 'string')
    .concat(
      documentedGroups.flatMap(({ docs }) =>
        Object.values(docs.routes).flatMap(({ summary = [], success = [] }) => [summary, success].flat()),
      ),
    )
    .concat([...Object.values(rules), policyRules].flatMap((section) => Object.values(section)))
    // The meanings of an enum's values are one line each.
    .flatMap((text) => text.split('\n').map((line) => line.replace(/^- `[^`]*`: /, '')))
    // The errors of responses say the same as the document.
    .filter((text) => isAscii(text) && !sentences.has(text));

  it.each(names)('%s contains no text of the OpenAPI document', (name) => {
    const { text } = bundleOf(name);
    expect(documentation.filter((words) => text.includes(words))).toEqual([]);
    expect(documentation.length).toBeGreaterThan(500);
  });
});
