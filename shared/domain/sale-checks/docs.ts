import { documented } from '#platform/contract/documented.ts';
import {
  type ReasonCode,
  reason,
  reasonList,
  reasonOf,
  reasonParty,
  type Warning,
  warning,
  warningList,
  warningOf,
} from '../decision/reasons.ts';
import { producerNamesDocs } from '../identifiers/docs.ts';
import * as resource from './resource.ts';

const { firstName, lastName } = producerNamesDocs;

const exactlyOne = { minProperties: 1, maxProperties: 1 } as const;

export const askedSellerDocs = documented(resource.askedSeller, {
  ...exactlyOne,
  description: 'The producer who sells, by exactly one of these.',
  examples: [{ npn: '8123456' }],
  fields: {
    agentId: 'Id of the agent, `agent._id` in lists of agents.',
    externalId: ['The organization’s own id for the agent.', 'AGT-118'],
  },
});

export const askedAgencyDocs = documented(resource.askedAgency, {
  ...exactlyOne,
  description:
    'The agency for which the producer sells, by exactly one of these. Without it, the one association that the producer works under; of several, the one that is `active`.',
  examples: [{ producerCode: 'P-7731' }],
  fields: {
    producerCode: 'The agency’s code at the carrier; case is ignored.',
    externalId: 'The carrier’s own id for the agency.',
    npn: 'Branches share it, so that several associations may fit.',
  },
});

export const askedProductDocs = documented(resource.askedProduct, {
  ...exactlyOne,
  description: 'The product, by exactly one of these, as its compliance config has it today.',
  examples: [{ productCode: 'CGL' }],
  fields: {
    productCode: ['The carrier’s own code for the product; case is ignored.', 'CGL'],
    productName: 'Case is ignored.',
  },
});

/** The day of a check in a query. */
export const dayOfSaleDocs = [
  'Day of the sale, at its end in America/New_York: past, or up to a year ahead; a future day is judged by what is known now. Today by default.',
  '2026-04-15',
] as const;

export const askedCheckDocs = documented(resource.askedCheck, {
  id: 'SaleQuestion',
  description: 'Who is to sell what, where, and when.',
  examples: [
    {
      reference: 'quote-4711',
      seller: { npn: '8123456' },
      agency: { producerCode: 'P-7700' },
      product: { productCode: 'CGL' },
      stateCode: 'TX',
    },
  ],
  fields: {
    reference: 'The caller’s own name for the check, which its answer repeats.',
    carrierNaicCode: [
      'NAIC company code of the writing company, on whose paper the product is sold; then its appointments alone count. Without it, those of any company of the product.',
      '19437',
    ],
    date: [dayOfSaleDocs[0].replace('Today', '`asOf`'), '2026-04-15'],
  },
});

documented(reasonParty, {
  id: 'SaleParty',
  description: 'Whom a reason or a warning concerns.',
  values: {
    seller: 'The producer.',
    agency: 'The agency, or the producer’s association with it.',
    product: 'The product, or what its compliance config says of the state.',
    company: 'The writing company.',
  },
});

const ruleDocs = [
  'Name of the rule of “How compliance is decided” that says so; after `#rule-`, it is its anchor in the reference.',
  'not-appointed',
] as const;

/** Class, status, or line in the example of a message. */
const exampleWords: Readonly<Record<string, string>> = {
  license_class_wrong: 'Adjuster',
  class_unrecognized: 'Frobnicator',
  status_unrecognized: 'Nullified',
  further_license_missing: 'Surplus Lines Broker',
  ce_not_in_compliance: '16',
};

const exampleOf = (code: string) =>
  ({
    of: 'license',
    stateCode: 'TX',
    lines: ['16'],
    day: '2026-03-01',
    what: exampleWords[code] ?? '',
  }) as const;

/** Meaning of each code of a reason: its message in an example. */
const reasonMeanings = {
  ...(Object.fromEntries(reasonList.map(({ code, words }) => [code, words(exampleOf(code))[0]])) as Record<
    ReasonCode,
    string
  >),
  not_associated: 'The agent works under no association, or not under that of the agency.',
  ambiguous: 'Several fit; the message names them.',
};

const exampleSeller = { party: 'seller', stateCode: 'TX' } as const;

