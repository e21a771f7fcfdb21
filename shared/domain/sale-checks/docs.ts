import { as, documented } from '../../platform/contract/documented.ts';
import { complianceBasisDocs, complianceStatusDocs, configBasisDocs } from '../compliance/docs.ts';
import {
  downstreamEntityAssociationIdDocs,
  downstreamEntityIdDocs,
  productIdDocs,
} from '../identifiers/docs.ts';
import {
  askedAgency,
  askedCheck,
  askedProduct,
  askedSeller,
  checkedAgency,
  checkedProduct,
  checkedSeller,
  jws,
  reason,
  saleCheck,
} from './resource.ts';

const exactlyOne = { minProperties: 1, maxProperties: 1 } as const;

const agentIdDocs = 'Id of the agent, `agent._id` in lists of agents.';

const askedSellerDocs = documented(askedSeller, {
  ...exactlyOne,
  description: 'The producer who sells, by exactly one of these.',
  examples: [{ npn: '8123456' }],
  fields: {
    agentId: agentIdDocs,
    npn: 'National Producer Number of the agent.',
    externalId: ['The organization’s own id for the agent.', 'AGT-118'],
  },
});

const askedAgencyDocs = documented(askedAgency, {
  ...exactlyOne,
  description:
    'The agency for which the producer sells, by exactly one of these. Without it, the one invited or active association that the producer works under.',
  examples: [{ producerCode: 'P-7731' }],
  fields: {
    downstreamEntityAssociationId: downstreamEntityAssociationIdDocs,
    producerCode: 'The agency’s code at the carrier; case is ignored.',
    externalId: 'The carrier’s own id for the agency.',
    npn: 'National Producer Number of the agency. Branches share it, so that several associations may fit.',
  },
});

const askedProductDocs = documented(askedProduct, {
  ...exactlyOne,
  description: 'The product, by exactly one of these, as its compliance config has it today.',
  examples: [{ productCode: 'CGL' }],
  fields: {
    productId: productIdDocs,
    productCode: ['The carrier’s own code for the product; case is ignored.', 'CGL'],
    productName: 'Name of the product; case is ignored.',
  },
});

export const exampleOfCheck = {
  reference: 'quote-4711',
  seller: { npn: '8123456' },
  agency: { producerCode: 'P-7700' },
  product: { productCode: 'CGL' },
  stateCode: 'TX',
} as const;

export const askedCheckDocs = documented(askedCheck, {
  id: 'SaleQuestion',
  description: 'Who is to sell what, where, and when.',
  examples: [exampleOfCheck],
  fields: {
    reference: ['The caller’s own name for the check, which its answer repeats.', 'quote-4711'],
    seller: askedSellerDocs,
    agency: askedAgencyDocs,
    product: askedProductDocs,
    stateCode: 'State in which the product is to be sold.',
    date: [
      'Day of the sale, at its end in America/New_York: past, or up to a year ahead; a future day is judged by what is known now. `asOf` by default.',
      '2026-04-15',
    ],
  },
});

const exampleOfReason = {
  party: 'seller',
  code: 'appointment_missing',
  message: 'No active appointment in TX.',
  remedy: 'Appoint in TX for line 16.',
} as const;

const reasonDocs = documented(reason, {
  id: 'SaleReason',
  description: 'Why the answer is not `yes`.',
  examples: [exampleOfReason],
  fields: {
    party: {
      description: 'Whom it concerns.',
      values: {
        seller: 'The producer.',
        agency: 'The agency, or the producer’s association with it.',
        product: 'The product.',
      },
    },
    code: {
      description: 'What is wrong, for programs.',
      values: {
        license_missing: 'There is no valid license of the state.',
        license_expired: 'The license of the state expired before that day.',
        license_not_begun: 'The license of the state begins after that day.',
        line_missing: 'No valid license of the state has a required line of authority.',
        appointment_missing: 'A required appointment is missing.',
        appointment_ended: 'A required appointment ended before that day.',
        not_associated:
          'The producer works under no invited or active association, or not under the one that is named; or that one is inactive.',
        seller_unknown: 'The organization has no such agent. The answer is `unknown`.',
        agency_unknown: 'The organization has no such association. The answer is `unknown`.',
        product_unknown: 'No compliance config has that product. The answer is `unknown`.',
        ambiguous: 'Several fit; the message names them. The answer is `unknown`.',
      },
    },
    message: [
      'The same for people, with dates and lines of authority; of many things it names ten, and how many more there are. Its wording may change.',
      'The license in TX expired on 2026-03-31.',
    ],
    remedy: ['What would fix it, for people; its wording may change.', 'Renew the license in TX.'],
  },
});

