// Folder `aws`: the one endpoint for all AWS calls; it checks IAM and answers for each service, itself or through an engine.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { HttpHandler } from '../listener.ts';
import { type AccessRequest, evaluate, type Grant, type Statement } from './policy-evaluation.ts';
import { AwsError, type AwsRequest, type AwsService, refuseAsJson } from './service.ts';

/** The holder of an access key: a function with the statements of its role, or the operator, who may do everything. */
export interface Caller {
  readonly name: string;
  readonly statements: readonly Statement[] | 'everything';
  /** Whether it is a function's own code, and not Lambda on its behalf. */
  readonly isCode?: boolean;
}

/** A call that its caller may make. */
export interface AwsCall {
  readonly caller: Caller;
  /** Signing name of the service. */
  readonly service: string;
  readonly accesses: readonly AccessRequest[];
  readonly request: AwsRequest;
  readonly response: ServerResponse;
}

/** Surrounds a call; `next` has the service respond to it, or to another request in its place. */
export type AwsMiddleware = (
  call: AwsCall,
  next: (replacement?: AwsRequest) => Promise<void>,
) => Promise<void>;

interface EndpointOptions {
  /** Callers by access key id. */
  readonly callers: ReadonlyMap<string, Caller>;
  /** Services by their signing name. */
  readonly services: Readonly<Record<string, AwsService>>;
  /** Statements of resource policies that deny every caller. */
  readonly denials?: readonly Statement[];
  readonly onGrantUsed: (caller: Caller, grant: Grant) => void;
  readonly onRefusal: (caller: Caller, message: string) => void;
  /** Called with what was done, after the response was sent. */
  readonly onAnswer?: (accesses: readonly AccessRequest[]) => void;
  readonly middleware?: AwsMiddleware | undefined;
}

/** Access key and service of a signed request, from its header or its presigned URL. */
function credentialScope(request: IncomingMessage, url: URL): { accessKeyId: string; service: string } {
  const header = /Credential=([^,\s]+)/.exec(request.headers.authorization ?? '')?.[1];
  const [accessKeyId, , , service] = (url.searchParams.get('X-Amz-Credential') ?? header ?? '').split('/');
  if (accessKeyId === undefined || service === undefined) {
    throw new AwsError('MissingAuthenticationTokenException', 'The request is not signed.', 403);
  }
  return { accessKeyId, service };
}

function check(caller: Caller, accesses: readonly AccessRequest[], options: EndpointOptions): void {
  for (const access of accesses) {
    const refusal = (reason: string): AwsError =>
      new AwsError(
        'AccessDeniedException',
        `${caller.name} is not authorized to perform: ${access.action} on resource: ${access.resource} ${reason}`,
      );
    const denial = evaluate(options.denials ?? [], access);
    // Of an answer that a caller waits for, as of a file that is being scanned: nothing to report in the terminal.
    if (!denial.isAllowed && denial.explicit)
      throw refusal('with an explicit deny in a resource-based policy');
    if (caller.statements === 'everything') continue;
    const decision = evaluate(caller.statements, access);
    if (!decision.isAllowed) {
      const error = refusal(
        decision.explicit
          ? 'with an explicit deny'
          : `because no identity-based policy allows the ${access.action} action`,
      );
      options.onRefusal(caller, error.message);
      throw error;
    }
    for (const grant of decision.grants) options.onGrantUsed(caller, grant);
  }
}

/**
 * The one endpoint of all AWS services. It identifies the caller by its access key and denies what the caller's
 * synthesized role does not allow, as AWS would. Signatures in headers are not verified, because the access keys are
 * random and valid for one run only.
 */
export function createAwsEndpoint(options: EndpointOptions): HttpHandler {
  return async (incoming, response) => {
    let refuse: NonNullable<AwsService['refuse']> = refuseAsJson;
    try {
      const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
      const { accessKeyId, service: serviceName } = credentialScope(incoming, url);
      const service = options.services[serviceName];
      if (service === undefined) {
        throw new AwsError('UnknownService', `The local run does not support ${serviceName}.`);
      }
      refuse = service.refuse ?? refuseAsJson;
      const caller = options.callers.get(accessKeyId);
      if (caller === undefined) {
        const message = 'The security token in the request is invalid.';
        throw new AwsError('UnrecognizedClientException', message, 403);
      }
      const request: AwsRequest = {
        method: incoming.method ?? 'GET',
        url,
        headers: incoming.headers,
        body: await buffer(incoming),
      };
      const accesses = await service.accesses(request);
      check(caller, accesses, options);
      const next = (replacement = request) => service.answer(replacement, response);
      const call = { caller, service: serviceName, accesses, request, response };
      await (options.middleware?.(call, next) ?? next());
      options.onAnswer?.(accesses);
    } catch (error) {
      if (response.headersSent || response.destroyed) {
        response.destroy();
        return;
      }
      const refusal = error instanceof AwsError ? error : new AwsError('InternalFailure', String(error), 500);
      refuse(refusal, response);
    }
  };
}
