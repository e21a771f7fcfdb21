// Apart, since chapters and descriptions of operations are written with it, and none of these imports another.

/** Words as code, one after another. */
export const codeList = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

/** A table of Markdown. */
export const tableOf = (headings: readonly string[], lines: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The anchor of a rule in the document. */
export const anchorOf = (rule: string): string => `rule-${rule}`;

/** A rule with a link to it. */
export const linkTo = (rule: string): string => `[${rule}](#${anchorOf(rule)})`;
