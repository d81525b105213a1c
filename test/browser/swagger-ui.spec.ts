import type { Browser, Locator, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium, newPage } from '../support/clients/browser.js';
import { newWorkspace, sharedUrl, type Workspace } from '../support/clients/client.js';
import { needs } from '../support/needs.js';

let browser: Browser;
let page: Page;
let workspace: Workspace;
const broken: string[] = [];

/** The operation, opened and ready to be tried out. */
async function opened(id: string): Promise<Locator> {
  const operation = page.locator(`[id$="-${id}"]`);
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  return operation;
}

/** Sends the operation as it stands; gives the status and the body that the page shows. */
async function execute(operation: Locator): Promise<{ status: string; body: string }> {
  const answered = page.waitForResponse((response) => response.url().includes('/api/'));
  await operation.locator('button.execute').click();
  await (await answered).finished();
  const shown = operation.locator('.live-responses-table .response');
  await shown.waitFor();
  const status = (await shown.locator('.response-col_status').innerText()).trim();
  const body = await shown.locator('.highlight-code').first().innerText();
  // So that the next answer cannot be mistaken for this one.
  await operation.locator('.btn-clear').click();
  await shown.waitFor({ state: 'detached' });
  return { status, body };
}

needs(CHROMIUM, hasChromium).describe('Swagger UI, in a browser that knows it by another name', () => {
  beforeAll(async () => {
    workspace = await newWorkspace();
    browser = await launchChromium();
    page = await newPage(browser);
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) broken.push(message.text());
    });
    page.on('pageerror', (error) => broken.push(String(error)));
    await page.goto(`${sharedUrl().replace('127.0.0.1', 'localhost')}/docs`);
  });
  afterAll(() => browser.close());

  it('shows the groups in the order of work, a filter, and links to the document', async () => {
    const groups = page.locator('.opblock-tag');
    await groups.first().waitFor();
    const names = await groups.evaluateAll((all) => all.map((one) => one.getAttribute('data-tag')));
    expect([names[0], names[1], names.at(-1)]).toEqual([
      'Organizations and agents',
      'Contacts',
      'Documentation',
    ]);
    expect(await page.getByText('openapi.yaml').first().getAttribute('href')).toContain('/openapi.yaml');
    await page.locator('.operation-filter-input').fill('Contacts');
    await page.waitForFunction(() => document.querySelectorAll('.opblock-tag').length === 1);
  });

  it('asks for the API key first', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const keys = page.locator('.auth-container');
    await keys.first().waitFor();
    const names = await keys.locator('h4 code').allInnerTexts();
    expect(names).toEqual(['api-key', 'admin-key', 'hook-token']);
    await keys.first().locator('input').fill(workspace.key);
    await keys.first().getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.modal-ux .close-modal').click();
  });

  it('lists, creates, and creates again', async () => {
    await page.locator('.opblock-tag').first().click();
    const list = await opened('contacts_list');
    await list.locator('tr[data-param-name="organization_id"] input').fill(workspace.organizationId);
    expect(await execute(list)).toMatchObject({ status: expect.stringMatching(/^200/) });
    const create = await opened('contacts_create');
    await create.locator('tr[data-param-name="organization_id"] input').fill(workspace.organizationId);
    for (const time of ['first', 'second'])
      expect([time, (await execute(create)).status]).toEqual([time, expect.stringMatching(/^201/)]);
  });

  it('shows an error as the problem that it is', async () => {
    const get = await opened('contacts_get');
    await get.locator('tr[data-param-name="organization_id"] input').fill(workspace.organizationId);
    await get.locator('tr[data-param-name="contact_id"] input').fill('contact_nowhere');
    const { status, body } = await execute(get);
    expect([status, body]).toEqual([
      expect.stringMatching(/^404/),
      expect.stringContaining('contact_not_found'),
    ]);
  });

  it('does all that within its security policy', () => {
    expect(broken).toEqual([]);
  });
});
