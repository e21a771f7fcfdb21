import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Finds the addresses that a name stands for. */
export type ResolveName = (name: string) => Promise<LookupAddress[]>;

interface NameResolverOptions {
  /** For the first try of each question; the second one has twice that. 1.5 seconds by default. */
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
    const found = [
      ...addressesOf(v4).map((address) => ({ address, family: 4 })),
      ...addressesOf(v6).map((address) => ({ address, family: 6 })),
    ];
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  };
}

const addressesOf = (answer: PromiseSettledResult<string[]>): string[] =>
  answer.status === 'fulfilled' ? answer.value : [];
