import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { type Json, newWorkspace, ok } from '../support/clients/client.js';
import {
  consoleUrl,
  held,
  openConsole,
  pressUntil,
  tryAgain,
  unrouted,
  untilZoned,
  violationsOf,
} from '../support/clients/console.js';
import { receivedMail } from '../support/data/mail.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { needs } from '../support/needs.js';
import { ADMIN_KEY } from '../support/server/server.js';
import { until } from '../support/until.js';

let browser: Browser;
let own: SalesWorkspace;
let page: Page;
let sale: Json;
let mary: Json;

const open = (path: string) => page.goto(`${consoleUrl()}/${path}`);
const change = (body: Json) => ok(own.api.patch(`contacts/${mary.contact_id}`, body));
const detail = () => page.getByRole('region', { name: 'Change', exact: true });
const rows = () => page.getByRole('list', { name: 'Changes' }).getByRole('link');

needs(CHROMIUM, hasChromium).describe('The audit log of the console', () => {
  beforeAll(async () => {
    own = await salesWorkspace();
    mary = await ok(own.api.post('contacts', { name: 'Mary', company_role: 'Writer' }));
    await change({ name: 'Mary Somerville' });
    const items = Array.from({ length: 20 }, (_, nr) => ({ name: `Contact ${nr}` }));
    await ok(own.api.post('contacts/batch', { items }));
    sale = await own.open({ name: 'Forty chairs' });
    await own.patch(sale, { status_id: own.stages[1].status_id, owner_id: own.agentId });
    const products = [{ product_name: 'Chair', quantity: 40, unit_price: '24.50' }];
    await ok(own.api.put(`sales/${sale.sale_id}/quote`, { currency: 'EUR', products }));
    const { conversation_id } = await receivedMail(own, { contact: { contact_id: mary.contact_id } });
    const reply = (text: string) =>
      ok(own.api.post(`conversations/${conversation_id}/response-drafts`, { body_html: `<p>${text}</p>` }));
    await reply('We deliver on Monday morning.');
    await reply('We deliver on Sunday morning.');
    browser = await launchChromium();
    page = await openConsole(browser, own.key, 'audit');
  });
  afterAll(() => browser.close());

  it('lists who changed what, and shows one change field by field, by mouse', async () => {
    await rows().filter({ hasText: 'name: Mary → Mary Somerville' }).click();
    await page.getByRole('heading', { name: 'Contact changed: Mary Somerville' }).waitFor();
    const name = page.getByRole('row', { name: /^name/ });
    await name.waitFor();
    expect(await name.getByRole('cell').allInnerTexts()).toEqual(['Mary', 'Mary Somerville']);
    await page.waitForURL(/\/audit\/audit_\w+$/);
    await page.reload();
    await name.waitFor();
  });

  it('names the actor, the instant, the key and the request, each of which leads to what else they did', async () => {
    const { data } = await ok(own.api.get('audit-logs', { record_type: 'contact', action_type: 'update' }));
    const [{ request_id, key_id }] = data;
    await detail().getByRole('link', { name: 'Ada Byron' }).waitFor();
    await detail().getByRole('link', { name: key_id }).waitFor();
    await detail().getByRole('link', { name: request_id }).click();
    await page.waitForURL((url) => url.searchParams.get('request_id') === request_id);
    await until(async () => (await rows().count()) === 1);
  });

  it('goes through the changes by keyboard', async () => {
    await open('audit?record_type=sale');
    await rows().first().waitFor();
    await pressUntil(page, 'j', detail());
    await page.getByRole('heading', { name: 'Sale changed: Forty chairs' }).waitFor();
    await page
      .getByRole('row', { name: /^quote › output › total price/ })
      .getByText('980.00')
      .waitFor();
    await page.keyboard.press('j');
    const stage = page.getByRole('row', { name: /^stage › label/ });
    await stage.waitFor();
    expect(await stage.getByRole('cell').allInnerTexts()).toEqual(['Qualified', 'Quoted']);
    await page
      .getByRole('row', { name: /^owner/ })
      .getByText('Ada Byron')
      .waitFor();
    await page.keyboard.press('k');
    await page.getByRole('row', { name: /^quote › output › total price/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Choose a change').waitFor();
  });

  it('shows what a list lost and got, and which words of a text changed', async () => {
    await open('audit?record_type=response_draft&action_type=update');
    await rows().first().click();
    await page.locator('del', { hasText: /^Monday$/ }).waitFor();
    await page.locator('ins', { hasText: /^Sunday$/ }).waitFor();
    await open('audit?record_type=sale&field=status_history');
    await rows().first().click();
    const stages = page.getByRole('row', { name: /^stages/ });
    await stages.getByText('Quoted', { exact: true }).waitFor();
    await stages.getByText('1 more as before').waitFor();
  });

  it('leads from a record to its whole history, and back to the record', async () => {
    await open(`contacts/${mary.contact_id}`);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'History of Mary Somerville' }).waitFor();
    await until(async () => (await rows().count()) === 2);
    await rows().last().click();
    await page
      .getByRole('heading', { name: /^Contact created/ })
      .getByRole('link')
      .click();
    await page.getByRole('heading', { name: 'Mary Somerville', level: 1 }).waitFor();
  });

  it('keeps its filters in the address', async () => {
    await open('audit');
    await untilZoned(page);
    await page.getByRole('combobox', { name: 'Agent', exact: true }).selectOption('Ada Byron');
    await page.getByRole('combobox', { name: 'Record', exact: true }).selectOption('Contact');
    await page.getByRole('combobox', { name: 'Action', exact: true }).selectOption('Created');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Field', { exact: true }).fill('company_role');
    await page.keyboard.press('Enter');
    await page.getByLabel('From', { exact: true }).fill('2026-01-01T00:00');
    await page.waitForURL(/start_date=/);
    const asked = new URL(page.url()).searchParams;
    expect(Object.fromEntries(asked)).toEqual({
      agent_id: own.agentId,
      record_type: 'contact',
      action_type: 'insert',
      field: 'company_role',
      start_date: '2026-01-01T00:00:00.000Z',
    });
    await until(async () => (await rows().count()) === 1);
    await page.reload();
    await rows().first().waitFor();
    const from = page.getByLabel('From', { exact: true });
    await until(async () => (await from.inputValue()) === '2026-01-01T00:00');
    await page.getByRole('combobox', { name: 'By', exact: true }).selectOption('Provider');
    await page.getByText('Nothing was changed').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await rows().nth(3).waitFor();
  });

  it('keeps what is being typed into a filter when the page is drawn again', async () => {
    const { handler, release } = held();
    await page.route('**/agents*', handler);
    await open('audit');
    await rows().first().waitFor();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const field = page.getByLabel('Field', { exact: true });
    await field.fill('company_');
    release();
    await page.getByRole('option', { name: 'Ada Byron' }).waitFor({ state: 'attached' });
    await unrouted(page);
    await field.pressSequentially('role');
    expect(await field.inputValue()).toBe('company_role');
  });

  it('leaves what is read in its place while more comes, and counts it', async () => {
    await open('audit?record_type=contact');
    await rows().nth(10).waitFor();
    await change({ name: 'Mary Greig' });
    await page.getByRole('status').getByText('1 new').waitFor();
    // One row of 64 pixels is above what was at the top.
    expect(await page.locator('.audit-list .rows').evaluate((box) => box.scrollTop)).toBe(64);
  });

  it('follows what comes, by a key', async () => {
    await page.keyboard.press('f');
    await page.waitForURL(/follow=on/);
    await change({ name: 'Mary Somerville' });
    await rows().first().filter({ hasText: 'name: Mary Greig → Mary Somerville' }).waitFor();
    expect(await page.locator('.audit-list .rows').evaluate((box) => box.scrollTop)).toBe(0);
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.waitForURL((url) => !url.searchParams.has('follow'));
  });

  it('is saved as CSV, as far as the filters leave it', async () => {
    await open(`audit?record=${mary.contact_id}`);
    await rows().first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('audit.csv');
    const [names, ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(names).toMatch(/^\uFEFF?audit_log_id,occurred_at,/);
    expect(lines.at(0)).toContain(',name,Mary Greig,Mary Somerville,');
    expect(lines.every((line) => line.includes(mary.contact_id))).toBe(true);
  });

  it('shows operators the changes of all organizations, or of one', async () => {
    const other = await newWorkspace();
    const elsewhere = await ok(other.api.post('contacts', { name: 'Elsewhere', company_role: 'Pilot' }));
    await change({ company_role: 'Astronomer' });
    // What other tests do meanwhile is more than a page, unless a field is named.
    const tab = await openConsole(browser, ADMIN_KEY, 'audit?record_type=contact&field=company_role');
    const changes = tab.getByRole('list', { name: 'Changes' }).getByRole('link');
    await changes.filter({ hasText: 'Writer → Astronomer' }).waitFor();
    await tab.getByLabel('Organization').selectOption(other.organizationId);
    await changes.filter({ hasText: 'Astronomer' }).waitFor({ state: 'hidden' });
    await changes.filter({ hasText: 'Elsewhere' }).click();
    const shown = tab.getByRole('region', { name: 'Change', exact: true });
    await shown.getByRole('heading', { name: 'Contact created: Elsewhere' }).waitFor();
    await shown.getByText(elsewhere.contact_id).first().waitFor();
    // Operators see no records.
    expect(await shown.getByRole('link', { name: 'Elsewhere' }).count()).toBe(0);
    await tab.reload();
    await shown.getByRole('heading', { name: 'Contact created: Elsewhere' }).waitFor();
    expect(await violationsOf(tab)).toEqual([]);
    const [download] = await Promise.all([
      tab.waitForEvent('download'),
      tab.getByRole('button', { name: 'Save as CSV' }).click(),
    ]);
    const [, ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => line.includes(other.organizationId))).toBe(true);
    await tab.context().close();
  });

  it('asks once, and not for each row, for what all rows show', async () => {
    const asked: string[] = [];
    const tab = await openConsole(browser, ADMIN_KEY, 'audit', {
      watch: (opened) => opened.on('request', (request) => asked.push(new URL(request.url()).pathname)),
    });
    await tab.getByRole('list', { name: 'Changes' }).getByRole('link').nth(10).waitFor();
    // Once more each time that the page looks at what has changed, however slow it is.
    expect(asked.filter((path) => path === '/admin/v1/organizations').length).toBeLessThan(11);
    await tab.context().close();
  });

  it('shows operators a change by its address, whatever is listed beside it, or that there is none', async () => {
    const { data } = await ok(own.api.get('audit-logs', { record_type: 'contact', action_type: 'update' }));
    const { audit_log_id } = data.at(-1);
    const tab = await openConsole(browser, ADMIN_KEY, `audit/${audit_log_id}?record_type=webhook`);
    await tab.getByRole('row', { name: /^name/ }).getByText('Mary Somerville').waitFor();
    await tab.goto(`${consoleUrl()}/audit/audit_01hzy3v7q4e8k9m2n5p6r7s8t9`);
    await tab.getByText('There is no such record.').waitFor();
    await tab.context().close();
  });

  it('says what could not be loaded, and loads it when it is asked again', async () => {
    await page.route('**/audit-logs?*', (route) => route.fulfill({ status: 500, body: '{}' }));
    await open('audit?record_type=task');
    await page.getByText('This could not be loaded').waitFor();
    await unrouted(page);
    await tryAgain(page);
    await page.getByText('Nothing was changed').waitFor();
    await open('audit/audit_01hzy3v7q4e8k9m2n5p6r7s8t9');
    await page.getByText('There is no such record.').waitFor();
  });

  it.each(['light', 'dark'] as const)('has nothing that axe-core finds wrong, %s', async (colorScheme) => {
    const found: Record<string, string[]> = {};
    const tab = await openConsole(browser, own.key, 'audit?record_type=sale', { colorScheme });
    const look = async (name: string) => void (found[name] = await violationsOf(tab));
    await tab.getByRole('list', { name: 'Changes' }).getByRole('link').nth(1).click();
    await tab.getByRole('row', { name: /^stage › label/ }).waitFor();
    await tab.getByRole('button', { name: 'Filters', exact: true }).click();
    await look('sale');
    await tab.goto(`${consoleUrl()}/audit?record_type=response_draft&action_type=update`);
    await tab.getByRole('list', { name: 'Changes' }).getByRole('link').first().click();
    await tab.locator('del').waitFor();
    await look('text');
    await tab.setViewportSize({ width: 360, height: 740 });
    await look('small');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await tab.context().close();
  });
});
