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
export const chromiumPath = [process.env['CHROMIUM_PATH'], ...usual].find(
  (path) => path !== undefined && existsSync(path),
);

/** Starts Chromium. It has no sandbox, which root cannot have; it opens only pages of the local run. */
export const startBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** A page of a size and a color scheme, with what its console and its network complained about. */
export async function openPage(
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
