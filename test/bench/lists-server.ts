// The bundle of a function with a list of policies, of their compliance, of sales, or of a carrier's licenses, alone in a process, behind an HTTP server that stands for Lambda's response stream:
// the socket pushes back when its reader is slow. Besides the list there is `/memory`, in MiB the most that was resident, and the
// most that a full collection left, until now. The first depends on how much garbage V8 leaves lying about, which is more on
// a faster machine; the second is what the function holds.
import { createServer, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GCProfiler } from 'node:v8';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { apiEvent, lambdaContext } from '../support/api-event.ts';
import { lists } from './listed.ts';

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

const list = lists[z.parse(z.enum(['policies', 'compliance', 'sales', 'licenses']), process.argv[2])];

const loaded: unknown = await import(
  pathToFileURL(resolve('dist/functions', list.function, 'index.mjs')).href
);
const { handler } = z.parse(
  z.object({ handler: z.custom<Handler>((value) => value instanceof Function) }),
  loaded,
);

const collections = new GCProfiler();
collections.start();

const server = createServer((request, answer) => {
  if (request.url === '/memory') {
    const left = collections
      .stop()
      .statistics.filter(({ gcType }) => gcType === 'MarkSweepCompact')
      .map(({ afterGC: { heapStatistics } }) => heapStatistics.usedHeapSize + heapStatistics.externalMemory);
    const resident = process.resourceUsage().maxRSS / 1_024;
    answer.end(JSON.stringify({ resident, held: Math.max(...left) / 1_024 / 1_024 }));
    return;
  }
  const organizationId = request.url?.slice(1) ?? '';
  const event = apiEvent(list.route, {
    headers: { 'accept-encoding': request.headers['accept-encoding'] ?? 'identity' },
    identity: { organizationId, category: 'upstreamEntity', credentialId: 'bench' },
  });
  // What fails midway tears down its answer, which the reader reports.
  handler(event, answer, lambdaContext).catch(() => answer.destroy());
});

server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
// Ends with the process that started it, whatever ended that.
process.once('disconnect', () => process.exit());
