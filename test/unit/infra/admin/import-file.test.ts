import { readFile, writeFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { type Invoke, RefusedCommand } from '../../../../infra/admin/functions.ts';
import { importFile } from '../../../../infra/admin/import-file.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const noParties = { agencies: 0, agents: 0, products: 0 };

const inFolder = temporaryFolder('import-file-');
let file: string;
let reports: string;

beforeAll(async () => {
  file = inFolder('records.ndjson');
  await writeFile(file, '{}\n'.repeat(1_200));
  reports = inFolder('reports.xml');
  await writeFile(reports, '<PDB/>');
});

const chunk = z.object({
  firstLine: z.number(),
  lines: z.array(z.string()),
  lineNumbers: z.optional(z.array(z.number())),
});

const idsOf = ({ firstLine, lines }: z.output<typeof chunk>) =>
  lines.map((_, index) => ({ line: firstLine + index, type: 'agent', _id: String(firstLine + index) }));

/** Imports every line of a chunk. */
const importAll: Invoke = async (_, payload) => {
  const ids = idsOf(z.parse(chunk, payload));
  return { imported: ids.length, rejected: [], ids };
};

it('answers the ids of the first thousand records, and how many it leaves out', async () => {
  const answer = await importFile(importAll, { file });
  expect(answer).toMatchObject({ imported: 1_200, rejected: [], ids: expect.any(Array), idsOmitted: 200 });
  const { ids } = z.parse(z.object({ ids: z.array(z.unknown()) }), answer);
  expect(ids).toHaveLength(1_000);
  expect(ids.at(-1)).toEqual({ line: 1_000, type: 'agent', _id: '1000' });
});

it('answers the first thousand rejections and notes, and how many it leaves out', async () => {
  const rejectAll: Invoke = async (_, payload) => {
    const rejected = idsOf(z.parse(chunk, payload)).map(({ line }) => ({ line, issues: [] }));
    const notes = rejected.map(({ line }) => ({
      line,
      code: 'not_changed',
      message: 'The agency is not changed.',
      count: 1,
    }));
    return { imported: 0, rejected, ids: [], notes };
  };
  const result = z.parse(z.record(z.string(), z.unknown()), await importFile(rejectAll, { file }));
  expect(result).toMatchObject({ imported: 0, ids: [], rejectedOmitted: 200, notesOmitted: 200 });
  for (const list of [result['rejected'], result['notes']]) expect(list).toHaveLength(1_000);
});

it('adds up what is said of lines of several chunks at once, and says it first', async () => {
  const noteAll: Invoke = async (_, payload) => {
    const [first] = idsOf(z.parse(chunk, payload));
    const of = { code: 'status_unrecognized', message: 'The status “In Limbo” is not recognized.' };
    const notes = [
      { line: first?.line ?? 0, code: 'not_changed', message: 'Nothing changes.', count: 1 },
      { line: null, ...of, count: 2 },
    ];
    return { imported: 1, rejected: [], ids: [], notes };
  };
  const { notes } = z.parse(z.object({ notes: z.array(z.unknown()) }), await importFile(noteAll, { file }));
  const chunks = notes.length - 1;
  expect(chunks).toBeGreaterThan(1);
  expect(notes[0]).toMatchObject({ line: null, code: 'status_unrecognized', count: 2 * chunks });
  expect(notes[1]).toMatchObject({ line: 1, code: 'not_changed' });
});

it('says after each part of a file how far the import is', async () => {
  const report = jest.fn();
  await importFile(importAll, { file }, report);
  expect(report.mock.calls).toEqual([
    ['From line 1: 500 imported, 0 rejected.'],
    ['From line 501: 500 imported, 0 rejected.'],
    ['From line 1001: 200 imported, 0 rejected.'],
  ]);
});

it('writes the ids of all records to a file', async () => {
  const idsFile = inFolder('ids.ndjson');
  expect(await importFile(importAll, { file, idsFile })).toEqual({
    imported: 1_200,
    importedByType: {},
    rejected: [],
    ...Object.fromEntries(['matched', 'review', 'unmatched'].map((name) => [name, noParties])),
  });
  const lines = (await readFile(idsFile, 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    idsOf({ firstLine: 1, lines: Array.from({ length: 1_200 }, () => '{}') }),
  );
});

it('names to each further call the command that the answer to the first one names', async () => {
  const calls: object[] = [];
  const command = { commandId: 'one', commandAt: '2026-07-01T12:00:00.000Z' };
  const named: Invoke = async (_, payload) => {
    calls.push(payload);
    return { imported: 1, rejected: [], ids: [], ...command };
  };
  await importFile(named, { file });
  const [first, ...further] = calls;
  expect(first).not.toHaveProperty('commandId');
  expect(further).toHaveLength(2);
  for (const call of further) expect(call).toMatchObject(command);
});

it('an import that stops says at which line, with the ids until then', async () => {
  const stopping: Invoke = (name, payload) =>
    z.parse(chunk, payload).firstLine === 1
      ? importAll(name, payload)
      : Promise.reject(new RefusedCommand({ errorType: 'validation_error', errorMessage: ['no'] }));
  await expect(importFile(stopping, { file })).rejects.toMatchObject({
    refusal: {
      errorMessage: ['no'],
      details: {
        stoppedAtLine: 501,
        imported: 500,
        ids: idsOf({ firstLine: 1, lines: Array.from({ length: 500 }, () => '{}') }),
      },
    },
  });
});

it('an import of which a call fails says where it stopped, unless it is the first one', async () => {
  const failing: Invoke = async (name, payload) => {
    if (z.parse(chunk, payload).firstLine > 500) throw new Error('The import function failed.');
    return { ...(await importAll(name, payload)), commandId: 'one' };
  };
  await expect(importFile(failing, { file })).rejects.toMatchObject({
    refusal: {
      errorMessage: ['The import function failed.'],
      details: { stoppedAtLine: 501, imported: 500 },
    },
  });
  const broken: Invoke = () => Promise.reject(new Error('The import function failed.'));
  await expect(importFile(broken, { file })).rejects.toThrow(/^The import function failed\.$/);
});

it('a line that no call takes is rejected, and the others go on', async () => {
  const large = inFolder('large.ndjson');
  await writeFile(large, `{"n":1}\n{"n":"${'a'.repeat(8_000_000)}"}\n{"n":3}\n`);
  expect(await importFile(importAll, { file: large })).toMatchObject({
    imported: 2,
    rejected: [
      { line: 2, issues: [{ path: '', message: 'is too large: one call of the import takes 6 MB' }] },
    ],
    ids: [{ line: 1 }, { line: 3 }],
  });
});

it('a file with nothing in it is refused', async () => {
  const empty = inFolder('empty.ndjson');
  await writeFile(empty, '\n\n');
  await expect(importFile(importAll, { file: empty })).rejects.toThrow('file: has nothing to import');
});

describe('a complete file', () => {
  const license = (npn: string, more: object = {}) => ({
    type: 'license',
    npn,
    stateCode: 'TX',
    licenseNumber: '1',
    status: 'active',
    ...more,
  });
  const agent = { type: 'agent', npn: '1', firstName: 'Ada', lastName: 'Byron', email: 'ada@agency.example' };

  const call = z.object({
    lines: z.array(z.string()),
    lineNumbers: z._default(z.array(z.number()), []),
    firstLine: z.number(),
    complete: z.optional(z.boolean()),
  });

  /** Imports a file as complete; answers the lines of each call, and whether they are complete. */
  async function calls(records: readonly (object | string)[], invoke: Invoke = importAll) {
    const complete = inFolder('complete.ndjson');
    const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
    await writeFile(complete, lines.join('\n'));
    const sent: [number[], boolean][] = [];
    const answer = await importFile(
      async (name, payload) => {
        const { firstLine, lines, lineNumbers, complete = false } = z.parse(call, payload);
        const numbers = lineNumbers.length > 0 ? lineNumbers : lines.map((_, index) => firstLine + index);
        sent.push([numbers, complete]);
        return invoke(name, payload);
      },
      { file: complete, complete: true },
    );
    return { sent, answer };
  }

  it('has the lines of one holder, state, and type in one call, wherever they stand; others are as those of any file', async () => {
    const { sent, answer } = await calls([
      license('1'),
      agent,
      license('2'),
      license('01', { licenseNumber: '2' }),
      license('1', { stateCode: 'KS' }),
    ]);
    expect(sent).toEqual([
      [[2], false],
      [[1, 4, 3, 5], true],
    ]);
    expect(answer).not.toHaveProperty('notes');
  });

  it('is partial where a line is rejected: for its holder, state, and type', async () => {
    const { sent, answer } = await calls([
      license('1'),
      license('2'),
      license('1', { licenseNumber: '2', issueDate: 'soon' }),
      { ...agent, misspelt: 1 },
    ]);
    expect(sent).toEqual([
      [[4, 1, 3], false],
      [[2], true],
    ]);
    expect(answer).toMatchObject({ notes: [{ line: null, code: 'counted_as_partial', count: 1 }] });
  });

  it.each([
    ['a state', license('3', { stateCode: 'XX' })],
    ['an NPN', license('three')],
    ['a type', { ...license('3'), type: 'permit' }],
    ['JSON', '{'],
  ])('is partial as a whole where %s cannot be read', async (_, line) => {
    const { sent, answer } = await calls([license('1'), license('2'), line]);
    expect(sent.map(([, complete]) => complete)).toEqual([false]);
    expect(answer).toMatchObject({ notes: [{ code: 'counted_as_partial', count: 2 }] });
  });

  /** Lines of one holder that take two calls. */
  const large = Array.from({ length: 10 }, (_, index) =>
    license('1', {
      licenseNumber: String(index),
      statusReason: 'a'.repeat(300),
      linesOfAuthority: Array.from({ length: 2_400 }, () => ({ name: 'a'.repeat(280) })),
    }),
  );

  it('is complete with the last call, where what it says of one holder takes several, unless one rejected a line', async () => {
    expect((await calls(large)).sent).toEqual([
      [[1, 2, 3, 4, 5, 6, 7, 8], false],
      [[9, 10], true],
    ]);
    const rejecting: Invoke = async () => ({ imported: 0, rejected: [{ line: 1, issues: [] }], ids: [] });
    expect((await calls(large, rejecting)).sent.at(-1)).toEqual([[9, 10], false]);
  });

  it('has ends that end nothing noted by the last of these calls alone', async () => {
    const noting: Invoke = async (_, payload) => {
      const { firstLine: line } = z.parse(call, payload);
      const notes = [{ line, code: 'end_unmatched', message: 'It ends nothing.', count: 1 }];
      return { imported: 1, rejected: [], ids: [], notes };
    };
    const { answer } = await calls(large, noting);
    expect(answer).toMatchObject({ notes: [{ line: 9, code: 'end_unmatched' }] });
  });

  it('that names a holder by a license is refused before anything is sent', async () => {
    const invoke = jest.fn();
    const { npn: _, ...line } = license('1');
    await expect(calls([license('1'), line], invoke)).rejects.toThrow(
      'complete: needs the npn of each holder: line 2 has none',
    );
    expect(invoke).not.toHaveBeenCalled();
  });

  it('without a line that can be read is refused before anything is sent', async () => {
    const invoke = jest.fn();
    await expect(calls([license('three'), '{'], invoke)).rejects.toThrow('has no line that can be read');
    expect(invoke).not.toHaveBeenCalled();
  });
});

it.each([
  ['a folder instead of a file', () => ({ file: inFolder() }), () => `file: ${inFolder()} cannot be read`],
  ['an unknown field', () => ({ file, organisationId: 'x' }), () => 'organisationId: is not a known field'],
  [
    'a report without its time',
    () => ({ file: reports }),
    () => 'askedAt: is required for reports: when the registry was asked for them',
  ],
  [
    'a report that is to be complete',
    () => ({ file: reports, askedAt: '2026-06-01', complete: true }),
    () => 'complete: is not for reports in XML (.xml): each has all that the registry knows',
  ],
])('%s stops the import before anything is imported', async (_, input, message) => {
  const invoke = jest.fn();
  await expect(importFile(invoke, input())).rejects.toMatchObject({
    errorType: 'validation_error',
    message: message(),
  });
  expect(invoke).not.toHaveBeenCalled();
});

it('a file that cannot be written stops the import before anything is imported', async () => {
  const invoke = jest.fn();
  const idsFile = inFolder('no such folder', 'ids.ndjson');
  await expect(importFile(invoke, { file, idsFile })).rejects.toThrow(
    `idsFile: ${idsFile} cannot be written`,
  );
  expect(invoke).not.toHaveBeenCalled();
});

it('the number of a line is that of the file: separators of lines within a text do not end it, nor does a carriage return', async () => {
  const odd = inFolder('odd.ndjson');
  const name = 'Acme\u2028Mutual\u2029Group\u0085';
  await writeFile(odd, `\uFEFF{"name":"${name}"}\r\n\r\n{"n":\r3}\r\n\uFEFF{"n":4}`);
  const chunks: unknown[] = [];
  await importFile(
    (_, payload) => {
      const { lineNumbers, lines } = z.parse(chunk, payload);
      chunks.push(lines.map((line, index) => [lineNumbers?.[index], JSON.parse(line) as unknown]));
      return importAll(_, payload);
    },
    { file: odd },
  );
  expect(chunks).toEqual([
    [
      [1, { name }],
      [3, { n: 3 }],
      [4, { n: 4 }],
    ],
  ]);
});

it('a line longer than what is read of a file at once is one line, whose characters are whole', async () => {
  const long = inFolder('long.ndjson');
  const text = JSON.stringify(`_${'é'.repeat(100_000)}`);
  await writeFile(long, `1\n${text}\n`);
  const invoke = jest.fn(importAll);
  await importFile(invoke, { file: long });
  expect(invoke).toHaveBeenCalledWith('import', { firstLine: 1, lines: ['1', text] });
});

it('lines that are not UTF-8 are rejected, and the others imported', async () => {
  const latin1 = inFolder('latin1.ndjson');
  await writeFile(latin1, '{"n":1}\n{"n":"G\xe9n\xe9rale"}\n{"n":3}\n{"n":"\xe9"}', 'latin1');
  const issues = [{ path: '', message: 'is not UTF-8' }];
  expect(await importFile(importAll, { file: latin1 })).toMatchObject({
    imported: 2,
    rejected: [
      { line: 2, issues },
      { line: 4, issues },
    ],
    ids: [{ line: 1 }, { line: 3 }],
  });
});

it('no line of a file in UTF-16 is imported', async () => {
  const utf16 = inFolder('utf16.ndjson');
  await writeFile(utf16, '\uFEFF{"n":1}\n{"n":2}\n', 'utf16le');
  const invoke = jest.fn();
  const issues = [{ path: '', message: 'is not UTF-8' }];
  expect(await importFile(invoke, { file: utf16 })).toMatchObject({
    imported: 0,
    rejected: [
      { line: 1, issues },
      { line: 2, issues },
      { line: 3, issues },
    ],
  });
  expect(invoke).not.toHaveBeenCalled();
});

it('rejected lines are written to a file as they are, in their order, and counts of matches are added up', async () => {
  const input = inFolder('mixed.ndjson');
  const rejectedFile = inFolder('rejected.ndjson');
  await writeFile(input, `{"n":"first"}\r\n{"n":"\xe9"}\n\n{"n":"third"}\n`, 'latin1');
  const rejecting: Invoke = async (_, payload) => {
    const { firstLine: line, lines } = z.parse(chunk, payload);
    const parties = { agencies: 1, agents: 2, products: 3 };
    const counts = { matched: parties, review: parties, unmatched: parties };
    return { imported: 0, rejected: lines.map(() => ({ line, issues: [] })), ids: [], ...counts };
  };
  const answer = await importFile(rejecting, { file: input, rejectedFile });
  expect(answer).toMatchObject({ imported: 0, unmatched: { agencies: 2, agents: 4, products: 6 } });
  expect(await readFile(rejectedFile, 'latin1')).toBe('{"n":"first"}\r\n{"n":"\xe9"}\n{"n":"third"}\n');
  await expect(importFile(rejecting, { file: input, idsFile: rejectedFile, rejectedFile })).rejects.toThrow(
    'each file must be another one',
  );
});

it('ids are not written over the file to import', async () => {
  const input = inFolder('input.ndjson');
  await writeFile(input, '{}\n');
  const idsFile = `${inFolder()}/input.ndjson`;
  const invoke = jest.fn();
  await expect(importFile(invoke, { file: input, idsFile })).rejects.toThrow('each file must be another one');
  expect(await readFile(input, 'utf8')).toBe('{}\n');
  expect(invoke).not.toHaveBeenCalled();
});
