import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { emailChannel, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { openConsole } from '../support/clients/console.js';
import { receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';

let browser: Browser;
let workspace: Workspace;
let page: Page;

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
    await receivedMail(workspace, {
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
});
