import type { Browser, Locator, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { type Json, newWorkspace, ok, unique, type Workspace } from '../support/clients/client.js';
import { focused, openConsole, untilFound, violationsOf } from '../support/clients/console.js';
import { receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;
let page: Page;
let grace: Json;

const comment = () => page.getByLabel('Comment, for colleagues only');
const offered = () => page.getByRole('listbox', { name: 'Mention' }).getByRole('option');
const commentsOn = async ({ conversation_id }: Json): Promise<Json[]> =>
  (await ok(workspace.api.get(`conversations/${conversation_id}/comments`))).data;
const openComment = async (): Promise<Json> => {
  const of = await receivedMail(workspace);
  page = await openConsole(browser, workspace.key, `inbox/${of.conversation_id}?write=comment`);
  await comment().waitFor();
  return of;
};
/** As browsers tell of keys that belong to an input method: WebKit by the code alone. */
const convert = (field: Locator, key: string, init: object) =>
  field.evaluate((input, options) => input.dispatchEvent(new KeyboardEvent('keydown', options)), {
    key,
    bubbles: true,
    cancelable: true,
    ...init,
  });

needs(CHROMIUM, hasChromium).describe('Whoever types in the console', () => {
  beforeAll(async () => {
    workspace = await newWorkspace();
    for (const name of ['Grace Hopper', 'Carl Gauß'])
      grace ??= await ok(workspace.adminApi.post('agents', { name }));
    browser = await launchChromium();
  });
  afterEach(() => page.context().close());
  afterAll(() => browser.close());

  it('mentions a colleague by the first letters of a name', async () => {
    const of = await openComment();
    await comment().pressSequentially('Ask @Gr');
    await offered().getByText('Grace Hopper').waitFor();
    expect(await offered().count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await until(async () => (await comment().inputValue()) === 'Ask @Grace Hopper ');
    await page.keyboard.type('please');
    await page.keyboard.press('Control+Enter');
    await until(async () => (await commentsOn(of)).length === 1);
    const [made] = await commentsOn(of);
    expect(made).toMatchObject({
      body: 'Ask @Grace Hopper please',
      mentioned_agent_ids: [grace.agent_id],
    });
  });

  it('mentions a colleague within a text, by mouse, and leaves the list by Escape', async () => {
    const of = await openComment();
    await comment().fill('@gr, do you know?');
    await comment().evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(3, 3));
    await comment().dispatchEvent('click');
    await page.keyboard.press('Escape');
    await offered().first().waitFor({ state: 'detached' });
    await focused(comment()).waitFor();
    await comment().dispatchEvent('click');
    await offered().getByText('Grace Hopper').click();
    await until(async () => (await comment().inputValue()) === '@Grace Hopper, do you know?');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await until(async () => (await commentsOn(of)).length === 1);
    expect((await commentsOn(of))[0].mentioned_agent_ids).toEqual([grace.agent_id]);
  });

  it.each([
    ['while it is composed', { isComposing: true }],
    ['that ends it', { keyCode: 229 }],
  ])('sends, chooses and moves nothing by a key of an input method, %s', async (_, init) => {
    const name = unique('Koeki');
    const contact = await ok(workspace.api.post('contacts', { name }));
    await untilFound(workspace.api, name, contact.contact_id);
    const of = await openComment();
    await comment().fill('コメント');
    await convert(comment(), 'Enter', { ...init, ctrlKey: true });
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox', { name: /^Find records/ });
    await palette.fill(name);
    const first = page.getByRole('option', { name });
    await first.waitFor();
    await convert(palette, 'Enter', init);
    await convert(palette, 'ArrowDown', init);
    expect(await first.getAttribute('aria-selected')).toBe('true');
    expect(page.url()).toContain(of.conversation_id);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/contacts/${contact.contact_id}*`);
    expect(await commentsOn(of)).toEqual([]);
  });
});
