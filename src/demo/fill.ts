import type { INestApplicationContext } from '@nestjs/common';
import type { Context } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { type Instant, plusSeconds } from '#kernel/instant.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { groupBy } from '#event-store/group-by.js';
import { CrmQueries } from '../crm/crm.contract.js';
import { template, templates } from '../templates/templates.contract.js';
import { Directory } from '../workspace/workspace.contract.js';
import { demoTags, tagAppend, tagsOfNth } from './fill-tags.js';
import { commentAppend } from './fill-comments.js';
import { conversationAppend } from './fill-conversations.js';
import { companyAppend, contactAppend } from './fill-crm.js';
import { firstMessageAppend, replyAppend } from './fill-drafts.js';
import { saleAppend } from './fill-sales.js';
import { taskAppend } from './fill-tasks.js';
import type { Ids } from './ids.js';
import type { DemoPlan } from './plan.js';
import type { PlannedConversation } from './plan-conversations.js';
import type { Scene } from './scenes.js';

const DAY_S = 24 * 60 * 60;
/** Streams to append at once: so many single commands would make a first start much longer. */
const BATCH = 200;

/** An append, and the position of the agent who did it; null where nobody of ours did. */
type Done = [agent: number | null, append: Append];

/** Writes a plan by the rules of each context, as if it had happened over the last year up to `today`. */
export async function fillDemo(
  app: INestApplicationContext,
  context: Context,
  plan: DemoPlan,
  agents: string[],
  today: Instant,
): Promise<void> {
  const newIds = (kind: string, records: unknown[]) => records.map(() => newId(kind));
  const ids: Ids = {
    agents,
    companies: newIds('company', plan.companies),
    contacts: newIds('contact', plan.contacts),
    sales: newIds('sale', plan.sales),
    conversations: newIds('conv', plan.conversations),
    scenes: newIds('conv', plan.scenes),
  };
  const done = await everything(app, context.organizationId, plan, ids, today);
  const store = app.get(EventStore);
  for (let from = 0; from < done.length; from += BATCH) {
    const byAgent = groupBy(done.slice(from, from + BATCH), ([agent]) => agent);
    await Promise.all(
      byAgent.map(([agent, some]) =>
        store.append(
          contextOf(context, agents, agent),
          some.map(([, append]) => append),
        ),
      ),
    );
  }
}

/** The key is that of the first agent. */
function contextOf({ keyId, ...context }: Context, agents: string[], agent: number | null): Context {
  if (agent === null) return { ...context, actor: { type: 'provider', id: null } };
  const actor = { type: 'agent', id: agents[agent]! } as const;
  return agent === 0 ? { ...context, actor, keyId } : { ...context, actor };
}

async function everything(
  app: INestApplicationContext,
  organizationId: string,
  plan: DemoPlan,
  ids: Ids,
  today: Instant,
): Promise<Done[]> {
  const stages = await app.get(Directory).stages(organizationId);
  const crm = app.get(CrmQueries);
  const tags = demoTags();
  const company = (nr: number) => ({
    company_id: ids.companies[nr]!,
    agent_id: ids.agents[plan.companies[nr]!.agent]!,
    created_at: instantOfNth(today, nr, 400),
  });
  const contact = async (nr: number) => ({
    contact_id: ids.contacts[nr]!,
    company_id: ids.companies[plan.contacts[nr]!.company]!,
    phone_key: await crm.phoneKey(organizationId, plan.contacts[nr]!.phone_number),
    created_at: instantOfNth(today, nr, 380),
  });
  const talk = (given: PlannedConversation, id: string, hasReply: boolean): Done[] => [
    [
      given.messages.find(({ agent }) => agent !== null)?.agent ?? null,
      conversationAppend(given, ids, {
        conversation_id: id,
        company_agent_id: ids.agents[plan.contacts[given.contact]!.agent]!,
        tags,
        hasReply,
        today,
      }),
    ],
    ...given.comments.map((one): Done => [one.agent, commentAppend({ type: 'conversation', id }, one, ids)]),
  ];
  const reply = ({ reply, contact }: Scene, nr: number): Done[] =>
    reply ? [[reply.agent, replyAppend(reply, ids.scenes[nr]!, plan.contacts[contact]!, ids)]] : [];
  return [
    ...tags.map((one): Done => [0, tagAppend(one, instantOfNth(today, 0, 400))]),
    ...plan.companies.map((one, nr): Done => [one.agent, companyAppend(one, company(nr))]),
    ...(await Promise.all(
      plan.contacts.map(async (one, nr): Promise<Done> => [
        one.agent,
        contactAppend(one, await contact(nr), tagsOfNth(tags, nr)),
      ]),
    )),
    ...plan.sales.flatMap((one, nr): Done[] => {
      const id = ids.sales[nr]!;
      const { comment } = one;
      return [
        [one.owner, saleAppend(one, id, ids, stages, tags[0]!)],
        ...(comment ? [[comment.agent, commentAppend({ type: 'sale', id }, comment, ids)] as Done] : []),
      ];
    }),
    ...plan.conversations.flatMap((one, nr) => talk(one, ids.conversations[nr]!, false)),
    ...plan.scenes.flatMap((one, nr) => [
      ...talk(one, ids.scenes[nr]!, one.reply !== null),
      ...reply(one, nr),
    ]),
    ...plan.firstMessages.map((one): Done => [
      one.agent,
      firstMessageAppend(one, plan.contacts[one.contact]!, ids),
    ]),
    ...plan.tasks.map((one): Done => [one.agent, taskAppend(one, ids)]),
    [0, templateAppend(today)],
  ];
}

/** The instant `days` ago, and later for a greater `nr`, so that lists have an order. */
const instantOfNth = (today: Instant, nr: number, days: number): Instant =>
  plusSeconds(today, nr * 60.000001 - days * DAY_S);

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
