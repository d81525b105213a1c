import type { Browser, Locator, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { consoleUrl, openConsole, untilFound } from '../support/clients/console.js';
import { type Pipeline, pipelineOf } from '../support/clients/pipeline.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;
let pipeline: Pipeline;
let page: Page;

/** A card in the first stage. */
const card = (name: string): Locator =>
  page.getByRole('region', { name: 'Qualified', exact: true }).getByRole('link', { name: new RegExp(name) });

needs(CHROMIUM, hasChromium).describe('A sale', () => {
  beforeAll(async () => {
    workspace = await newWorkspace();
    pipeline = await pipelineOf(workspace);
    await untilFound(workspace.api, 'contoso', pipeline.company['company_id']);
    browser = await launchChromium();
    page = await openConsole(browser, workspace.key, 'pipeline');
  });
  afterAll(() => browser.close());

  it('opens a sale with its quote, people, conversations, tasks and comments', async () => {
    const contact = await ok(workspace.api.post('contacts', { name: 'Mary Somerville' }));
    const message = await ok(
      workspace.api.post('messages', {
        modality: 'call',
        message_direction: 'received',
        content: 'Is saffron in?',
        contact: { contact_id: contact['contact_id'] },
      }),
    );
    const sale = await pipeline.newSale('Whole', 0, {
      associated_contacts: [{ contact_id: contact['contact_id'] }],
      conversation_ids: [message['conversation_id']],
    });
    await pipeline.quote(sale, 'GBP', '7.4525', 3);
    await ok(workspace.api.post('tasks', { title: 'Send the quote', sale_id: sale['sale_id'] }));
    await page.goto(`${consoleUrl()}/pipeline/${sale['sale_id']}`);
    const side = page.getByRole('complementary', { name: 'Sale' });
    await side.getByRole('cell', { name: '£22.36' }).first().waitFor();
    // The conversation names her, too, and any of them may be loaded first.
    const linkTo = (path: string, name: string) =>
      side.locator(`a[href*="/${path}"]`, { hasText: name }).first();
    await linkTo(`contacts/${contact['contact_id']}`, 'Mary Somerville').waitFor();
    await linkTo(`inbox/${message['conversation_id']}`, 'Is saffron in').waitFor();
    await linkTo(`companies/${pipeline.company['company_id']}`, 'Contoso').waitFor();
    await side.getByRole('link', { name: 'Tasks' }).click();
    await side.getByRole('link', { name: /Send the quote/ }).waitFor();
    await side.getByRole('link', { name: 'Comments' }).click();
    await side.getByLabel(/^Comment, for colleagues/).fill('They are in a hurry.');
    await page.keyboard.press('Control+Enter');
    await side.getByRole('article').getByText('They are in a hurry.').waitFor();
    await page.reload();
    await side.getByRole('article').getByText('They are in a hurry.').waitFor();
  });

  it('changes name, day of closing, owner and tags in their place, seen on the card, with a way back', async () => {
    const sale = await pipeline.newSale('Plain', 0);
    const tag = await ok(workspace.api.post('tags', { name: 'Key account' }));
    await page.goto(`${consoleUrl()}/pipeline/${sale['sale_id']}`);
    const side = page.getByRole('complementary', { name: 'Sale' });
    await side.getByRole('button', { name: 'Change: Name' }).click();
    await page.keyboard.type('er');
    await page.keyboard.press('Enter');
    await card('Plainer').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await card('Plain$|Plain\\b').waitFor();
    await side.getByRole('button', { name: 'Change: Expected to close' }).click();
    await side.getByLabel('Expected to close').fill('2031-03-31');
    await side.getByRole('button', { name: 'Save' }).click();
    await card('Mar 31, 2031').waitFor();
    await side.getByRole('button', { name: 'Change: Owner' }).click();
    await side.getByLabel('Owner', { exact: true }).selectOption('Ada Byron');
    await side.getByRole('button', { name: 'Save' }).click();
    await side.getByRole('button', { name: 'Tags' }).click();
    await side.getByRole('button', { name: 'Key account' }).click();
    await card('Key account').waitFor();
    await until(async () => {
      const now = await ok(workspace.api.get(`sales/${sale['sale_id']}`));
      return now.owner_id === workspace.agentId && now.tags[0]?.tag_id === tag['tag_id'];
    });
  });

  it('opens a new sale for a company', async () => {
    await page.goto(`${consoleUrl()}/pipeline`);
    await card('Plain').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('cont');
    await page.getByRole('option', { name: 'Contoso' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Name').fill('Made here');
    await page.getByRole('dialog').getByRole('button', { name: 'New sale' }).click();
    await page.getByRole('heading', { name: 'Made here' }).waitFor();
    await card('Made here').waitFor();
  });
});
