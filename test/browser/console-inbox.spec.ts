import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { openConsole, violationsOf } from '../support/clients/console.js';
import { receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;
let page: Page;
let first: Json;

const grace = { name: 'Grace Hopper', email: 'grace@navy.example' };
const openAt = async (path: string): Promise<void> =>
  void (page = await openConsole(browser, workspace.key, path));
const list = () => page.getByRole('region', { name: 'Conversations' });
/** Does it so many times, in turn. */
async function times(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index++) await act(index);
}

needs(CHROMIUM, hasChromium).describe('The inbox of the console', () => {
  beforeAll(async () => {
    workspace = await newWorkspace();
    await emailChannel(workspace, 9);
    first = await receivedMail(workspace, {
      subject: 'Blue?',
      content: 'A zebra and a quagga.',
      contact: grace,
    });
    browser = await launchChromium();
  });
  afterEach(() => page.context().close());
  afterAll(() => browser.close());

  it('finds a conversation behind any number of contacts with that name', async () => {
    const { api } = workspace;
    const contacts = Array.from({ length: 60 }, (_, index) => ({ name: `Zebra ${index}` }));
    await ok(api.post('contacts/batch', { items: contacts }));
    await until(async () => (await ok(api.get('search', { q: 'zebra', limit: 200 }))).data.length === 61);
    await openAt('inbox?q=zebra');
    await list()
      .getByRole('link', { name: /Blue\?/ })
      .waitFor();
  });

  it('goes on looking while a page of hits has no conversation', async () => {
    const { api } = workspace;
    await times(60, (index) =>
      ok(
        api.post('message-drafts', { modality: 'email', subject: `Quagga ${index}`, to_email: grace.email }),
      ),
    );
    await until(async () => (await ok(api.get('search', { q: 'quagga', limit: 200 }))).data.length === 61);
    await openAt('inbox?q=quagga');
    await list()
      .getByRole('link', { name: /Blue\?/ })
      .waitFor();
  });

  it('offers every tag, agent and template, and shows every comment, however many there are', async () => {
    const { api, adminApi } = workspace;
    const number = (index: number) => String(index).padStart(3, '0');
    await times(120, async (index) => {
      await ok(api.post('tags', { name: `Tag ${number(index)}` }));
      await ok(adminApi.post('agents', { name: `Agent ${number(index)}` }));
      const body_html = '<p>Hello</p>';
      await ok(api.post('templates', { name: `Template ${number(index)}`, modality: 'email', body_html }));
    });
    await times(205, (index) =>
      ok(api.post(`conversations/${first.conversation_id}/comments`, { body: `Note ${number(index)}.` })),
    );
    await openAt(`inbox/${first.conversation_id}`);
    await page.getByText('Note 000.').waitFor();
    await page.getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('button', { name: 'Tag 119' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Template' }).click();
    await page.getByRole('button', { name: 'Template 119' }).waitFor();
    await page.keyboard.press('Escape');
    const owners = page.getByLabel('Owner').locator('option', { hasText: /^Agent/ });
    await until(async () => (await owners.count()) === 120);
  });

  it('takes back an owner, a tag and what is read, on the notice that says it', async () => {
    const { api, agentId } = workspace;
    const tag = await ok(api.post('tags', { name: 'VIP' }));
    const of = await receivedMail(workspace, { subject: 'Back' });
    const now = () => ok(api.get(`conversations/${of.conversation_id}`));
    const undo = async (said: string) => {
      const notice = page.locator('.notice', { hasText: said });
      await notice.getByRole('button', { name: 'Undo' }).click();
      await notice.waitFor({ state: 'hidden' });
    };
    await openAt(`inbox/${of.conversation_id}`);
    await until(async () => (await now()).is_read);
    await page.getByLabel('Owner').selectOption('Ada Byron');
    await until(async () => (await now()).agent_id === agentId);
    await undo('Owner: Ada Byron.');
    await until(async () => (await now()).agent_id === null);
    await page.getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('button', { name: tag.name }).click();
    await undo('Tagged: VIP.');
    await until(async () => (await now()).tags.length === 0);
    await page.getByRole('button', { name: 'Mark unread' }).click();
    await undo('Marked unread.');
    await until(async () => (await now()).is_read);
  });

  it('asks before it deletes a comment', async () => {
    const { api } = workspace;
    const of = await receivedMail(workspace, { subject: 'Note' });
    const comments = `conversations/${of.conversation_id}/comments`;
    await ok(api.post(comments, { body: 'Ask Carl.' }));
    await openAt(`inbox/${of.conversation_id}`);
    await page.getByRole('button', { name: 'Delete comment' }).click();
    const note = page.getByRole('region', { name: 'Messages' }).getByText('Ask Carl.');
    const dialog = page.getByRole('dialog', { name: 'Delete this comment?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await note.waitFor();
    expect((await ok(api.get(comments))).data).toHaveLength(1);
    await page.getByRole('button', { name: 'Delete comment' }).click();
    await dialog.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete comment' }).click();
    await note.waitFor({ state: 'hidden' });
    expect((await ok(api.get(comments))).data).toEqual([]);
  });

  it('names the contact, the company and every tag that it is filtered by, and takes each away', async () => {
    const { api } = workspace;
    const company = await ok(api.post('companies', { name: 'Navy' }));
    const contact = { name: 'Alan Turing', email: 'alan@navy.example' };
    const both = await receivedMail(workspace, { subject: 'Both', contact });
    const path = `conversations/${both.conversation_id}`;
    const { contact_id } = await ok(api.get(path));
    const { company_id } = company;
    await ok(api.patch(`contacts/${contact_id}`, { company_id }));
    const one = await receivedMail(workspace, { subject: 'One', contact });
    const [hot, new_] = [
      await ok(api.post('tags', { name: 'Hot' })),
      await ok(api.post('tags', { name: 'New' })),
    ];
    await ok(api.post(`${path}/tags`, { add: [hot.tag_id, new_.tag_id] }));
    await ok(api.post(`conversations/${one.conversation_id}/tags`, { add: [hot.tag_id] }));
    await openAt(`inbox?contact_id=${contact_id}&company_id=${company_id}`);
    const rows = (...subjects: string[]) =>
      until(async () => {
        const links = await list().locator('.rows').getByRole('link').allInnerTexts();
        return (
          links.length === subjects.length && subjects.every((subject, at) => links[at]!.includes(subject))
        );
      });
    const remove = (name: string) => page.getByRole('button', { name: `Without the filter ${name}` }).click();
    await rows('One', 'Both');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel(/^Tag/).selectOption('Hot');
    await rows('One', 'Both');
    await page.getByLabel(/^Tag/).selectOption('New');
    await rows('Both');
    expect(await violationsOf(page)).toEqual([]);
    await remove('New');
    await rows('One', 'Both');
    await remove('Navy');
    await remove('Alan Turing');
    await remove('Hot');
    await until(() => !/_id=/.test(page.url()));
    expect(await page.getByRole('button', { name: /^Without/ }).count()).toBe(0);
  });

  it('lists those of several statuses, also of those that a link names', async () => {
    const { api } = workspace;
    const snoozed = await receivedMail(workspace, { subject: 'Asleep' });
    const snoozed_until = new Date(Date.now() + 3_600_000).toISOString();
    await ok(api.patch(`conversations/${snoozed.conversation_id}`, { status: 'snoozed', snoozed_until }));
    const closed = await receivedMail(workspace, { subject: 'Done with' });
    await ok(api.patch(`conversations/${closed.conversation_id}`, { status: 'closed' }));
    await openAt('inbox');
    await page.getByLabel('Status').selectOption('Open or snoozed');
    await list()
      .getByRole('link', { name: /Asleep/ })
      .waitFor();
    await list()
      .getByRole('link', { name: /Blue\?/ })
      .waitFor();
    expect(
      await list()
        .getByRole('link', { name: /Done with/ })
        .count(),
    ).toBe(0);
    await page.goto(page.url().replace(/status=[^&]*/, 'status=snoozed,closed'));
    await list()
      .getByRole('link', { name: /Done with/ })
      .waitFor();
    expect(
      await list()
        .getByRole('link', { name: /Blue\?/ })
        .count(),
    ).toBe(0);
    const shown = page.getByLabel('Status').locator('option:checked');
    expect(await shown.textContent()).toBe('Snoozed, Closed');
  });
});
