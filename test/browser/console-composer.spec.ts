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
import { openConsole } from '../support/clients/console.js';
import { draftsOf, receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;
let page: Page;

const openAt = async ({ conversation_id }: Json, options = {}): Promise<void> =>
  void (page = await openConsole(browser, workspace.key, `inbox/${conversation_id}`, options));
const pending = async (of: Json): Promise<Json> => (await ok(workspace.api.get(draftsOf(of)))).data[0];
const saved = (of: Json, body: object) => ok(workspace.api.post(draftsOf(of), body));
const field = () => page.getByLabel('Text of the reply');
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

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
    browser = await launchChromium();
  });
  afterEach(() => page.context().close());
  afterAll(() => browser.close());

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
});
