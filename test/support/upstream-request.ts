/** What an operation without a body is given of a request of an upstream organization's. */
export const upstreamRequest = <Params, Query>(organizationId: string, params: Params, query: Query) => ({
  identity: { organizationId, category: 'upstreamEntity', credentialId: 'c' } as const,
  requestId: 'r',
  now: new Date(),
  headers: {},
  baseUrl: () => 'https://api.example.com',
  params,
  query,
  body: undefined,
  recordResponse: () => [],
});
