import { call, invoke, newSellingCarrier } from '../support/local-api.ts';
import { eventually } from '../support/until.ts';

const begunAt = Date.now();
const after = (days: number) => new Date(begunAt + days * 86_400_000).toISOString();

it('a clock that is set ahead has a license expire, with its events, and a reset takes it back', async () => {
  const { agencyNpn, bearer: headers } = await newSellingCarrier();
  const ask = async (method: string, path: string, body?: object) => {
    const { json } = await call(method, path, { headers, ...(body && { body }) });
    return json['data'];
  };
  const reported = {
    stateCode: 'TX',
    licenseNumber: '1456789',
    licenseClassName: 'Insurance Producer',
    issueDate: '2020-01-01',
    nextRenewalDate: after(75).slice(0, 10),
    linesOfAuthority: [{ code: '16', name: 'Casualty' }],
  };
  await ask('PUT', '/v2/sandbox/registry-records/8123456', { licenses: [reported] });

  /** Runs the nights as the schedule of each minute does, until the clock is where it goes. */
  const nights = () =>
    eventually(async () => {
      await invoke('sandbox-nights', {});
      const clock = (await ask('GET', '/v2/sandbox/clock')) as { now: string; status: string };
      return clock.status === 'ready' ? clock : undefined;
    });
  const events = async () => {
    const types = 'AGENT_LICENSE_EXPIRING,AGENT_LICENSE_EXPIRED,AGENT_COMPLIANCE_STATUS_CHANGE';
    const feed = await ask('GET', `/v2/upstream/events?types=${types}`);
    const { items } = feed as { items: { webhookType: string; occurredAt: string }[] };
    return items.map(({ webhookType, occurredAt }) => `${occurredAt.slice(0, 10)} ${webhookType}`);
  };

  expect(await ask('POST', '/v2/sandbox/clock/advance', { to: after(90) })).toMatchObject({
    status: 'advancing',
  });
  await nights();
  const lapse = `${after(76).slice(0, 10)} AGENT_COMPLIANCE_STATUS_CHANGE`;
  expect(
    await eventually(async () => {
      const published = await events();
      return published.includes(lapse) ? published : undefined;
    }),
    // What comes before is reported by the first visit of the registry.
  ).toEqual([
    expect.stringContaining('AGENT_COMPLIANCE_STATUS_CHANGE'),
    `${after(15).slice(0, 10)} AGENT_LICENSE_EXPIRING`,
    `${after(76).slice(0, 10)} AGENT_LICENSE_EXPIRED`,
    lapse,
  ]);
  const check = {
    seller: { npn: '8123456' },
    agency: { npn: agencyNpn },
    product: { productCode: 'CGL' },
    stateCode: 'TX',
  };
  expect(await ask('POST', '/v2/upstream/sale-checks', { checks: [check] })).toMatchObject({
    checks: [{ answer: 'no', reasons: [{ code: 'license_expired' }] }],
  });

  await ask('POST', '/v2/sandbox/reset');
  expect((await nights()).now < after(1)).toBe(true);
  expect((await events()).filter((event) => event.includes('AGENT_LICENSE'))).toEqual([]);
});
