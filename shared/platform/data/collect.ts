/** What is made of each page, as the pages come. */
export async function* mapPages<Page, Made>(
  pages: AsyncIterable<Page>,
  make: (page: Page) => Made | Promise<Made>,
): AsyncGenerator<Made, void> {
  for await (const page of pages) yield make(page);
}

/** All items of a short list's pages. */
export async function collect<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}