documented(reason, {
  id: 'SaleReason',
  description: 'Why the answer is not `yes`.',
  examples: [reasonOf(exampleSeller, 'appointment', { code: 'appointment_missing', lines: ['16'] })],
  fields: {
    code: {
      description:
        'What is wrong, for programs; beside it, its message in an example. The rule says whether it is against the sale or not known.',
      values: reasonMeanings,
    },
    rule: ruleDocs,
    message:
      'The same for people; its wording may change. Of many things it names ten, and how many more there are.',
    remedy: 'What would fix it, for people; its wording may change.',
  },
});

/** Meaning of each code of a warning, likewise. */
const warningMeanings = Object.fromEntries(
  warningList.map(({ code, message }) => [code, message(exampleOf(code))]),
) as Record<Warning['code'], string>;

documented(warning, {
  id: 'SaleWarning',
  description: 'Something to know beside the answer, which it does not change.',
  examples: [warningOf(exampleSeller, { code: 'company_not_named' })],
  fields: {
    code: {
      description: 'What there is to know, for programs; beside it, its message in an example.',
      values: warningMeanings,
    },
    rule: ruleDocs,
    message: 'The same for people; its wording may change.',
  },
});

documented(resource.checkedSeller, {
  id: 'CheckedSeller',
  description: 'The one producer whom the check names; null if none or several fit.',
  fields: { firstName, lastName },
});

documented(resource.checkedAgency, {
  id: 'CheckedAgency',
  description: 'The one association whose rules and records count; null if none or several fit.',
  fields: {
    legalName: ['Name under which the agency does business.', 'Lone Star Brokerage'],
    producerCode: ['The agency’s code at the carrier.', 'P-7731'],
    npn: 'Null if none is known, and then the agency has no license.',
  },
});

documented(resource.checkedProduct, {
  id: 'CheckedProduct',
  description: 'What is sold, as its compliance config has it; null if none or several fit.',
});

documented(resource.checkedCompany, {
  id: 'CheckedCompany',
  description: 'The writing company that the check names; null if it names none.',
  fields: {
    name: [
      'Its name in the list of carriers; null if the list has no such code.',
      'Beacon Specialty Insurance Company',
    ],
  },
});

documented(resource.answer, {
  id: 'SaleAnswer',
  description: 'The answer to a check. Anything but `yes` means: not now.',
  values: {
    yes: 'Everything that the product requires of producer and agency was found in force on that day.',
    no: 'Something that it requires is not in force; `reasons` say what, and what would fix it.',
    unknown:
      'Nothing is against it, but something is not known, or the check does not name exactly one producer, agency, and product; `reasons` say what to find out.',
  },
});

export const saleCheckDocs = documented(resource.saleCheck, {
  id: 'SaleCheck',
  description: 'Whether a producer may sell a product for an agency in a state on a day.',
  fields: {
    reference: ['The caller’s own name for the check; null if it gave none.', 'quote-4711'],
    complianceStatus: 'Null for `unknown`.',
    reasons: ['Everything that keeps the answer from being `yes`.', []],
    warnings: ['What there is to know beside that.', []],
    date: 'The day that was judged.',
    basis: 'Null where nobody, or several, fit.',
    configBasis: 'Null where nobody, or several, fit.',
    goodUntil: [
      'Last day of the same `answer` by what is known now; null if no change is known.',
      '2027-03-31',
    ],
    verifiedAt:
      'When the registry, or complete imports, last confirmed the licenses and appointments of producer and agency in the state, of the one confirmed earlier; null if one never was.',
  },
});

documented(resource.answeredCheck, {
  id: 'AnsweredSaleCheck',
  description: 'A sale check as it was answered, with what was asked.',
  fields: saleCheckDocs.fields,
});

documented(resource.jws, {
  id: 'ReceiptJws',
  description:
    'The receipt as a compact JWS (RFC 7515), signed with ES256; `GET /v2/jwks.json` has the key that its header names. Its payload is `{receiptId, organizationId, asOf, knownAt, iat, rules, checks, sourcesHash}`: each of `checks` is the answer with what was `asked`; `rules` is the number of the rules that decided; `sourcesHash` is the SHA-256, in lowercase hex, of the RFC 8785 form of everything that was decided from, which `getSaleReceipt` returns as `sources`.',
  examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJyZWNlaXB0SWQiOiI2NWYwIn0.c2lnbmF0dXJl'],
});
