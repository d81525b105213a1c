import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { held, openConsole, violationsOf } from '../support/clients/console.js';
import { draftsOf, receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;
let page: Page;
let conversation: Json;

const pending = async (): Promise<Json[]> => (await ok(workspace.api.get(draftsOf(conversation)))).data;
const colleagueSaves = (text: string) =>
  ok(workspace.api.post(draftsOf(conversation), { body_html: `<p>${text}</p>` }));
/** Does this while such requests of the page are held: what one types is saved by itself, and might be saved before. */
async function meanwhile(method: string, type: () => Promise<unknown>, act: () => Promise<unknown>) {
  const { handler, release } = held(method);
  await page.route('**/response-drafts', handler);
  await type();
  await act();
  release();
}
const field = () => page.getByLabel('Text of the reply');
const both = () => page.getByRole('alert', { name: 'Somebody else changed this meanwhile' });

needs(CHROMIUM, hasChromium).describe('A reply that two people write', () => {
  beforeAll(async () => {
    workspace = await newWorkspace();
    await emailChannel(workspace, 9);
    browser = await launchChromium();
  });
  beforeEach(async () => {
    conversation = await receivedMail(workspace, { subject: 'Blue?' });
    page = await openConsole(browser, workspace.key, `inbox/${conversation.conversation_id}`);
    await field().waitFor();
  });
  afterEach(() => page.context().close());
  afterAll(() => browser.close());

  it('shows both to the second one, who takes the other', async () => {
    await meanwhile(
      'GET',
      () => field().fill('Yes, in blue.'),
      () => colleagueSaves('No, in red.'),
    );
    await both().getByText('Yes, in blue.').waitFor();
    await both().getByText('No, in red.').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await both().waitFor({ state: 'hidden' });
    expect(await field().inputValue()).toBe('No, in red.');
    expect((await pending()).map(({ body_html }) => body_html)).toEqual(['<p>No, in red.</p>']);
  });

  it('is overwritten only by whoever has seen the other and keeps their own', async () => {
    await colleagueSaves('No.');
    await page.reload();
    await until(async () => (await field().inputValue()) === 'No.');
    await meanwhile(
      'POST',
      () => field().fill('Yes.'),
      () => colleagueSaves('Perhaps.'),
    );
    await both().getByText('Perhaps.').waitFor();
    expect((await pending())[0].body_html).toBe('<p>Perhaps.</p>');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText(/^Draft saved/).waitFor();
    expect((await pending())[0].body_html).toBe('<p>Yes.</p>');
  });

  it('says that the other has discarded it', async () => {
    const { response_id } = await colleagueSaves('No.');
    await page.reload();
    await until(async () => (await field().inputValue()) === 'No.');
    await meanwhile(
      'POST',
      () => field().fill('No, sorry.'),
      () => ok(workspace.api.delete(`${draftsOf(conversation)}/${response_id}`)),
    );
    await both().getByText('(sent or discarded)').waitFor();
    expect(await pending()).toEqual([]);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText(/^Draft saved/).waitFor();
    expect((await pending())[0].body_html).toBe('<p>No, sorry.</p>');
  });

  it('goes on being saved while one types alone', async () => {
    await field().fill('One.');
    await page.getByText(/^Draft saved/).waitFor();
    await field().fill('One. Two.');
    await until(async () => (await pending())[0].body_html === '<p>One. Two.</p>');
    await field().fill('One. Two. Three.');
    await until(async () => (await pending())[0].body_html === '<p>One. Two. Three.</p>');
    expect(await both().count()).toBe(0);
  });
});
