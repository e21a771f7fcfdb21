import * as z from 'zod/mini';
import { carrier } from '../resources/carrier.ts';

/** A carrier's item; its key design stands in `shared/data/tables.ts`. */
export const storedCarrier = z.extend(carrier, {
  isDeleted: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export type StoredCarrier = z.output<typeof storedCarrier>;

export const carrierKeys = {
  carrier: (carrierId: string) => ({ pk: 'CARRIER', sk: carrierId }),
};
