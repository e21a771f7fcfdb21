import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { complianceConfig, configTimes } from './resource.ts';

/** A product's config as an item; its keys are described in `table.ts`. Deleted ones are marked. */
export const storedComplianceConfig = compatible(
  'compliance/config',
  compiledObject(() => ({
    ...complianceConfig.shape,
    ...configTimes,
    isDeleted: z.boolean(),
  })),
);

export type StoredComplianceConfig = z.output<typeof storedComplianceConfig>;

export const complianceKeys = {
  config: (upstream: string, productId: string) => ({ pk: `${upstream}#CONFIG`, sk: productId }),
  change: (upstream: string, npn: string) => ({ pk: `${upstream}#CHANGE`, sk: npn }),
  /** A partition of its own: what was reported can be large, and all of a carrier's are written when a config changes. */
  reported: (upstream: string, npn: string) => ({ pk: `${upstream}#REPORTED#${npn}`, sk: 'REPORTED' }),
  /** Where an earlier version of the service recorded it; read while the other does not exist. */
  reportedEarlier: (upstream: string, npn: string) => ({ pk: `${upstream}#REPORTED`, sk: npn }),
  walk: (upstream: string, eventId: string) => ({ pk: `${upstream}#WALK`, sk: eventId }),
};
