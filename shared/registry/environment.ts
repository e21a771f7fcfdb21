import * as z from 'zod/mini';

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
  REGISTRY_VISITS_PER_SECOND: z.pipe(z.string(), z.pipe(z.transform(Number), z.number().check(z.gt(0)))),
};

/** The `REGISTRY_ADDRESS` of environments without a real registry. */
export const simulatorAddress = 'simulator';
