import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { parseStored } from '../../platform/data/stored.ts';
import {
  amendableFields,
  type RegulatoryAction,
  regulatoryAction,
} from '../registry-records/regulatory-action.ts';
import type { StoredRecords } from '../registry-records/subscriber-records.ts';
import type { AmendableFields } from './amendment.ts';

/** What was last reported for an action. */
export interface Report {
  /** Rises by one with each report. */
  readonly version: number;
  /** Undefined where it cannot be read. */
  readonly fields: AmendableFields | undefined;
}

/** An action as it is stored, and what was last reported for it. */
export interface HeldAction {
  readonly action: RegulatoryAction | undefined;
  readonly report: Report | undefined;
}

const reportVersion = compatible(
  'registry-records/report-version',
  lazyObject(() => ({ version: z.int() })),
);
const reportedFields = compatible(
  'registry-records/reported-fields',
  lazyObject(() => ({ fields: z.object(amendableFields()) })),
);
const heldAction = compatible(
  'registry-records/held-action',
  compiledObject(() => ({ ...regulatoryAction.shape, isDeleted: z.optional(z.boolean()) })),
);

/** What identifies an action among those of an NPN. */
export const actionKey = ({
  stateCode,
  actionId,
}: Pick<RegulatoryAction, 'stateCode' | 'actionId'>): string => `${stateCode}#${actionId}`;

const prefixes = { action: 'ACTION#', report: 'REPORTED#' } as const;

/**
 * The actions among an NPN's records and their reports, by state and action.
 * @throws StoredItemError when an action breaks its schema.
 */
export function heldActions(stored: StoredRecords): ReadonlyMap<string, HeldAction> {
  const found = new Map<string, HeldAction>();
  for (const [sk, item] of stored) {
    if (!sk.startsWith(prefixes.action)) continue;
    const { isDeleted, ...action } = parseStored(heldAction, item);
    if (isDeleted !== true) found.set(sk.slice(prefixes.action.length), { action, report: undefined });
  }
  for (const [sk, item] of stored) {
    if (!sk.startsWith(prefixes.report)) continue;
    const key = sk.slice(prefixes.report.length);
    const { version } = parseStored(reportVersion, item);
    const fields = z.safeParse(reportedFields, item).data?.fields;
    found.set(key, { action: found.get(key)?.action, report: { version, fields } });
  }
  return found;
}
