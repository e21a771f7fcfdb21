import * as z from 'zod/mini';
import { type Route, routeGroup } from '../../shared/contract/route.ts';
import { complianceConfig, productName, stateRequirement } from '../../shared/resources/compliance.ts';
import { npn } from '../../shared/resources/npn.ts';
import { npnLookup } from '../../shared/resources/npn-lookup.ts';
import { registryDataSubscription } from '../../shared/resources/registry-data-subscription.ts';

const access = { kind: 'upstream', feature: 'compliance' } as const;

const getComplianceDataSubscription = {
  method: 'GET',
  path: '/v2/upstream/compliance-data-subscriptions/{registryDataSubscriptionId}',
  access,
  rate: 'none',
  summary: 'Get a compliance data subscription',
  description:
    'One subscription by its id. A synchronization that was asked for is done when `entityInfo.status` is `success`.',
  answer: { status: 200, one: registryDataSubscription },
  errors: [],
} as const satisfies Route;

const lookUpNpns = {
  method: 'POST',
  path: '/v2/upstream/npn-lookup',
  access,
  rate: 'write',
  summary: 'Look up NPNs in the registry',
  description:
    'What the registry knows of up to 20 NPNs, in the order in which each comes first; one that is given twice is answered once. Nothing is stored. While the registry does not answer, neither does this: 503.',
  body: z
    .strictObject({
      npns: z
        .array(npn)
        .check(z.minLength(1), z.maxLength(20))
        .register(z.globalRegistry, { description: 'NPNs to look up.', examples: [['17654321', '8123456']] }),
    })
    .register(z.globalRegistry, { examples: [{ npns: ['17654321', '8123456'] }] }),
  answer: {
    status: 200,
    one: z.array(npnLookup).register(z.globalRegistry, {
      examples: [
        [
          { npn: '17654321', result: 'firm', name: 'Lone Star Brokerage' },
          { npn: '8123456', result: 'not found', name: null },
        ],
      ],
    }),
  },
  errors: [],
} as const satisfies Route;

/** States and territories that there are, with room to spare: a state is given once. */
const mostStates = 60;

/** What the specification names "compliance status and configs" and "tools". */
export const complianceRoutes = routeGroup(
  'compliance',
  'Registry subscriptions, NPN lookup and what products ask of producers.',
  {
    getComplianceDataSubscription,
    getComplianceDataSubscriptionV1: {
      ...getComplianceDataSubscription,
      path: '/v1/compliance-data-subscriptions/{registryDataSubscriptionId}',
    },
    listComplianceDataSubscriptions: {
      method: 'GET',
      path: '/v2/upstream/compliance-data-subscriptions',
      access,
      rate: 'none',
      summary: 'List compliance data subscriptions',
      description: 'Every subscription that matches, by id. An NPN has at most one.',
      query: { npn: z.optional(npn) },
      answer: { status: 200, all: registryDataSubscription },
      errors: [],
    },
    lookUpNpns,
    lookUpNpnsV1: { ...lookUpNpns, path: '/v1/npn-lookup' },
    listComplianceConfigs: {
      method: 'GET',
      path: '/v2/upstream/compliance-configs',
      access,
      rate: 'none',
      summary: 'List compliance configs',
      description: 'What each product asks of its producers, by product id.',
      answer: { status: 200, all: complianceConfig },
      errors: [],
    },
    replaceComplianceConfig: {
      method: 'PUT',
      path: '/v2/upstream/compliance-configs/{productId}',
      access,
      rate: 'write',
      summary: 'Replace the compliance config of a product',
      description:
        'Sets name and states of a product that has a config; states that are left out ask for a license alone. A state given more than once is refused.',
      body: z
        .strictObject({
          productName,
          states: z.array(z.strictObject({ ...stateRequirement.shape })).check(z.maxLength(mostStates)),
        })
        .register(z.globalRegistry, {
          examples: [
            {
              productName: 'Contractors General Liability',
              states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
            },
          ],
        }),
      answer: { status: 200, one: complianceConfig },
      errors: ['transient_transaction_error'],
    },
  },
);
