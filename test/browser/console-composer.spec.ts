import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import {
  emailChannel,
  type Json,
  newWorkspace,
  ok,
  unique,
  type Workspace,
} from '../support/clients/client.js';
import { holdReplies, openConsole, untilZoned } from '../support/clients/console.js';
import { draftsOf, receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { startTwilio, textsBy, type TestTwilio } from '../support/stand-ins/twilio.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;
let twilio: TestTwilio;
let page: Page;

const openAt = async ({ conversation_id }: Json, options = {}): Promise<void> =>
  void (page = await openConsole(browser, workspace.key, `inbox/${conversation_id}`, {
    watch: holdReplies,
    ...options,
  }));
const pending = async (of: Json): Promise<Json> => (await ok(workspace.api.get(draftsOf(of)))).data[0];
const saved = (of: Json, body: object) => ok(workspace.api.post(draftsOf(of), body));
const field = () => page.getByLabel('Text of the reply');
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
/** What happened by another channel than e-mail, from a number of its own unless one is given. */
const heard = (modality: string, contact: object, fields: object = {}): Promise<Json> =>
  ok(
    workspace.api.post('messages', {
      modality,
      message_direction: 'received',
      content: 'Do you have it in blue?',
      contact,
      ...fields,
    }),
  );
const DAY = 86_400_000;

const FORMATTED =
  '<p>See <a href="https://acme.example/blue">our <b>blue</b> ones</a>:</p><ul><li>One</li></ul>';
const COPIES = {
  cc_emails: ['carl@navy.example'],
  bcc_emails: ['boss@acme.example'],
  without_signature: true,
};

needs(CHROMIUM, hasChromium).describe('A reply from the console', () => {
  beforeAll(async () => {
    workspace = await newWorkspace();
    await emailChannel(workspace, 9);
    twilio = await startTwilio();
    await textsBy(workspace, twilio.url);
    browser = await launchChromium();
  });
  afterEach(() => page.context().close());
  afterAll(async () => {
    await browser.close();
    await twilio.close();
  });

  it('leaves as it was saved where nobody changed it', async () => {
    const of = await receivedMail(workspace);
    await saved(of, { body_html: FORMATTED, ...COPIES });
    const before = await pending(of);
    await openAt(of);
    await until(async () => (await field().inputValue()).startsWith('See our blue ones'));
    await button('Send').click();
    await page.getByText(/^Leaves in/).waitFor();
    const after = await pending(of);
    expect(after.body_html).toBe(before.body_html);
    expect(after).toMatchObject(COPIES);
  });

  it('keeps its copies, and goes on without a signature, when its text is changed', async () => {
    const of = await receivedMail(workspace);
    await saved(of, { body_html: '<p>Yes.</p>', ...COPIES });
    await openAt(of);
    await until(async () => (await field().inputValue()) === 'Yes.');
    await field().fill('Yes, in blue.');
    await button('Send').click();
    await page.getByText(/^Leaves in/).waitFor();
    expect(await pending(of)).toMatchObject({ body_html: '<p>Yes, in blue.</p>', ...COPIES });
  });

  it('keeps its links and lists while one changes what is around its text', async () => {
    const of = await receivedMail(workspace);
    await saved(of, { body_html: FORMATTED });
    await openAt(of);
    await until(async () => (await field().inputValue()) !== '');
    await page.getByLabel('Close when sent').check();
    await until(async () => (await pending(of)).close_after_send);
    expect((await pending(of)).body_html).toContain('<a href="https://acme.example/blue">');
  });

  it('leaves by text as it was typed, with its lines and what looks like markup', async () => {
    const of = await heard('text', { phone_number: '+12125550111' });
    const typed = 'a <b> & x < 3\n\ntwo';
    await openAt(of);
    await field().fill(typed);
    await button('Send').click();
    await button('Send now').click();
    await until(() => twilio.texts.length > 0);
    expect(twilio.texts.map(({ body }) => body)).toEqual([typed]);
  });

  it('begins with a template as it is read, by text too', async () => {
    const name = unique('Ladders');
    const body_html = 'Less &lt; more,<br>Ada';
    await ok(workspace.api.post('templates', { name, modality: 'text', body_html }));
    await openAt(await heard('text', { phone_number: '+12125550112' }));
    await button('Template').click();
    await button(name).click();
    await until(async () => (await field().inputValue()) === 'Less < more,\nAda');
  });

  it('says to which address a saved mail goes', async () => {
    const email = `${unique('grace')}@navy.example`;
    const of = await heard('email', { email });
    await ok(workspace.api.post(draftsOf(of), { body_html: '<p>Soon.</p>' }));
    await openAt(of);
    await page.getByText(new RegExp(`^Draft saved .*, to ${email}$`)).waitFor();
  });

  it('answers a call by text', async () => {
    const of = await heard('call', { phone_number: '+12125550113' }, { content: '' });
    await openAt(of);
    await field().fill('Sorry that we missed you.');
    await button('Send').click();
    await page.getByText(/^Leaves in/).waitFor();
    await button('Take back').click();
  });

  it('answers a live chat', async () => {
    await ok(workspace.adminApi.put('channels/live_chat', { provider: 'inbox' }));
    const of = await heard('live_chat', { email: `${unique('chat')}@navy.example` });
    await openAt(of);
    await field().fill('Hello!');
    await button('Send').click();
    await page.getByText(/^Leaves in/).waitFor();
  });

  it('goes by the channel of the latest message that came in, whatever was sent since', async () => {
    const { conversation_id } = await heard('text', { phone_number: '+12125550114' });
    await ok(
      workspace.api.post('messages', {
        modality: 'email',
        message_direction: 'sent',
        content: 'See below.',
        conversation_id,
      }),
    );
    await openAt({ conversation_id });
    await field().waitFor();
    expect(await page.getByLabel('Attach a file').count()).toBe(0);
  });

  it("is sent later by the organization's clock, wherever the browser is", async () => {
    const of = await receivedMail(workspace);
    const at = `${new Date(Date.now() + 20 * DAY).toISOString().slice(0, 10)}T09:00`;
    await openAt(of, { timezoneId: 'Asia/Tokyo' });
    await untilZoned(page);
    await field().fill('In time.');
    await button('Send later').click();
    await page.getByLabel('Another time').fill(at);
    await page.keyboard.press('Enter');
    await page.getByText(/^Leaves (?!in)/).waitFor();
    expect((await pending(of)).scheduled_send_at).toMatch(`${at}:00`);
  });

  it("is snoozed until the organization's morning, wherever the browser is", async () => {
    const of = await receivedMail(workspace);
    const tomorrow = () => new Date(Date.now() + DAY).toISOString().slice(0, 10);
    await openAt(of, { timezoneId: 'Asia/Tokyo' });
    await untilZoned(page);
    const begun = tomorrow();
    await button('Snooze').click();
    await page
      .locator('.menu-list')
      .getByRole('button', { name: /omorrow/ })
      .click();
    const shown = () => ok(workspace.api.get(`conversations/${of.conversation_id}`));
    await until(async () => (await shown()).status === 'snoozed');
    // The day may have ended meanwhile.
    const mornings = [begun, tomorrow()].map((day) => `${day}T09:00:00`);
    expect(mornings).toContain((await shown()).snoozed_until.slice(0, 19));
  });

  it('is sent later, and snoozed, on buttons that say what happens when', async () => {
    await openAt(await receivedMail(workspace));
    const names = async () => {
      await page.locator('.menu-list').waitFor();
      return page.locator('.menu-list').getByRole('button').allInnerTexts();
    };
    await button('Snooze').click();
    expect((await names()).filter((name) => !/^Snooze until .*\d:00|^Snooze until then$/.test(name))).toEqual(
      [],
    );
    await page.keyboard.press('Escape');
    await field().fill('In time.');
    await button('Send later').click();
    expect(await names()).toEqual(expect.arrayContaining([expect.stringMatching(/^Send tomorrow 0?9:00/)]));
    await page.getByLabel('Another time').fill(`${new Date().getUTCFullYear() + 1}-03-01T09:00`);
    await button(/^Send on .*Mar 1.* 9:00/).waitFor();
    expect((await names()).filter((name) => !/^Send (on|tomorrow|today) .*\d:00/.test(name))).toEqual([]);
  });
});
