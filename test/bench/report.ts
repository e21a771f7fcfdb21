/** A line of the report. A line without a budget is there to be read. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly comparedWith?: string;
  readonly ratio?: number;
  readonly budget?: string;
  readonly isWithin?: boolean;
}

/** A row with a bound for a value: a ratio, where it is compared with something. */
const bounded =
  (word: 'most' | 'least') =>
  (bound: number, value: number, what: string, measured: string, comparedWith?: string): Row => ({
    what,
    measured,
    ...(comparedWith === undefined ? {} : { comparedWith, ratio: value }),
    budget: `at ${word} ${bound}`,
    isWithin: word === 'most' ? value <= bound : value >= bound,
  });
export const atMost = bounded('most');
export const atLeast = bounded('least');

/** A row of memory, in MB, that must not grow with the length of what is read. */
export const flat = (what: string, large: number, small: number, of: string): Row => ({
  what,
  measured: `${large.toFixed(0)} MB`,
  comparedWith: `${of} ${small.toFixed(0)} MB`,
  budget: 'at most 32 MB more',
  isWithin: large - small <= 32,
});

/** The rows as a Markdown table whose columns also line up as plain text. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, measured, comparedWith = '', ratio, budget = '', isWithin }) => [
    what,
    measured,
    comparedWith,
    ratio?.toFixed(2) ?? '',
    budget,
    isWithin === undefined ? '' : isWithin ? 'yes' : 'over',
  ]);
  const head = ['what', 'measured', 'compared with', 'ratio', 'budget', 'within'];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(line)].join(
    '\n',
  );
}

/** The middle value: what a busy machine adds to some runs leaves it alone. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (upper + (sorted[middle - 1] ?? Number.NaN)) / 2 : upper;
}

/** Whole numbers with thousands set apart. */
export const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

/**
 * Replaces the content of a Markdown page between the markers `<!-- name:start -->` and `<!-- name:end -->`.
 * @throws Error if the page does not have these markers in this order.
 */
export function withSection(page: string, name: string, content: string): string {
  const start = `<!-- ${name}:start -->`;
  const end = `<!-- ${name}:end -->`;
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page lacks ${start} and ${end}.`);
  return `${page.slice(0, from + start.length)}\n\n${content}\n\n${page.slice(to)}`;
}
