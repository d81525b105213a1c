import { newId } from '#kernel/id.js';
import { now, plusSeconds } from '#kernel/instant.js';
import type { Database } from '#database/database.js';
import { followed, type Recording, withMergers } from './analytics-mergers.js';
import type { OracleMessage, OracleSale, OracleWindow, OracleWorld } from './analytics-oracle.js';
import type { Random } from '../random.js';
import { rawAppend } from '../database/raw-append.js';

/** A made-up organization with all that ever happened in it, and the events that tell of it, in the order of recording. */
export interface History extends OracleWorld {
  organizationId: string;
  agents: string[];
  /** Instants at which something happens. */
  instants: string[];
  recordings: Recording[];
}

const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu'];
const BASES = ['2026-03-06T12:00:00.000000Z', '2026-03-27T08:00:00.000000Z', '2025-10-24T15:00:00.000000Z'];

/** A random history: equal instants, instants a microsecond apart, messages recorded out of order, changing sales, mergers. */
export function randomHistory(random: Random): History {
  const pick = <Item>(items: readonly Item[]): Item => random.sample(items, 1)[0]!;
  const agents = [newId('agent'), newId('agent')];
  const base = random.chance(0.4) ? plusSeconds(now(), -random.integer(6, 9) * 86_400) : pick(BASES);
  const step = pick([1, 60, 1_800, 3_600, 20_000, 86_400, 1_700_000]);
  const instant = () => plusSeconds(base, step * random.integer(0, 8) + pick([0, 0, 0, 0.000001, -0.000001]));

  const conversationIds = Array.from({ length: random.integer(1, 5) }, () => newId('conv'));
  const messages = conversationIds.flatMap((conversation_id) =>
    Array.from({ length: random.integer(1, 9) }, () => randomMessage(conversation_id)),
  );
  function randomMessage(conversation_id: string): OracleMessage {
    const direction = pick(['sent', 'received'] as const);
    const received = direction === 'received';
    return {
      conversation_id,
      message_id: newId('msg'),
      sent_at: instant(),
      direction,
      agent_id: received ? null : pick([...agents, null]),
      modality: pick(['email', 'email', 'text', 'call', 'live_chat', 'fax']),
      is_form_request: received && random.chance(0.15),
      is_auto_reply: received && random.chance(0.2),
      ...(received && random.chance(0.3) && { arrived_as_copy: random.chance(0.7) }),
      ...(!received && random.chance(0.4) && { promoted_from: { was_overwritten: random.chance(0.5) } }),
    };
  }

  const tagged = random.chance(0.75);
  const stages = [
    { label: 'Qualified', status: null },
    { label: 'Quoted', status: 'quoted' },
    { label: tagged && random.chance(0.5) ? 'Won' : 'Accepted', status: tagged ? 'accepted' : null },
    { label: 'Fulfilled', status: 'fulfilled' },
  ].map((stage) => ({ status_id: newId('stage'), ...stage }));
  /** Streams that some messages of a conversation are recorded in until it is known to be one with the other. */
  const into = new Map<string, string>();
  const tellings = conversationIds.flatMap((id) => {
    const own = random.sample(messages, messages.length).filter((one) => one.conversation_id === id);
    const apart = random.chance(0.4) ? random.integer(0, own.length - 1) : 0;
    if (apart === 0) return [told(id, own)];
    const gone = newId('conv');
    into.set(gone, id);
    return [told(id, own.slice(apart)), told(gone, own.slice(0, apart))];
  });
  const sales = Array.from({ length: random.integer(0, 5) }, () =>
    randomSale(random, { stages, agents, conversationIds: [...conversationIds, ...into.keys()], instant }),
  );
  for (const { sale } of sales) sale.conversation_ids = followed(sale.conversation_ids, into);

  const recordings = interleaved(random, [
    ...tellings,
    ...sales.map(({ events, sale }) =>
      events.map((event): Recording => ({ stream: sale.sale_id, type: 'sale', event })),
    ),
  ]);
  const instants = [
    ...messages.map(({ sent_at }) => sent_at),
    ...sales.flatMap(({ sale }) => sale.history.map(({ changed_at }) => changed_at)),
  ];
  return {
    organizationId: newId('org'),
    agents,
    messages,
    sales: sales.map(({ sale }) => sale),
    stages,
    timezone: pick(ZONES),
    hours: pick([
      { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' },
      { days: [6, 7, 1], from: '00:00', to: '23:59' },
    ]),
    instants,
    recordings: withMergers(random, recordings, into),
  };
}

/** Events of a conversation with these messages, in the order given. */
const told = (conversation_id: string, messages: OracleMessage[]): Recording[] =>
  messages.map(({ conversation_id: _, direction, promoted_from, ...message }, index) => {
    const recorded = {
      ...message,
      message_direction: direction,
      ...(promoted_from && { promoted_from: { draft_id: 'draft_x', ...promoted_from } }),
    };
    return {
      stream: conversation_id,
      type: 'conversation',
      event:
        index === 0
          ? {
              type: 'ConversationOpened',
              data: {
                conversation_id,
                contact_id: 'contact_x',
                folder: null,
                agent_id: null,
                message: recorded,
              },
            }
          : { type: 'MessageRecorded', data: { message: recorded } },
    };
  });

interface SaleContext {
  stages: OracleWorld['stages'];
  agents: string[];
  conversationIds: string[];
  instant: () => string;
}

function randomSale(random: Random, { stages, agents, conversationIds, instant }: SaleContext) {
  const pick = <Item>(items: readonly Item[]): Item => random.sample(items, 1)[0]!;
  const at = Array.from({ length: random.integer(1, 7) }, instant).sort();
  let stage = random.integer(0, 2);
  const sale: OracleSale = {
    sale_id: newId('sale'),
    owner_id: pick([...agents, null]),
    created_at: at[0]!,
    quote: null,
    conversation_ids: random.sample(conversationIds, random.integer(0, 2)),
    history: [{ ...stages[stage]!, changed_at: at[0]! }],
  };
  const opened = {
    sale_id: sale.sale_id,
    company_id: null,
    owner_id: sale.owner_id,
    associated_contacts: [{ contact_id: 'contact_x', is_primary: true }],
    associated_conversation_ids: sale.conversation_ids,
    custom_fields: {},
    created_at: sale.created_at,
    stage: stages[stage]!,
  };
  const events: Recording['event'][] = [{ type: 'SaleOpened', data: opened }];
  for (const when of at.slice(1)) events.push(change(when));
  return { sale, events };

  function change(when: string): Recording['event'] {
    if (random.chance(0.4)) {
      stage = Math.min(stage + random.integer(0, 2), stages.length - 1);
      const entry = { ...stages[stage]!, changed_at: when };
      sale.history.push(entry);
      return { type: 'SaleStageChanged', data: entry };
    }
    if (random.chance(0.5)) {
      const total_price = `${random.integer(0, 9_999)}${pick(['', '.5', '.0001', '.10'])}`;
      sale.quote = { currency: pick(['EUR', 'USD']), total_price };
      const quote_details = { output: sale.quote, arguments: { products: [] } };
      return { type: 'SaleQuoted', data: { quote_details, quoted_at: when } };
    }
    if (random.chance(0.2))
      return { type: 'SaleContacted', data: { conversation_id: 'conv_x', contacted_at: when } };
    if (random.chance(0.5)) {
      sale.owner_id = pick([...agents, null]);
      return { type: 'SaleRevised', data: { owner_id: sale.owner_id, revised_at: when } };
    }
    sale.conversation_ids = random.sample(conversationIds, random.integer(0, 3));
    const associated_conversation_ids = sale.conversation_ids;
    return { type: 'SaleRevised', data: { associated_conversation_ids, revised_at: when } };
  }
}

/** One list that keeps the order of each. */
function interleaved<Item>(random: Random, lists: Item[][]): Item[] {
  const left = lists.map((list) => [...list]);
  const whole: Item[] = [];
  for (;;) {
    const filled = left.filter((list) => list.length > 0);
    if (filled.length === 0) return whole;
    whole.push(random.sample(filled, 1)[0]!.shift()!);
  }
}

/** A window whose edges fall on instants of the history, or a microsecond beside one. */
export function randomWindow(random: Random, { instants }: Pick<History, 'instants'>): OracleWindow {
  const edge = () => plusSeconds(random.sample(instants, 1)[0]!, random.integer(-1, 1) / 1e6);
  const [start_date, end_date] = [edge(), edge()].sort() as [string, string];
  return start_date === end_date
    ? { start_date, end_date: plusSeconds(end_date, 0.000001) }
    : { start_date, end_date };
}

/** Puts the organization with its stages and agents into the database. */
export async function createOrganization(database: Database, history: History): Promise<void> {
  const { organizationId, timezone, hours, stages } = history;
  await database.query({
    text: `INSERT INTO organization (organization_id, name, timezone, default_region, business_hours, created_at)
           VALUES ($1, 'Acme', $2, 'US', $3, now())`,
    values: [organizationId, timezone, JSON.stringify(hours)],
  });
  for (const [position, { status_id, label, status }] of stages.entries())
    await database.query({
      text: `INSERT INTO stage (organization_id, stage_id, label, status, position) VALUES ($1, $2, $3, $4, $5)`,
      values: [organizationId, status_id, label, status, position],
    });
}

/** Appends events to their streams, each in a transaction of its own. */
export async function record(
  database: Database,
  organizationId: string,
  recordings: Recording[],
  versions: Map<string, number>,
): Promise<void> {
  for (const { stream, type, event } of recordings) {
    const expected = versions.get(stream) ?? 0;
    versions.set(stream, expected + 1);
    await database.query(rawAppend(organizationId, [{ id: stream, type, expected, events: [event] }]));
  }
}
