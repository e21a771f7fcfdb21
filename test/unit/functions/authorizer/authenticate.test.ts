import { createAuthenticate } from '../../../../functions/authorizer/authenticate.ts';
import type { Feature } from '../../../../shared/platform/contract/access.ts';
import { hashSecret } from '../../../../shared/platform/identity/credentials.ts';
import type {
  ApiClient,
  Organization,
  RestrictedAccessToken,
} from '../../../../shared/platform/identity/organization.ts';
import type { OrganizationStore } from '../../../../shared/platform/identity/organization-store.ts';

const organization: Organization = {
  organizationId: 'o',
  name: 'n',
  category: 'upstreamEntity',
  features: [],
  subscription: 'active',
  planCeiling: 1,
  naicCodes: [],
  eins: [],
  createdAt: '',
  updatedAt: '',
};

/** A store in memory that counts its reads. */
function setup() {
  const clients = new Map<string, ApiClient>();
  const tokens = new Map<string, RestrictedAccessToken>();
  const features: Feature[] = [];
  let reads = 0;
  let failing = false;
  let now = 0;
  const read = <Value>(value: Value): Promise<Value> => {
    reads += 1;
    return failing ? Promise.reject(new Error('down')) : Promise.resolve(value);
  };
  const organizations: OrganizationStore = {
    findClient: (clientId) => read(clients.get(clientId)),
    findOrganization: () => read({ ...organization, features: [...features] }),
    findToken: (hash) => read(tokens.get(hash)),
  };
  const client = {
    clientId: 'c',
    organizationId: 'o',
    category: 'upstreamEntity',
    name: 'n',
    secretHash: '',
    createdAt: '',
  } as const;
  clients.set('c', client);
  tokens.set(hashSecret('good'), {
    tokenId: 't',
    organizationId: 'o',
    name: 'n',
    ipAddresses: ['192.0.2.1'],
    createdAt: '',
  });
  const authenticate = createAuthenticate({
    organizations,
    accessTokens: {
      sign: () => Promise.reject(new Error('unused')),
      verify: (token) =>
        Promise.resolve(token === 'good' ? { clientId: 'c', organizationId: 'o' } : undefined),
    },
    now: () => now,
  });
  return {
    authenticate,
    reads: () => reads,
    fail: (value: boolean) => {
      failing = value;
    },
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
    subscribe: (feature: Feature) => void features.push(feature),
    revokeClient: () => clients.set('c', { ...client, revokedAt: 'now' }),
  };
}

it.each([
  ['good', 'bad', 'c'],
  ['bad', 'good', 't'],
  ['good', 'good', 'c'],
  ['bad', 'bad', undefined],
  [undefined, 'good', 't'],
  ['good', undefined, 'c'],
  [undefined, undefined, undefined],
])(
  'with bearer %s and restricted token %s the caller is %s',
  async (bearer, restrictedToken, credentialId) => {
    const caller = await setup().authenticate({ bearer, restrictedToken }, undefined);
    expect(caller?.credentialId).toBe(credentialId);
  },
);

it('checks only the method that the route tests', async () => {
  const { authenticate } = setup();
  const both = { bearer: 'bad', restrictedToken: 'good' };
  expect(await authenticate(both, 'oauth')).toBeUndefined();
  expect(await authenticate(both, 'restricted access token')).toMatchObject({ credentialId: 't' });
});

it('limits a restricted token to its addresses, and an API client to none', async () => {
  const { authenticate } = setup();
  expect(await authenticate({ bearer: undefined, restrictedToken: 'good' }, undefined)).toMatchObject({
    ipAddresses: ['192.0.2.1'],
  });
  expect(
    (await authenticate({ bearer: 'good', restrictedToken: undefined }, undefined))?.ipAddresses,
  ).toBeUndefined();
});

it('reads client and organization at most once a minute, so a revoked client loses access within a minute', async () => {
  const { authenticate, reads, pass, revokeClient } = setup();
  const bearer = { bearer: 'good', restrictedToken: undefined };
  await authenticate(bearer, undefined);
  await authenticate(bearer, undefined);
  expect(reads()).toBe(2);
  revokeClient();
  pass(60);
  expect(await authenticate(bearer, undefined)).toBeUndefined();
});

it('does not cache a failure', async () => {
  const { authenticate, fail } = setup();
  const bearer = { bearer: 'good', restrictedToken: undefined };
  fail(true);
  await expect(authenticate(bearer, undefined)).rejects.toThrow('down');
  fail(false);
  expect(await authenticate(bearer, undefined)).toMatchObject({ credentialId: 'c' });
});

it('has one entitlement for all credentials of an organization', async () => {
  const { authenticate, subscribe, pass } = setup();
  const featuresOf = async (credential: 'bearer' | 'restrictedToken') => {
    const presented = { bearer: undefined, restrictedToken: undefined, [credential]: 'good' };
    return (await authenticate(presented, undefined))?.organization.features;
  };
  expect(await featuresOf('bearer')).toEqual([]);
  subscribe('policies');
  pass(30);
  expect(await featuresOf('restrictedToken')).toEqual(await featuresOf('bearer'));
  pass(30);
  expect(await featuresOf('restrictedToken')).toEqual(['policies']);
  expect(await featuresOf('bearer')).toEqual(['policies']);
});
