import type { Cost } from '../../infra/capacity/measured-costs.ts';
import { call, newOrganization } from '../support/local-api.ts';
import type { Meter } from './meter.ts';

/** What the authorizer asks for when it does not know a credential yet; it remembers one for about a minute. */
export async function measureSignIn(meter: Meter): Promise<Cost> {
  const { bearer } = await newOrganization('upstreamEntity');
  meter.reset();
  const { status } = await call('GET', '/v2/auth/test-oauth', { headers: bearer });
  if (status !== 200) throw new Error(`The request was answered ${status}.`);
  return meter.costOf('authorizer');
}
