/** Characters of the widest column. */
const widest = 60;

/** A table of text columns; values that are too wide for theirs continue on the next lines. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.min(widest, Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length))),
  );
  const lineOf = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const linesOf = (row: readonly string[]): string[] => {
    const wrapped = row.map((cell, column) => wrap(cell, widths[column] ?? widest));
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, index) => lineOf(wrapped.map((lines) => lines[index] ?? '')));
  };
  return [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...rows.flatMap(linesOf)].join(
    '\n',
  );
}

/** Breaks a text between words; a word that is longer than a line has one of its own. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
