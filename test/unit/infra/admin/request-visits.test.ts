import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestVisits } from '../../../../infra/admin/program.ts';

let asked: string[][];
const invoke = async (name: string, payload: object) => {
  expect(name).toBe('admin');
  const { npns } = (payload as { readonly input: { readonly npns: string[] } }).input;
  asked.push(npns);
  return { requested: npns.length - 1, unknown: 1 };
};

async function fileOf(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'visits-')), 'alerts.csv');
  await writeFile(file, text);
  return file;
}

beforeEach(() => {
  asked = [];
});

it.each([
  ['one NPN a line', '\uFEFF0007410936\r\n\r\n 17654321 \r\n17654321', undefined],
  ['the column of a CSV file', 'Name,npn,Alert\n"Delgado, Maria",7410936,x\nOkafor,="0017654321",y\n', 'NPN'],
])('asks for the NPNs of a file, each once: %s', async (_, text, column) => {
  const file = await fileOf(text);
  expect(await requestVisits(invoke, { file, ...(column === undefined ? {} : { column }) })).toEqual({
    requested: 1,
    unknown: 1,
  });
  expect(asked).toEqual([['7410936', '17654321']]);
});

it('asks for those that are given, a thousand in each call, and adds up the answers', async () => {
  const npns = Array.from({ length: 1_001 }, (_, index) => String(index + 1));
  expect(await requestVisits(invoke, { npns })).toEqual({ requested: 999, unknown: 2 });
  expect(asked.map(({ length }) => length)).toEqual([1_000, 1]);
});

it.each<[string, string, object, string]>([
  ['a line without an NPN', '17654321\nDelgado\n', {}, 'line 2 has no NPN'],
  ['a column that it does not have', 'a,b\n1,2\n', { column: 'NPN' }, 'NPN is not a column'],
])('asks for nobody where a file has %s', async (_, text, more, message) => {
  await expect(requestVisits(invoke, { file: await fileOf(text), ...more })).rejects.toThrow(message);
  expect(asked).toEqual([]);
});

it.each([{}, { npns: ['1'], file: 'alerts.csv' }, { file: 'nowhere.csv' }])('refuses %j', async (input) => {
  await expect(requestVisits(invoke, input)).rejects.toThrow();
  expect(asked).toEqual([]);
});
