import { BlockList, isIP, isIPv4 } from 'node:net';
import { longestUrl } from './resource.ts';

/** Rules of addresses beside public ones. */
export interface AddressRules {
  /** Whether receivers on this machine are admitted; in the local environment alone. */
  readonly loopback: boolean;
}

/** Ports of receivers (OpenAPI, "createWebhook"). */
export const receiverPorts = ['443', '8443'];

const ranges = (family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
};

// One list a family: a list of both would take an IPv4 address for the IPv6 one that it can be written as, and the
// range of those covers every IPv4 address.

/** https://www.iana.org/assignments/iana-ipv4-special-registry, multicast and what is reserved. */
const forbiddenV4 = ranges('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/**
 * All that is not global unicast (2000::/3): unspecified, loopback, IPv4-mapped and -compatible, NAT64, discard-only,
 * unique local, link-local, site-local, multicast and what is not assigned. Within it, by
 * https://www.iana.org/assignments/iana-ipv6-special-registry: protocol assignments (Teredo, benchmarking, ORCHID),
 * documentation and 6to4.
 */
const forbiddenV6 = ranges('ipv6', [
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

/** Names that mean this machine or this network, whatever a resolver says. */
const localNames = ['localhost', 'local', 'internal'];

const isLoopback = (ip: string): boolean => (isIPv4(ip) ? ip.startsWith('127.') : ip === '::1');

/**
 * Whether nothing may be delivered to this IP address: it is private, special or none at all (OpenAPI,
 * "createWebhook"). What a name stands for is checked with this when the connection is made, since it may change after
 * registration.
 */
export function isForbiddenAddress(ip: string, rules: AddressRules): boolean {
  if (isIP(ip) === 0 || ip.includes('%')) return true;
  if (rules.loopback && isLoopback(ip)) return false;
  return isIPv4(ip) ? forbiddenV4.check(ip, 'ipv4') : forbiddenV6.check(ip, 'ipv6');
}

/** The name or address in a URL: without the brackets of an IPv6 address and the dot that may end a name. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

function hostFault(host: string, rules: AddressRules): string | undefined {
  if (isIP(host) !== 0) {
    return isForbiddenAddress(host, rules) ? 'must not be a private or special address' : undefined;
  }
  const labels = host.split('.');
  const isLocal = labels.length < 2 || localNames.includes(labels.at(-1) ?? '');
  return isLocal || labels.includes('') ? 'must have a public host name' : undefined;
}

/** Fault of a URL as a receiver’s (OpenAPI, "createWebhook"); undefined for a good one. */
export function urlFault(text: string, rules: AddressRules): string | undefined {
  if (text.length > longestUrl) return `must have at most ${longestUrl} characters`;
  // The parser drops or mends these, so that the URL would not be the one that is shown.
  if (/[\s\p{Cc}\\]/u.test(text)) return 'must not have spaces, control characters, or backslashes';
  const url = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return 'must be an https URL';
  if (text.includes('#')) return 'must not have a fragment';
  // The parser drops empty ones.
  if (/^[^/]+\/\/[^/?]*@/.test(text)) return 'must not have credentials';
  const host = hostOf(url);
  const isHere = host === 'localhost' || (isIP(host) !== 0 && isLoopback(host));
  if (rules.loopback && isHere) return undefined;
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (!receiverPorts.includes(url.port || '443')) return `must use port ${receiverPorts.join(' or ')}`;
  return hostFault(host, rules);
}