const checkedSellerDocs = documented(checkedSeller, {
  description: 'The producer who sells.',
  fields: {
    agentId: agentIdDocs,
    npn: 'National Producer Number, whose licenses and appointments were checked.',
    firstName: ['Given name of the producer.', 'Maria'],
    lastName: ['Family name of the producer.', 'Delgado'],
  },
});

const checkedAgencyDocs = documented(checkedAgency, {
  description: 'The agency for which the producer sells.',
  fields: {
    downstreamEntityAssociationId: downstreamEntityAssociationIdDocs,
    downstreamEntityId: downstreamEntityIdDocs,
    legalName: ['Name under which the agency does business.', 'Lone Star Brokerage'],
    producerCode: 'The agency’s code at the carrier; null if it has none.',
    npn: 'National Producer Number of the agency; null if none is known, and then it has no license.',
  },
});

const checkedProductDocs = documented(checkedProduct, {
  description: 'The product that is sold.',
  fields: { productId: productIdDocs, productName: 'Name of the product in its compliance config.' },
});

export const exampleOfAnswer = {
  reference: 'quote-4711',
  answer: 'no',
  complianceStatus: 'NOT_COMPLIANT',
  seller: { agentId: '65f0c1d2e3a4b5c6d7e8f903', npn: '8123456', firstName: 'Maria', lastName: 'Delgado' },
  agency: {
    downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
    downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
    legalName: 'Lone Star Brokerage',
    producerCode: 'P-7731',
    npn: '17654321',
  },
  product: { productId: '65f0c1d2e3a4b5c6d7e8f905', productName: 'Contractors General Liability' },
  reasons: [exampleOfReason],
  date: '2026-04-15',
  basis: 'current',
  configBasis: 'version',
} as const;

export const saleCheckDocs = documented(saleCheck, {
  id: 'SaleCheck',
  description: 'Whether a producer may sell a product for an agency in a state on a day.',
  examples: [exampleOfAnswer],
  fields: {
    reference: ['The caller’s own name for the check; null if it gave none.', 'quote-4711'],
    answer: {
      description: 'The answer. Anything but `yes` means: not now.',
      values: {
        yes: 'Producer and agency may sell the product there on that day.',
        no: 'They may not; `reasons` say why, and what would fix it.',
        unknown: 'Nothing could be decided; `reasons` say who or what was not found or is ambiguous.',
      },
    },
    complianceStatus: as(
      complianceStatusDocs,
      'The same as the status of a policy would be; null for `unknown`.',
    ),
    seller: as(checkedSellerDocs, 'The one producer whom the question names; null if none or several fit.'),
    agency: as(
      checkedAgencyDocs,
      'The one association whose rules and records count; null if none or several fit.',
    ),
    product: as(
      checkedProductDocs,
      'What is sold, as its compliance config has it; null if none or several fit.',
    ),
    reasons: as(reasonDocs, {
      description: 'Everything that keeps the answer from being `yes`; empty if nothing does.',
    }),
    date: ['The day of the sale that was judged.', '2026-04-15'],
    basis: as(complianceBasisDocs, 'What the answer is based on; null for `unknown`.'),
    configBasis: as(configBasisDocs, 'Which version of the compliance config applied; null for `unknown`.'),
  },
});

export const exampleOfJws = 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJyZWNlaXB0SWQiOiI2NWYwIn0.c2lnbmF0dXJl';

export const jwsDocs = documented(jws, {
  description:
    'The receipt as a compact JWS (RFC 7515), signed with ES256; `GET /v2/jwks.json` has the key that its header names. Its payload is `{receiptId, organizationId, asOf, knownAt, iat, checks, facts, configs}`: each of `checks` is the answer with what was `asked`; `facts` and `configs` name everything that was read by `id` and the SHA-256 `hash` of its content.',
  examples: [exampleOfJws],
});

export const receiptIdDocs = {
  description: 'Identifies the receipt, which is kept for ten years.',
  examples: ['65f0c1d2e3a4b5c6d7e8f909'],
} as const;
