import * as z from 'zod/mini';

/** The API as one demo organization calls it. */
export interface DemoClient {
  /**
   * Posts JSON or a form.
   *
   * @param data schema of the response's `data`
   * @throws Error when the response is not successful
   */
  post<Schema extends z.core.$ZodType>(path: string, body: object, data: Schema): Promise<z.output<Schema>>;
  /** Puts JSON, likewise. */
  put<Schema extends z.core.$ZodType>(path: string, body: object, data: Schema): Promise<z.output<Schema>>;
}

/** A client with an organization's restricted token, which is allowed from this machine. */
export function demoClient(baseUrl: string, restrictedToken: string): DemoClient {
  const send =
    (method: 'POST' | 'PUT'): DemoClient['post'] =>
    async (path, body, data) => {
      const isForm = body instanceof FormData;
      const headers = { 'x-restricted-access-token': restrictedToken };
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: isForm ? headers : { ...headers, 'content-type': 'application/json' },
        body: isForm ? body : JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`Seeding: ${method} ${path} returned ${response.status}: ${text}`);
      return z.parse(data, z.parse(z.looseObject({ data: z.unknown() }), JSON.parse(text)).data);
    };
  return { post: send('POST'), put: send('PUT') };
}

/** Requests licenses as the agency, one after the other; an operator then puts the first one in review. */
export async function requestLicenses(
  command: (name: string, input: unknown) => Promise<unknown>,
  client: DemoClient,
  downstreamEntityId: string,
): Promise<void> {
  const createdRecord = z.looseObject({ _id: z.string() });
  const request = (body: object) =>
    client.post(
      '/v2/downstream/license-requests',
      { downstreamEntityId, type: 'new', ...body },
      createdRecord,
    );
  const notes = 'Needed before the next binding season.';
  const { _id: licenseRequestId } = await request({ stateCode: 'CO', linesOfAuthority: ['16'], notes });
  await request({ stateCode: 'UT', linesOfAuthority: ['16'] });
  await command('set-license-request-status', { licenseRequestId, status: 'in review' });
}
