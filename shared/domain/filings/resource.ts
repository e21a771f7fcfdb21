import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { isoDate, objectId, stateCode, timestamp, usd } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';

export const filingStatuses = [
  'not started',
  'in progress',
  'ready to file',
  'filed',
  'completed',
  'on hold',
  'canceled',
] as const;
export const filingTransactionTypes = ['bind', 'endorsement', 'renewal', 'cancellation'] as const;
export const escalationStatuses = ['waiting service input', 'waiting customer input', 'resolved'] as const;
export const artifactTypes = ['accepted stamped', 'receipt', 'confirmation', 'tax remittance proof'] as const;
export const tones = ['primary', 'secondary', 'neutral', 'green', 'red', 'yellow'] as const;

export type FilingStatus = (typeof filingStatuses)[number];

const text = z.string();
const count = z.int();

/** The members of a filing in a list, with which every detail begins (`filing-detail.ts`). */
export const filingSummaryFields = lazily(() =>
  describedShape(
    {
      _id: objectId,
      externalReference: z.nullable(text),
      policyNumber: text,
      stateCode,
      policyTransactionType: z.enum(filingTransactionTypes),
      status: z.enum(filingStatuses),
      actionRequired: z.boolean(),
      effectiveDate: z.nullable(isoDate),
      updatedAt: timestamp,
      namedInsured: text,
      carrier: text,
      carrierNaicCode: text,
      grossPremium: usd,
      totalTaxDue: z.nullable(usd),
      checklistProgress: z.object(
        describedShape(
          { checked: count, total: count },
          DOCUMENTED && {
            checked: { description: 'Number of items that are done.', examples: [3] },
            total: { description: 'Number of items that the customer can see.', examples: [4] },
          },
        ),
      ),
    },
    DOCUMENTED && {
      _id: 'Id of the filing, `filingId` elsewhere.',
      externalReference: {
        description: 'The customer’s own reference; null if there is none.',
        examples: ['SLF-2026-410'],
      },
      policyNumber: {
        description: 'Number of the policy that is filed, as the customer writes it.',
        examples: ['SL-2026-200400'],
      },
      stateCode: 'State with which the policy is filed.',
      policyTransactionType: {
        description: 'What happened to the policy.',
        values: {
          bind: 'The policy was bound.',
          endorsement: 'The policy was changed during its term.',
          renewal: 'The policy was renewed.',
          cancellation: 'The policy was canceled.',
        },
      },
      status: {
        description: 'Progress of the filing; the service moves it.',
        values: {
          'not started': 'Received; work has not begun.',
          'in progress': 'The service is working through the checklist.',
          'ready to file': 'Everything is in place to send it to the state.',
          filed: 'Sent to the state.',
          completed: 'Accepted by the state; `completionArtifacts` has the proof. Final.',
          'on hold': 'Paused; it returns to the status before, or is canceled.',
          canceled: 'Will not be filed. Final.',
        },
      },
      actionRequired: 'Whether at least one escalation is `waiting customer input`.',
      effectiveDate: 'When the policy transaction takes effect; null if it is not recorded.',
      updatedAt: 'When the filing, a file, or a message of it last changed.',
      namedInsured: { description: 'Whom the policy insures.', examples: ['Acme Roofing LLC'] },
      carrier: {
        description: 'Name of the non-admitted insurer.',
        examples: ['Beacon Specialty Insurance Company'],
      },
      carrierNaicCode: { description: 'NAIC company code of that insurer.', examples: ['19437'] },
      grossPremium: { description: 'Premium before taxes and fees, in US dollars.', examples: [12500.5] },
      totalTaxDue: {
        description: 'Surplus lines tax in US dollars; null until it has been calculated.',
        examples: [606.27],
      },
      checklistProgress: 'Progress of the checklist, counting only items that the customer can see.',
    },
  ),
);

/** A filing in a list: the detail without its checklist, files and escalations. */
export const filingSummary = storedItem(
  'filings/summary',
  described(
    lazyObject(filingSummaryFields),
    DOCUMENTED && {
      id: 'FilingSummary',
      description:
        'A surplus lines filing without its checklist, escalations, and files, as lists return it.',
    },
  ),
);

export type FilingSummary = z.output<typeof filingSummary>;
