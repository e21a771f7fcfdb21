import { businessTable } from '../../platform/data/table-design.ts';

/**
 * Insurers of the platform, the same for every organization. There are some thousands, so one partition holds them all
 * and a search reads it; a soft-deleted one is marked and left out of responses.
 *
 * | item | pk | sk |
 * |---|---|---|
 * | carrier | `CARRIER` | `<carrierId>` |
 * | NAIC code, held by one live carrier | `NAIC_CODE` | `<naicCode>` |
 */
export const carriersTable = businessTable('carriers', {});

/** Keys of the carriers table (described in `table.ts`). */
export const carrierKeys = {
  carrier: (carrierId: string) => ({ pk: carrierPartition, sk: carrierId }),
  naicCode: (naicCode: string) => ({ pk: 'NAIC_CODE', sk: naicCode }),
};

/** Every carrier of the platform, and nothing else. */
export const carrierPartition = 'CARRIER';
