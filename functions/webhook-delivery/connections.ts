import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createExchange, type Exchange, type ExchangeOptions } from './exchange.ts';

/** Kept-alive connections to one webhook's receiver. */
export interface Connections {
  readonly exchange: Exchange;
  /** Closes the connections: none outlives the lease, so none leads for long to what a name stood for before. */
  close(): void;
}

/** Opens connections that are kept for the exchanges of one lease. */
export function openConnections(options: Omit<ExchangeOptions, 'agents'>): Connections {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  return {
    exchange: createExchange({ ...options, agents }),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
