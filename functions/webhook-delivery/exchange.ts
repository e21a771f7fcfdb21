import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { type AddressRules, isForbiddenAddress, urlFault } from '#domain/webhooks/address.ts';
import { longestAnswer } from '#domain/webhooks/resource.ts';

/** Finds the addresses that a name stands for. */
type ResolveName = (name: string) => Promise<LookupAddress[]>;

interface NameResolverOptions {
  /** Timeout of the first try of each question; the second one has twice that. 1.5 seconds by default. */
  readonly timeoutMs?: number;
  /** Name servers, `address:port`; those of the system by default. */
  readonly servers?: readonly string[];
}

/** Questions of a name are asked twice, then the name is unresolved: well within the 15 seconds of an exchange. */
const tries = 2;

const localAddresses: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Asks the name servers itself. `dns.lookup` would occupy one of four threads until the system gives up, so a few
 * slow names of one organization would delay the deliveries of all. It also reads `/etc/hosts`, of which only `localhost`
 * matters here: receivers on this machine, in the local environment.
 * @throws Error when a name has no address, or no server answers in time.
 */
export function createNameResolver({ timeoutMs = 1_500, servers }: NameResolverOptions = {}): ResolveName {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (servers !== undefined) resolver.setServers(servers);

  return async (name) => {
    if (/^localhost\.?$/i.test(name)) return [...localAddresses];
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [
      ...addressesOf(v4).map((address) => ({ address, family: 4 })),
      ...addressesOf(v6).map((address) => ({ address, family: 6 })),
    ];
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
    return addresses;
  };
}

const addressesOf = (answer: PromiseSettledResult<string[]>): string[] =>
  answer.status === 'fulfilled' ? answer.value : [];

interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why an exchange failed, in words for the owner of the webhook. */
type Fault =
  | 'timeout'
  | 'forbidden address'
  | 'name not resolved'
  | 'connection refused'
  | 'connection reset'
  | 'unreachable'
  | 'tls'
  | 'invalid answer'
  | 'connection failed';

export interface ExchangeResult {
  /** Null where no answer came. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: Fault | null;
  /** Start of the answer, as much as is kept; null where none came. */
  readonly responseBody: string | null;
  readonly retryAfter: string | null;
}

/** Posts a body to a receiver and says what came of it; it never fails itself. */
export type Exchange = (outgoing: Outgoing) => Promise<ExchangeResult>;

export interface ExchangeOptions {
  readonly rules: AddressRules;
  /** Timeout of the whole exchange: name, connection, TLS, headers and body. 15 seconds by default (OpenAPI, "Webhooks"). */
  readonly timeLimitMs?: number;
  /** Resolver of names; the system’s name servers are asked by default. */
  readonly resolve?: ResolveName;
}

/** Milliseconds of an attempt. */
export const wholeExchange = 15_000;

class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

/** The codes of name servers' errors mean something else for connections. */
class UnresolvedNameError extends Error {
  override readonly name = 'UnresolvedNameError';
}

/**
 * Resolves the name for the one connection that is made, and hands out only addresses that were checked: a name that
 * stands for another address at every question gains nothing by it. One forbidden address forbids the name.
 */
const checkedLookup =
  (resolve: ResolveName, rules: AddressRules): LookupFunction =>
  (name, options, callback) => {
    const refuse = (error: Error) => callback(error, '', 0);
    resolve(name).then(
      (addresses) => {
        const [first] = addresses;
        const forbidden = addresses.some(({ address }) => isForbiddenAddress(address, rules));
        if (first === undefined || forbidden) refuse(new ForbiddenAddressError());
        else if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (cause) => refuse(new UnresolvedNameError('', { cause })),
    );
  };

const faults: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ETIMEDOUT: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EPROTO: 'tls',
};

/** OpenSSL's reasons why a certificate is not trusted, and Node's codes of TLS. */
const ofTls =
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|ERR_OSSL)/;

function faultOf(error: Error & { readonly code?: string }): Fault {
  if (error instanceof ForbiddenAddressError) return 'forbidden address';
  if (error instanceof UnresolvedNameError) return 'name not resolved';
  const code = error.code ?? '';
  if (ofTls.test(code)) return 'tls';
  if (code.startsWith('HPE_')) return 'invalid answer';
  return faults[code] ?? 'connection failed';
}

/** Text of the bytes that were read: those that are no UTF-8 are replaced, a character that was cut is left out. */
const textOf = (chunks: readonly Buffer[]): string =>
  new TextDecoder().decode(Buffer.concat(chunks).subarray(0, longestAnswer), { stream: true });

/** Whether a connection that was kept turned out to be closed by the receiver before it answered. */
const isStale = (error: Error, request: ClientRequest): boolean =>
  request.reusedSocket && faultOf(error) === 'connection reset';

/** Kept-alive connections to one webhook's receiver. */
export interface Connections {
  readonly exchange: Exchange;
  /** Closes the connections: none outlives the lease, so none leads for long to what a name stood for before. */
  close(): void;
}

/**
 * Opens connections that are kept for the exchanges of one lease, over Node's own client, which takes the address that was checked.
 * A kept connection leads to the address that was checked when it was opened; one that the receiver has closed meanwhile is
 * replaced by a new one.
 */
export function openConnections({
  rules,
  timeLimitMs = wholeExchange,
  resolve = createNameResolver(),
}: ExchangeOptions): Connections {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  const exchange: Exchange = ({ url, headers, body }) =>
    new Promise((settle) => {
      const startedAt = performance.now();
      const resultOf = (
        error: Fault | null,
        incoming?: IncomingMessage,
        chunks: readonly Buffer[] = [],
      ): ExchangeResult => ({
        statusCode: incoming?.statusCode ?? null,
        durationMs: Math.round(performance.now() - startedAt),
        error,
        responseBody: incoming === undefined ? null : textOf(chunks),
        retryAfter: incoming?.headers['retry-after'] ?? null,
      });

      // Addresses that stand in a URL are never looked up; ports and schemes were right when the webhook was registered.
      if (urlFault(url, rules) !== undefined) return settle(resultOf('forbidden address'));
      const target = new URL(url);
      const isTls = target.protocol === 'https:';

      let request: ClientRequest;
      let incoming: IncomingMessage | undefined;
      let isOver = false;
      const chunks: Buffer[] = [];
      // A promise takes its first settlement alone: what the connection tells after that, its own closing first, is void.
      const finish = (error: Fault | null): void => {
        isOver = true;
        clearTimeout(timer);
        settle(resultOf(error, incoming, chunks));
        // A request that is answered has given its connection back, and ends it no more.
        request.destroy();
      };
      const timer = setTimeout(() => finish('timeout'), timeLimitMs);
      const fail = (error: Error): void => finish(faultOf(error));

      const start = (agent: HttpAgent | HttpsAgent | false): void => {
        request = (isTls ? requestHttps : requestHttp)(target, {
          method: 'POST',
          headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
          agent,
          lookup: checkedLookup(resolve, rules),
          rejectUnauthorized: true,
        });
        request.on('error', (error) => {
          if (!isOver && incoming === undefined && isStale(error, request)) start(false);
          else fail(error);
        });
        request.on('upgrade', (answer) => {
          incoming = answer;
          finish('invalid answer');
        });
        request.on('response', (answer) => {
          incoming = answer;
          let read = 0;
          answer.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            read += chunk.length;
            if (read >= longestAnswer) finish(null);
          });
          answer.on('end', () => finish(null));
          answer.on('error', fail);
        });
        request.end(body);
      };
      start(isTls ? agents.https : agents.http);
    });
  return {
    exchange,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
