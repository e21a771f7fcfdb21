/** Keys of the carriers table (described in `table.ts`). */
export const carrierKeys = {
  carrier: (carrierId: string) => ({ pk: carrierPartition, sk: carrierId }),
  naicCode: (naicCode: string) => ({ pk: 'NAIC_CODE', sk: naicCode }),
};

/** Every carrier of the platform, and nothing else. */
export const carrierPartition = 'CARRIER';
