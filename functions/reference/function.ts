import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FunctionStart } from '#function/start.ts';
import { type FunctionContext, taskFile } from '#platform/config/context.ts';
import { ApiError } from '#platform/contract/errors.ts';
import type { Operations } from '#platform/request/endpoint.ts';
import { lambdaHandler } from '#platform/request/lambda.ts';
import { createPipeline } from '#platform/request/pipeline.ts';
import type { referenceRoutes } from './routes.ts';
import { uses } from './uses.ts';

/** A name as the build makes it, with a hash of the script. */
const scriptName = /\breference-[A-Z0-9]{8}\.js\b/;

/** Programs of integrators, which the build put there too. */
const programs: readonly string[] = ['client.mjs', 'client.py', 'Client.java'];

/**
 * Scalar puts its styles into the page, and its icons are data. Everything else comes from here, and no other site may show the
 * page in a frame, since it takes access tokens.
 */
const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/**
 * The reference page, its script, and programs for integrators.
 * @param readFile reads a file that the build put beside the bundle: `page.html`, the script that it names, and the programs.
 */
const referenceOperations = (
  readFile: (name: string) => Promise<string>,
): Operations<typeof referenceRoutes.routes> => ({
  /** The page. Caches ask again after five minutes, and are sent it anew only if another release is live. */
  async getReference({ headers: { 'if-none-match': etags = '' }, baseUrl }) {
    // A stage without a domain of its own has its name in the path; the path of the page may end with a slash or not.
    const base = new URL(`${baseUrl()}/`).pathname;
    const body = (await readFile('page.html')).replaceAll('{{base}}', base);
    // Weak, because the same page is sent compressed and as it is.
    const etag = `W/"${createHash('sha256').update(body).digest('base64url')}"`;
    const headers = {
      'cache-control': 'public, max-age=300',
      'content-security-policy': policy,
      etag,
    };
    return etags.split(',').some((known) => [etag, '*'].includes(known.trim()))
      ? { status: 304, body: '', headers }
      : { body, headers };
  },

  /**
   * A program, or the page's script. A page of another release gets this one's, which no cache keeps under that name: while a release is
   * deployed gradually, the page and its script come from either.
   *
   * @throws ApiError 404 for a name that no build makes.
   */
  async getReferenceAsset({ params: { asset } }) {
    if (programs.includes(asset)) {
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=300' };
      return { body: await readFile(asset), headers };
    }
    const [assetName] = scriptName.exec(asset) ?? [];
    const [ownFile] = scriptName.exec(await readFile('page.html')) ?? [];
    if (ownFile === undefined || assetName !== asset) throw new ApiError('not_found');
    return {
      body: await readFile(ownFile),
      headers: asset === ownFile ? { 'cache-control': 'public, max-age=31536000, immutable' } : {},
    };
  },
});

const compose = ({
  context,
  readFile,
}: {
  readonly context: FunctionContext;
  readonly readFile: (name: string) => Promise<string>;
}) => createPipeline({ ...context, group: uses.routes, operations: referenceOperations(readFile) });

/** Serves the reference page, its script, and programs for integrators. */
export const referenceFunction = {
  uses,
  compose,
  handler: ({ context }: FunctionStart<typeof uses>) =>
    lambdaHandler(compose({ context, readFile: (name) => readFile(taskFile(name), 'utf8') }), context),
};
