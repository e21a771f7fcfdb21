import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const pages = [
  'README.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  'functions/admin/README.md',
  'infra/capacity.md',
  'infra/runbook.md',
  'test/bench/README.md',
];

const read = (page: string): string => readFileSync(page, 'utf8');

test('the README has fewer than 200 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(200);
});

/** The files that a page links to. */
const linksIn = (page: string): string[] =>
  Array.from(read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g), ([, link = '']) => join(dirname(page), link));

/** The files that a page names. */
const namesIn = (page: string): string[] =>
  Array.from(read(page).matchAll(/`((?:functions|infra|shared|test)\/[\w./-]+)`/g), ([, path = '']) => path);

test('the pages link to files, and name some', () => {
  expect(pages.flatMap(linksIn).length).toBeGreaterThan(10);
  expect(pages.flatMap(namesIn).length).toBeGreaterThan(10);
});

describe.each(pages)('%s', (page) => {
  it('links to files that exist', () => {
    expect(linksIn(page).filter((link) => !existsSync(link))).toEqual([]);
  });

  it('names only files that exist', () => {
    expect(namesIn(page).filter((path) => !existsSync(path))).toEqual([]);
  });
});
