import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentedGroups, openApiDocument } from '../../infra/openapi/publish.ts';

const document = openApiDocument(documentedGroups);

/** What a comment can cite as `OpenAPI, "…"`. */
const places = new Set([
  ...Array.from(document.info.description.matchAll(/^## (.+)$/gm), ([, heading]) => heading),
  ...document.tags.map(({ name }) => name),
  ...Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  ),
  ...Object.keys(document.components.schemas),
]);

const sources = ['functions', 'infra', 'shared', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => /\.(ts|mjs)$/.test(file) && !file.includes('node_modules') && !file.includes('citations'),
    )
    .map((file) => join(folder, file)),
);

/** The text of a file with comments that go on in the next line put together. */
const textOf = (file: string): string => readFileSync(file, 'utf8').replace(/\n\s*(?:\*|\/\/) /g, ' ');

it('comments cite existing places of the OpenAPI document', () => {
  const cited = sources.flatMap((file) =>
    Array.from(textOf(file).matchAll(/OpenAPI, "([^"]+)"/g), ([, place = '']) => ({ file, place })),
  );
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter(({ place }) => !places.has(place))).toEqual([]);
});

it('comments cite no document outside the repository', () => {
  const elsewhere = /\bcontract, ["`]|\bspecification[,:]|\bthe specification\b/i;
  const citing = sources.filter((file) => elsewhere.test(textOf(file)));
  expect(citing).toEqual([]);
});

describe('numbers in prose', () => {
  const files = execFileSync('git', ['ls-files', 'functions', 'shared', 'infra/openapi', 'infra/admin'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /\/docs\.ts$|^infra\/openapi\/\w+\.ts$|descriptions\.ts$/.test(path));

  /** What a text says, without code, names of standards, dates, and what is put in from constants. */
  const saidIn = (text: string): string =>
    text
      .replace(/\{\{\w+\}\}|```.*?```|\\?`[^`]*?\\?`|^\d+\. /gms, ' ')
      .replace(/\b(?:RFC|ISO|OpenAPI|OAuth|section|NAIC code) [\d.]+|\d{4}-\d\d-\d\d|\b\w+-\d+/g, ' ');

  /** Texts of a program that are sentences. */
  const sentencesOf = (program: string): string[] => {
    let code = program.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    for (let before = ''; before !== code; ) {
      before = code;
      code = code.replace(/\$\{[^{}]*\}/g, '{{value}}');
    }
    return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g)]
      .map(([literal]) => literal.slice(1, -1))
      .filter((text) => /[a-z] [a-z]/.test(text));
  };

  /** Each number with the word after it; those that are no limits of ours are left out: 0, 1, and statuses of HTTP. */
  const numbersIn = (texts: readonly string[]): string[] =>
    texts
      .flatMap((text) => [...saidIn(text).matchAll(/(?<![\w.:/^+#-])(\d+(?:,\d{3})*)(?:[ %]+([A-Za-z]+))?/g)])
      .filter(
        ([, number = '', word = '']) => !/^(?:[01]|[245]\d\d)$/.test(number) || /^(?:days|hours)$/.test(word),
      )
      .map(([, number, word]) => [number, word].filter(Boolean).join(' '));

  /** By file: examples, formats of others, and limits whose constant no document reads yet. */
  const acknowledged: Readonly<Record<string, readonly string[]>> = {
    'functions/file-documents/docs.ts': ['2'],
    'functions/webhooks/docs.ts': ['2000'],
    'infra/openapi/introduction.md': [
      '10',
      '100 a',
      '100 ms',
      '1000',
      '2',
      '24 hexadecimal',
      '4',
      '5',
      '50',
      '8123456 ended',
      '9',
      '9999 in',
    ],
    'infra/openapi/webhooks.ts': ['2'],
    'shared/domain/associations/docs.ts': ['2026'],
    'shared/domain/filings/docs.ts': ['1456789 in'],
    'shared/domain/identifiers/docs.ts': ['10 digits', '5 digits'],
    'shared/domain/policy-compliance/docs.ts': ['70 trillion'],
    'shared/domain/sale-checks/docs.ts': ['16'],
    'shared/domain/webhooks/docs.ts': ['2'],
    'shared/platform/contract/docs.ts': ['24 hexadecimal'],
  };

  it('come from the constant that they state, or are acknowledged', () => {
    const introduction = 'infra/openapi/introduction.md';
    const written = Object.fromEntries(
      [...files, introduction].flatMap((path) => {
        const text = readFileSync(path, 'utf8');
        const numbers = [...new Set(numbersIn(path === introduction ? [text] : sentencesOf(text)))].sort();
        return numbers.length === 0 ? [] : [[path, numbers]];
      }),
    );
    expect(written).toEqual(acknowledged);
  });
});
