import type { policyRules, RuleId } from './rules.ts';

/** Examples of rules as the OpenAPI document prints them; `test/decision/examples.test.ts` holds each against the decision. */
export const examples: Readonly<Partial<Record<RuleId | keyof typeof policyRules, string>>> = {
  'known-at':
    'The registry lists a license as `inactive` on 2026-03-10; on 2026-03-15, with `knownAt` 2026-03-09: `Licensed`.',
  'became-known':
    'The registry lists a license as `inactive` at 23:30 in New York on 2026-03-01; on that day: `Missing License`.',
  'written-dates':
    '`issueDate` is `2026-03-01T00:00:00.000Z`, which is 2026-02-28 in New York; on 2026-02-28: `Missing License`.',
  'empty-list':
    'The registry lists a license on 2026-01-10 and nothing on 2026-03-02; on 2026-03-02: `Missing License`.',
  'npn-not-found':
    'The registry lists a license on 2026-01-10 and does not find the NPN on 2026-03-02; on 2026-03-02: `Licensed`.',
  deleted:
    'A license was listed on 2026-01-10, and an import of 2026-03-02 deletes it; on 2026-02-01: `Missing License`.',
  'own-end':
    '`nextRenewalDate` is 2026-12-31, and `expirationDate` 2026-02-28; on 2026-03-10: `Expired License`.',
  'equal-valid-from':
    'A list has the `nextRenewalDate` 2026-02-28, and a later one 2027-02-28; on 2026-06-01: `Licensed`.',
  'corrected-issue-date':
    'A list has the license with the `issueDate` 2025-03-01, the next one with 2025-06-01; on 2025-04-01: `Missing License`.',
  'early-renewal':
    'A term ends on 2026-02-28, and a list of 2026-02-10 has only a term from 2026-03-01 on; on 2026-02-20: `Licensed`.',
  reissue:
    'A term ends on 2026-01-31, and a list of 2026-03-10 has only a term from 2026-03-01 on; on 2026-02-15: `Expired License`.',
  'not-live-after-its-end':
    'A license with the `nextRenewalDate` 2026-02-28 becomes `inactive` on 2026-03-10; on 2026-03-05: `Expired License`.',
  'not-live-before-its-end':
    'A license with the `nextRenewalDate` 2026-12-31 becomes `suspended` on 2026-03-10; on 2026-03-09: `Licensed`.',
  'first-seen-lapsed':
    'A license is first listed on 2026-03-10, as `expired` with the `nextRenewalDate` 2026-02-28; on 2026-02-20: `Licensed`.',
  suspension:
    'A license is listed as `suspended` on 2026-02-10 and as `active` on 2026-03-10; on 2026-03-09: `Missing License`.',
  'back-within-30-days':
    'The list of 2026-02-10 leaves a license out, that of 2026-03-12 has it again; on 2026-02-20: `Licensed`.',
  'history-is-no-return':
    'The list of 2026-02-10 is empty; an import of 2026-03-10 says that the license counts from 2025-06-01; on 2026-03-20: `Missing License`.',
  'line-added':
    'A list of 2026-03-10 has the line 16 for the first time; on 2026-03-09: `Missing Line of Authority`.',
  'line-left-out': 'A list of 2026-03-10 leaves the line 16 out; on 2026-02-01: `Missing Line of Authority`.',
  'line-ceased':
    'A list of 2026-03-10 has the line 16 as `inactive`; on 2026-03-10: `Missing Line of Authority`.',
  'undated-live': 'A list of 2026-03-10 has a live row without a date; on 2024-01-01: `Appointed`.',
  'unknown-before-end': 'All that is known is the termination of 2026-02-01; on 2026-01-31: `Appointed`.',
  'undated-end':
    'A list of 2026-03-10 has a termination without a date and with the `renewalDate` 2026-02-15; on 2026-02-14: `Appointed`.',
  'end-became-known':
    'The appointment of 2025-03-01 is listed as terminated on 2026-03-10, with the same date; on 2026-03-09: `Appointed`.',
  'termination-taken-back':
    'A list has the termination of 2026-02-01, the next one only the appointment; on 2026-03-20: `Appointed`.',
  'naic-code':
    'An appointment has the organization’s name and a `companyCode` that the organization does not have: `Not Appointed`.',
  'carrier-name':
    'Beacon Specialty has neither, and the `carrierName` is `BEACON SPECIALTY INS. CO.`: `Appointed`.',
  'product-codes':
    'The product names 22667, and the appointment has the organization’s code: `Not Appointed`.',
  'line-by-name':
    'The line 16 is required, the appointment has the name `CASUALTY`, and a license has `Casualty` with the code 16: `Appointed`.',
  'any-of': 'The entry is `{"anyOf": ["16", "20"]}`, the license has 16, the appointment 20: `Appointed`.',
  'appointment-of': '`appointmentOf` is `agency`; an agent without an appointment: `Not Required`.',
  'config-in-force':
    'From 2026-03-01 on, the product requires an appointment, and there is none; on 2026-02-28: `Not Required`, `configBasis: version`.',
  basis:
    'A license is listed for the first time on 2026-01-10; on 2026-01-09: `Licensed`, `basis: registry dates`.',
  'each-party':
    'The agency and one of two agents are licensed, the other agent is not: `Missing License`, “Agent 2: No active license in TX.”',
  'strictest-license':
    'The license of one agent has expired, that of the other lacks the line of authority: `Expired License`.',
  'strictest-appointment': 'The agency is appointed, the agent is not: `Not Appointed`.',
  'strictest-product':
    'Two products have the name that the policy states, and one requires a line of authority that is missing: `Missing Line of Authority`.',
  'unknown-seller':
    'The agency is licensed, and the agent was not found: `Licensed`, “The agent was not identified.”',
};
