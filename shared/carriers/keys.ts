/** Keys of the carriers table (its design stands in `shared/data/tables.ts`). */
export const carrierKeys = {
  carrier: (carrierId: string) => ({ pk: 'CARRIER', sk: carrierId }),
};
