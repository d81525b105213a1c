import type { Browser, Page, Route } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { type Answer, type Json, newKey, ok } from '../support/clients/client.js';
import {
  closeDialog,
  consoleUrl,
  openConsole,
  tryAgain,
  unrouted,
  untilFound,
  violationsOf,
} from '../support/clients/console.js';
import { receivedMail } from '../support/data/mail.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let own: SalesWorkspace;
let page: Page;
let mary: Json;
let company: Json;

const contact = (body: Json) => ok(own.api.post('contacts', body));
const shown = ({ contact_id }: Json) => ok(own.api.get(`contacts/${contact_id}`));
const open = (path: string) => page.goto(`${consoleUrl()}/${path}`);
const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
const change = async (field: string, value: string) => {
  await page.getByRole('button', { name: `Change: ${field}` }).click();
  await page.getByRole('textbox', { name: field, exact: true }).fill(value);
  await page.keyboard.press('Enter');
};
/** Does this while the next merger is on its way: before it the page might show what comes of it by itself. */
const meanwhile = (act: () => Promise<Answer>) => {
  const handler = async (route: Route) => {
    await ok(act());
    await route.continue();
  };
  return page.route('**/merge', handler, { times: 1 });
};

needs(CHROMIUM, hasChromium).describe('The contacts of the console', () => {
  beforeAll(async () => {
    own = await salesWorkspace();
    await ok(
      own.adminApi.post('custom-fields/contacts', { label: 'Plan', type: 'enum', options: ['gold', 'tin'] }),
    );
    await ok(own.api.post('tags', { name: 'VIP', colour: '#d2691e' }));
    company = await ok(own.api.post('companies', { name: 'Contoso' }));
    mary = await contact({
      name: 'Mary Somerville',
      email: 'mary@contoso.example',
      company_id: company.company_id,
    });
    await receivedMail(own, { subject: 'Blue?', contact: { contact_id: mary.contact_id } });
    await untilFound(own.api, 'somerville', mary.contact_id);
    await untilFound(own.api, 'navy', own.companyId);
    browser = await launchChromium();
    page = await openConsole(browser, own.key, 'contacts');
  });
  afterAll(() => browser.close());

  it('are listed, and one opens with all around it, by mouse', async () => {
    await page.getByRole('link', { name: /Mary Somerville/ }).click();
    await heading('Mary Somerville');
    await page.getByRole('link', { name: 'Contoso', exact: true }).waitFor();
    await page.getByRole('link', { name: /Blue\?/ }).waitFor();
    await page.getByRole('link', { name: 'Conversations', exact: true }).click();
    await page.waitForURL((url) => url.href.includes(`/contacts/${mary.contact_id}?tab=conversations`));
    await page.getByRole('link', { name: 'Show them in the inbox' }).waitFor();
  });

  it('show the same after a reload, and on the way back', async () => {
    await page.reload();
    await page.getByRole('link', { name: 'Show them in the inbox' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /^Blue\?.* wrote/ }).waitFor();
  });

  it('lead from what happened to its page', async () => {
    await page.getByRole('link', { name: /^Blue\?.* wrote/ }).click();
    await page.getByRole('heading', { name: 'Blue?', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /^Created/ }).click();
    await page.getByRole('heading', { name: 'Contact created: Mary Somerville' }).waitFor();
  });

  it('are gone through, and one is opened and left, by keyboard', async () => {
    await open('contacts?sort=name');
    await page.getByRole('link', { name: /Mary Somerville/ }).waitFor();
    for (const _ of [1, 2, 3, 4]) await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await heading('Mary Somerville');
    await page.keyboard.press('5');
    await page.getByText('Nobody has noted anything yet.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: /Ada/ }).waitFor();
    expect(page.url()).toContain('/contacts?sort=name');
  });

  it('are found as one types, and by their tags', async () => {
    const [tag] = (await ok(own.api.get('tags'))).data;
    await ok(own.api.post(`contacts/${own.contactIds[1]}/tags`, { add: [tag.tag_id] }));
    await open('contacts');
    await page.getByRole('link', { name: /Mary/ }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('somerv');
    await page.waitForURL(/q=somerv$/);
    await page.locator('mark', { hasText: 'Somerv' }).waitFor();
    await page.getByLabel('Search contacts').fill('');
    await page.getByLabel('Tags').selectOption('VIP');
    await page.getByRole('link', { name: /^Ada VIP/ }).waitFor();
    await page.getByRole('link', { name: /Mary/ }).waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('link', { name: /^Ada VIP/ }).waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: /Mary/ }).waitFor();
  });

  it("are filtered by the organization's own fields, and by company", async () => {
    await contact({ name: 'Sofia', custom_fields: { plan: 'tin' }, company_id: company.company_id });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('tin');
    await page.getByRole('link', { name: /^Sofia/ }).waitFor();
    await page.getByRole('link', { name: /^Mary/ }).waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('link', { name: /^Sofia/ }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Plan' }).inputValue()).toBe('tin');
    await open(`contacts?company_id=${company.company_id}`);
    await page.getByRole('link', { name: 'Contoso', exact: true }).waitFor();
    await page.getByRole('link', { name: /^Mary/ }).waitFor();
    await page.getByRole('link', { name: /^Ada/ }).waitFor({ state: 'hidden' });
  });

  it('say that nothing matches, and that nothing is found', async () => {
    await open(`contacts?company_id=${company.company_id}&tag_id=tag_1`);
    await page.getByText('Nothing matches these filters').waitFor();
    await open('contacts?q=nobodyhere');
    await page.getByText('Nothing is found for “nobodyhere”').waitFor();
  });

  it('are changed in their place, and changed back by undo', async () => {
    await open(`contacts/${mary.contact_id}`);
    await change('Role', 'Mathematician');
    await page.getByText('Role is saved.').waitFor();
    expect((await shown(mary)).company_role).toBe('Mathematician');
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await shown(mary)).company_role === null);
  });

  it('have a company that is found by its name', async () => {
    await page.getByRole('button', { name: 'Change: Company' }).click();
    await page.keyboard.type('nav');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Navy' }).waitFor();
    await until(async () => (await shown(mary)).company_id === own.companyId);
  });

  it("have the organization's own fields, and tags", async () => {
    await page.getByRole('button', { name: 'Change: Plan' }).click();
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('gold');
    await page.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await shown(mary)).custom_fields.plan === 'gold');
    await page.getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('button', { name: 'VIP' }).click();
    await until(async () => (await shown(mary)).tags.length === 1);
    await page.keyboard.press('Escape');
  });

  it('keep what was typed and say why where it is refused', async () => {
    await change('E-mail', 'no address');
    await page.getByRole('alert').getByText(/email/).waitFor();
    expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('no address');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'mary@contoso.example' }).waitFor();
  });

  it('show both where an edit met another, and keep the one that is chosen', async () => {
    const meeting = async (mine: string, theirs: string) => {
      await page.getByRole('button', { name: 'Change: Role' }).click();
      await page.getByRole('textbox', { name: 'Role' }).fill(mine);
      await ok(own.api.patch(`contacts/${mary.contact_id}`, { company_role: theirs }));
      await page.keyboard.press('Enter');
      const both = page.getByRole('alert', { name: 'Somebody else changed this meanwhile' });
      await both.getByText(mine).waitFor();
      await both.getByText(theirs).waitFor();
      expect((await shown(mary)).company_role).toBe(theirs);
    };
    await meeting('Writer', 'Astronomer');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    expect((await shown(mary)).company_role).toBe('Astronomer');
    await meeting('Author', 'Teacher');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await until(async () => (await shown(mary)).company_role === 'Author');
  });

  it('are changed where another changed something else meanwhile', async () => {
    await page.getByRole('button', { name: 'Change: Name' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mary Greig');
    await ok(own.api.patch(`contacts/${mary.contact_id}`, { phone_number: '+1 212 555 0101' }));
    await page.keyboard.press('Enter');
    await heading('Mary Greig');
    await until(async () => (await shown(mary)).name === 'Mary Greig');
    await page.getByText('+1 212 555 0101').waitFor();
  });

  it('are commented on', async () => {
    await page.getByRole('link', { name: 'Comments' }).click();
    await page.getByLabel(/^Comment, for colleagues only/).fill('Ask her about Mars.');
    await page.keyboard.press('Control+Enter');
    await page
      .getByRole('article', { name: 'Ada Byron, Comment' })
      .getByText('Ask her about Mars.')
      .waitFor();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.getByRole('link', { name: /^Ask her about Mars\..* Comment/ }).click();
    await page.waitForURL(/tab=comments/);
  });

  it('are made, and deleted', async () => {
    await open('contacts');
    await page.getByRole('link', { name: /Mary/ }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('dialog').getByLabel('Name').fill('Emmy Noether');
    await page.keyboard.press('Enter');
    await heading('Emmy Noether');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The contact is deleted.').waitFor();
    await page.getByRole('link', { name: /Mary/ }).waitFor();
    await page.getByRole('link', { name: /Emmy/ }).waitFor({ state: 'hidden' });
  });

  it('say why one is not deleted, and what to do instead', async () => {
    await open(`contacts/${mary.contact_id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await page
      .getByRole('alert')
      .getByText(/conversations/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Show the conversations' }).click();
    await page.getByRole('link', { name: /Mary Greig/ }).waitFor();
    expect(page.url()).toContain(`contact_id=${mary.contact_id}`);
  });

  it('are merged after a preview, from a list of duplicates', async () => {
    const twin = await contact({
      name: 'M. Somerville',
      phone_number: '+1 (212) 555 0101',
      email: 'ms@mars.example',
    });
    await receivedMail(own, { subject: 'Red?', contact: { contact_id: twin.contact_id } });
    await open('contacts');
    await page.getByRole('link', { name: 'Duplicates' }).click();
    await page.getByText('Same number').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const name = page.getByRole('row', { name: /^Name/ });
    await name.getByText('Mary Greig').waitFor();
    expect(await name.innerText()).toMatch(/M\. Somerville\s*not kept/);
    await page.getByText('ms@mars.example still leads to this contact').waitFor();
    await page.getByRole('link', { name: '1 conversation' }).waitFor();
    const swap = async (stays: Json, ends: Json) => {
      await page.getByRole('link', { name: 'Keep the other one' }).click();
      await page.waitForURL((url) =>
        url.href.endsWith(`${stays['contact_id']}/merge?from=${ends['contact_id']}`),
      );
    };
    await swap(twin, mary);
    await swap(mary, twin);
    await page.reload();
    await page.getByRole('button', { name: 'Merge now' }).click();
    await heading('Mary Greig');
    await page.getByRole('link', { name: /^Red\?/ }).waitFor();
    expect(await shown(mary)).toMatchObject({ name: 'Mary Greig', email: 'mary@contoso.example' });
    await open(`contacts/${twin.contact_id}`);
    await page.getByText('That contact has become part of this one.').waitFor();
    await heading('Mary Greig');
    expect(page.url()).toContain(mary.contact_id);
  });

  it('are not merged before one has seen what another changed meanwhile', async () => {
    const twin = await contact({ name: 'Mary S.' });
    await untilFound(own.api, 'Mary S', twin.contact_id);
    await open(`contacts/${mary.contact_id}/merge`);
    await page.getByRole('combobox').fill('Mary S');
    await page.getByRole('option', { name: 'Mary S.' }).click();
    await page.getByRole('row', { name: /^Role/ }).getByText('Author').waitFor();
    await meanwhile(() => own.api.patch(`contacts/${mary.contact_id}`, { company_role: 'Translator' }));
    await page.getByRole('button', { name: 'Merge now' }).click();
    await page.getByText(/^It was changed meanwhile/).waitFor();
    await page.getByRole('row', { name: /^Role/ }).getByText('Translator').waitFor();
    await page.getByRole('button', { name: 'Merge now' }).click();
    await heading('Mary Greig');
    expect((await own.api.get(`contacts/${twin.contact_id}`)).status).toBe(404);
  });

  it('are not merged where another has merged them the other way round', async () => {
    const [one, other] = [await contact({ name: 'Carl' }), await contact({ name: 'C. F.' })];
    await open(`contacts/${one.contact_id}/merge?from=${other.contact_id}`);
    await meanwhile(() =>
      own.api.post(`contacts/${other.contact_id}/merge`, { from_contact_id: one.contact_id }),
    );
    await page.getByRole('button', { name: 'Merge now' }).click();
    await page.getByText('That contact has become part of this one.').waitFor();
  });

  it('say that there is no such contact, and that the list could not be loaded', async () => {
    await open('contacts/contact_01hzy3v7q4e8k9m2n5p6r7s8t9');
    await page.getByText('There is no such record.').waitFor();
    await page.route('**/contacts?*', (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.getByRole('link', { name: 'Contacts' }).click();
    await page.getByText('This could not be loaded').waitFor();
    await unrouted(page);
    await tryAgain(page);
    await page.getByRole('link', { name: /Mary/ }).waitFor();
  });

  it('offer nothing that the key may not do', async () => {
    const { api_key } = await ok(newKey(own.admin, own.organizationId, { read_only: true }));
    const reader = await openConsole(browser, api_key, `contacts/${mary.contact_id}`);
    await reader.getByRole('heading', { name: 'Mary Greig', level: 1 }).waitFor();
    expect(await reader.getByRole('button', { name: /Change|Delete|Tags/ }).count()).toBe(0);
    expect(await reader.getByRole('link', { name: /Merge/ }).count()).toBe(0);
    await reader.context().close();
  });

  it.each(['light', 'dark'] as const)('have nothing that axe-core finds wrong, %s', async (colorScheme) => {
    const found: Record<string, string[]> = {};
    const other = await contact({ name: 'Emmy', email: 'mary@contoso.example' });
    const tab = await openConsole(browser, own.key, 'contacts', { colorScheme });
    const look = async (name: string) => void (found[name] = await violationsOf(tab));
    await tab.getByRole('link', { name: /Mary Greig/ }).waitFor();
    await look('list');
    await tab.getByRole('button', { name: 'New contact' }).click();
    await tab.getByRole('dialog').waitFor();
    await look('new');
    await closeDialog(tab);
    await tab.getByRole('link', { name: 'Duplicates' }).click();
    await tab.getByText('Same e-mail').first().waitFor();
    await look('duplicates');
    await tab.getByRole('link', { name: /Emmy/ }).click();
    await tab.getByRole('button', { name: 'Merge now' }).waitFor();
    await look('merge');
    await tab.goto(`${consoleUrl()}/contacts/${mary.contact_id}`);
    await tab.getByRole('link', { name: /^Blue\?.* wrote/ }).waitFor();
    await look('record');
    await tab.getByRole('button', { name: 'Change: Company' }).click();
    await tab.getByRole('button', { name: 'Change: Plan' }).click();
    await tab.getByRole('button', { name: 'Change: Role' }).click();
    await tab.getByRole('textbox', { name: 'Role' }).fill('Nobody');
    await ok(own.api.patch(`contacts/${mary.contact_id}`, { company_role: `Somebody ${colorScheme}` }));
    await tab.keyboard.press('Enter');
    await tab.getByRole('button', { name: 'Take theirs' }).waitFor();
    await look('editing, and an edit that met another');
    await tab.getByRole('link', { name: 'Comments' }).click();
    await tab.getByText('Ask her about Mars.').waitFor();
    await look('comments');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await tab.context().close();
    await ok(own.api.delete(`contacts/${other.contact_id}`));
  });
});
