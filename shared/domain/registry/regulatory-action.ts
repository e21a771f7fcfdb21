import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import {
  amount,
  isoDate,
  objectId,
  recordTimes,
  stateCode,
  textUpTo,
  usd,
} from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { npn } from '../identifiers/npn.ts';

const text = z.nullable(z.string());
const date = z.nullable(isoDate);

/** The nine fields that a state may amend after it reported an action. */
export const amendableFields = object(() => ({
  originOfAction: text,
  reasonForAction: text,
  disposition: text,
  dateOfAction: date,
  effectiveDate: date,
  enterDate: date,
  fileRef: text,
  penaltyFineForfeitureInUSD: z.nullable(usd),
  lengthOfOrderInDays: z.nullable(amount),
}));

export const amendableFieldNames = Object.keys(
  amendableFields.shape,
) as (keyof typeof amendableFields.shape)[];

/** Identifies an action and the license holder; actions and the events about them have these fields. */
export const actionIdentity = fields(() => ({
  _id: objectId,
  registryDataSubscriptionId: objectId,
  npn,
  stateCode,
  actionId: textUpTo(100),
}));

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
export const regulatoryAction = storedItem(
  'registry-records/action',
  object(() => ({ ...actionIdentity.shape, ...amendableFields.shape, ...recordTimes.shape })),
);

export type RegulatoryAction = z.output<typeof regulatoryAction>;
