import type { ApiRequest, ServedDocument } from '#platform/request/endpoint.ts';
import type { authRoutes } from './routes.ts';

/** Members of the document that are read as they were built, without an environment. */
interface PublishedDocument {
  readonly info: { readonly contact: object };
}

/** The OpenAPI document, with the address of the request as its server and the environment's contact. */
export const createGetOpenApiDocument =
  (readDocument: () => Promise<PublishedDocument>, supportUrl: string) =>
  async ({ baseUrl }: Pick<ApiRequest, 'baseUrl'>): Promise<ServedDocument> => {
    const { info, ...document } = await readDocument();
    const servers = [{ url: baseUrl(), description: 'Where this document was asked for.' }];
    const contact = { ...info.contact, url: supportUrl };
    return { body: JSON.stringify({ ...document, info: { ...info, contact }, servers }) };
  };

/** Answers the caller: by the time a test endpoint's operation runs, the authorizer has accepted the credential that the route demands. */
const message = 'The credential is valid.';

export const confirmCredential = () => ({ message });

/** Confirms and names the category (OpenAPI, "Credentials"). */
export const confirmCredentialWithCategory = ({
  identity,
}: ApiRequest<typeof authRoutes.routes.testOauth>) => ({ message, orgCategory: identity.category });
