import {
  carrierNaicCodesDocs,
  productCodeDocs,
  stateRequirementDocs,
} from '../../shared/domain/compliance/docs.ts';
import { documented, type GroupDocs } from '../../shared/platform/contract/documented.ts';
import { type complianceRoutes, newComplianceConfig, npnList, npnLookups } from './routes.ts';

documented(npnList, {
  examples: [{ npns: ['17654321', '8123456'] }],
  fields: {
    npns: {
      description: 'Up to 20 NPNs to look up, duplicates included.',
      examples: [['17654321', '8123456']],
    },
  },
});

documented(npnLookups, {
  examples: [
    [
      { npn: '17654321', result: 'firm', name: 'Lone Star Brokerage' },
      { npn: '8123456', result: 'not found', name: null },
    ],
  ],
});

documented(newComplianceConfig, {
  examples: [
    {
      productName: 'Contractors General Liability',
      states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
    },
  ],
  fields: {
    productName: 'Name of the product, which policies refer to; it replaces the previous one.',
    productCode: productCodeDocs,
    carrierNaicCodes: carrierNaicCodesDocs,
    states: {
      description: 'Requirements by state, each state once; they replace all previous ones.',
      fields: stateRequirementDocs,
    },
    validFrom: {
      description:
        'Day, in America/New_York, from which they are in force: past, or up to a year ahead. Today by default.',
      examples: ['2026-04-15'],
    },
  },
});

export const docs = {
  description: 'Registry subscriptions, NPN lookup, and what products require of producers.',
  routes: {
    getComplianceDataSubscription: {
      summary: 'Get a compliance data subscription',
      description:
        'Returns one subscription. A requested synchronization is complete when `entityInfo.status` is `success`; the status of a subscription that was never synchronized is `not started`. `entityModel` is null until an agent or an association of the organization refers to the NPN.',
      success: 'The subscription with the state of its last synchronization.',
    },
    listComplianceDataSubscriptions: {
      summary: 'List compliance data subscriptions',
      description:
        'Returns all matching subscriptions, ordered by id, without paging. An NPN has at most one.',
      success: 'All matching subscriptions of the organization.',
      query: { npn: 'NPN whose subscription to return; all are returned without it.' },
    },
    lookUpNpns: {
      summary: 'Look up NPNs in the registry',
      description:
        'Looks up to 20 NPNs in the registry. Duplicates are returned once, in the position of the first, and count toward the 20. Nothing is stored. While the registry is unavailable, the response is 503, which is not stored for the idempotency key.',
      success: 'What the registry has under each NPN, in the order of the request.',
    },
    listComplianceConfigs: {
      summary: 'List compliance configs',
      description: 'Returns what each product requires of its producers today, ordered by product id.',
      success: 'All compliance configs of the organization.',
    },
    replaceComplianceConfig: {
      summary: 'Replace the compliance config of a product',
      description:
        'Replaces the name, the code, the insurers, and the states of a product that has a config, from `validFrom` on; an unknown product returns 404. Former versions are kept: a day is judged by the one in force on it, and what equals the version in force is no version. With a `validFrom` to come, `listComplianceConfigs` shows the present version until then. Of two concurrent writes with one `validFrom`, the last one wins. In a state that is omitted, only a license is required. Without `carrierNaicCodes`, the organization’s own appointments count for the product. A state that is given more than once returns 400.',
      success: 'The compliance config as it is from now on.',
    },
  },
} satisfies GroupDocs<typeof complianceRoutes.routes>;
