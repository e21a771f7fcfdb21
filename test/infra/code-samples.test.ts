import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { transformSync } from 'esbuild';
import * as z from 'zod/mini';
import { routeGroups } from '../../infra/function-uses.ts';
import {
  pathParameters,
  pathSchema,
  type Route,
  takesIdempotencyKey,
} from '../../shared/platform/contract/route.ts';
import { document, operationOf } from '../support/openapi.ts';

const key = '7b0c9f5e-8d6a-4d2f-9b3e-2f1a6c4d8e90';
const environment = {
  BASE_URL: 'https://api.example.com',
  ACCESS_TOKEN: 'token of either',
  UPSTREAM_ACCESS_TOKEN: 'token of the carrier',
  DOWNSTREAM_ACCESS_TOKEN: 'token of the agency',
  RESTRICTED_ACCESS_TOKEN: 'restricted token of either',
  UPSTREAM_RESTRICTED_ACCESS_TOKEN: 'restricted token of the carrier',
};

/** What a sample sends. */
interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body, or the fields of the form, its file by its name. */
  readonly body: unknown;
}

/** What everything is answered with: the members that samples read. */
const answer = {
  data: { _id: 'x', contentType: 'application/pdf', upload: { url: 'https://files.example' } },
};

/** Runs a sample with a `curl` that writes down its arguments; returns all that is sent. */
function sentByCurl(source: string): Sent[] {
  const fakes = `curl() { printf '%s\\0' "$@" >&2; printf '\\0' >&2; echo '${JSON.stringify(answer)}'; }\nuuidgen() { echo ${key}; }`;
  const { stderr } = spawnSync('sh', ['-c', `${fakes}\n${source}\n`], {
    encoding: 'utf8',
    env: { ...environment, PATH: process.env['PATH'] },
  });
  return stderr.split('\0\0').slice(0, -1).map(sentWith);
}

/** What one `curl` sends. */
function sentWith(commandLine: string): Sent {
  const words = commandLine.split('\0');
  const headers: Record<string, string> = {};
  const form: Record<string, string> = {};
  const sent = { method: 'GET', url: '', body: undefined as unknown };
  for (const [index, word] of words.entries()) {
    const next = words[index + 1] ?? '';
    const [name = '', ...rest] = next.split(word === '-H' ? ': ' : '=');
    if (word === '-X') sent.method = next;
    else if (word === '-H') headers[name] = rest.join(': ');
    else if (word === '-d') sent.body = JSON.parse(next);
    else if (word === '--data-binary') sent.body = next;
    else if (word === '-F' || word === '--data-urlencode') form[name] = rest.join('=');
    else if (word.startsWith('https:')) sent.url = word;
  }
  return { ...sent, headers, body: Object.keys(form).length === 0 ? sent.body : form };
}

/** Runs a sample with a `fetch` that keeps what it is given. */
async function sentByTypeScript(source: string): Promise<Sent[]> {
  const { code } = transformSync(source.replace(/^import .*$/m, ''), { loader: 'ts', target: 'es2023' });
  const sent: Sent[] = [];
  const fetch = (url: string, { method = 'GET', headers = {}, body }: RequestInit = {}) => {
    sent.push({ method, url, headers: headers as Record<string, string>, body: bodyText(body) });
    return Promise.resolve(Response.json(answer));
  };
  const { constructor: AsyncFunction } = Object.getPrototypeOf(async () => {}) as {
    constructor: new (...words: string[]) => (...given: unknown[]) => Promise<void>;
  };
  const run = new AsyncFunction('fetch', 'process', 'crypto', 'openAsBlob', code);
  await run(fetch, { env: environment }, { randomUUID: () => key }, () => new Blob(['%PDF-1.4']));
  return sent;
}

function bodyText(body: RequestInit['body']): unknown {
  if (body instanceof FormData || body instanceof URLSearchParams)
    return Object.fromEntries([...body].map(([name, value]) => [name, fieldText(value)]));
  return body instanceof Blob ? '@certificate.pdf' : body && JSON.parse(String(body));
}

const fieldText = (value: string | File): string => (typeof value === 'string' ? value : `@${value.name}`);

function credentialOf({ access }: Route): Record<string, string> {
  if (access === 'public') return {};
  const owner = { any: 'either', upstream: 'the carrier', downstream: 'the agency' }[access.kind];
  return access.credential === 'restricted access token'
    ? { 'x-restricted-access-token': `restricted token of ${owner}` }
    : { authorization: `Bearer token of ${owner}` };
}

const rows: readonly (readonly [string, Route])[] = routeGroups
  .flatMap(({ routes }) => Object.entries(routes))
  .filter(([, route]) => !('document' in route.answer));

describe('the code samples of', () => {
  it.each(rows)(
    '%s send a request that its own schemas accept, in both languages',
    async (operationId, route) => {
      const [shell, script, ...forms] = operationOf(document, operationId)['x-codeSamples'];
      const all = sentByCurl(shell?.source ?? '');
      expect(await sentByTypeScript(script?.source ?? '')).toEqual(all);
      const [sent, ...after] = all;
      assert(sent !== undefined);

      const { pathname, searchParams } = new URL(sent.url);
      const pattern = new RegExp(`^${route.path.replace(/\{\w+\}/g, '([^/]+)')}$`);
      const ids = pattern.exec(pathname)?.slice(1) ?? [];
      expect(sent.method).toBe(route.method);
      const names = pathParameters(route.path);
      expect(ids.map((id, at) => z.parse(pathSchema(route, names[at] ?? ''), id))).toHaveLength(names.length);
      expect(pathname).toMatch(pattern);
      z.parse(z.strictObject({ ...route.query?.shape }), Object.fromEntries(searchParams));
      expect(sent.headers).toEqual({
        ...credentialOf(route),
        ...(takesIdempotencyKey(route) ? { 'idempotency-key': key } : {}),
        // Both clients name the type of a form themselves.
        ...(route.body === undefined || route.standard !== undefined
          ? {}
          : { 'content-type': 'application/json' }),
      });
      if (route.body === undefined) expect(sent.body).toBeUndefined();
      else z.parse(route.body, sent.body);

      expect(forms).toHaveLength(route.form === undefined ? 0 : 2);
      const [ofShell, ofScript] = forms;
      if (ofShell === undefined || ofScript === undefined) {
        expect(after).toEqual([]);
        return;
      }
      // An announced file is sent; then the sample waits until either is scanned.
      const read = route.path.startsWith('/v1/') ? '/x/download-url' : '/x';
      const scan = { method: 'GET', url: `${sent.url}${read}`, headers: credentialOf(route) };
      expect(after).toMatchObject([
        { method: 'PUT', url: 'https://files.example', body: '@certificate.pdf' },
        scan,
      ]);
      const [form, ...afterForm] = sentByCurl(ofShell.source);
      expect(await sentByTypeScript(ofScript.source)).toEqual([form, ...afterForm]);
      expect(form).toMatchObject({ method: 'POST', url: sent.url, body: { file: '@certificate.pdf' } });
      const { 'content-type': _, ...headers } = sent.headers;
      expect(form?.headers).toEqual(headers);
      expect(afterForm).toMatchObject([scan]);
    },
  );
});
