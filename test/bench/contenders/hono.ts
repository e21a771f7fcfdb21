import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { handle } from 'hono/aws-lambda';
import type { PolicyStore } from '../../../functions/policies/store.ts';
import { ApiError, invalid, notFound } from '../../../shared/platform/contract/errors.ts';
import { errorText, type Stamp } from '../../../shared/platform/request/response.ts';
import { type Contender, dressingOf, ownerOf } from './contender.ts';
import * as schemas from './schemas.ts';

interface Env {
  readonly Bindings: { readonly event: APIGatewayProxyEvent };
  readonly Variables: { owner: string; stamp: Stamp; headers: Record<string, string> };
}

const listTransactions = createRoute({
  method: 'get',
  path: '/v2/upstream/policies/{policyId}/transactions',
  request: { params: schemas.policyParams, query: schemas.pageQuery },
  responses: {
    200: {
      description: 'Found.',
      content: { 'application/json': { schema: schemas.envelope(schemas.transactionsPage) } },
    },
  },
});

/** Hono with @hono/zod-openapi behind its adapter for Lambda. It checks no responses, so the handlers do. */
export function hono(policies: PolicyStore): Contender {
  const app = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (result.success) return;
      throw invalid(...result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
    },
  });

  app.use(async (c, next) => {
    const { stamp, headers } = dressingOf(c.env.event);
    c.set('stamp', stamp);
    c.set('headers', headers);
    c.set('owner', ownerOf(c.env.event));
    await next();
  });

  app.onError((error, c) => {
    const answered = error instanceof ApiError ? error : new ApiError('internal_server_error');
    return new Response(errorText(answered, c.var.stamp), {
      status: answered.status,
      headers: c.var.headers,
    });
  });

  app.openapi(listTransactions, async (c) => {
    const { policyId } = c.req.valid('param');
    const { page, limit } = c.req.valid('query');
    const [found, transactions] = await Promise.all([
      policies.find(c.var.owner, policyId),
      policies.transactions(c.var.owner, policyId, (page - 1) * limit + 1, limit),
    ]);
    if (found === undefined) throw notFound();
    const total = found.transactionCount;
    const data = { transactions, total, page, limit, totalPages: Math.ceil(total / limit) };
    return c.json(
      { statusCode: 200 as const, data: schemas.transactionsPage.parse(data), ...c.var.stamp },
      200,
      c.var.headers,
    );
  });

  // Hono's own type of a gateway event knows no null, which the gateway sends for what is absent.
  const answer = handle(app) as (event: APIGatewayProxyEvent) => Promise<unknown>;
  return { name: 'Hono with zod-openapi', answer };
}
