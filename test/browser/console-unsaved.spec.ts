import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import {
  emailChannel,
  type Json,
  newKey,
  newWorkspace,
  ok,
  type Workspace,
} from '../support/clients/client.js';
import { clickUntil, consoleUrl, openConsole, violationsOf } from '../support/clients/console.js';
import { draftsOf, receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { ADMIN_KEY } from '../support/server/server.js';
import { until } from '../support/until.js';

const TEXT = 'Yes, in blue – and by Friday.';
const NOT_SAVED = /not saved on the server yet/;

let browser: Browser;
let workspace: Workspace;
let conversation: Json;
let page: Page;

const inbox = ({ conversation_id }: Json) => `inbox/${conversation_id}`;
const field = (of = page) => of.getByLabel('Text of the reply');
const isKept = (of: Page, text = TEXT) =>
  of.waitForFunction((kept) => Object.values(localStorage).some((value) => value.includes(kept)), text);
const keptIn = (of: Page) =>
  of.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('parley-unsaved')));
/** What is saved or sent has no answer. */
const unanswered = (of: Page) =>
  of.route('**/response-drafts', (route) =>
    route.request().method() === 'POST' ? undefined : route.continue(),
  );
const anotherTab = async (path: string): Promise<Page> => {
  const tab = await page.context().newPage();
  await unanswered(tab);
  await tab.goto(`${consoleUrl()}/${path}`);
  return tab;
};
const signInAgain = async (of: Page, key = workspace.key) => {
  await of.getByLabel('API key').fill(key);
  await of.keyboard.press('Enter');
};
/** Ends the tab as its window does. */
const closeTab = async () => {
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
};
const rowOf = ({ conversation_id }: Json) => page.locator(`a[href*="${conversation_id}"]`).first();
const place = (name: string) => page.getByRole('navigation', { name: 'Places' }).getByText(name).click();

/** Each gives the tab in which one looks for the text again. */
const CUTS: Record<string, () => Promise<unknown>> = {
  'a reload': () => page.reload(),
  'the end of the tab': async () => {
    await closeTab();
    page = await anotherTab(inbox(conversation));
  },
  'a crash of the tab': async () => {
    await isKept(page);
    const crashed = page.waitForEvent('crash');
    const session = await page.context().newCDPSession(page);
    session.send('Page.crash').catch(() => undefined);
    await crashed;
    page = await anotherTab(inbox(conversation));
  },
  'a lost server': async () => {
    const context = page.context();
    await context.setOffline(true);
    await page.getByText('The connection is lost').first().waitFor();
    await closeTab();
    await context.setOffline(false);
    page = await anotherTab(inbox(conversation));
  },
  'another conversation': async () => {
    const other = await receivedMail(workspace, { subject: 'Green?' });
    // The list moves while the new one comes into it.
    await clickUntil(rowOf(other), page.getByRole('heading', { name: 'Green?', level: 1 }));
    await clickUntil(rowOf(conversation), page.getByRole('heading', { name: 'Blue?', level: 1 }));
  },
  'another page': async () => {
    await place('Contacts');
    await page.waitForURL('**/contacts*');
    await page.goBack();
  },
  'a sign-out in another tab': async () => {
    const other = await anotherTab('tasks');
    const ended = other.waitForResponse('**/console/session');
    await other.getByText('Sign out').click();
    await other.getByLabel('API key').waitFor();
    await ended;
    await other.close();
    await signInAgain(page);
  },
  'the end of the session': async () => {
    await page.context().clearCookies();
    await clickUntil(page.getByRole('link', { name: 'Contacts' }), page.getByLabel('API key'));
    await signInAgain(page);
    await page.getByRole('navigation', { name: 'Places' }).waitFor();
    if (page.url().endsWith('/contacts')) await page.goBack();
  },
  'a reload while it is being saved': async () => {
    await page.getByText('Saving …').waitFor();
    await page.reload();
  },
  'a reload while it is being sent': async () => {
    await page.keyboard.press('Control+Enter');
    await page.getByText('Saving …').waitFor();
    await page.reload();
  },
  'another address': async () => {
    await page.goto('about:blank');
    await page.goBack();
  },
};

