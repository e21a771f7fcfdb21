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

/** The rows as a Markdown table. */
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
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The value that this part of the values does not exceed. */
export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN;

/** The middle value: what a busy machine adds to some runs leaves it alone. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Whole numbers with thousands set apart. */
export const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
