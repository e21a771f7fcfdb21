import {
  askedAgencyDocs,
  askedCheckDocs,
  askedProductDocs,
  askedSellerDocs,
  dayOfSaleDocs,
} from '#domain/sale-checks/docs.ts';
import { MB } from '#platform/aws/limits.ts';
import { documented, type GroupDocs } from '#platform/contract/documented.ts';
import { longestAnswers, longestKept, longestPayload } from './check-sales.ts';
import * as routes from './routes.ts';

documented(routes.saleCheckRequest, {
  fields: {
    asOf: [
      'Day of every check that has no `date`; past, or up to a year ahead. Today, in America/New_York, by default.',
      '2026-04-15',
    ],
    knownAt: [
      'Only what was recorded by this time counts; not in the future. Now by default.',
      '2026-04-15T14:05:09Z',
    ],
    receipt: 'Whether to sign the answers and keep them for ten years; false by default.',
  },
});

documented(routes.saleCheckAnswers, {
  id: 'SaleCheckAnswers',
  description: 'The answers to sale checks, in the order of the request.',
  fields: { receiptId: 'Only if asked for, like `jws`.' },
});

documented(routes.jsonWebKey, {
  id: 'JsonWebKey',
  description: 'The public half of a key (RFC 7517).',
  examples: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
      alg: 'ES256',
      use: 'sig',
    },
  ],
  fields: { kid: 'Thumbprint of the key (RFC 7638), which headers of receipts name.' },
});

documented(routes.jsonWebKeys, {
  id: 'JsonWebKeys',
  description: 'A JSON Web Key Set (RFC 7517).',
  fields: { keys: 'The key that signs receipts now, then those that did before.' },
});

export const docs = {
  description: 'Whether a producer may sell a product here and now, in one call, with proof.',
  routes: {
    checkSales: {
      summary: 'Check whether producers may sell (“May she sell?”)',
      description: `Answers up to ${routes.mostChecks} checks: may this producer, for this agency, sell this product in this state on this day? Something that is not found or is ambiguous makes an answer \`unknown\`; a malformed check, or a day more than a year ahead, fails the request with its path.\n\nAnswers of more than ${longestAnswers / MB} MB get 413, and so does a receipt whose payload would be larger than ${longestPayload / MB} MB, or that would take more than ${longestKept / MB} MB, compressed.`,
    },
    getSaleCheck: {
      summary: 'Check whether a producer may sell',
      description:
        'Answers one check, for quotes, without a receipt; the parameters are not logged.\n\nSend exactly one of `npn`, `agentId`, and `externalId`, exactly one of `productCode`, `productId`, and `productName`, and at most one of `producerCode` and `downstreamEntityAssociationId`.',
      query: {
        ...askedSellerDocs.fields,
        ...askedProductDocs.fields,
        producerCode: askedAgencyDocs.fields.producerCode,
        carrierNaicCode: askedCheckDocs.fields.carrierNaicCode,
        date: dayOfSaleDocs,
      },
    },
    getReceiptKeys: {
      summary: 'Get the public keys of receipts',
      description:
        'A JSON Web Key Set, without the envelope of other responses. A key that no longer signs stays in it, so that every receipt can be verified.',
    },
  },
} satisfies GroupDocs<typeof routes.saleCheckRoutes.routes>;
