/** `downstreamEntityAssociation` as a reader writes it. */
export const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A sentence's first letter in upper case. */
export const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

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
