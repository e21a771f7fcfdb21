import * as z from 'zod/mini';

/** An API credential of a demo organization. */
interface Credential {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The API as one demo organization calls it. */
export interface DemoClient {
  /**
   * Posts JSON or a form.
   *
   * @param data schema of the response's `data`
   * @throws Error when the response is not successful
   */
  post<Schema extends z.core.$ZodType>(path: string, body: object, data: Schema): Promise<z.output<Schema>>;
}

const withToken = (baseUrl: string, authorization: Record<string, string>): DemoClient => ({
  async post(path, body, data) {
    const isForm = body instanceof FormData;
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { ...authorization, ...(isForm ? {} : { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Seeding: POST ${path} returned ${response.status}: ${text}`);
    return z.parse(data, z.parse(z.looseObject({ data: z.unknown() }), JSON.parse(text)).data);
  },
});

/** Exchanges the credential for a token and returns a client that uses it. */
export async function demoClient(
  baseUrl: string,
  { clientId, clientSecret }: Credential,
): Promise<DemoClient> {
  const token = z.object({ accessToken: z.string() });
  const { accessToken } = await withToken(baseUrl, {}).post(
    '/v2/auth/jwt',
    { clientId, clientSecret },
    token,
  );
  return withToken(baseUrl, { authorization: `Bearer ${accessToken}` });
}
