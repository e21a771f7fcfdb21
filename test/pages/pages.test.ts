import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of Chromium on this machine: CHROMIUM_PATH, or a usual one; undefined where there is none. */
const chromiumPath = [process.env['CHROMIUM_PATH'], ...usual].find(
  (path) => path !== undefined && existsSync(path),
);

/** Starts Chromium. It has no sandbox, which root cannot have; it opens only pages of the local run. */
const startBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** A page of a size and a color scheme, with what its console and its network complained about. */
async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions,
): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const page = await (await browser.newContext(options)).newPage();
  // Below the time limit of a test, so that a failure names the step.
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'info') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()}: ${response.status()}`);
  });
  await page.goto(address);
  return { page, complaints };
}

if (chromiumPath === undefined) {
  process.stderr.write(
    'The tests of the reference are skipped: no Chromium here. CHROMIUM_PATH can name one.\n',
  );
}
const suite = chromiumPath === undefined ? describe.skip : describe;

const baseUrl = process.env['TEST_BASE_URL'] ?? '';

const desktop = { width: 1_280, height: 900 };
const phone = { width: 390, height: 844 };

/** Scalar tries whether code may be evaluated, which the policy forbids, and does without. */
const isExpected = (complaint: string): boolean =>
  complaint === '' || /Content Security Policy|script-src/.test(complaint);

const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

suite('the reference in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(chromiumPath ?? '');
  });
  afterAll(() => browser.close());

  const open = async (address: string, options: Parameters<typeof openPage>[2]) => {
    const { page, complaints } = await openPage(browser, `${baseUrl}${address}`, options);
    page.setDefaultTimeout(60_000);
    return { page, complaints };
  };

  it.each([
    ['a desktop', desktop],
    ['a phone', phone],
  ])('/ leads to the quickstart, which fits %s, and nothing is missing', async (_, viewport) => {
    const { page, complaints } = await open('/', { viewport });
    const quickstart = page.getByRole('heading', { name: 'Quickstart', exact: true });
    // Before the script has run, with what the page brings.
    await quickstart.waitFor();
    expect(await overflow(page)).toBe(0);
    await page.locator('#introduction').waitFor({ state: 'detached' });
    await quickstart.waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs');
    expect(await overflow(page)).toBe(0);
    expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
    await page.context().close();
  });

  it('the search finds chapters by their headings, and operations', async () => {
    const { page } = await open('/docs', { viewport: desktop });
    await page
      .getByRole('button', { name: /Search/ })
      .first()
      .click();
    for (const [words, expected] of [
      ['idempotency', 'Idempotency'],
      ['may she sell', 'May she sell?'],
      ['python', 'Python'],
      ['verify signature', 'Verify the signature'],
      ['list policies', '/v2/upstream/policies'],
    ] as const) {
      await page.locator('[role=dialog] input').first().fill(words);
      await page.locator('[role=listbox]').filter({ hasText: expected }).first().waitFor();
    }
    await page.context().close();
  });

  it.each([
    ['the carrier', 'policies-upstreamentity', '/v2/upstream/policies'],
    ['the agency', 'contacts-downstreamentity', '/v2/downstream/contacts'],
  ])('a request of %s is sent with the demo’s credentials', async (_, tag, path) => {
    const { page, complaints } = await open(`/docs#api-1/tag/${tag}`, { viewport: desktop });
    await page.getByRole('button', { name: `Test Request (get ${path})` }).click();
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path);
    await page.getByRole('button', { name: /^Send/ }).first().click();
    expect((await answered).status()).toBe(200);
    expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
    await page.context().close();
  });
});
