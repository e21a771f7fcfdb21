import { type ChangeFiles, changesIn } from '../../../../../shared/domain/registry/change-files.ts';

// 2026-06-01 is a Monday.

/** The bucket, by file: its text; a version is its length. */
let bucket: Map<string, string>;
let reads: string[];
const files: ChangeFiles = {
  list: async (after) =>
    Array.from(bucket, ([name, text]) => ({ name, version: String(text.length) }))
      .filter(({ name }) => name > after)
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  read: async (name) => {
    reads.push(name);
    return bucket.get(name) ?? '';
  },
};

beforeEach(() => {
  [bucket, reads] = [new Map(), []];
});

/** The evening of a day of June or July 2026. */
const evening = (day: string) => new Date(`2026-${day}T21:00:00-04:00`);
const put = (day: string, ...npns: readonly string[]) =>
  bucket.set(`2026-${day}.txt`, npns.map((npn) => `${npn}\n`).join(''));
const read = (day: string, cursor?: string) => changesIn(files, cursor, evening(day));
const beginningOf = (day: string) => `2026-${day}T05:00:00.000Z`;

test('the first list that counts is the latest, and each new one names NPNs once', async () => {
  put('05-29', '7');
  put('06-01', '1', '2');
  const first = await read('06-01');
  expect(first).toMatchObject({ npns: ['1', '2'], until: beginningOf('06-01'), missing: [] });
  put('06-02', '3');
  const second = await read('06-02', first.cursor);
  expect(second).toMatchObject({ npns: ['3'], until: beginningOf('06-02'), missing: [] });
  expect(await read('06-02', second.cursor)).toMatchObject({ npns: [], until: beginningOf('06-02') });
  expect(reads).toEqual(['2026-06-01.txt', '2026-06-02.txt']);
});

test('lines are NPNs however they are written, and an empty list says that nothing changed', async () => {
  bucket.set('2026-06-01.txt', '\uFEFF0007410936\r\n\r\n 17654321 \r\n');
  const first = await read('06-01');
  expect(first).toMatchObject({ npns: ['7410936', '17654321'], missing: [] });
  bucket.set('2026-06-02.txt', '');
  expect(await read('06-02', first.cursor)).toMatchObject({
    npns: [],
    until: beginningOf('06-02'),
    missing: [],
  });
});

test('a missing list is waited for: others name NPNs and confirm nobody until it comes', async () => {
  put('06-01');
  let { cursor } = await read('06-01');
  put('06-03', '3');
  const third = await read('06-03', cursor);
  expect(third).toMatchObject({ npns: ['3'], until: beginningOf('06-01'), missing: ['2026-06-02'] });
  put('06-02', '2');
  const fourth = await read('06-04', third.cursor);
  // Today's may still come.
  expect(fourth).toMatchObject({ npns: ['2'], until: beginningOf('06-03'), missing: [] });
  ({ cursor } = fourth);
  expect(await read('06-05', cursor)).toMatchObject({ missing: ['2026-06-04'] });
});

test('no list is missing on a weekend', async () => {
  put('06-05', '1');
  const { cursor } = await read('06-05');
  expect(await read('06-06', cursor)).toMatchObject({ npns: [], missing: [], until: beginningOf('06-05') });
  expect(await read('06-07', cursor)).toMatchObject({ npns: [], missing: [], until: beginningOf('06-05') });
  expect(await read('06-08', cursor)).toMatchObject({ npns: [], missing: [], until: beginningOf('06-05') });
  expect(await read('06-09', cursor)).toMatchObject({ missing: ['2026-06-08'] });
});

test('a list that comes again is read again only where it is another one', async () => {
  put('06-01', '1');
  const first = await read('06-01');
  bucket.set('2026-06-01.txt', '1\n');
  const second = await read('06-02', first.cursor);
  expect(second.npns).toEqual([]);
  put('06-01', '1', '2');
  const third = await read('06-03', second.cursor);
  expect(third).toMatchObject({ npns: ['1', '2'], missing: ['2026-06-02'] });
});

test('a list of which a line cannot be read names the others and confirms nobody until it comes again', async () => {
  put('06-01');
  const first = await read('06-01');
  put('06-02', '2', 'NPN 3');
  const second = await read('06-02', first.cursor);
  expect(second).toMatchObject({ npns: ['2'], until: beginningOf('06-01'), missing: ['2026-06-02'] });
  const again = await read('06-02', second.cursor);
  expect(again).toMatchObject({ npns: [], missing: ['2026-06-02'] });
  put('06-02', '2', '3');
  expect(await read('06-02', again.cursor)).toMatchObject({ npns: ['2', '3'], until: beginningOf('06-02') });
});

test('lists of ten days that come at once are all read', async () => {
  put('06-01', '1');
  const first = await read('06-01');
  const waiting = await read('06-15', first.cursor);
  expect(waiting.missing).toHaveLength(9);
  for (const day of ['02', '03', '04', '05', '08', '09', '10', '11', '12', '15']) put(`06-${day}`, day);
  const caughtUp = await read('06-15', waiting.cursor);
  expect(caughtUp).toMatchObject({ until: beginningOf('06-15'), missing: [] });
  expect(caughtUp.npns).toEqual(['2', '3', '4', '5', '8', '9', '10', '11', '12', '15']);
});

test('a list that never comes is given up after 28 days, and what was verified before it is not confirmed any more', async () => {
  put('06-01');
  let { cursor } = await read('06-01');
  put('06-03');
  const still = await read('06-30', cursor);
  expect(still.until).toBeUndefined();
  expect(still.missing?.[0]).toBe('2026-06-02');
  ({ cursor } = still);
  put('07-01');
  const givenUp = await read('07-01', cursor);
  expect(givenUp).toMatchObject({ until: beginningOf('06-03'), gapUntil: beginningOf('06-04') });
  expect(givenUp.missing?.[0]).toBe('2026-06-04');
});

test('where no list ever came, nobody is confirmed, and one is missing from the next working day on', async () => {
  const first = await read('06-01');
  expect(first).toMatchObject({ npns: [], missing: [] });
  expect(first.until).toBeUndefined();
  expect(await read('06-02', first.cursor)).toMatchObject({ missing: ['2026-06-01'] });
});

test('other files and days to come are not read', async () => {
  put('06-01', '1');
  put('06-03', '3');
  bucket.set('readme.txt', 'hello');
  expect(await read('06-01')).toMatchObject({ npns: ['1'] });
});
