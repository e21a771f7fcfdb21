import * as z from 'zod/mini';

/** Variables of a function that asks the registry. */
export const registryEnvironment = {
  /** Base address of the registry; `simulator` stands for the one that this service brings along. */
  REGISTRY_ADDRESS: z.string(),
  /** ARN of the secret that holds the registry's key; with the simulator, the table of what operators told it. */
  REGISTRY_ACCESS: z.string(),
};

/** The `REGISTRY_ADDRESS` of environments without a real registry. */
export const simulatorAddress = 'simulator';
