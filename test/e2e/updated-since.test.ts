import { filing } from '../support/import-lines.ts';
import { call, importRecords, invoke, newOrganization } from '../support/local-api.ts';

it('the indexes of changes are measured, and are not late', async () => {
  for (const _call of [1, 2]) expect(await invoke('index-lag', { task: 'measure' })).toEqual({ late: [] });
});

it('a list is followed from the whole list on, until its record is deleted', async () => {
  const { organizationId, bearer } = await newOrganization('upstreamEntity');
  const record = filing('65f0c1d2e3a4b5c6d7e9a005');
  await importRecords(organizationId, record);
  const list = (query: Record<string, string> = {}) =>
    call('GET', '/v2/upstream/surplus-lines-filings', { headers: bearer, query });
  const whole = await list();
  expect(whole.json['data']).toMatchObject([{ _id: record._id }]);
  const updatedSince = whole.headers.get('x-updated-until') ?? '';
  expect((await list({ updatedSince })).json['data']).toMatchObject([{ _id: record._id }]);
  await importRecords(organizationId, { ...record, isDeleted: true });
  expect((await list({ updatedSince })).json['data']).toEqual([
    { _id: record._id, isDeleted: true, updatedAt: expect.any(String) },
  ]);
});
