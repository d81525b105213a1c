import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { readIfThere, writeWhole } from '#config/kept-file.js';
import { type Author, type Context, OPERATOR } from '#kernel/context.js';
import { now } from '#kernel/instant.js';
import { CreateCompany, CreateContact, MergeContact } from '../crm/crm.contract.js';
import { CreateTask, DeleteTask } from '../tasks/tasks.contract.js';
import {
  ApiKeys,
  Channels,
  ChannelSetup,
  Directory,
  Organizations,
} from '../workspace/workspace.contract.js';
import { fillDemo } from './fill.js';
import { type Inbox, startInbox } from './inbox.js';
import { planDemo } from './plan.js';

/** What a newcomer needs to try the demo; kept in the data directory. */
export interface Demo {
  organization_id: string;
  api_key: string;
  /** Where its inbox listens; null while none has ever run, and then it has no e-mail channel either. */
  inbox_port: number | null;
}

/** Any constant: the demo is the same everywhere. */
const SEED = 1996;
const INBOX_PORT = 2525;
const NAME = 'Northwind Traders';
const FROM_ADDRESS = 'hello@northwind.example';

const AGENTS = ['Ada Byron', 'Alan Turing', 'Grace Hopper', 'Katherine Johnson', 'Tim Okonkwo'];
const COMPANIES = [
  { name: 'Contoso', domain: 'contoso.example', address: '1 Harbour Road, Bristol' },
  { name: 'Fabrikam', domain: 'fabrikam.example', address: '12 Mill Lane, Leeds' },
];
const CONTACTS = [
  { name: 'Mary Somerville', email: 'mary@contoso.example', phone_number: '+1 212 555 0101', company: 0 },
  { name: 'Charles Babbage', email: 'charles@contoso.example', phone_number: '+1 212 555 0102', company: 0 },
  { name: 'Emmy Noether', email: 'emmy@fabrikam.example', phone_number: '+1 212 555 0103', company: 1 },
  {
    name: 'Sofia Kovalevskaya',
    email: 'sofia@fabrikam.example',
    phone_number: '+1 212 555 0104',
    company: 1,
  },
  { name: 'Carl Gauss', email: 'carl@gauss.example', phone_number: '+1 212 555 0105', company: null },
];

/** One of the contacts once more, which nobody has noticed yet. */
const UNNOTICED = { name: 'Emmy Noether', email: 'e.noether@fabrikam.example' };

/** The last of the contacts once more. */
const TWICE = { name: 'C. F. Gauss', email: 'c.f.gauss@gauss.example' };

const AUTHOR: Author = { actor: OPERATOR, requestId: 'demo', traceparent: null };

const fileOf = (dataDir: string) => join(dataDir, 'demo.json');
/** This file exists from the first step of creating a demo to the last. */
const unfinishedOf = (dataDir: string) => join(dataDir, 'demo.unfinished');

/** Whether the creation of the demo was cut off. */
export const isDemoUnfinished = (dataDir: string): boolean => existsSync(unfinishedOf(dataDir));

/** The demo created earlier with this data directory; null when there is none, or when it is in another database. */
export async function readDemo(app: INestApplicationContext, dataDir: string): Promise<Demo | null> {
  const text = readIfThere(fileOf(dataDir));
  if (text === null) return null;
  const demo = JSON.parse(text) as Demo;
  return (await app.get(Directory).organization(demo.organization_id)) ? demo : null;
}

/**
 * Creates the demo organization (or another one if the first was cut off before its key was kept): agents, companies,
 * contacts, sales, tasks and a key. Its e-mail channel comes with its inbox. Gives an existing demo as it is; throws when its
 * key was kept in another data directory.
 */
