import { reasonList, reasonOf, type Whose, warningOf } from '../../shared/domain/decision/reasons.ts';
import { reasonMeanings, warningMeanings } from '../../shared/domain/sale-checks/docs.ts';
import type { SaleCheck } from '../../shared/domain/sale-checks/resource.ts';

type NotKnown = Extract<(typeof reasonList)[number], { readonly kind: 'not known' }>['code'];

/** What to do about what is not known. */
const tasks: Readonly<Record<NotKnown, string>> = {
  license_unknown: 'Have the license’s history imported, with its dates.',
  regulatory_action_in_force: 'Read the order (`…/regulatory-actions`), and ask the producer about it.',
  class_unrecognized: 'Ask us to import what kind of license the class is.',
  status_unrecognized: 'Look the license up at the state, and tell us what the status means.',
  row_not_understood: 'Nothing: we are notified. It is gone with the next list that can be read.',
  appointment_unknown: 'Have the appointment imported with its date, or appoint.',
  company_unknown: 'Send `carrierNaicCode`, or appoint with every company that writes the product.',
  npn_missing: 'Record the agency’s NPN, or that it needs none.',
  npn_not_found: 'Ask the producer for the present NPN: two may have been merged.',
  not_verified: 'Synchronize the subscription.',
  seller_unknown: 'Import the agent, or correct the id.',
  seller_not_named: 'Correct the transaction, so that it names who sold.',
  agency_unknown: 'Add the agency, or correct the code.',
  product_unknown: 'Import a compliance config of the product, or correct the code.',
  ambiguous: 'Send an id instead.',
};

/** A code in a table, of which one may be of both kinds. */
const meaningOf = ({ kind, code }: (typeof reasonList)[number]): string =>
  kind === 'not known' && code === 'regulatory_action_in_force'
    ? 'A cease and desist order is in force in the state.'
    : reasonMeanings[code];

type Part = Partial<Pick<SaleCheck, 'answer' | 'complianceStatus' | 'reasons' | 'warnings' | 'goodUntil'>>;

const sample = (part: Part): string => `\`\`\`json\n${JSON.stringify(part, null, 2)}\n\`\`\``;

const sampleOf = (
  whose: Whose,
  kind: 'against' | 'not known',
  subject: 'license' | 'appointment',
  said: Parameters<typeof reasonOf>[3],
): SaleCheck['reasons'] => {
  const { party, code, message, remedy } = reasonOf(whose, kind, subject, said);
  return [{ party, code, message, remedy }];
};

const ofSeller = { party: 'seller', stateCode: 'TX' } as const;

const against = sample({
  answer: 'no',
  complianceStatus: 'NOT_COMPLIANT',
  reasons: sampleOf(ofSeller, 'against', 'license', { code: 'license_class_wrong', what: 'Adjuster' }),
  goodUntil: null,
});

const notKnown = sample({
  answer: 'unknown',
  complianceStatus: null,
  reasons: sampleOf({ party: 'agency', stateCode: 'TX' }, 'not known', 'appointment', {
    code: 'appointment_unknown',
  }),
  goodUntil: null,
});

const warned = sample({
  answer: 'yes',
  complianceStatus: 'COMPLIANT',
  reasons: [],
  warnings: [warningOf(ofSeller, 'license', { code: 'home_state_license_unknown' })],
  goodUntil: '2027-03-31',
});

/** What the codes of sale checks say, with a sample of each kind. */
export const saleCheckDocumentation = (): string => `### Against
Something that the product requires is not in force, or the carrier itself says no. It stays a \`no\` until that changes:

${against}

| Code | Meaning |
|---|---|
${reasonList
  .flatMap((one) => (one.kind === 'against' ? [`| \`${one.code}\` | ${meaningOf(one)} |`] : []))
  .join('\n')}

### Not known
Nothing is against the sale, and something that could be is not known. Treat it as a \`no\`, and find it out:

${notKnown}

| Code | Meaning | What to do |
|---|---|---|
${reasonList
  .flatMap((one) =>
    one.kind === 'not known'
      ? [`| \`${one.code}\` | ${reasonMeanings[one.code]} | ${tasks[one.code]} |`]
      : [],
  )
  .join('\n')}

### Warnings
They never change the answer:

${warned}

| Code | Meaning |
|---|---|
${Object.entries(warningMeanings)
  .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  .join('\n')}`;
