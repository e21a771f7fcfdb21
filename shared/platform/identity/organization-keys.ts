/** Partition keys of the organizations table (described in `table.ts`). */
export const organizationKeys = {
  organization: (organizationId: string) => ({ pk: `ORGANIZATION#${organizationId}` }),
  client: (clientId: string) => ({ pk: `CLIENT#${clientId}` }),
  token: (tokenHash: string) => ({ pk: `TOKEN#${tokenHash}` }),
  tokenById: (tokenId: string) => ({ pk: `TOKEN_ID#${tokenId}` }),
};
