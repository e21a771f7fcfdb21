import type { ApiRequest } from '../../shared/request/operation.ts';

interface DocumentDeps {
  /** The document as it was built, without an environment. */
  readonly readOpenApiDocument: () => Promise<Readonly<Record<string, unknown>>>;
}

/** The OpenAPI document, with the address of the request as its server. */
export async function getOpenApiDocument(
  { baseUrl }: Pick<ApiRequest, 'baseUrl'>,
  { readOpenApiDocument }: DocumentDeps,
): Promise<string> {
  const servers = [{ url: baseUrl(), description: 'Where this document was asked for.' }];
  return JSON.stringify({ ...(await readOpenApiDocument()), servers });
}
