import { type Feature, features, type OrganizationCategory } from '#platform/contract/route.ts';
import {
  type ApiClient,
  hashSecret,
  type Organization,
  type OrganizationStore,
  type RestrictedAccessToken,
} from '#platform/identity/organizations.ts';
import {
  type AccessMap,
  createAuthenticate,
  type Decision,
  decide,
} from '../../../functions/authorizer/authenticate.ts';

describe('authenticate', () => {
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
        verify: async (token) => {
          if (token === 'of another') return { clientId: 'c', organizationId: 'another' };
          return token === 'good' ? { clientId: 'c', organizationId: 'o' } : undefined;
        },
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
    ['of another', undefined, undefined],
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
});

describe('decide', () => {
  const accessMap: AccessMap = {
    'GET /upstream': { kind: 'upstream', feature: 'policies' },
    'GET /downstream': { kind: 'downstream', feature: null },
    'GET /any': { kind: 'any', feature: null },
  };

  interface Given {
    readonly route?: string;
    readonly category?: OrganizationCategory;
    readonly without?: Feature;
    readonly subscription?: 'active' | 'inactive';
    readonly ipAddresses?: readonly string[];
    readonly sourceIp?: string;
  }

  const decideFor = (given: Given): Promise<Decision> =>
    decide(
      {
        route: given.route ?? 'GET /upstream',
        sourceIp: given.sourceIp ?? '203.0.113.9',
        bearer: 'x',
        restrictedToken: undefined,
      },
      {
        accessMap,
        authenticate: () =>
          Promise.resolve({
            credentialId: 'client_1',
            ipAddresses: given.ipAddresses,
            organization: {
              organizationId: 'o',
              name: 'n',
              category: given.category ?? 'upstreamEntity',
              features: features.filter((feature) => feature !== given.without),
              subscription: given.subscription ?? 'active',
              planCeiling: 1,
              naicCodes: [],
              eins: [],
              createdAt: '',
              updatedAt: '',
            },
          }),
      },
    );

  const refused = (errorType: string, expected: string, actual: string) => ({
    refusal: { errorType, expected, actual, organizationId: expect.any(String), credentialId: 'client_1' },
  });

  const admitted = { identity: { credentialId: 'client_1' } };

  it('admits a caller of the right category with every feature, and returns its identity', async () => {
    expect(await decideFor({})).toEqual({
      identity: { organizationId: 'o', category: 'upstreamEntity', credentialId: 'client_1' },
    });
  });

  it.each(['downstreamEntity', 'enterpriseUpstreamEntity', 'enterpriseDownstreamEntity'] as const)(
    'refuses %s on upstream routes and admits it on routes for any category',
    async (category) => {
      expect(await decideFor({ category })).toMatchObject(
        refused('invalid_organization_category', 'upstreamEntity', category),
      );
      expect(await decideFor({ category, route: 'GET /any' })).toMatchObject(admitted);
    },
  );

  it('refuses an upstream caller on downstream routes', async () => {
    expect(await decideFor({ route: 'GET /downstream' })).toMatchObject(
      refused('invalid_organization_category', 'downstreamEntity', 'upstreamEntity'),
    );
  });

  it.each([
    ['the route’s feature is off', { without: 'policies' }, 'policies'],
    ['the Public API is off', { without: 'public_api' }, 'public_api'],
    ['the subscription is inactive', { subscription: 'inactive' }, 'public_api'],
  ] as const)('refuses when %s', async (_, given, expected) => {
    expect(await decideFor(given)).toMatchObject(
      refused('product_feature_subscription_required', expected, 'none'),
    );
  });

  it.each([
    ['an address that is not listed', ['203.0.113.8']],
    ['any address when the list is empty', []],
    ['an address that is only a prefix of a listed one', ['203.0.113.90']],
  ])('refuses %s', async (_, ipAddresses) => {
    expect(await decideFor({ ipAddresses })).toMatchObject(
      refused('forbidden', 'an allowlisted address', '203.0.113.9'),
    );
  });

  it.each([
    '203.0.113.9',
    '::ffff:203.0.113.9',
    '::FFFF:cb00:7109',
    '0:0:0:0:0:ffff:203.0.113.9',
    '2001:db8::1',
    '2001:DB8:0::1',
  ])('admits an allowlisted address that arrives as %s', async (sourceIp) => {
    const ipAddresses = ['203.0.113.9', '2001:db8::1'];
    expect(await decideFor({ ipAddresses, sourceIp })).toMatchObject(admitted);
  });

  it.each(['::203.0.113.9', '64:ff9b::203.0.113.9', '2001:db8::1%eth0'])(
    'does not take %s for the address in it',
    async (sourceIp) => {
      expect(await decideFor({ ipAddresses: ['203.0.113.9', '2001:db8::1'], sourceIp })).toMatchObject(
        refused('forbidden', 'an allowlisted address', sourceIp),
      );
    },
  );

  it('checks the address before the category, and the category before the feature', async () => {
    const all: Given = { category: 'downstreamEntity', subscription: 'inactive', ipAddresses: [] };
    expect(await decideFor(all)).toMatchObject({ refusal: { errorType: 'forbidden' } });
    expect(await decideFor({ ...all, ipAddresses: ['203.0.113.9'] })).toMatchObject({
      refusal: { errorType: 'invalid_organization_category' },
    });
  });

  it('fails for an unknown route', async () => {
    await expect(decideFor({ route: 'GET /nowhere' })).rejects.toThrow('GET /nowhere');
  });
});
