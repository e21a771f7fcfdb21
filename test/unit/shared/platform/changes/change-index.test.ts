import { type ChangedTable, entriesInOrder } from '../../../../../shared/platform/changes/change-index.ts';
import { collect } from '../../../../../shared/platform/data/concurrently.ts';

/** A table whose index has these times in each of its partitions, page by page. */
const tableWith = (partitions: readonly string[][][]): ChangedTable => {
  const left = [...partitions];
  const query = async function* () {
    for (const page of left.shift() ?? []) {
      yield page.map((changedAt) => ({ pk: 'P', sk: 'S', changedAt }));
    }
  };
  return { query } as unknown as ChangedTable;
};

const timesOf = async (partitions: readonly string[][][]) =>
  (await collect(entriesInOrder(tableWith(partitions), 'owner', ''))).map(({ changedAt }) => changedAt);

it.each<[string, string[][][]]>([
  ['of one page each', [[['1', '5']], [['2', '3']], [['4']], []]],
  [
    'one of which has more pages',
    [
      [
        ['1', '5'],
        ['6', '9'],
      ],
      [['2', '7']],
      [['3', '8']],
      [['4']],
    ],
  ],
  [
    'with times that are equal across pages',
    [
      [
        ['1', '3'],
        ['3', '4'],
      ],
      [['3'], ['3']],
      [['2']],
      [['4']],
    ],
  ],
  ['with pages that have none', [[[], ['2'], [], ['4']], [[]], [['1'], [], ['3']], []]],
])('entries of partitions %s come in the order of time, each once', async (_, partitions) => {
  expect(await timesOf(partitions)).toEqual(partitions.flat(2).toSorted());
});
