// The bundle of a function with a list of policies, `policies` or `compliance`, alone in a process, behind an HTTP server that stands for Lambda's response stream:
// the socket pushes back when its reader is slow. Besides the list there is `/memory`, the highest resident memory of
// the process so far.
import { createServer, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { complianceRoutes } from '../../functions/compliance/routes.ts';
import { policyRoutes } from '../../functions/policies/routes.ts';
import { apiEvent, lambdaContext } from '../support/api-event.ts';

interface AnswerHead {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
}

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: {
      from: (answer: ServerResponse, { statusCode, headers }: AnswerHead) =>
        answer.writeHead(statusCode, headers),
    },
  },
});

type Handler = (event: APIGatewayProxyEvent, answer: ServerResponse, context: Context) => Promise<void>;

const lists = {
  policies: policyRoutes.routes.listPolicies,
  compliance: complianceRoutes.routes.listPolicyComplianceStatuses,
};
const name = z.parse(z.enum(['policies', 'compliance']), process.argv[2]);

const loaded: unknown = await import(pathToFileURL(resolve('dist/functions', name, 'index.mjs')).href);
const { handler } = z.parse(
  z.object({ handler: z.custom<Handler>((value) => value instanceof Function) }),
  loaded,
);

const server = createServer((request, answer) => {
  if (request.url === '/memory') {
    answer.end(String(process.resourceUsage().maxRSS));
    return;
  }
  const organizationId = request.url?.slice(1) ?? '';
  const event = apiEvent(lists[name], {
    headers: { 'accept-encoding': request.headers['accept-encoding'] ?? 'identity' },
    identity: { organizationId, category: 'upstreamEntity', credentialId: 'bench' },
  });
  // What fails midway tears down its answer, which the reader reports.
  handler(event, answer, lambdaContext).catch(() => answer.destroy());
});

server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
// Ends with the process that started it, whatever ended that.
process.once('disconnect', () => process.exit());
