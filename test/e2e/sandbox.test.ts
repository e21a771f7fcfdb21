import { addDays, newYorkDate } from '#platform/dates/dates.ts';
import { call, newSellingCarrier } from '../support/local-api.ts';
import { eventually } from '../support/until.ts';

it('a night that is run has a license expire that ended yesterday, with its events', async () => {
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
    nextRenewalDate: addDays(newYorkDate(new Date()), -1),
    linesOfAuthority: [{ code: '16', name: 'Casualty' }],
  };
  /** Runs a night with these licenses; answers what is said of it when it is over. */
  const nightWith = async (...licenses: readonly object[]) => {
    await ask('PUT', '/v2/sandbox/registry-records/8123456', { licenses });
    const { runId } = (await ask('POST', '/v2/sandbox/nightly-run')) as { runId: string };
    return eventually(async () => {
      const asked = (await ask('GET', `/v2/sandbox/nightly-run/${runId}`)) as { status: string };
      return asked.status === 'running' ? undefined : asked;
    });
  };
  expect(await nightWith(reported)).toEqual({ status: 'done', events: expect.any(Number) });

  const types = 'AGENT_LICENSE_EXPIRED,AGENT_COMPLIANCE_STATUS_CHANGE';
  const events = await eventually(async () => {
    const feed = await ask('GET', `/v2/upstream/events?types=${types}`);
    const { items } = feed as { items: { webhookType: string }[] };
    return items.length < 2 ? undefined : items.map(({ webhookType }) => webhookType);
  });
  expect(events.sort()).toEqual(types.split(',').sort());
  const check = {
    seller: { npn: '8123456' },
    agency: { npn: agencyNpn },
    product: { productCode: 'CGL' },
    stateCode: 'TX',
  };
  expect(await ask('POST', '/v2/upstream/sale-checks', { checks: [check] })).toMatchObject({
    checks: [{ answer: 'no', reasons: [{ code: 'license_expired' }] }],
  });
  expect(await nightWith()).toMatchObject({ status: 'done' });
});
