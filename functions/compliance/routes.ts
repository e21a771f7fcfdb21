import * as z from 'zod/mini';
import {
  carrierNaicCodes,
  complianceConfig,
  productCode,
  productName,
  stateRequirement,
  validFrom,
} from '../../shared/domain/compliance/resource.ts';
import { npn } from '../../shared/domain/identifiers/npn.ts';
import { npnLookup } from '../../shared/domain/registry/npn-lookup.ts';
import { registryDataSubscription } from '../../shared/domain/registry-records/registry-data-subscription.ts';
import { described, describedShape } from '../../shared/platform/contract/described.ts';
import { lazily } from '../../shared/platform/contract/lazily.ts';
import { lazyStrictObject } from '../../shared/platform/contract/lazy-object.ts';
import { type Route, routeGroup } from '../../shared/platform/contract/route.ts';
import { v1 } from '../../shared/platform/contract/v1.ts';

const access = { kind: 'upstream', feature: 'compliance' } as const;

const getComplianceDataSubscription = {
  method: 'GET',
  path: '/v2/upstream/compliance-data-subscriptions/{registryDataSubscriptionId}',
  access,
  summary: DOCUMENTED && 'Get a compliance data subscription',
  description:
    DOCUMENTED &&
    'Returns one subscription. A requested synchronization is complete when `entityInfo.status` is `success`; the status of a subscription that was never synchronized is `not started`. `entityModel` is null until an agent or an association of the organization refers to the NPN.',
  success: DOCUMENTED && 'The subscription with the state of its last synchronization.',
  answer: { status: 200, one: registryDataSubscription },
} as const satisfies Route;

const lookUpNpns = {
  method: 'POST',
  path: '/v2/upstream/npn-lookup',
  access,
  summary: DOCUMENTED && 'Look up NPNs in the registry',
  description:
    DOCUMENTED &&
    'Looks up to 20 NPNs in the registry. Duplicates are returned once, in the position of the first, and count toward the 20. Nothing is stored. While the registry is unavailable, the response is 503, which is not stored for the idempotency key.',
  success: DOCUMENTED && 'What the registry has under each NPN, in the order of the request.',
  body: described(
    lazyStrictObject(() => ({
      npns: described(
        z.array(npn).check(z.minLength(1), z.maxLength(20)),
        DOCUMENTED && {
          description: 'Up to 20 NPNs to look up, duplicates included.',
          examples: [['17654321', '8123456']],
        },
      ),
    })),
    DOCUMENTED && { examples: [{ npns: ['17654321', '8123456'] }] },
  ),
  answer: {
    status: 200,
    one: described(
      z.array(npnLookup),
      DOCUMENTED && {
        examples: [
          [
            { npn: '17654321', result: 'firm', name: 'Lone Star Brokerage' },
            { npn: '8123456', result: 'not found', name: null },
          ],
        ],
      },
    ),
  },
} as const satisfies Route;

/** More than the number of states and territories: each is given once. */
const mostStates = 60;

export const complianceRoutes = routeGroup(
  'compliance',
  DOCUMENTED && 'Registry subscriptions, NPN lookup, and what products require of producers.',
  {
    getComplianceDataSubscription,
    getComplianceDataSubscriptionV1: v1(getComplianceDataSubscription),
    listComplianceDataSubscriptions: {
      method: 'GET',
      path: '/v2/upstream/compliance-data-subscriptions',
      access,
      summary: DOCUMENTED && 'List compliance data subscriptions',
      description:
        DOCUMENTED &&
        'Returns all matching subscriptions, ordered by id, without paging. An NPN has at most one.',
      success: DOCUMENTED && 'All matching subscriptions of the organization.',
      query: lazily(() =>
        describedShape(
          { npn: z.optional(npn) },
          DOCUMENTED && { npn: 'NPN whose subscription to return; all are returned without it.' },
        ),
      ),
      answer: { status: 200, all: registryDataSubscription },
    },
    lookUpNpns,
    lookUpNpnsV1: v1(lookUpNpns),
    listComplianceConfigs: {
      method: 'GET',
      path: '/v2/upstream/compliance-configs',
      access,
      summary: DOCUMENTED && 'List compliance configs',
      description:
        DOCUMENTED && 'Returns what each product requires of its producers today, ordered by product id.',
      success: DOCUMENTED && 'All compliance configs of the organization.',
      answer: { status: 200, all: complianceConfig },
    },
    replaceComplianceConfig: {
      method: 'PUT',
      path: '/v2/upstream/compliance-configs/{productId}',
      access,
      summary: DOCUMENTED && 'Replace the compliance config of a product',
      description:
        DOCUMENTED &&
        'Replaces the name, the code, the insurers, and the states of a product that has a config, from `validFrom` on; an unknown product returns 404. Former versions are kept: a day is judged by the one in force on it, and what equals the version in force is no version. With a `validFrom` to come, `listComplianceConfigs` shows the present version until then. Of two concurrent writes with one `validFrom`, the last one wins. In a state that is omitted, only a license is required. Without `carrierNaicCodes`, the organization’s own appointments count for the product. A state that is given more than once returns 400.',
      success: DOCUMENTED && 'The compliance config as it is from now on.',
      body: described(
        lazyStrictObject(() =>
          describedShape(
            {
              productName,
              productCode,
              carrierNaicCodes,
              states: z.array(z.strictObject({ ...stateRequirement.shape })).check(z.maxLength(mostStates)),
              validFrom: z.optional(validFrom),
            },
            DOCUMENTED && {
              productName: 'Name of the product, which policies refer to; it replaces the previous one.',
              states: 'Requirements by state, each state once; they replace all previous ones.',
              validFrom: {
                description:
                  'Day, in America/New_York, from which they are in force: past, or up to a year ahead. Today by default.',
                examples: ['2026-04-15'],
              },
            },
          ),
        ),
        DOCUMENTED && {
          examples: [
            {
              productName: 'Contractors General Liability',
              states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
            },
          ],
        },
      ),
      answer: { status: 200, one: complianceConfig },
      errors: ['transient_transaction_error'],
    },
  },
);
