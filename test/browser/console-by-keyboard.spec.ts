import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium, newPage } from '../support/clients/browser.js';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { consoleUrl, focused, holdReplies, pressUntil, untilFound } from '../support/clients/console.js';
import { receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

const MOST_STOPS = 80;

needs(CHROMIUM, hasChromium).describe('A day by keyboard alone', () => {
  let browser: Browser;
  let page: Page;
  let smtp: TestSmtp;
  let workspace: Workspace;
  let question: Json;
  let sale: Json;

  beforeAll(async () => {
    smtp = await startSmtp();
    workspace = await newWorkspace();
    await emailChannel(workspace, smtp.port);
    question = await receivedMail(workspace, {
      subject: 'Blue?',
      content: 'Do you have the turquoise one?',
      contact: { name: 'Mary Somerville', email: 'mary@contoso.example' },
    });
    await receivedMail(workspace, { subject: 'Prices', content: 'What does the table cost?' });
    const { data: stages } = await ok(workspace.api.get('sale-statuses'));
    const { contact_id } = await ok(workspace.api.get(`conversations/${question['conversation_id']}`));
    const body = { name: 'Tableware', status_id: stages[0].status_id, associated_contacts: [{ contact_id }] };
    sale = await ok(workspace.api.post('sales', body));
    await untilFound(workspace.api, 'turquoise', question['message_id']);
    await untilFound(workspace.api, 'tableware', sale['sale_id']);
    browser = await launchChromium();
    page = await newPage(browser, { viewport: { width: 1280, height: 800 } });
    await holdReplies(page);
  });
  afterAll(async () => {
    await browser.close();
    await smtp.close();
  });

  const press = (key: string) => page.keyboard.press(key);
  const type = (text: string) => page.keyboard.type(text);

  /** Goes on from what has the focus, to the button, link or option that is called so, and presses it. */
  async function pressNext(name: string | RegExp): Promise<void> {
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      await press('Tab');
      const here = page.locator(':focus');
      const words = (await here.getAttribute('aria-label')) ?? (await here.innerText().catch(() => ''));
      if (typeof name === 'string' ? words.trim() === name : name.test(words)) return press('Enter');
    }
    throw new Error(`The Tab key never came to ${String(name)}.`);
  }

  /** Opens what the palette finds first. */
  async function find(words: string, shown: string): Promise<void> {
    await press('Control+k');
    await type(words);
    await page.getByRole('option', { name: shown, selected: true }).waitFor();
    await press('Enter');
  }

  it('signs in, and finds who waits by a word of theirs', async () => {
    await page.goto(`${consoleUrl()}/inbox`);
    await focused(page.getByLabel('API key')).waitFor();
    await type(workspace.key);
    await press('Enter');
    await page.getByRole('link', { name: /Mary Somerville/ }).waitFor();
    await press('/');
    await type('turquo');
    await page.locator('mark', { hasText: 'turquoise' }).first().waitFor();
    await pressNext(/turquoise/);
    await page.getByRole('heading', { name: 'Blue?', level: 1 }).waitFor();
    await page.getByText('Do you have the turquoise one?').last().waitFor();
  });

  it('writes an answer, has it leave tomorrow, and takes it back', async () => {
    await pressUntil(page, 'r', focused(page.getByLabel('Text of the reply')));
    await type('Yes, from May.');
    // While it is being saved, nothing can be sent.
    await page.getByText(/^Draft saved/).waitFor();
    await pressNext('Send later');
    await page.locator('button:focus', { hasText: /Later today|Tomorrow/ }).waitFor();
    await press('ArrowDown');
    await press('Enter');
    await page.getByText(/^Leaves (tomorrow|[A-Z])/).waitFor();
    await pressNext('Take back');
    await page.getByText(/^Draft saved/).waitFor();
    expect(smtp.mails).toEqual([]);
  });

  it('sends it', async () => {
    await press('r');
    await press('Control+Enter');
    await page.getByText(/^Leaves in \d+ s\.$/).waitFor();
    await pressNext('Send now');
    await page.getByRole('article', { name: 'Ada Byron, sent' }).waitFor();
    expect(smtp.mails.map(({ parsed }) => parsed.text?.trim())).toEqual(['Yes, from May.']);
  });

  it('moves the sale to its next stage', async () => {
    await find('Tableware', 'Tableware');
    await page.getByRole('heading', { name: 'Tableware' }).waitFor();
    await press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    const card = page.locator(`[data-sale="${sale['sale_id']}"]`);
    await card.waitFor();
    await pressUntil(page, 'j', focused(card));
    await press(']');
    await until(async () => {
      const { current_status } = await ok(workspace.api.get(`sales/${sale['sale_id']}`));
      return current_status.label === 'Quoted';
    });
  });

  it('closes the conversation', async () => {
    await find('turquoise', 'Blue?');
    await page.getByRole('heading', { name: 'Blue?', level: 1 }).waitFor();
    await pressUntil(page, 'e', page.getByRole('button', { name: 'Reopen' }));
    const conversation = `conversations/${question['conversation_id']}`;
    await until(async () => (await ok(workspace.api.get(conversation))).status === 'closed');
  });

  it('sees each step in the audit page', async () => {
    await find('Audit', 'Audit');
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    await page
      .getByRole('link', { name: /Conversation changed/ })
      .first()
      .waitFor();
    await pressUntil(page, 'j', page.getByRole('region', { name: 'Change', exact: true }));
    await page.getByRole('table').waitFor();
    const told = await page.getByRole('main').innerText();
    for (const step of [
      'status: open → closed',
      'stage: Qualified → Quoted',
      'Reply sent',
      'Reply changed',
      'Reply drafted',
    ])
      expect(told).toContain(step);
  });
});
