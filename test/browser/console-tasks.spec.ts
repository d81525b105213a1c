import type { Browser, Locator, Page, Response, Route } from 'playwright-core';
import { CHROMIUM, hasChromium, launchChromium } from '../support/clients/browser.js';
import { type Json, newKey, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import {
  closeDialog,
  consoleUrl,
  openConsole,
  tryAgain,
  unrouted,
  untilFound,
  violationsOf,
} from '../support/clients/console.js';
import { needs } from '../support/needs.js';
import { endOfDay, HOUR, inHours } from '../support/data/times.js';
import { until } from '../support/until.js';

/** Where the day ends hours after that of UTC. */
const ZONE = 'Pacific/Honolulu';

let browser: Browser;
let workspace: Workspace;
let page: Page;
let contact: Json;
let dayEnds: number;

const newTask = (title: string, more: object = {}): Promise<Json> =>
  ok(workspace.api.post('tasks', { title, ...more }));
const link = (title: string, tab = page): Locator => tab.getByRole('link', { name: title, exact: true });
const taskOf = ({ task_id }: Json): Promise<Json> => ok(workspace.api.get(`tasks/${task_id}`));

/** Changes the task so while the page's next look at it is on its way: before, the page might show it. */
const meanwhile = ({ task_id }: Json, body: object) => {
  const handler = async (route: Route) => {
    await ok(workspace.api.patch(`tasks/${task_id}`, body));
    await route.continue();
  };
  return page.route(`**/tasks/${task_id}`, handler, { times: 1 });
};

/** The titles below the name of each group, in their order. */
const groupsOf = (tab = page): Promise<Record<string, string[]>> =>
  tab.evaluate(() => {
    const groups: Record<string, string[]> = {};
    let last = '';
    for (const one of document.querySelectorAll<HTMLElement>('.task-group, [data-task]'))
      if (one.matches('.task-group')) groups[(last = one.innerText)] = [];
      else groups[last]!.push(one.innerText);
    return groups;
  });

needs(CHROMIUM, hasChromium).describe('The tasks', () => {
  beforeAll(async () => {
    workspace = await newWorkspace({ organization: { timezone: ZONE } });
    contact = await ok(workspace.api.post('contacts', { name: 'Mary Somerville' }));
    dayEnds = endOfDay(ZONE);
    await newTask('Late', { due_at: inHours(-30) });
    await newTask('By tonight', {
      due_at: new Date(dayEnds - 1_000).toISOString(),
      agent_id: workspace.agentId,
    });
    await newTask('By tomorrow', { due_at: new Date(dayEnds + 1_000).toISOString() });
    await newTask('Some day', { contact_id: contact['contact_id'] });
    const done = await newTask('Long done');
    await ok(workspace.api.patch(`tasks/${done['task_id']}`, { completed_at: inHours(-50) }));
    await untilFound(workspace.api, 'somerville', contact['contact_id']);
    browser = await launchChromium();
    page = await openConsole(browser, workspace.key, 'tasks');
    await link('Long done').waitFor();
  });
  afterAll(() => browser.close());

  it('shows what is overdue, due today, later, without a time and done, by the day of the organization', async () => {
    // The last minute of that day would make one of them overdue meanwhile.
    if (dayEnds - Date.now() < 60_000) return;
    expect(await groupsOf()).toEqual({
      Overdue: ['Late'],
      Today: ['By tonight'],
      Later: ['By tomorrow'],
      'Without a time': ['Some day'],
      Done: ['Long done'],
    });
  });

  it('leads to the record that a task is about', async () => {
    const about = page.getByRole('link', { name: 'Mary Somerville' });
    expect(await about.getAttribute('href')).toContain(`/contacts/${contact['contact_id']}`);
  });

  it('completes by mouse, shown at once, and takes it back by undo', async () => {
    const task = await newTask('Clicked', { due_at: inHours(-1) });
    await page.reload();
    await page.getByRole('button', { name: 'Complete: Clicked' }).click();
    await page.getByRole('button', { name: 'Reopen: Clicked' }).waitFor();
    await until(async () => (await taskOf(task)).completed_at !== null);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Complete: Clicked' }).waitFor();
    await until(async () => (await taskOf(task)).completed_at === null);
  });

  it('takes back what is refused, with a sentence', async () => {
    const task = await newTask('Refused', { due_at: inHours(-2) });
    await page.reload();
    await page.getByRole('button', { name: 'Complete: Refused' }).waitFor();
    const refusal = { status: 409, json: { detail: 'Not today.' } };
    await page.route(`**/tasks/${task['task_id']}`, (route) => route.fulfill(refusal));
    await page.getByRole('button', { name: 'Complete: Refused' }).click();
    await page.getByText('Not done: Not today.').waitFor();
    await page.getByRole('button', { name: 'Complete: Refused' }).waitFor();
    await unrouted(page);
  });

  it('shows both times where another has put a task off meanwhile, and leaves one that is done as it is', async () => {
    const task = await newTask('Disputed', { due_at: inHours(-4) });
    // The page is not told of what others do.
    await page.route('**/events?*', () => undefined);
    let answers = 0;
    const count = (response: Response) => {
      if (response.url().includes('/api/') && response.url().includes(`/tasks/${task['task_id']}`)) answers++;
    };
    page.on('response', count);
    await page.goto(`${consoleUrl()}/tasks/${task['task_id']}`);
    // Once opened, it asks for all once more.
    await until(() => answers >= 2);
    page.off('response', count);
    const side = page.getByRole('complementary', { name: 'Task' });
    await side.getByRole('button', { name: 'Put off' }).click();
    await meanwhile(task, { due_at: '2031-05-05T10:00:00Z' });
    await page.getByRole('button', { name: /^Put off to tomorrow/i }).click();
    const met = page.getByRole('alert', { name: 'Somebody else changed this meanwhile' });
    await met.getByLabel('Due').getByText(/2031/).waitFor();
    expect((await taskOf(task)).due_at).toContain('2031-05-05');
    await met.getByRole('button', { name: 'Keep mine' }).click();
    await until(async () => !(await taskOf(task)).due_at.startsWith('2031'));
    const completed_at = '2026-01-05T10:00:00.000000Z';
    await meanwhile(task, { completed_at });
    await side.getByRole('button', { name: 'Complete', exact: true }).click();
    await page.getByText('Done: Disputed').waitFor();
    expect((await taskOf(task)).completed_at).toBe(completed_at);
    await page.unrouteAll();
  });

  it('goes through the list, completes, opens and closes, by keyboard', async () => {
    const first = await newTask('Typed first', { due_at: inHours(-200) });
    const second = await newTask('Typed second', { due_at: inHours(-199) });
    await page.goto(`${consoleUrl()}/tasks`);
    await link('Typed first').waitFor();
    const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset['task']);
    await page.keyboard.press('j');
    expect(await focused()).toBe(first['task_id']);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await focused()).toBe(first['task_id']);
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Reopen: Typed first' }).waitFor();
    await until(async () => (await taskOf(first)).completed_at !== null);
    expect(await focused()).toBe(second['task_id']);
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').getByRole('heading', { name: 'Typed second' }).waitFor();
    expect(page.url()).toContain(`/tasks/${second['task_id']}`);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'hidden' });
  });

  it('makes a task with a time of the organization, an owner and a record', async () => {
    await page.keyboard.press('n');
    await page.keyboard.type('Made here');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Due').fill('2031-03-31T09:30');
    await dialog.getByRole('button', { name: 'Find a contact' }).click();
    await page.keyboard.type('somer');
    await page.getByRole('option', { name: 'Mary Somerville' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Another one' }).waitFor();
    await dialog.getByRole('button', { name: 'New task' }).click();
    await link('Made here').waitFor();
    const { data } = await ok(workspace.api.get('tasks', { limit: 1 }));
    expect(data[0]).toMatchObject({
      title: 'Made here',
      due_at: '2031-03-31T19:30:00.000000Z',
      agent_id: workspace.agentId,
      contact_id: contact['contact_id'],
    });
  });

  it('puts a task off, and changes its time and owner in their place, with a way back', async () => {
    const task = await newTask('Movable', { due_at: inHours(-3) });
    await page.goto(`${consoleUrl()}/tasks/${task['task_id']}`);
    const side = page.getByRole('complementary', { name: 'Task' });
    await side.getByRole('button', { name: 'Put off' }).click();
    await side.getByRole('button', { name: /^Put off to .*In a week/ }).click();
    await until(async () => Date.parse((await taskOf(task)).due_at) > Date.now() + 100 * HOUR);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await taskOf(task)).due_at === task['due_at']);
    await side.getByRole('button', { name: 'Change: Due' }).click();
    await side.getByLabel('Due').fill('2032-01-02T08:00');
    await side.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await taskOf(task)).due_at === '2032-01-02T18:00:00.000000Z');
    await side.getByRole('button', { name: 'Change: Owner' }).click();
    await side.getByLabel('Owner', { exact: true }).selectOption('Ada Byron');
    await side.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await taskOf(task)).agent_id === workspace.agentId);
  });

  it('shows both where an edit met another person’s', async () => {
    const task = await newTask('Contested', { due_at: inHours(-3) });
    await page.goto(`${consoleUrl()}/tasks/${task['task_id']}`);
    const side = page.getByRole('complementary', { name: 'Task' });
    await side.getByRole('button', { name: 'Change: Title' }).click();
    await page.keyboard.type(' by me');
    await ok(workspace.api.patch(`tasks/${task['task_id']}`, { title: 'Contested by her' }));
    await page.keyboard.press('Enter');
    await side.getByText('Somebody else changed this meanwhile').waitFor();
    await side.getByText('Contested by me').waitFor();
    await side.getByRole('button', { name: 'Keep mine' }).click();
    await until(async () => (await taskOf(task)).title === 'Contested by me');
  });

  it('keeps its filters in the address: reload, back and a link show the same', async () => {
    // What is due today is overdue once the day has ended: somebody who has no task has none then.
    const { agent_id } = await ok(workspace.adminApi.post('agents', { name: 'Carl Gauss' }));
    await page.goto(`${consoleUrl()}/tasks`);
    await link('Late').waitFor();
    await page.getByLabel('State').selectOption('Done');
    await link('Late').waitFor({ state: 'detached' });
    await link('Long done').waitFor();
    expect(Object.keys(await groupsOf())).toEqual(['Done']);
    await page.getByLabel('State').selectOption('Overdue');
    await page.getByLabel('Owner').selectOption('Carl Gauss');
    await page.getByText('Nothing matches these filters').waitFor();
    expect(page.url()).toContain(`state=overdue&agent_id=${agent_id}`);
    await page.reload();
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await link('Late').waitFor();
    await page.goBack();
    await page.getByText('Nothing matches these filters').waitFor();
    await page.goto(`${consoleUrl()}/tasks?state=undated`);
    await link('Some day').waitFor();
    expect(Object.keys(await groupsOf())).toEqual(['Without a time']);
  });

  it('offers nothing that the key may not do', async () => {
    const { api_key } = await ok(newKey(workspace.admin, workspace.organizationId, { read_only: true }));
    const reader = await openConsole(browser, api_key, 'tasks');
    await link('Late', reader).click();
    await reader.getByRole('complementary', { name: 'Task' }).getByText('Created').waitFor();
    expect(await reader.getByRole('button', { name: /New|Complete|Reopen|Put off|Change/ }).count()).toBe(0);
    await reader.context().close();
  });

  it('says that there is nothing to do, that a task is not there, and what could not be loaded', async () => {
    const other = await newWorkspace();
    const empty = await openConsole(browser, other.key, 'tasks');
    await empty.getByText('There is nothing to do').waitFor();
    await empty.goto(`${consoleUrl()}/tasks/task_none`);
    await empty.getByText('There is no such record').waitFor();
    await empty.route('**/tasks?*', (route) => route.fulfill({ status: 500, json: { detail: 'Broken.' } }));
    await empty.goto(`${consoleUrl()}/tasks`);
    await empty.getByText('Broken.').waitFor();
    await unrouted(empty);
    await tryAgain(empty);
    await empty.getByText('There is nothing to do').waitFor();
    await empty.context().close();
  });

  it('reads a long list a page at a time, and finds those without a time behind all others', async () => {
    const other = await newWorkspace();
    await ok(other.api.post('tasks', { title: 'Behind' }));
    const items = Array.from({ length: 150 }, (_, nr) => ({ title: `Task ${nr}`, due_at: inHours(nr + 1) }));
    await ok(other.api.post('tasks/batch', { items }));
    const tab = await openConsole(browser, other.key, 'tasks');
    await link('Task 0', tab).waitFor();
    expect(await tab.locator('[data-task]').count()).toBe(50);
    await until(async () => {
      await tab.locator('[data-task]').last().scrollIntoViewIfNeeded();
      return (await link('Behind', tab).count()) > 0;
    });
    await tab.context().close();
  });

  it.each(['light', 'dark'] as const)('has nothing that axe-core finds wrong, %s', async (colorScheme) => {
    const found: Record<string, string[]> = {};
    const tab = await openConsole(browser, workspace.key, 'tasks', { colorScheme });
    const look = async (name: string) => void (found[name] = await violationsOf(tab));
    await link('Long done', tab).waitFor();
    await look('list');
    await link('Late', tab).click();
    await tab.getByRole('button', { name: 'Put off' }).click();
    await look('task with menu');
    await tab.keyboard.press('Escape');
    await tab.keyboard.press('Escape');
    await tab.keyboard.press('n');
    await tab.getByRole('dialog').waitFor();
    await look('new task');
    await closeDialog(tab);
    await tab.setViewportSize({ width: 360, height: 740 });
    await look('small');
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
    await tab.context().close();
  });
});
