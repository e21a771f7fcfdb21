import { listCarriers } from './list-carriers.ts';

/** What each row of the carriers table does. */
export const carrierOperations = { listCarriers };
