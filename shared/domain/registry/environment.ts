import * as z from 'zod/mini';
import { ratePerSecond } from '../../platform/config/environment.ts';

/** Variables of a function that calls the registry. */
export const registryEnvironment = {
  /** Base address of the registry; `simulator` selects the built-in one. */
  REGISTRY_ADDRESS: z.string(),
  /** ARN of the secret that holds the registry's key; with the simulator, the table of its records that operators set. */
  REGISTRY_ACCESS: z.string(),
};

/** Variables of a function that visits the registry for the daily reconciliation. */
export const registryVisitsEnvironment = {
  /** Visits in a second, of all functions together. */
  REGISTRY_VISITS_PER_SECOND: ratePerSecond,
};

/** The `REGISTRY_ADDRESS` of environments without a real registry. */
export const simulatorAddress = 'simulator';
