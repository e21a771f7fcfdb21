import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { recordSchemas } from '../../functions/import/record-schemas.ts';
import { recordTypes } from '../../infra/admin/fields.ts';

describe('pages', () => {
  const pages = [
    'README.md',
    '.github/CONTRIBUTING.md',
    '.github/SECURITY.md',
    'functions/admin/README.md',
    'infra/capacity.md',
    'infra/local/README.md',
    'infra/runbook.md',
    'test/README.md',
    'test/bench/README.md',
    'test/mutations/README.md',
  ];

  const read = (page: string): string => readFileSync(page, 'utf8');

  /** The files that a page links to. */
  const linksIn = (page: string): string[] =>
    Array.from(read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g), ([, link = '']) =>
      join(dirname(page), link),
    );

  /** The files that a page names. */
  const namesIn = (page: string): string[] =>
    Array.from(
      read(page).matchAll(/`((?:functions|infra|shared|test)\/[\w./-]+)`/g),
      ([, path = '']) => path,
    );

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
});

describe('admin page', () => {
  const page = readFileSync('functions/admin/README.md', 'utf8');

  it.each(Array.from(page.matchAll(/^\{"type":.+\}$/gm), ([line]) => line))(
    '%s can be imported as it is printed',
    (line) => {
      const record = z.parse(z.looseObject({ type: z.enum(recordTypes) }), JSON.parse(line));
      const { success, error } = z.safeParse<z.core.$ZodType>(recordSchemas[record.type], record);
      expect([success, error?.issues]).toEqual([true, undefined]);
    },
  );

  it('the page lists every type of record that can be imported', () => {
    const folder = 'functions/import';
    const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((file) =>
      file.endsWith('.ts'),
    );
    const types = files.flatMap((file) =>
      Array.from(
        readFileSync(join(folder, file), 'utf8').matchAll(/type: z\.literal\('([^']+)'\)/g),
        ([, type]) => type,
      ),
    );
    const listed = Array.from(page.matchAll(/^\| `([a-z-]+)` \| [^|]+ \|$/gm), ([, type]) => type);
    expect(types.length).toBeGreaterThan(0);
    expect(listed.sort()).toEqual([...new Set(types)].sort());
  });
});