export async function createDemo(app: INestApplicationContext, dataDir: string): Promise<Demo> {
  if (!isDemoUnfinished(dataDir)) {
    const made = await readDemo(app, dataDir);
    if (made) return made;
    const owner =
      (await app.get(Channels).organizationOfAddress(FROM_ADDRESS)) ??
      (await app.get(Directory).named(NAME))?.organization_id;
    if (owner)
      throw new Error(
        `The demo is there, as ${owner}; its key was kept in the data directory it was made with.`,
      );
    rmSync(fileOf(dataDir), { force: true });
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(unfinishedOf(dataDir), '');
  }
  const demo = (await readDemo(app, dataDir)) ?? (await makeDemo(app));
  keep(dataDir, demo);
  rmSync(unfinishedOf(dataDir));
  return demo;
}

async function makeDemo(app: INestApplicationContext): Promise<Demo> {
  const organizations = app.get(Organizations);
  const { organization_id } = await organizations.create(AUTHOR, { name: NAME });
  const agents = [];
  for (const name of AGENTS) {
    const email = `${name.split(' ')[0]!.toLowerCase()}@northwind.example`;
    agents.push(await organizations.addAgent(AUTHOR, organization_id, { name, email }));
  }
  const { agent_id } = agents[0]!;
  const { api_key, key_id: keyId } = await app
    .get(ApiKeys)
    .issue(AUTHOR, { name: 'Demo', organization_ids: [organization_id], agent_id });

  const commands = app.get(CommandBus);
  const actor = { type: 'agent', id: agent_id } as const;
  const context: Context = { ...AUTHOR, organizationId: organization_id, actor, keyId };
  const agentIds = agents.map(({ agent_id }) => agent_id);
  const today = now();
  await fillDemo(app, context, planDemo(SEED, agentIds.length, Date.parse(today)), agentIds, today);
  const companies: { company_id: string }[] = [];
  for (const [index, body] of COMPANIES.entries())
    companies.push(
      await commands.execute(new CreateCompany(context, { ...body, agent_id: agents[index]!.agent_id })),
    );
  const { company_id } = companies[1]!;
  await commands.execute(new CreateContact(context, { ...UNNOTICED, company_id }));
  const contacts: { contact_id: string }[] = [];
  for (const { company, ...body } of CONTACTS) {
    const company_id = company === null ? null : companies[company]!.company_id;
    contacts.push(await commands.execute(new CreateContact(context, { ...body, company_id })));
  }
  // A contact who was there twice, and a task made by mistake, for the audit log.
  const twice = await commands.execute(new CreateContact(context, TWICE));
  await commands.execute(new MergeContact(context, contacts.at(-1)!.contact_id, twice.contact_id));
  const { task_id } = await commands.execute(new CreateTask(context, { title: 'Order more paper' }));
  await commands.execute(new DeleteTask(context, task_id));
  return { organization_id, api_key, inbox_port: null };
}

/** Starts the inbox of the demo, on another port when its own is taken; the channel is made, or follows. */
export async function startDemoInbox(
  app: INestApplicationContext,
  dataDir: string,
  demo: Demo,
): Promise<Inbox> {
  const directory = join(dataDir, 'inbox');
  const inbox = await startInbox(directory, demo.inbox_port ?? INBOX_PORT).catch(
    (error: { code?: string }) => {
      if (error.code !== 'EADDRINUSE') throw error;
      return startInbox(directory, 0);
    },
  );
  if (inbox.port !== demo.inbox_port) {
    await pointChannelAt(app, demo, inbox.port);
    keep(dataDir, { ...demo, inbox_port: inbox.port });
  }
  return inbox;
}

const pointChannelAt = (app: INestApplicationContext, { organization_id }: Demo, port: number) =>
  app.get(ChannelSetup).put(AUTHOR, organization_id, 'email', {
    provider: 'smtp',
    host: '127.0.0.1',
    port,
    from_name: NAME,
    from_address: FROM_ADDRESS,
  });

function keep(dataDir: string, demo: Demo): void {
  writeWhole(fileOf(dataDir), JSON.stringify(demo, null, 2));
  const lines = [`export ORG=${demo.organization_id}`, `export KEY=${demo.api_key}`, ''];
  writeWhole(join(dataDir, 'demo.env'), lines.join('\n'));
}
