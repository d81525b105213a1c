import type { Browser, Page } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { apiOf, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { consoleUrl, openConsole, type TabOptions, violationsOf } from '../support/clients/console.js';
import { receivedMail } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { removeDataDir } from '../support/server/data-dir.js';
import { type Server, startServer } from '../support/server/server.js';
import { answering, startReceiver, type TestReceiver, verified } from '../support/stand-ins/receiver.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

const PASSWORD = 'hush-of-the-mail-server';

let browser: Browser;
let server: Server;
let workspace: Workspace;
let smtp: TestSmtp;
let receiver: TestReceiver;
let page: Page;

const open = (path: string, options: TabOptions = {}): Promise<Page> =>
  openConsole(browser, server.adminKey, path, { url: server.url, ...options });

const at = (path: string): string => `${consoleUrl(server.url)}/operations/${path}`;
const here = (path: string): string => `${at(path)}?org=${workspace.organizationId}`;

/** Once the form has given way to what it has made: a reload before that would show the form. */
const isMade = () => page.waitForURL((url) => !url.pathname.endsWith('/new'));

/** The secret that is shown, until the person has kept it; then it is nowhere. */
async function keptSecret(): Promise<string> {
  const secret = await page.getByRole('dialog').getByLabel('Secret', { exact: true }).inputValue();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.mouse.click(2, 2);
  await page.getByRole('dialog').getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const everything = async () => [await page.content(), JSON.stringify(await page.context().storageState())];
  expect((await everything()).join()).not.toContain(secret);
  await page.reload();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  expect((await everything()).join()).not.toContain(secret);
  return secret;
}

/** Says yes to what is asked. */
const confirm = (act: string) => page.getByRole('dialog').getByRole('button', { name: act }).click();

needs(CHROMIUM, hasChromium).describe('What operators set up in the console', () => {
  beforeAll(async () => {
    server = await startServer();
    workspace = await newWorkspace({ url: server.url, organization: { name: 'Navy' } });
    [smtp, receiver] = await Promise.all([startSmtp(), startReceiver()]);
    browser = await launchChromium();
    page = await open('operations/keys', { permissions: ['clipboard-read', 'clipboard-write'] });
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([smtp.close(), receiver.close(), server.stop()]);
    removeDataDir(server.dataDir);
  });

  describe('a key', () => {
    let latest: string;
    const read = async (key: string) =>
      (await apiOf(workspace.organizationId, key, server.url).get('contacts')).status;

    it('is made, its secret shown once and copied, and works', async () => {
      await page.getByRole('link', { name: /^Test/ }).waitFor();
      await page.keyboard.press('n');
      await page.waitForURL(at('keys/new'));
      await page.keyboard.type('Website');
      await page.getByLabel('Navy').check();
      await page.getByLabel('Acts for').selectOption('Ada Byron');
      await page.getByRole('button', { name: 'Make a key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Copy Secret' }).click();
      await page.getByText('Copied.').waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      await isMade();
      const secret = await keptSecret();
      expect(copied).toBe(secret);
      expect(await read(secret)).toBe(200);
      await page.getByRole('heading', { name: 'Website' }).waitFor();
      await page.getByRole('definition').filter({ hasText: 'Ada Byron' }).waitFor();
      latest = secret;
    });

    it('gets a new secret, with the old one valid for a while', async () => {
      await page.getByLabel('The old one stays valid for').selectOption('1 hr');
      await page.getByRole('button', { name: 'Make a new secret' }).click();
      await confirm('Make a new secret');
      const secret = await keptSecret();
      expect(secret).not.toBe(latest);
      expect([await read(secret), await read(latest)]).toEqual([200, 200]);
      latest = secret;
    });

    it('is revoked once that is confirmed', async () => {
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByText('it cannot be brought back').waitFor();
      await confirm('Revoke');
      await page.getByText('Website is revoked.').waitFor();
      await until(async () => (await read(latest)) === 401);
      expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    });

    it('is found by a part of its name, which the address keeps', async () => {
      await page.goto(at('keys'));
      await page.getByRole('link', { name: /^Test/ }).waitFor();
      await page.getByLabel('Search keys').fill('web');
      await page.getByRole('link', { name: /^Test/ }).waitFor({ state: 'hidden' });
      await page.reload();
      await page.getByRole('link', { name: /^Website.* Revoked/ }).waitFor();
      expect(page.url()).toBe(`${at('keys')}?q=web`);
      await page.getByLabel('Search keys').fill('nothing such');
      await page.getByText('No key is found for').waitFor();
    });

    it('is not made without an organization: the form says why, and keeps what was typed', async () => {
      await page.goto(at('keys/new'));
      await page.getByLabel('Name', { exact: true }).fill('Nobody');
      await page.getByLabel('It may only read').check();
      await page.getByRole('button', { name: 'Make a key' }).click();
      await page
        .getByRole('alert')
        .getByText(/organization_ids/)
        .waitFor();
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Nobody');
    });
  });

  describe('a webhook', () => {
    let secret: string;

    it('is made, and gets events with the secret that was shown once', async () => {
      await page.goto(here('webhooks'));
      await page.getByText('No webhook is set up').waitFor();
      await page.getByRole('link', { name: 'Make a webhook' }).click();
      await page.getByLabel('Address').fill(receiver.url);
      await page.getByLabel('Types of events').fill('ConversationOpened, MessageRecorded');
      await page.getByRole('button', { name: 'Make a webhook' }).click();
      await isMade();
      secret = await keptSecret();
      await receivedMail(workspace);
      const [first] = await receiver.waitFor(1);
      expect(verified(secret, first!).type).toBe('ConversationOpened');
      await page.getByRole('region', { name: 'Log' }).getByText('Delivered (204)').waitFor();
    });

    it('is tried out, and says what it answered', async () => {
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText(/^It was taken: 204 after/).waitFor();
      receiver.respond = answering(503);
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText(/^It was not taken: .*503/).waitFor();
      receiver.respond = undefined;
    });

    it('gets an event once more', async () => {
      const before = receiver.seen.length;
      await page.getByRole('button', { name: 'Send again: ConversationOpened' }).click();
      await page.getByText('It is sent again.').waitFor();
      await receiver.waitFor(before + 1);
      expect(receiver.seen.at(-1)!.id).toBe(receiver.seen[0]!.id);
    });

    it('is paused, and goes on by undo', async () => {
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Events are kept for it.').waitFor();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      await until(async () => {
        const { data } = await ok(workspace.adminApi.get('webhooks'));
        return !data[0].paused;
      });
    });

    it('is changed, gets another secret, and is removed once that is confirmed', async () => {
      await page.getByRole('link', { name: 'Change' }).click();
      await page.getByLabel('What it is for').fill('Warehouse');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('definition').filter({ hasText: 'Warehouse' }).waitFor();
      await page.getByRole('button', { name: 'Make a new secret' }).click();
      await confirm('Make a new secret');
      expect(await keptSecret()).not.toBe(secret);
      await page.getByRole('button', { name: 'Remove' }).click();
      await confirm('Remove');
      await page.getByText('No webhook is set up').waitFor();
    });
  });

  describe('a channel', () => {
    it('is set up by keyboard, tried out, and never shows its password', async () => {
      await page.goto(here('channels'));
      await page.getByRole('link', { name: /^E-mail Not set up/ }).press('Enter');
      await page.getByLabel('Address that mail is sent from').fill('sales@navy.example');
      await page.getByLabel('Mail server').fill('127.0.0.1');
      await page.getByLabel('Port', { exact: true }).fill(String(smtp.port));
      await page.getByLabel('User name').fill('navy');
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByLabel('Password').press('Enter');
      await page.getByRole('button', { name: 'Try it out' }).press('Enter');
      await page.getByText('The provider takes the credentials.').waitFor();
      expect(page.url()).toBe(here('channels/email'));
      await page.getByLabel('Mails', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Change' }).click();
      await page.getByText('give it again').waitFor();
      expect(await page.content()).not.toContain(PASSWORD);
    });

    it('says why its provider refuses', async () => {
      await page.getByLabel('Port', { exact: true }).fill('1');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Try it out' }).click();
      await page.getByText(/^The provider cannot be used: .*ECONNREFUSED/).waitFor();
    });

    it('is removed once that is confirmed', async () => {
      await page.getByRole('button', { name: 'Remove the channel' }).click();
      await confirm('Remove the channel');
      await page.getByRole('link', { name: /^E-mail Not set up/ }).waitFor();
    });
  });

  it('an organization is made, and gets an agent, whose name is changed', async () => {
    await page.goto(at('organizations'));
    await page.getByRole('link', { name: 'Make an organization' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Cobol & Sons');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Region').fill('de');
    await page.getByLabel('Sat').check();
    await page.getByRole('button', { name: 'Make an organization' }).click();
    await page.getByText('Mon, Tue, Wed, Thu, Fri, Sat 09:00–17:00').waitFor();
    await page.getByRole('button', { name: 'Add an agent' }).click();
    await page.keyboard.type('Grace Hoper');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Change Grace Hoper' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await page.keyboard.press('Enter');
    await page.getByText('Grace Hopper').waitFor();
    const { data } = await ok(workspace.admin.get('organizations'));
    expect(data[0]).toMatchObject({ name: 'Cobol & Sons', timezone: 'Europe/Berlin', default_region: 'DE' });
  });

  describe('an edit that met another shows both, and changes nothing else:', () => {
    const save = () => page.getByRole('button', { name: 'Save' }).click();
    const theirs = (text: string) =>
      page
        .getByRole('alert', { name: 'Somebody else changed this meanwhile' })
        .getByText(text, { exact: true })
        .waitFor();

    it('of a webhook', async () => {
      const { webhook_id } = await ok(workspace.adminApi.post('webhooks', { url: receiver.url }));
      const now = async () => ok(workspace.adminApi.get(`webhooks/${webhook_id}`));
      await page.goto(`${here(`webhooks/${webhook_id}`)}&edit=on`);
      await page.getByLabel('What it is for').fill('Mine');
      await ok(workspace.adminApi.patch(`webhooks/${webhook_id}`, { description: 'Theirs' }));
      await save();
      await theirs('Theirs');
      expect((await now()).description).toBe('Theirs');
      await ok(workspace.adminApi.patch(`webhooks/${webhook_id}`, { types: ['MessageRecorded'] }));
      await page.getByRole('button', { name: 'Keep mine' }).click();
      await until(async () => (await now()).description === 'Mine');
      expect(await now()).toMatchObject({ description: 'Mine', types: ['MessageRecorded'] });
      await ok(workspace.adminApi.delete(`webhooks/${webhook_id}`));
    });

    it('of an organization and of an agent', async () => {
      const { organizationId, admin, agentId } = workspace;
      const path = `organizations/${organizationId}`;
      await page.goto(`${at(path)}?edit=on`);
      await page.getByLabel('Name', { exact: true }).fill('Fleet');
      await ok(admin.patch(path, { name: 'Army', notification_emails: ['b@navy.example'] }));
      await save();
      await theirs('Army');
      await page.getByRole('button', { name: 'Take theirs' }).click();
      await page.getByRole('heading', { name: 'Army', level: 2 }).waitFor();
      await page.getByRole('button', { name: /^Change Ada/ }).click();
      await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
      await ok(admin.patch(`${path}/agents/${agentId}`, { name: 'Ada King', email: 'ada@navy.example' }));
      await save();
      await theirs('Ada King');
      await page.getByRole('button', { name: 'Keep mine' }).click();
      await page.getByRole('button', { name: 'Change Ada Lovelace' }).waitFor();
      const { data } = await ok(admin.get(`${path}/agents`));
      expect(data[0]).toMatchObject({ name: 'Ada Lovelace', email: 'ada@navy.example' });
      await ok(admin.patch(path, { name: 'Navy' }));
    });
  });

  it('what is not there is said to be so', async () => {
    await page.goto(at('keys/key_nowhere'));
    await page.getByText('It is not in this list').waitFor();
  });

  it.each(['light', 'dark'] as const)('has nothing that axe-core finds wrong, %s', async (colorScheme) => {
    const found: Record<string, string[]> = {};
    const tab = await open('operations/keys', { colorScheme });
    const look = async (name: string, path: string, heading: string) => {
      await tab.goto(path);
      await tab.getByRole('heading', { name: heading }).first().waitFor();
      found[name] = await violationsOf(tab);
    };
    await ok(workspace.adminApi.put('channels/live_chat', { provider: 'inbox' }));
    const { webhook_id } = await ok(workspace.adminApi.post('webhooks', { url: receiver.url }));
    await look('keys', at('keys'), 'Choose one');
    await look('key', at(`keys/${workspace.keyId}`), 'Test');
    await look('new key', `${here('keys/new')}`, 'Make a key');
    await look('webhook', here(`webhooks/${webhook_id}`), receiver.url);
    await tab.getByRole('button', { name: 'Make a new secret' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'I have kept it' }).waitFor();
    found['secret'] = await violationsOf(tab);
    await look('channel', here('channels/live_chat'), 'Live chat');
    await look('form of a channel', here('channels/email'), 'Set up: E-mail');
    await look('organization', at(`organizations/${workspace.organizationId}`), 'Navy');
    await look('new organization', at('organizations/new'), 'Make an organization');
    await tab.setViewportSize({ width: 360, height: 740 });
    await look('key on a telephone', at(`keys/${workspace.keyId}`), 'Test');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await tab.context().close();
  });
});
