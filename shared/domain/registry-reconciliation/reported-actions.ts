import * as z from 'zod/mini';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import { amendableFields, regulatoryAction } from '../registry/resources.ts';
import type { StoredRecords } from '../registry-records/subscriber-records.ts';
import type { AmendableFields } from './amendment.ts';

/** What was last reported for an action. */
export interface Report {
  /** Rises by one with each report. */
  readonly version: number;
  /** Undefined where it cannot be read. */
  readonly fields: AmendableFields | undefined;
}

const reportVersion = storedItem('registry-records/report-version', () => ({ version: z.int() }));
const reportedFields = storedItem('registry-records/reported-fields', () => ({ fields: amendableFields }));

const prefixes = { action: 'ACTION#', report: 'REPORTED#' } as const;

/**
 * The actions among an NPN's records, with what was last reported for each.
 * @throws StoredItemError when an action breaks its schema.
 */
export const heldActions = (stored: StoredRecords) =>
  Array.from(stored)
    .filter(([sk]) => sk.startsWith(prefixes.action))
    .map(([sk, item]) => {
      const reported = stored.get(sk.replace(prefixes.action, prefixes.report));
      const report: Report | undefined = reported && {
        version: parseStored(reportVersion, reported).version,
        fields: z.safeParse(reportedFields, reported).data?.fields,
      };
      return { action: parseStored(regulatoryAction, item), report };
    });
