import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { invocationBytes } from '../../../shared/platform/aws/limits.ts';
import { invokePermissions } from '../gateway/authorizer.ts';
import { type HttpHandler, readBody } from '../listener.ts';
import { type Deployment, functionArn, propertiesOf } from '../template/template.ts';
import type { LocalFunction } from './local-function.ts';

/** Supported properties of a function's address: one that anybody may call, with answers that are not streamed. */
const urlProperties = z.strictObject({
  TargetFunctionArn: z.string(),
  AuthType: z.literal('NONE'),
  InvokeMode: z.optional(z.literal('BUFFERED')),
});

const functionAnswer = z.object({
  statusCode: z.int(),
  headers: z._default(z.record(z.string(), z.string()), {}),
  body: z._default(z.string(), ''),
});

/**
 * The handlers of functions' addresses, by path. Such a call begins a chain of invocations: HTTP carries no trace.
 *
 * @throws Error where Lambda would refuse every call: it requires both permissions
 *   (https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html).
 */
export function functionUrls(
  deployment: Deployment,
  functionByArn: (functionArn: string) => LocalFunction,
): ReadonlyMap<string, HttpHandler> {
  const permissions = invokePermissions(deployment).filter(({ Principal }) => Principal === '*');
  return new Map(
    deployment.ofType('AWS::Lambda::Url').map((resource) => {
      const { TargetFunctionArn: arn, AuthType } = propertiesOf(resource, urlProperties);
      const ofAnybody = permissions.filter(({ FunctionName }) => functionArn(FunctionName) === arn);
      const mayCall = ofAnybody.some(({ FunctionUrlAuthType: type }) => type === AuthType);
      const mayInvoke = ofAnybody.some((one) => one.InvokedViaFunctionUrl === true);
      if (!mayCall || !mayInvoke) throw new Error(`Nobody may call the address of ${arn}.`);
      const { pathname } = new URL(resource.attributes['FunctionUrl'] ?? '');
      return [pathname, handlerOf(functionByArn(arn))];
    }),
  );
}

const handlerOf =
  (target: LocalFunction): HttpHandler =>
  async (request, response) => {
    try {
      const { method, headers, socket } = request;
      const body = (await readBody(request, invocationBytes))?.toString('utf8');
      if (body === undefined) return void response.writeHead(413).end();
      // https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
      const answer = await target.invoke({
        version: '2.0',
        rawPath: '/',
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        requestContext: {
          requestId: randomUUID(),
          http: { method, path: '/', sourceIp: socket.remoteAddress },
        },
        ...(body === '' ? {} : { body }),
        isBase64Encoded: false,
      });
      const { statusCode, headers: own, body: text } = z.parse(functionAnswer, answer);
      response.writeHead(statusCode, own).end(text);
    } catch {
      // The function's log has the error.
      response.writeHead(502).end('Internal Server Error');
    }
  };
