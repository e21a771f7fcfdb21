import { type Item, routes } from '../support/followed-lists.ts';
import { license as licenseLine } from '../support/import-lines.ts';
import { at, carrier, given, list, minute, pass, start } from '../support/updated-since-tests.ts';

it('returns the versions of many holders in the order of recording', async () => {
  const lines = Array.from({ length: 104 }, (_, index) => licenseLine({ npn: String(100 + index) }));
  for (const some of [lines.slice(0, 50), lines.slice(50)]) {
    await given(carrier, ...some);
    pass(minute);
  }
  const { data } = await list(carrier, routes.listRegistryChanges, { recordedSince: at(start) });
  const found = data as readonly Item[];
  expect(new Set(found.map((one) => one['npn'])).size).toBe(104);
  const times = found.map(({ recordedAt }) => String(recordedAt));
  expect(times).toEqual(times.toSorted());
});
