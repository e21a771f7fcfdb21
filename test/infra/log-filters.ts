import * as z from 'zod/mini';

/** A field that a metric filter or a saved query compares with texts: `$.event = "request"`, `event in ["a", "b"]`. */
const comparison = /(?:\$\.)?([\w.]+) (?:=|in) ("[^"]*"|\[[^\]]*\])/g;

/** A member of a log line by its path: `error.name`. */
export const memberOf = (line: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value instanceof Object ? Reflect.get(value, name) : undefined), line);

/**
 * Whether a log line is among those that a filter looks for: each field that it compares has one of the texts. Of a saved
 * query's filter, one alternative (`or`) is enough.
 */
export const isFound = (filter: string, line: object): boolean =>
  filter.split(' or ').some((alternative) => {
    const texts = new Map<string, string>();
    for (const [, field = '', text = ''] of alternative.matchAll(comparison)) {
      texts.set(field, `${texts.get(field) ?? ''} ${text}`);
    }
    const isWanted = ([field, wanted]: [string, string]) => wanted.includes(`"${memberOf(line, field)}"`);
    return texts.size > 0 && [...texts].every(isWanted);
  });

const joined = z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

/** A text of a template, with the word `reference` in place of each reference. */
export function plainText(text: unknown): string {
  const parts = typeof text === 'string' ? [text] : z.parse(joined, text)['Fn::Join'][1];
  return parts.map((part) => (typeof part === 'string' ? part : 'reference')).join('');
}
