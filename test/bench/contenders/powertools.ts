import { RequestValidationError, Router } from '@aws-lambda-powertools/event-handler/http';
import type { RequestContext } from '@aws-lambda-powertools/event-handler/types';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { z } from 'zod';
import type { PolicyStore } from '../../../functions/policies/store.ts';
import { ApiError, invalid, notFound } from '../../../shared/platform/contract/errors.ts';
import { errorText } from '../../../shared/platform/request/response.ts';
import { type Contender, dressingOf, ownerOf } from './contender.ts';
import * as schemas from './schemas.ts';

const { envelope, pageQuery, policyParams, transactionsPage } = schemas;

const requestIssues = z.object({
  issues: z.array(z.object({ message: z.string(), path: z.array(z.union([z.string(), z.number()])) })),
});

/** The router takes other kinds of events too. */
function eventOf(context: Pick<RequestContext, 'event' | 'responseType'>): APIGatewayProxyEvent {
  if (context.responseType === 'ApiGatewayV1') return context.event as APIGatewayProxyEvent;
  throw new Error('This is no event of a REST API.');
}

const refusal = (error: ApiError, context: RequestContext): Response => {
  const { stamp, headers } = dressingOf(eventOf(context));
  return new Response(errorText(error, stamp), { status: error.status, headers });
};

/** The router of Powertools' event handler, which checks requests and responses itself. */
export function powertools(policies: PolicyStore): Contender {
  const app = new Router();

  app.errorHandler(ApiError, async (error, context) => refusal(error, context));
  app.errorHandler(RequestValidationError, async ({ details }, context) => {
    const { issues } = requestIssues.parse(details);
    return refusal(
      // The first part of a path names the part of the request, which callers do not see.
      invalid(...issues.map(({ path: [, ...path], message }) => ({ path: path.join('.'), message }))),
      context,
    );
  });

  app.use(async ({ reqCtx, next }) => {
    reqCtx.set('owner', ownerOf(eventOf(reqCtx)));
    await next();
  });

  app.get(
    '/v2/upstream/policies/:policyId/transactions',
    async (context) => {
      const { page, limit } = context.valid.req.query;
      const owner = String(context.get('owner'));
      const { policyId } = context.valid.req.path;
      const [one, transactions] = await Promise.all([
        policies.find(owner, policyId),
        policies.transactions(owner, policyId, (page - 1) * limit + 1, limit),
      ]);
      if (one === undefined) throw notFound();
      const total = one.transactionCount;
      const { stamp, headers } = dressingOf(eventOf(context));
      const data = { transactions, total, page, limit, totalPages: Math.ceil(total / limit) };
      return Response.json({ statusCode: 200, data, ...stamp }, { headers });
    },
    {
      validation: {
        req: { path: policyParams, query: pageQuery },
        res: { body: envelope(transactionsPage) },
      },
    },
  );
  return { name: 'Powertools router', answer: (event, context) => app.resolve(event, context) };
}
