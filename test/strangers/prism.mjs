// Prism beside the end-to-end tests: a proxy hands on each request and its answer, and Prism compares both with the document. It is
// Prism's engine in proxy mode, which is handed what was answered: its server would have to be sent everything once more.
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

const silent = { info() {}, warn() {}, error() {}, child: () => silent };

/** A body as Prism's server reads it. */
function bodyOf(bytes, { 'content-type': type = '', 'content-encoding': encoding }) {
  if (bytes.length === 0) return undefined;
  const text = (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
  if (!/^application\/json\b/.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @returns a function that resolves to what Prism finds in an exchange, `{rule, what}`. @param programs where Prism is installed. */
async function createComparison(programs, document) {
  const { createInstance, getHttpOperationsFromSpec } = createRequire(programs)('@stoplight/prism-http');
  const operations = await getHttpOperationsFromSpec(document);
  const checks = { validateRequest: true, validateResponse: true, checkSecurity: false, errors: false };
  const prism = createInstance(
    { isProxy: true, upstream: new URL('http://127.0.0.1'), ...checks },
    {
      logger: silent,
      forward:
        ({ data: { answer } }) =>
        () =>
        async () => ({ _tag: 'Right', right: answer }),
    },
  );

  return async ({ method, url, headers, body }, { status, headers: answered, bytes }) => {
    const { pathname, searchParams } = new URL(`http://127.0.0.1${url}`);
    const named = Array.from(new Set(searchParams.keys()), (name) => [name, searchParams.getAll(name)]);
    const query = Object.fromEntries(named.map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
    const exchange = {
      method: method.toLowerCase(),
      url: { path: pathname, query },
      headers,
      body: bodyOf(body, headers),
      answer: { statusCode: status, headers: answered, body: bodyOf(bytes, answered) },
    };
    const found = await prism.request(exchange, operations)();
    if (found._tag !== 'Right') throw found.left;
    const { input, output } = found.right.validations;
    const isUnknown = input.some(({ message }) => message === 'Selected route not found');
    // What is refused may be wrong in any way, and is as it should be on a path that is not in the document.
    const all = isUnknown
      ? [...(status === 404 ? [] : [{ code: 'no operation', message: '' }])]
      : [...(status < 400 ? input : []), ...output];
    return all.map(({ code, path = [], message }) => ({
      rule: String(code ?? 'status'),
      what: `${method} ${url} ${status} ${path.join('.')} ${message}`,
    }));
  };
}

/**
 * Starts the proxy. The first request tells it, in its body, where the API is.
 * @returns where it listens, and `stop`, which resolves to all that was found, and how many exchanges Prism has compared.
 */
export async function startProxy(programs, document) {
  const compare = await createComparison(programs, document);
  const findings = [];
  let target;
  let compared = 0;

  async function handOn(request, response) {
    const { method, url, headers } = request;
    const body = await buffer(request);
    if (target === undefined) {
      target = body.toString();
      response.end();
      return;
    }
    const asking = send(target, { method, path: url, headers, agent: false });
    asking.end(body);
    const [answer] = await once(asking, 'response');
    const bytes = await buffer(answer);
    response.writeHead(answer.statusCode, answer.rawHeaders).end(bytes);
    const answered = { status: answer.statusCode, headers: answer.headers, bytes };
    findings.push(...(await compare({ method, url, headers, body }, answered)));
    compared += 1;
  }

  // An idle connection stays open: whoever reuses one must not find it closed by a proxy that was busy comparing.
  const proxy = createServer({ maxHeaderSize: 2 ** 20, keepAliveTimeout: 3_600_000 }, (request, response) => {
    handOn(request, response).catch(({ message }) => {
      findings.push({ rule: 'not compared', what: `${request.method} ${request.url}: ${message}` });
      response.destroy();
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `http://127.0.0.1:${proxy.address().port}`,
    stop() {
      proxy.close();
      return { findings, compared };
    },
  };
}
