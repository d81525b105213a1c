import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { type Json, ok } from '../support/clients/client.js';
import { consoleUrl, openConsole, pressUntil, untilFound, violationsOf } from '../support/clients/console.js';
import { received } from '../support/data/records.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let own: SalesWorkspace;
let page: Page;
let contoso: Json;

const company = (body: Json) => ok(own.api.post('companies', body));
const shown = ({ company_id }: Json) => ok(own.api.get(`companies/${company_id}`));
const open = (path: string) => page.goto(`${consoleUrl()}/${path}`);
const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

needs(CHROMIUM, hasChromium).describe('The companies of the console', () => {
  beforeAll(async () => {
    own = await salesWorkspace();
    contoso = await company({ name: 'Contoso', domain: 'contoso.example' });
    const { company_id } = contoso;
    await ok(own.api.post('contacts', { name: 'Mary Somerville', company_id }));
    const { sale_id } = await own.open({ company_id, name: 'Forty chairs' });
    const products = [{ product_name: 'Chair', quantity: 40, unit_price: '24.50' }];
    await ok(own.api.put(`sales/${sale_id}/quote`, { currency: 'EUR', products }));
    await untilFound(own.api, 'contoso', company_id);
    browser = await launchChromium();
    page = await openConsole(browser, own.key, 'companies');
  });
  afterAll(() => browser.close());

  it('are listed, and one opens with its contacts and sales, by mouse', async () => {
    await page.getByRole('link', { name: /Contoso/ }).click();
    await heading('Contoso');
    await page.getByRole('link', { name: 'Contacts' }).last().click();
    await page.getByRole('link', { name: 'Mary Somerville' }).waitFor();
    await page.getByRole('link', { name: 'Sales' }).click();
    const sale = page.getByRole('link', { name: /^Forty chairs/ });
    expect(await sale.innerText()).toContain('Qualified · €980.00');
    expect(await sale.getAttribute('href')).toContain('/pipeline/sale_');
    await page.reload();
    await sale.waitFor();
  });

  it('lead to their contacts in the list of all', async () => {
    await page.goBack();
    await page.getByRole('link', { name: 'Show them in the list' }).click();
    await heading('Contacts');
    await page.getByRole('link', { name: /^Mary Somerville/ }).waitFor();
    await page.getByRole('link', { name: /^Ada/ }).waitFor({ state: 'hidden' });
    expect(page.url()).toContain(`/contacts?company_id=${contoso.company_id}`);
  });

  it('are found, opened, changed and left by keyboard', async () => {
    await open('companies');
    await page.getByRole('link', { name: /Contoso/ }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('conto');
    await page.waitForURL(/\?q=conto$/);
    await page.locator('mark', { hasText: 'Conto' }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading('Contoso');
    await page.getByRole('button', { name: 'Change: Address' }).press('Enter');
    await page.keyboard.type('1 Harbour Road\nBristol');
    await page.keyboard.press('Control+Enter');
    await until(async () => (await shown(contoso)).address === '1 Harbour Road\nBristol');
    await page.getByRole('button', { name: 'Change: Owner' }).press('Enter');
    await page.getByRole('combobox', { name: 'Owner' }).selectOption('Ada Byron');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await until(async () => (await shown(contoso)).agent_id === own.agentId);
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/companies\?q=conto$/);
  });

  it('show both where an edit met another', async () => {
    await open(`companies/${contoso.company_id}`);
    await page.getByRole('button', { name: 'Change: Domain' }).click();
    await page.getByRole('textbox', { name: 'Domain' }).fill('mine.example');
    await ok(own.api.patch(`companies/${contoso.company_id}`, { domain: 'theirs.example' }));
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('theirs.example').waitFor();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await until(async () => (await shown(contoso)).domain === 'mine.example');
  });

  it('have a timeline of what happened with them, the latest first', async () => {
    const { company_id } = await company({ name: 'Fabrikam' });
    const contact = await ok(own.api.post('contacts', { name: 'Emmy Noether', company_id }));
    await ok(received(own.api, { contact: { contact_id: contact.contact_id }, subject: 'Rings' }));
    await own.open({ company_id, name: 'Ten rings' });
    await ok(own.api.post('tasks', { title: 'Call Emmy', company_id }));
    await ok(own.api.post(`companies/${company_id}/comments`, { body: 'Pays early.' }));
    await ok(own.api.patch(`companies/${company_id}`, { domain: 'fabrikam.example' }));
    await open(`companies/${company_id}?tab=timeline`);
    const titles = page.getByRole('list', { name: 'Timeline' }).locator('.linked-title');
    await until(async () => (await titles.count()) === 6);
    expect(await titles.allInnerTexts()).toEqual([
      'domain',
      'Pays early.',
      'Call Emmy',
      'Ten rings',
      'Rings',
      'Created',
    ]);
    await page.getByRole('link', { name: /^Ten rings/ }).click();
    await page.waitForURL(/\/pipeline\/sale_/);
  });

  it('are commented on', async () => {
    await page.getByRole('link', { name: 'Comments' }).click();
    await page.getByLabel(/^Comment, for colleagues only/).fill('Pays late.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article', { name: 'Ada Byron, Comment' }).getByText('Pays late.').waitFor();
  });

  it('are merged after a preview of what stays and what moves', async () => {
    const twin = await company({ name: 'Contoso Ltd', agent_id: own.agentId, address: '2 Quay' });
    await ok(own.api.post('contacts', { name: 'Charles', company_id: twin.company_id }));
    await untilFound(own.api, 'contoso ltd', twin.company_id);
    await open(`companies/${contoso.company_id}`);
    await heading('Contoso');
    await pressUntil(page, 'm', page.getByRole('combobox'));
    await page.getByRole('combobox').fill('contoso l');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('row', { name: /^Address/ }).innerText()).toMatch(/2 Quay\s*not kept/);
    await page.getByRole('link', { name: '1 contact' }).waitFor();
    await page.getByRole('button', { name: 'Merge now' }).press('Enter');
    await heading('Contoso');
    await page.getByRole('link', { name: 'Contacts' }).last().click();
    await page.getByRole('link', { name: /^Charles/ }).waitFor();
  });

  it('say why the last party of a sale is not deleted', async () => {
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Show the sales' }).click();
    await page.getByRole('link', { name: /^Forty chairs/ }).waitFor();
  });

  it('are shown on a small screen one part after the other', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open(`companies/${contoso.company_id}`);
    await page.getByRole('button', { name: 'Change: Domain' }).waitFor();
    expect(await page.getByRole('link', { name: /^Charles/ }).isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Contacts' }).last().click();
    await page.getByRole('link', { name: /^Charles/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Change: Domain' }).isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it.each(['light', 'dark'] as const)('have nothing that axe-core finds wrong, %s', async (colorScheme) => {
    const found: Record<string, string[]> = {};
    const tab = await openConsole(browser, own.key, 'companies', { colorScheme });
    const look = async (name: string) => void (found[name] = await violationsOf(tab));
    await tab.getByRole('link', { name: /Contoso/ }).waitFor();
    await look('list');
    await tab.getByRole('link', { name: /Contoso/ }).click();
    await tab.getByRole('list', { name: 'Timeline' }).getByRole('link').first().waitFor();
    await look('record');
    await tab.getByRole('link', { name: 'Contacts' }).last().click();
    await tab.getByRole('link', { name: /^Charles/ }).waitFor();
    await tab.getByRole('button', { name: 'Delete' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await tab.getByRole('alert').waitFor();
    await look('a refusal');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await tab.context().close();
  });
});
