import {
  askedAgencyDocs,
  askedCheckDocs,
  askedProductDocs,
  askedSellerDocs,
  dayOfSaleDocs,
  exampleOfAnswer,
  exampleOfCheck,
  jwsDocs,
  receiptIdDocs,
  saleCheckDocs,
} from '../../shared/domain/sale-checks/docs.ts';
import { MB } from '../../shared/platform/aws/limits.ts';
import { as, documented, type GroupDocs } from '../../shared/platform/contract/documented.ts';
import { longestAnswers } from './check-sales.ts';
import { longestKept, longestPayload } from './receipts.ts';
import {
  jsonWebKey,
  jsonWebKeys,
  mostChecks,
  saleCheckAnswers,
  saleCheckRequest,
  type saleCheckRoutes,
} from './routes.ts';

documented(saleCheckRequest, {
  examples: [{ checks: [exampleOfCheck] }],
  fields: {
    checks: as(askedCheckDocs, {
      description: `What is asked: 1 to ${mostChecks} questions, each answered on its own.`,
    }),
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

documented(saleCheckAnswers, {
  id: 'SaleCheckAnswers',
  description: 'The answers to sale checks.',
  examples: [{ checks: [exampleOfAnswer] }],
  fields: {
    checks: as(saleCheckDocs, { description: 'An answer for each check, in the order of the request.' }),
    receiptId: { ...receiptIdDocs, description: 'Id of the receipt, if one was asked for.' },
    jws: as(jwsDocs, 'The signed receipt, if one was asked for; see `getSaleReceipt`.'),
  },
});

const jsonWebKeyDocs = documented(jsonWebKey, {
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
  fields: {
    kty: 'Always `EC`.',
    crv: 'Always `P-256`.',
    x: 'First coordinate of the point, in base64url.',
    y: 'Second coordinate of the point, in base64url.',
    kid: 'Thumbprint of the key (RFC 7638), which headers of receipts name.',
    alg: 'Always `ES256`.',
    use: 'Always `sig`.',
  },
});

documented(jsonWebKeys, {
  id: 'JsonWebKeys',
  description: 'A JSON Web Key Set (RFC 7517).',
  fields: {
    keys: as(jsonWebKeyDocs, { description: 'The key that signs receipts now, then those that did before.' }),
  },
});

export const docs = {
  description: 'Whether a producer may sell a product here and now, in one call, with proof.',
  routes: {
    checkSales: {
      summary: 'Check whether producers may sell (“May she sell?”)',
      description: `Answers up to ${mostChecks} checks: may this producer, for this agency, sell this product in this state on this day? Producer and agency are judged by the same rules as policies; see “May she sell?”. A check about something that is not found or is ambiguous is answered \`unknown\` and does not fail the others; a malformed check, or a day more than a year ahead, fails the request with 400 and its path.\n\nWith \`receipt\`, the answers are signed, and kept for ten years with everything that they were decided from. A receipt whose payload would be larger than ${longestPayload / MB} MB, or that would take more than ${longestKept / MB} MB, compressed, gets 413, and so do answers of more than ${longestAnswers / MB} MB.`,
      success: 'An answer for each check, in the order of the request.',
    },
    getSaleCheck: {
      summary: 'Check whether a producer may sell',
      description:
        'Answers one check, for quotes: what `checkSales` answers, without a receipt. It is not counted against any limit, and the parameters are not logged.\n\nSend exactly one of `npn`, `agentId`, and `externalId`, exactly one of `productCode`, `productId`, and `productName`, and at most one of `producerCode` and `downstreamEntityAssociationId`; anything else is 400 and names the parameters. Who or what is not found makes the answer `unknown`.',
      success: 'The answer to the check; its `reference` is null.',
      query: {
        ...askedSellerDocs.fields,
        ...askedProductDocs.fields,
        downstreamEntityAssociationId: askedAgencyDocs.fields.downstreamEntityAssociationId,
        producerCode: askedAgencyDocs.fields.producerCode,
        carrierNaicCode: askedCheckDocs.fields.carrierNaicCode,
        stateCode: askedCheckDocs.fields.stateCode,
        date: dayOfSaleDocs,
      },
      sampleQuery: { npn: '8123456', productCode: 'CGL' },
    },
    getReceiptKeys: {
      summary: 'Get the public keys of receipts',
      description:
        'A JSON Web Key Set, without the envelope of other responses; it may be kept for an hour. A key that no longer signs stays in it, so that every receipt can be verified.',
      success: 'The keys with which receipts can be verified.',
    },
  },
} satisfies GroupDocs<typeof saleCheckRoutes.routes>;
