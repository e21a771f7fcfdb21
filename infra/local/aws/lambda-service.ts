import { invocationBytes } from '#platform/aws/limits.ts';
import type { Fleet } from '../functions/fleet.ts';
import {
  FunctionError,
  RecursiveInvocationError,
  ThrottledError,
  traceHeaderName,
} from '../functions/worker-messages.ts';
import { functionArn } from '../template/template.ts';
import { AwsError, type AwsRequest, type AwsService, unsupportedCall } from './service.ts';

/** Client context that the caller sends. */
function clientContextOf({ headers }: AwsRequest): unknown {
  const header = headers['x-amz-client-context'];
  return typeof header === 'string' ? JSON.parse(Buffer.from(header, 'base64').toString('utf8')) : undefined;
}

/** Lambda's synchronous Invoke, by name or ARN of a function, its version, or an alias. */
export function lambdaService(functions: Fleet['all']): AwsService {
  const find = (request: AwsRequest) => {
    const name = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.url.pathname)?.[1];
    if (name === undefined || request.method !== 'POST') {
      throw unsupportedCall(`Lambda's ${request.method} ${request.url.pathname}`);
    }
    const qualifier = request.url.searchParams.get('Qualifier');
    const arn = functionArn([decodeURIComponent(name), qualifier].filter((part) => part !== null).join(':'));
    const member = functions().find(({ arns }) => arns.includes(arn));
    if (member === undefined) {
      throw new AwsError('ResourceNotFoundException', `Function not found: ${arn}`, 404);
    }
    return { arn, target: member.target };
  };

  return {
    accesses: (request) => [{ action: 'lambda:InvokeFunction', resource: find(request).arn }],
    async answer(request, response) {
      const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
      if (type !== 'RequestResponse') throw unsupportedCall(`the invocation type ${String(type)}`);
      if (request.body.length > invocationBytes) {
        throw new AwsError('RequestTooLargeException', `The payload exceeds ${invocationBytes} bytes.`, 413);
      }
      const payload: unknown = request.body.length === 0 ? {} : JSON.parse(request.body.toString('utf8'));
      try {
        const traceHeader = request.headers[traceHeaderName];
        const result = await find(request).target.invoke(
          payload,
          typeof traceHeader === 'string' ? [traceHeader] : [],
          clientContextOf(request),
        );
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(result) ?? 'null');
      } catch (error) {
        if (error instanceof RecursiveInvocationError) throw new AwsError(error.name, error.message);
        if (error instanceof ThrottledError) throw new AwsError(error.name, error.message, 429);
        if (!(error instanceof FunctionError)) throw error;
        response.writeHead(200, { 'content-type': 'application/json', 'x-amz-function-error': 'Unhandled' });
        response.end(JSON.stringify(error.payload));
      }
    },
  };
}
