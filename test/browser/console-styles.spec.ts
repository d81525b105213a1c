import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { newWorkspace, type Workspace } from '../support/clients/client.js';
import { consoleUrl, openConsole } from '../support/clients/console.js';
import { newPage } from '../support/clients/browser.js';
import { needs } from '../support/needs.js';

let browser: Browser;

/** Declarations under a condition, such as a width, that a later one without it takes back: by the same selector, whatever `:where` is before it. */
const takenBack = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    interface Declared {
      name: string;
      condition: string;
    }
    const declared: Declared[] = [];
    const plain = (selector: string) => selector.replaceAll(/:where\([^()]*\)\s*/g, '').trim();
    const declare = (selector: string, style: CSSStyleDeclaration, condition: string) => {
      for (const one of selector.split(/,(?![^(]*\))/))
        for (const property of style) {
          const weight = style.getPropertyPriority(property);
          declared.push({ name: `${plain(one)} ${property} ${weight}`, condition });
        }
    };
    const read = (rules: CSSRuleList, within: string, condition: string): void => {
      for (const rule of rules)
        if (rule instanceof CSSStyleRule) {
          const selector = `${within} ${rule.selectorText.replaceAll('& ', '')}`;
          declare(selector, rule.style, condition);
          read(rule.cssRules, selector, condition);
        } else if (rule instanceof CSSConditionRule)
          read(rule.cssRules, within, `${condition} ${rule.conditionText}`);
        else if (rule instanceof CSSNestedDeclarations) declare(within, rule.style, condition);
    };
    for (const sheet of document.styleSheets) read(sheet.cssRules, '', '');
    return declared.flatMap(({ name, condition }, at) =>
      condition !== '' && declared.slice(at).some((later) => later.name === name && later.condition === '')
        ? [`${condition}: ${name}`]
        : [],
    );
  });

needs(CHROMIUM, hasChromium).describe('The styles of the console', () => {
  beforeAll(async () => void (browser = await launchChromium()));
  afterAll(() => browser.close());

  it('for a width, a container or paper stand after those for all', async () => {
    const page = await newPage(browser);
    await page.goto(consoleUrl());
    await page.getByLabel('API key').waitFor();
    expect(await takenBack(page)).toEqual([]);
    await page.context().close();
  });

  describe('of today', () => {
    let workspace: Workspace;
    beforeAll(async () => void (workspace = await newWorkspace()));

    it.each([
      [1280, 2],
      [2560, 4],
    ])('at %i pixels stand the plots in %i columns', async (width, columns) => {
      const page = await openConsole(browser, workspace.key, 'today', { viewport: { width, height: 1_000 } });
      const grid = page.locator('.plots-grid');
      await grid.waitFor();
      const tracks = await grid.evaluate((box) => getComputedStyle(box).gridTemplateColumns.split(' '));
      expect(tracks).toHaveLength(columns);
      await page.context().close();
    });
  });
});