needs(CHROMIUM, hasChromium).describe('What one writes', () => {
  beforeAll(async () => {
    workspace = await newWorkspace();
    await emailChannel(workspace, 9);
    browser = await launchChromium();
  });
  beforeEach(async () => {
    conversation = await receivedMail(workspace, { subject: 'Blue?' });
  });
  afterEach(() => page.context().close());
  afterAll(() => browser.close());

  it.each(Object.keys(CUTS))('is there again after %s', async (name) => {
    page = await openConsole(browser, workspace.key, inbox(conversation), { watch: unanswered });
    await field().pressSequentially(TEXT);
    await CUTS[name]!();
    await until(async () => (await field().inputValue()) === TEXT);
    await page.getByText(NOT_SAVED).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // What is being saved by itself has no answer, and would not end.
    await page.reload();
    // It may be saved by itself before the button is reached.
    await until(async () => {
      const [draft] = (await ok(workspace.api.get(draftsOf(conversation)))).data;
      if (draft?.body_html === `<p>${TEXT}</p>` && (await keptIn(page)).length === 0) return true;
      await page
        .getByRole('button', { name: 'Save draft' })
        .click({ timeout: 1_000 })
        .catch(() => undefined);
      return false;
    });
    await page.getByText(NOT_SAVED).waitFor({ state: 'detached' });
  });

  it('is gone once it is discarded', async () => {
    page = await openConsole(browser, workspace.key, inbox(conversation), { watch: unanswered });
    await field().fill(TEXT);
    await page.reload();
    await page.getByText(NOT_SAVED).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.getByText(NOT_SAVED).waitFor({ state: 'detached' });
    await page.reload();
    await field().waitFor();
    expect(await field().inputValue()).toBe('');
    expect(await keptIn(page)).toEqual([]);
  });

  it('is shown beside what a colleague has saved meanwhile', async () => {
    page = await openConsole(browser, workspace.key, inbox(conversation), { watch: unanswered });
    await field().fill(TEXT);
    await isKept(page);
    await page.goto('about:blank');
    await ok(workspace.api.post(draftsOf(conversation), { body_html: '<p>No.</p>' }));
    await page.goBack();
    const both = page.getByRole('alert', { name: 'Somebody else changed this meanwhile' });
    await both.getByText(TEXT).waitFor();
    await both.getByText('No.').waitFor();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await until(async () => (await field().inputValue()) === 'No.');
    expect(await keptIn(page)).toEqual([]);
  });

  it('is not shown to another person', async () => {
    page = await openConsole(browser, workspace.key, inbox(conversation), { watch: unanswered });
    await field().fill(TEXT);
    await isKept(page);
    await page.context().clearCookies();
    await page.reload();
    const { agent_id } = await ok(workspace.adminApi.post('agents', { name: 'Carl Gauß' }));
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { agent_id }));
    await signInAgain(page, api_key);
    await field().waitFor();
    expect(await field().inputValue()).toBe('');
    expect(await page.getByText(NOT_SAVED).count()).toBe(0);
  });

  it('is saved by itself once the connection is back, and says no longer that it is lost', async () => {
    page = await openConsole(browser, workspace.key, inbox(conversation));
    await field().waitFor();
    await page.context().setOffline(true);
    await field().fill(TEXT);
    const refusal = page.locator('.composer').getByRole('alert');
    await refusal.getByText('The connection is lost').waitFor();
    await page.context().setOffline(false);
    await page.getByText(/^Draft saved/).waitFor();
    expect(await refusal.count()).toBe(0);
    expect((await ok(workspace.api.get(draftsOf(conversation)))).data[0].body_html).toBe(`<p>${TEXT}</p>`);
  });

  it('says that it was not sent where it is saved instead', async () => {
    page = await openConsole(browser, workspace.key, inbox(conversation));
    await field().waitFor();
    await page.context().setOffline(true);
    await field().fill(TEXT);
    await page.keyboard.press('Control+Enter');
    const refusal = page.locator('.composer').getByRole('alert');
    await refusal.getByText('The connection is lost').waitFor();
    await page.context().setOffline(false);
    await refusal.getByText('It was not sent').waitFor();
    await page.getByText(/^Draft saved/).waitFor();
  });

  it('is not shown again once it was sent, though nobody had the answer', async () => {
    const of = await ok(
      workspace.api.post('messages', {
        modality: 'live_chat',
        message_direction: 'received',
        content: 'Do you have it in blue?',
        contact: { name: 'Grace' },
      }),
    );
    await ok(workspace.adminApi.put('channels/live_chat', { provider: 'inbox' }));
    page = await openConsole(browser, workspace.key, inbox(of), {
      watch: (tab) =>
        tab.route('**/response-drafts', async (route) => {
          if (route.request().method() !== 'POST') return route.continue();
          await route.fetch();
        }),
    });
    await field().fill(TEXT);
    await page.keyboard.press('Control+Enter');
    await isKept(page, 'sendingSince":"');
    const sent = () => ok(workspace.api.get(`conversations/${of.conversation_id}/messages`));
    await until(async () => (await sent()).data.length === 2);
    await page.reload();
    await page.locator('.messages').getByText(TEXT).waitFor();
    await until(async () => (await keptIn(page)).length === 0);
    expect(await field().inputValue()).toBe('');
  });

  /** Where else one writes: the path, what opens the field, its label, and what takes it back. */
  const PLACES: [string, () => string | Promise<string>, string | null, string, string][] = [
    [
      'a comment',
      () => `${inbox(conversation)}?write=comment`,
      null,
      'Comment, for colleagues only',
      'Add comment',
    ],
    ['a new task', () => 'tasks', 'New task', 'Title', 'Cancel'],
    ['a new contact', () => 'contacts', 'New contact', 'Name', 'Cancel'],
    ['a new company', () => 'companies', 'New company', 'Name', 'Cancel'],
    ['a new sale', () => 'pipeline', 'New sale', 'Name', 'Cancel'],
    [
      'a note of a task',
      async () => `tasks/${(await ok(workspace.api.post('tasks', { title: 'Call' }))).task_id}`,
      'Change: Notes',
      'Notes',
      'Save',
    ],
    [
      'a field of a contact',
      async () => `contacts/${(await ok(workspace.api.post('contacts', { name: 'Grace' }))).contact_id}`,
      'Change: Role',
      'Role',
      'Cancel',
    ],
  ];
  it.each(PLACES)(
    'as %s is there again after a reload and a new session',
    async (_, at, opens, label, ends) => {
      page = await openConsole(browser, workspace.key, await at());
      if (opens !== null) await page.getByRole('button', { name: opens, exact: true }).first().click();
      await page.getByRole('textbox', { name: label }).first().fill(TEXT);
      await page.reload();
      await page.context().clearCookies();
      await page.reload();
      await signInAgain(page);
      await page.getByText(NOT_SAVED).waitFor();
      expect(await page.getByRole('textbox', { name: label }).first().inputValue()).toBe(TEXT);
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: ends, exact: true }).click();
      await page.getByText(NOT_SAVED).waitFor({ state: 'detached' });
      await until(async () => (await keptIn(page)).length === 0);
    },
  );

  it('as a form of operators is there again, without its secrets', async () => {
    page = await openConsole(browser, ADMIN_KEY, 'operations/organizations/new');
    await page.getByLabel('Name').fill(TEXT);
    await page.getByLabel('Sun').check();
    await page.reload();
    await page.getByText(NOT_SAVED).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe(TEXT);
    expect(await page.getByLabel('Sun').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await until(async () => (await keptIn(page)).length === 0);

    await page.goto(`${consoleUrl()}/operations/channels/email?edit=on&org=${workspace.organizationId}`);
    await page.getByLabel('From', { exact: false }).first().waitFor();
    await page.locator('input[name=host]').fill('mail.acme.example');
    await page.locator('input[name=password]').fill('swordfish');
    await isKept(page, 'mail.acme.example');
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('swordfish');
    await page.reload();
    await page.getByText(NOT_SAVED).waitFor();
    expect(await page.locator('input[name=host]').inputValue()).toBe('mail.acme.example');
  });
});
