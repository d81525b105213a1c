import type { INestApplicationContext } from '@nestjs/common';
import type { Context } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { type Instant, now, plusSeconds } from '#kernel/instant.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { companies, company, contact, contacts, CrmQueries } from '../crm/crm.contract.js';
import {
  quoteOf,
  sale,
  type Sale,
  type SaleCommand,
  type SaleEvent,
  sales,
  type Stage,
} from '../sales/sales.contract.js';
import { task, tasks } from '../tasks/tasks.contract.js';
import { template, templates } from '../templates/templates.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import type { RecordTag } from '#kernel/tags.js';
import { demoTags, tagAppend, tagsOfNth } from './fill-tags.js';
import { conversationAppend } from './fill-conversations.js';
import type { DemoPlan, PlannedSale, PlannedTask } from './plan.js';

const DAY_S = 24 * 60 * 60;
/** Streams to append at once: a few hundred single commands would make a first start seconds longer. */
const BATCH = 200;

/** Writes a plan by the rules of each context, as if it had happened over the last months. */
export async function fillDemo(
  app: INestApplicationContext,
  context: Context,
  plan: DemoPlan,
  agents: string[],
): Promise<void> {
  const { organizationId } = context;
  const stages = await app.get(Directory).stages(organizationId);
  const crm = app.get(CrmQueries);
  const ids = {
    agents,
    companies: plan.companies.map(() => newId('company')),
    contacts: plan.contacts.map(() => newId('contact')),
    sales: plan.sales.map(() => newId('sale')),
  };
  const today = now();
  const tags = demoTags();
  const appends = [
    ...tags.map((one) => tagAppend(one, instantOf(today, 0, 200))),
    ...plan.companies.map((given, nr) =>
      companyAppend(given, ids.companies[nr]!, agents, instantOf(today, nr, 200)),
    ),
    ...(await Promise.all(
      plan.contacts.map(async (given, nr) => {
        const phone_key = await crm.phoneKey(organizationId, given.phone_number);
        const created_at = instantOf(today, nr, 180);
        const created = { contact_id: ids.contacts[nr]!, phone_key, created_at };
        return contactAppend(given, created, ids.companies, tagsOfNth(tags, nr));
      }),
    )),
    ...plan.sales.map((given, nr) => saleAppend(given, ids.sales[nr]!, ids, stages, today)),
    ...plan.conversations.map((given) => conversationAppend(given, ids, today)),
    ...plan.tasks.map((given, nr) => taskAppend(given, ids, instantOf(today, nr, 40), today)),
    templateAppend(today),
  ];
  const store = app.get(EventStore);
  for (let from = 0; from < appends.length; from += BATCH)
    await store.append(context, appends.slice(from, from + BATCH));
}

type Ids = Record<'agents' | 'companies' | 'contacts' | 'sales', string[]>;

/** The instant `days` ago, and later for a greater `nr`, so that lists have an order. */
const instantOf = (today: Instant, nr: number, days: number): Instant =>
  plusSeconds(today, nr * 60.000001 - days * DAY_S);

function companyAppend(
  { agent, ...given }: DemoPlan['companies'][number],
  company_id: string,
  agents: string[],
  created_at: Instant,
): Append {
  const agent_id = agents[agent]!;
  const events = company.decide(null, {
    type: 'CreateCompany',
    ...given,
    company_id,
    agent_id,
    custom_fields: {},
    external_id: `crm-${given.domain}`,
    metadata: { imported_from: 'crm' },
    created_at,
  });
  return appendTo(companies, company_id, NEW, events);
}

function contactAppend(
  { company: at, ...given }: DemoPlan['contacts'][number],
  created: { contact_id: string; phone_key: string | null; created_at: Instant },
  companyIds: string[],
  added: RecordTag[],
): Append {
  const events = contact.decide(null, {
    type: 'CreateContact',
    ...given,
    ...created,
    company_id: companyIds[at]!,
    custom_fields: {},
  });
  if (added.length > 0) events.push({ type: 'ContactTagsChanged', data: { added, removed: [] } });
  return appendTo(contacts, created.contact_id, NEW, events);
}

function saleAppend(
  { company: at, contacts: people, owner, entered, products }: PlannedSale,
  sale_id: string,
  ids: Ids,
  stages: Stage[],
  today: Instant,
): Append {
  const moves = entered.map((days, nr) => {
    const { status_id, label, status } = stages[nr]!;
    return { stage: { status_id, label, status }, at: plusSeconds(today, -days * DAY_S + nr * 600) };
  });
  const [first, ...later] = moves;
  const opening: SaleCommand = {
    type: 'OpenSale',
    ...first!,
    sale_id,
    company_id: ids.companies[at]!,
    owner_id: ids.agents[owner]!,
    associated_contacts: people.map((nr) => ({ contact_id: ids.contacts[nr]!, is_primary: false })),
    associated_conversation_ids: [],
    custom_fields: {},
    ...(products && { name: products[0]!.product_name }),
    expected_close_on: plusSeconds(moves.at(-1)!.at, 30 * DAY_S).slice(0, 10),
  };
  const quote_details = products && quoteOf({ currency: 'USD', products });
  const commands: SaleCommand[] = [
    opening,
    ...(quote_details ? [{ type: 'QuoteSale' as const, quote_details, at: later[0]!.at }] : []),
    ...later.map((move): SaleCommand => ({ type: 'UpdateSale', revision: {}, ...move })),
  ];
  return appendTo(sales, sale_id, NEW, eventsOf(commands));
}

function templateAppend(created_at: Instant): Append {
  const template_id = newId('template');
  const events = template.decide(null, {
    type: 'CreateTemplate',
    template_id,
    name: 'Renewal',
    modality: 'email',
    subject: 'Your renewal',
    body_html: '<p>Dear {{contact.name}},</p><p>shall we talk about it?</p>',
    created_at,
  });
  return appendTo(templates, template_id, NEW, events);
}

/** The events of these commands, one after the other. */
function eventsOf(commands: SaleCommand[]): SaleEvent[] {
  let state: Sale | null = null;
  return commands.flatMap((command) => {
    const events = sale.decide(state, command);
    state = events.reduce(sale.evolve, state);
    return events;
  });
}

function taskAppend(
  { title, agent, about, due, done }: PlannedTask,
  ids: Ids,
  created_at: Instant,
  today: Instant,
): Append {
  const task_id = newId('task');
  const due_at = plusSeconds(today, due * DAY_S);
  const created = task.decide(null, {
    type: 'CreateTask',
    task_id,
    title,
    notes: null,
    due_at,
    agent_id: ids.agents[agent]!,
    company_id: 'company' in about ? ids.companies[about.company]! : null,
    contact_id: 'contact' in about ? ids.contacts[about.contact]! : null,
    sale_id: 'sale' in about ? ids.sales[about.sale]! : null,
    created_at,
  });
  const state = created.reduce(task.evolve, null);
  const changes = { completed_at: due_at };
  return appendTo(tasks, task_id, NEW, [
    ...created,
    ...(done ? task.decide(state, { type: 'UpdateTask', changes }) : []),
  ]);
}
