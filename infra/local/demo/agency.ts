import * as z from 'zod/mini';
import type { DemoClient } from './client.ts';

/** Requests licenses as the agency, one after the other; an operator then puts the first one in review. */
export async function requestLicenses(
  command: (name: string, input: unknown) => Promise<unknown>,
  client: DemoClient,
  downstreamEntityId: string,
): Promise<void> {
  const created = z.looseObject({ _id: z.string() });
  const request = (body: object) =>
    client.post('/v2/downstream/license-requests', { downstreamEntityId, type: 'new', ...body }, created);
  const notes = 'Needed before the next binding season.';
  const { _id: licenseRequestId } = await request({ stateCode: 'CO', linesOfAuthority: ['16'], notes });
  await request({ stateCode: 'UT', linesOfAuthority: ['16'] });
  await command('set-license-request-status', { licenseRequestId, status: 'in review' });
}
