import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const pages = [
  'README.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  'functions/admin/README.md',
  'infra/runbook.md',
  'test/bench/README.md',
];

const read = (page: string): string => readFileSync(page, 'utf8');

test('the README has fewer than 200 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(200);
});

describe.each(pages)('%s', (page) => {
  it('links to files that exist', () => {
    const links = Array.from(read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g), ([, link = '']) =>
      join(dirname(page), link),
    );
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });

  it('names only files that exist', () => {
    const named = Array.from(
      read(page).matchAll(/`((?:functions|infra|shared|test)\/[\w./-]+)`/g),
      ([, path = '']) => path,
    );
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});
