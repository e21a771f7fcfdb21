import * as z from 'zod/mini';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
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
  readonly action: RegulatoryAction;
  readonly report: Report | undefined;
}

const reportVersion = storedItem('registry-records/report-version', () => ({ version: z.int() }));
const reportedFields = storedItem('registry-records/reported-fields', () => ({ fields: amendableFields }));

const prefixes = { action: 'ACTION#', report: 'REPORTED#' } as const;

/**
 * The actions among an NPN's records, with what was last reported for each.
 * @throws StoredItemError when an action breaks its schema.
 */
export function heldActions(stored: StoredRecords): readonly HeldAction[] {
  return Array.from(stored)
    .filter(([sk]) => sk.startsWith(prefixes.action))
    .map(([sk, item]) => {
      const reported = stored.get(sk.replace(prefixes.action, prefixes.report));
      return {
        action: parseStored(regulatoryAction, item),
        report: reported && {
          version: parseStored(reportVersion, reported).version,
          fields: z.safeParse(reportedFields, reported).data?.fields,
        },
      };
    });
}
