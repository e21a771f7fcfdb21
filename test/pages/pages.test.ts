import type { Browser, Page } from 'playwright-core';
import { mostChecks } from '../../functions/sale-checks/routes.ts';
import { chromiumPath, openPage, startBrowser } from '../support/browser.ts';
import { demo } from '../support/demo.ts';
import { exchange } from '../support/local-api.ts';
import { until } from '../support/until.ts';

if (chromiumPath === undefined) {
  process.stderr.write(
    'The tests of the reference are skipped: no Chromium here. CHROMIUM_PATH can name one.\n',
  );
}
const suite = chromiumPath === undefined ? describe.skip : describe;

const baseUrl = process.env['TEST_BASE_URL'] ?? '';

const desktop = { width: 1_280, height: 900 };
const sizes = [desktop, { width: 390, height: 844 }];

/** Words in these elements that a line break splits. */
const broken = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate(`Array.from(document.querySelectorAll(${JSON.stringify(selector)})).flatMap((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      for (const { index, 0: word } of walker.currentNode.data.matchAll(/[\\\\w$]+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        const tops = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
        if (tops.size > 1) found.push(word);
      }
    }
    return found;
  })`);

const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Brightness of the page behind its text, from 0 to 255. */
const brightness = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const canvas = document.createElement('canvas').getContext('2d');
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
  })()`);

suite('the reference in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser(chromiumPath ?? '');
  });
  afterAll(() => browser.close());

  // One page serves both sizes, because loading the reference takes seconds on a busy machine.
  describe.each(['light', 'dark'] as const)('in %s, on a desktop and on a phone,', (colorScheme) => {
    it('the reference shows whole words, and its console stays empty', async () => {
      const section = '/policies-(upstreamentity)/listpolicytransactions';
      const { page, complaints } = await openPage(browser, `${baseUrl}/docs#${section}`, { colorScheme });
      await page.locator(`[data-section-id="${section}"]`).waitFor();
      for (const size of sizes) {
        await page.setViewportSize(size);
        expect(await broken(page, 'h1, h2, h3, h4, h5, code, td, th, .schema-name')).toEqual([]);
        expect(await overflow(page)).toBe(0);
      }
      expect((await brightness(page)) < 128).toBe(colorScheme === 'dark');
      expect(complaints).toEqual([]);
      await page.context().close();
    });
  });

  it('the reference begins with the quickstart, and shows of a description its first paragraph', async () => {
    const section = '/sale-checks-(upstreamentity)/checksales';
    const { page, complaints } = await openPage(browser, `${baseUrl}/docs`, { viewport: desktop });
    expect(await page.locator('[data-section-id$="/quickstart"] :is(h1, h2, h3)').first().textContent()).toBe(
      'Quickstart',
    );
    const menu = page.locator('[data-component-name="Menu/Menu"]').first();
    expect(await menu.locator(':scope > div').allTextContents()).toEqual(
      expect.arrayContaining(['For everybody', 'For carriers', 'For agencies', 'Get started', 'Policies']),
    );
    expect(await menu.getByText('Quickstart', { exact: true }).count()).toBe(0);
    await menu.getByText('Get started', { exact: true }).click();
    await menu.getByText('Quickstart', { exact: true }).waitFor();
    await page.evaluate(`location.hash = ${JSON.stringify(section)}`);
    const operation = page.locator(`[data-section-id="${section}"]`);
    const folded = operation.getByText('Errors: 400');
    await operation.getByText(`Answers up to ${mostChecks} checks`).waitFor();
    expect(await folded.isVisible()).toBe(false);
    await operation.locator('summary').first().click();
    await folded.waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it.each([
    ['its address', 'rule-expired', '0'],
    [
      'a link',
      '/section/compliance/may-she-sell',
      `document.querySelector('a[href="#rule-expired"]').click()`,
    ],
  ])('a rule is shown by %s', async (_how, section, click) => {
    const { page, complaints } = await openPage(browser, `${baseUrl}/docs#${section}`, { viewport: desktop });
    await page.locator('#rule-expired').waitFor({ state: 'attached' });
    await page.evaluate(click);
    await page.waitForFunction(
      `Math.abs(document.getElementById('rule-expired').getBoundingClientRect().top) < innerHeight`,
    );
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('the chapters can be read without a script, and their code be copied with one', async () => {
    const plain = await openPage(browser, `${baseUrl}/docs`, { javaScriptEnabled: false });
    await plain.page.getByRole('heading', { name: 'Quickstart', exact: true }).waitFor();
    await plain.page.getByText('GET /v2/upstream/policies', { exact: true }).waitFor();
    await plain.page.context().close();

    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, complaints } = await openPage(browser, `${baseUrl}/docs`, {
      viewport: desktop,
      permissions,
    });
    const sample = page.locator('.sample').first();
    await sample.hover();
    await sample.getByRole('button', { name: 'Copy' }).click();
    await sample.getByRole('button', { name: 'Copied' }).waitFor();
    const copied: string = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await sample.locator('pre').textContent());
    expect(copied).toContain('$BASE_URL/v2/auth/jwt');
    expect(await sample.locator('.hljs-string').count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('the chapters of the reference have the width of the page, and what is wider scrolls by itself', async () => {
    const { page } = await openPage(browser, `${baseUrl}/docs`, { viewport: desktop });
    const section = page.locator('[data-section-id$="/matching"]').first();
    const table = section.locator('table').first();
    await table.scrollIntoViewIfNeeded();
    const cut =
      'Array.from(document.querySelectorAll("#reference :is(table, pre)")).filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "auto").length';
    expect((await table.boundingBox())?.width).toBeGreaterThan(600);
    for (const size of sizes) {
      await page.setViewportSize(size);
      expect(await page.evaluate(cut)).toBe(0);
      expect(await overflow(page)).toBe(0);
    }
    await page.context().close();
  });

  it.each([
    ['compliance of policies', '/v2/upstream/policy-compliance-statuses'],
    ['may she sell', '/v2/upstream/sale-checks'],
  ])('the search for "%s" finds %s first', async (words, path) => {
    const { page } = await openPage(browser, `${baseUrl}/docs`, { viewport: desktop });
    await page.getByText('Search').first().click();
    await page.locator('input').first().fill(words);
    const found = page.locator('xpath=//input/following::*[starts-with(text(), "/v2/")]').first();
    await until(async () => (await found.textContent()) === path, 100, 60_000);
    await page.context().close();
  });

  it('"Try it" sends with one click, and offers choices where there are some', async () => {
    const { page, complaints } = await openPage(browser, `${baseUrl}/docs`, { viewport: desktop });
    const section = '/surplus-lines-filings-(upstreamentity)/listfilings';
    await page.evaluate(`location.hash = ${JSON.stringify(section)}`);
    await page.locator(`[data-section-id="${section}"]`).getByRole('button', { name: 'Try it' }).click();
    const form = page.locator('dialog');
    expect(await form.getByLabel('status').locator('option').allTextContents()).toContain('ready to file');
    const waiting = form.getByLabel('actionRequired');
    expect(await waiting.locator('option').allTextContents()).toEqual(['any', 'true', 'false']);
    await waiting.selectOption('true');
    await form.getByRole('button', { name: 'Send' }).click();
    expect(await form.locator('.status').textContent()).toMatch(/^200/);
    expect(JSON.parse((await form.locator('pre.body').textContent()) ?? '')).toMatchObject({
      data: [{ actionRequired: expect.anything() }],
    });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('"Try it" takes a token of the reader’s where there is no demo, as in AWS', async () => {
    const { clientId, clientSecret } = demo().upstream;
    const token = await exchange(clientId, clientSecret);
    const { page } = await openPage(browser, `${baseUrl}/webhooks`, { viewport: desktop });
    await page.route('**/docs/demo.json', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${baseUrl}/docs#/policies-(upstreamentity)/listpolicies`);
    const section = page.locator('[data-section-id="/policies-(upstreamentity)/listpolicies"]');
    await section.getByRole('button', { name: 'Try it' }).click();
    const form = page.locator('dialog');
    await form.getByLabel('authorization').fill('no token');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('.status').getByText('401').waitFor();
    await form.getByLabel('authorization').fill(token);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('.status').getByText('200').waitFor();
    expect(await form.getByLabel('Organization').count()).toBe(0);
    await page.context().close();
  });

  // Last, because it deletes a webhook of the demo, among others.
  it('the form of every operation succeeds as it opens', async () => {
    const { page } = await openPage(browser, `${baseUrl}/docs`, { viewport: desktop });
    const answers = await page.evaluate(`(async () => {
      const { openForm } = await import(document.querySelector('script').src);
      const { paths, components } = await (await fetch('/v2/openapi.json')).json();
      const found = {};
      for (const [path, methods] of Object.entries(paths)) {
        for (const [method, operation] of Object.entries(methods)) {
          if (operation.deprecated) continue;
          await openForm({ path, method: method.toUpperCase(), operation, components, paths });
          const dialog = document.querySelector('dialog');
          const form = dialog.querySelector('form');
          const answer = () => dialog.querySelector('.status')?.textContent;
          if (form.reportValidity()) form.requestSubmit();
          while (form.checkValidity() && !answer()) await new Promise((resolve) => setTimeout(resolve, 10));
          found[operation.operationId] = answer() ?? 'A field is missing.';
          dialog.remove();
        }
      }
      return found;
    })()`);
    const all = Object.entries(answers as Record<string, string>);
    expect(all.length).toBeGreaterThan(80);
    expect(all.filter(([, answer]) => !answer.startsWith('2'))).toEqual([]);
    await page.context().close();
  });
});
