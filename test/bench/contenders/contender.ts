import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { ApiError } from '../../../shared/platform/contract/errors.ts';
import { baseHeaders, type Stamp } from '../../../shared/platform/request/response.ts';
import { identity } from './schemas.ts';

/** A way to answer the policies group's requests. All of them do the same work over the same stub of the store. */
export interface Contender {
  readonly name: string;
  /** What is measured: from the gateway's event to status, headers and body text. */
  readonly answer: (event: APIGatewayProxyEvent, context: Context) => Promise<unknown>;
}

/** @throws ApiError `unauthorized` for a caller that the authorizer did not let in. */
export function ownerOf({ requestContext }: APIGatewayProxyEvent): string {
  const caller = identity.safeParse(requestContext.authorizer);
  if (!caller.success) throw new ApiError('unauthorized');
  return caller.data.organizationId;
}

/** Stamp and headers of an answer. */
export function dressingOf({ requestContext }: APIGatewayProxyEvent) {
  const requestId = `local-${requestContext.requestId}`;
  return {
    stamp: { requestId, timestamp: new Date().toISOString() } satisfies Stamp,
    headers: baseHeaders(requestId),
  };
}
