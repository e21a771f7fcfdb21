import type { policyRules, RuleId } from './rules.ts';

/** Examples of rules as the OpenAPI document prints them; `test/decision/cases.test.ts` holds each against the decision. */
export const examples: Readonly<Partial<Record<RuleId | keyof typeof policyRules, string>>> = {
  'known-at':
    'The registry lists a license as `inactive` on 2026-03-10; on 2026-03-15, with `knownAt` 2026-03-09: `Licensed`.',
  'became-known':
    'The registry lists a license as `inactive` at 23:30 in New York on 2026-03-01; on that day: `Missing License`.',
  'written-dates':
    '`issueDate` is `2026-03-01T00:00:00.000Z`, which is 2026-02-28 in New York; on 2026-02-28: `Missing License`.',
  'npn-not-found':
    'The registry lists a license on 2026-01-10 and does not find the NPN on 2026-03-02; on 2026-03-02: `License Not Known`, `npn_not_found`.',
  deleted:
    'A license was listed on 2026-01-10, and an import of 2026-03-02 deletes it; on 2026-02-01: `Missing License`.',
  'row-set-aside':
    'A row of the license that is not live could not be read: `License Not Known`, `row_not_understood`.',
  'status-words': 'A license that was active becomes `Active/Suspended`: `Missing License`.',
  'status-unrecognized':
    'A license that was active becomes `Nullified` on 2026-01-10; on 2026-03-10: `License Not Known`, `status_unrecognized`.',
  'class-wrong':
    'The only license is of the class `Adjuster`, with the lines that the product requires: `Wrong License Class`.',
  'class-unrecognized': 'The class is `Frobnicator`: `License Not Known`, `class_unrecognized`.',
  'license-number': 'The number is `0012345`, and an import has `12345` as revoked: `Missing License`.',
  'own-end':
    '`nextRenewalDate` is 2026-12-31, and `expirationDate` 2026-02-28; on 2026-03-10: `Expired License`.',
  'corrected-issue-date':
    'A list has the license with the `issueDate` 2025-03-01, the next one with 2025-06-01; on 2025-04-01: `Missing License`.',
  'early-renewal':
    'A term ends on 2026-02-28, and a list of 2026-02-10 has only a term from 2026-03-01 on; on 2026-02-20: `Licensed`.',
  reissue:
    'A term ends on 2026-01-31, and a list of 2026-03-10 has only a term from 2026-03-01 on; on 2026-02-15: `Expired License`.',
  'status-date':
    'A license that ended on 2026-03-31 is `Expired` since 2026-04-15; on 2026-04-10: `Expired License`.',
  'license-unknown':
    'A license of 2015 to 2023 is first seen as `inactive`; in 2022: `License Not Known`, `license_unknown`.',
  'first-seen-lapsed':
    'A license is first listed on 2026-03-10, as `expired` with the `nextRenewalDate` 2026-02-28; on 2026-02-20: `Licensed`.',
  suspension:
    'A license is listed as `suspended` on 2026-02-10 and as `active` on 2026-03-10; on 2026-03-09: `Missing License`.',
  'back-within-30-days':
    'The list of 2026-02-10 leaves a license out, that of 2026-03-12 has it again; on 2026-02-20: `Licensed`.',
  'no-line-counts':
    'The only line of the license is `Inactive`, and the product requires none: `Missing Line of Authority`.',
  'line-issue-date':
    'The line has no date of its own; on a day before it became known: `Licensed`, with the warning `line_date_unknown`.',
  'line-added':
    'A list of 2026-03-10 has the line 16 for the first time; on 2026-03-09: `Missing Line of Authority`.',
  'line-ceased':
    'A list of 2026-03-10 has the line 16 as `inactive`; on 2026-03-10: `Missing Line of Authority`.',
  'home-state':
    'The registry lists a license of Georgia, and that of the home state, Kansas, which expired: `Home State License Not Active`.',
  'home-state-unknown':
    'The only resident license is an adjuster’s: `Licensed`, with the warning `home_state_license_unknown`.',
  order:
    'A suspension of 365 days from 2026-02-01 on, while the license is still live; on 2026-02-01: `Regulatory Action`.',
  'order-stayed': 'The disposition is `Fine suspended`: `Licensed`.',
  'cease-and-desist':
    'A cease and desist order without a date, and the license is live: `License Not Known`, `regulatory_action_in_force`.',
  'undated-live': 'In 2024: `Appointment Not Known`, `appointment_unknown`.',
  'end-became-known':
    'The appointment of 2025-03-01 is listed as terminated on 2026-03-10, with the same date; on 2026-03-09: `Appointed`.',
  'termination-taken-back':
    'A list has the termination of 2026-02-01, the next one only the appointment; on 2026-03-20: `Appointed`.',
  'effective-date':
    'Appointed on 2024-01-01, effective 2015-01-01, and terminated on 2020-06-30; in 2022: `Not Appointed`.',
  'broad-end':
    'An appointment for the line 16, and an import has a termination without a line: `Not Appointed`.',
  'naic-code':
    'An appointment has the organization’s name and a `companyCode` that the organization does not have: `Not Appointed`.',
  'carrier-name':
    'Beacon Specialty has neither, and the `carrierName` is `BEACON SPECIALTY INS. CO.`: `Appointed`.',
  'writing-company':
    'The organization has two codes, the sale is of the company 19437, and the appointment of 10847: `Not Appointed`.',
  'company-unknown':
    'The sale is of a name that nobody knows, and one of two companies has appointed the agent: `Appointment Not Known`, `company_unknown`.',
  'company-not-named':
    'The sale names no company, and one of two has appointed the agent: `Appointed`, with the warning `company_not_named`.',
  'line-by-name':
    'The line 16 is required, the appointment has the name `CASUALTY`, and a license has `Casualty` with the code 16: `Appointed`.',
  'any-of': 'The entry is `{"anyOf": ["16", "20"]}`, the license has 16, the appointment 20: `Appointed`.',
  'license-of': '`licenseOf` is `agency`; an agent without a license: `Not Required`.',
  either: '`appointmentOf` is `either`, and the agency is appointed: `Appointed`.',
  'npn-missing': 'An agency has no NPN and needs one: `License Not Known`, `npn_missing`.',
  'for-cause': 'The appointment ended for cause, where one on binding is enough: `Not Appointed`.',
  'state-not-configured':
    'The product lists Texas; a license of Georgia, in Georgia: `State Not Configured`.',
  'config-in-force':
    'From 2026-03-01 on, the product requires an appointment, and there is none; on 2026-02-28: `Not Required`, `configBasis: version`.',
  archived:
    'An agent who is archived in 2026, for a day of 2022: `Licensed`, with the warning `association_of_today`.',
  strictest: 'Of the agency it is not known, and the agent’s license has expired: `Expired License`.',
  basis:
    'A license is listed for the first time on 2026-01-10; on 2026-01-09: `Licensed`, `basis: registry dates`.',
  'each-party':
    'The agency and one of two agents are licensed, the other agent is not: `Missing License`, “Agent 2: No active license in TX.”',
  'strictest-license':
    'The license of one agent has expired, that of the other lacks the line of authority: `Expired License`.',
  'strictest-product':
    'Two products have the name that the policy states, and one requires a line of authority that is missing: `Missing Line of Authority`.',
  'product-unknown':
    'The agency and the agent are licensed, and no product has the name that the policy states: `License Not Known`, `product_unknown`.',
  'unknown-seller':
    'The agency is licensed, and the agent was not found: `License Not Known`, `seller_unknown`, “The agent was not identified.”',
  'seller-not-named':
    'The agency is licensed, and no agent is named: `License Not Known`, `seller_not_named`, “No agent is named: name the agent in the transaction, or have it set that your policies name none.”',
};
