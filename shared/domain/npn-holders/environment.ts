import * as z from 'zod/mini';

/** Variables of a function that finds the holders of NPNs. */
export const npnHoldersEnvironment = { AGENTS_TABLE: z.string(), ASSOCIATIONS_TABLE: z.string() };

/** The tables in which `createNpnHolders` looks. */
export const npnHoldersTables = (environment: z.output<z.ZodMiniObject<typeof npnHoldersEnvironment>>) => ({
  agents: environment.AGENTS_TABLE,
  associations: environment.ASSOCIATIONS_TABLE,
});
