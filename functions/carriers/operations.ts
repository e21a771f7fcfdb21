import { listCarriers } from './list-carriers.ts';

/** The operation of each row of the carriers table. */
export const carrierOperations = { listCarriers };
