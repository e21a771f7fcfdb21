import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { isoDate, objectId, stateCode, timestamp, usd } from '../contract/primitives.ts';
import { npn } from './npn.ts';

const text = z.nullable(z.string());
const date = z.nullable(isoDate);

/** The names of the nine fields that a state may amend after it reported an action. */
export const amendableFieldNames = [
  'originOfAction',
  'reasonForAction',
  'disposition',
  'dateOfAction',
  'effectiveDate',
  'enterDate',
  'fileRef',
  'penaltyFineForfeitureInUSD',
  'lengthOfOrderInDays',
] as const;

/** The fields themselves. */
export const amendableFields = {
  originOfAction: text,
  reasonForAction: text,
  disposition: text,
  dateOfAction: date,
  effectiveDate: date,
  enterDate: date,
  fileRef: text,
  penaltyFineForfeitureInUSD: z.nullable(usd),
  lengthOfOrderInDays: z.nullable(z.number()),
} satisfies Record<(typeof amendableFieldNames)[number], unknown>;

/** The action of the documentation's examples, and of test events. */
export const exampleRegulatoryAction = {
  _id: '65f0c1d2e3a4b5c6d7e8f911',
  registryDataSubscriptionId: '65f0c1d2e3a4b5c6d7e8f910',
  npn: '17654321',
  stateCode: 'TX',
  actionId: '4471',
  originOfAction: 'Department of Insurance',
  reasonForAction: 'Late filing',
  disposition: 'Monetary penalty',
  dateOfAction: '2025-05-02',
  effectiveDate: '2025-05-02',
  enterDate: '2025-05-09',
  fileRef: 'TX-2025-4471',
  penaltyFineForfeitureInUSD: 500,
  lengthOfOrderInDays: null,
  createdAt: '2026-06-01T09:00:00.000Z',
  updatedAt: '2026-06-01T09:00:00.000Z',
} as const;

/** A state's action against a license holder. */
export const regulatoryAction = described(
  compiledObject({
    _id: objectId,
    registryDataSubscriptionId: objectId,
    npn,
    stateCode,
    actionId: z.string().check(z.minLength(1), z.maxLength(100)),
    ...amendableFields,
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
  DOCUMENTED && {
    id: 'RegulatoryAction',
    description:
      'A state’s action against a license holder, identified by `actionId`, `npn`, and `stateCode`.',
    examples: [exampleRegulatoryAction],
  },
);

export type RegulatoryAction = z.output<typeof regulatoryAction>;
