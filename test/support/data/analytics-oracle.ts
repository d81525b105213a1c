/**
 * The analytics figures by their definitions (decisions, section 9), over plain lists: no SQL, no read model, nothing
 * shared with the product. Slow and simple on purpose.
 */
export interface OracleMessage {
  conversation_id: string;
  message_id: string;
  sent_at: string;
  direction: 'sent' | 'received';
  agent_id: string | null;
  modality: string;
  is_form_request: boolean;
  is_auto_reply: boolean;
  arrived_as_copy?: boolean;
  promoted_from?: { was_overwritten: boolean };
}

export interface OracleSale {
  sale_id: string;
  owner_id: string | null;
  created_at: string;
  quote: { currency: string; total_price: string } | null;
  conversation_ids: string[];
  /** Ascending. */
  history: { status_id: string; label: string; status: string | null; changed_at: string }[];
}

export interface OracleWorld {
  messages: OracleMessage[];
  sales: OracleSale[];
  /** By position. */
  stages: { status_id: string; label: string; status: string | null }[];
  timezone: string;
  hours: { days: number[]; from: string; to: string };
}

export interface OracleWindow {
  start_date: string;
  end_date: string;
}

const micros = (instant: string): bigint =>
  BigInt(Date.parse(`${instant.slice(0, 19)}Z`)) * 1000n + BigInt(instant.slice(20, 26));

const over = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

/** Seconds, the mean of the middle two. */
function median(times: bigint[]): number {
  if (times.length === 0) return 0;
  const sorted = [...times].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1]!;
  const high = sorted[Math.floor(middle)]!;
  return Number(low + high) / 2_000_000;
}

interface Story {
  id: string;
  messages: OracleMessage[];
  inbound: OracleMessage | undefined;
  responses: OracleMessage[];
}

/** Conversations with their messages in the order in which they happened. */
function storiesOf({ messages }: OracleWorld): Story[] {
  return [...new Set(messages.map(({ conversation_id }) => conversation_id))].map((id) => {
    const own = messages
      .filter(({ conversation_id }) => conversation_id === id)
      .sort((one, other) => compare(one.sent_at, other.sent_at) || compare(one.message_id, other.message_id));
    const isInbound = ({ direction }: OracleMessage) => direction === 'received';
    const responses = own.filter(
      (message, index) => !isInbound(message) && own.slice(0, index).some(isInbound),
    );
    return { id, messages: own, inbound: own.find(isInbound), responses };
  });
}

/** Each turn with its next response. */
function turnsOf({ messages, responses }: Story): { inbound: string; response: string }[] {
  const turns: { inbound: string; response: string }[] = [];
  messages.forEach((message, index) => {
    if (message.direction !== 'received' || message.is_auto_reply) return;
    for (const earlier of messages.slice(0, index).reverse()) {
      if (responses.includes(earlier)) break;
      if (earlier.direction === 'received' && !earlier.is_auto_reply) return;
    }
    const response = messages.slice(index).find((later) => responses.includes(later));
    if (response) turns.push({ inbound: message.sent_at, response: response.sent_at });
  });
  return turns;
}

const within = ({ start_date, end_date }: OracleWindow, instant: string | undefined | null): boolean =>
  instant != null && instant >= start_date && instant < end_date;

export function conversationFigures(world: OracleWorld, window: OracleWindow) {
  const stories = storiesOf(world);
  const cohort = stories.filter(({ inbound }) => within(window, inbound?.sent_at));
  const handled = cohort.filter(({ responses }) => responses.length > 0);
  const times = stories
    .flatMap(turnsOf)
    .filter(({ inbound }) => within(window, inbound))
    .map(({ inbound, response }) => micros(response) - micros(inbound));
  const inWindow = world.messages.filter(({ sent_at }) => within(window, sent_at));
  const by = (modality: string) =>
    cohort.filter(({ inbound }) => !inbound!.is_form_request && inbound!.modality === modality).length;
  return {
    responseRateStats: {
      numConversationsRespondedTo: handled.length,
      numConversationsReceived: cohort.length,
      responseRate: over(handled.length, cohort.length),
    },
    responseTimeStats: { responseTime: median(times), numResponses: times.length },
    volumeStats: {
      numMessagesReceived: inWindow.filter(({ direction }) => direction === 'received').length,
      numMessagesSent: inWindow.filter(({ direction }) => direction === 'sent').length,
      totalConversations: cohort.length,
    },
    modalityStats: {
      textMessages: by('text'),
      calls: by('call'),
      emails: by('email'),
      liveChats: by('live_chat'),
      formRequests: cohort.filter(({ inbound }) => inbound!.is_form_request).length,
    },
  };
}

export function agentFigures(world: OracleWorld, agentId: string, window: OracleWindow) {
  const by = (message: OracleMessage) => message.agent_id === agentId && within(window, message.sent_at);
  return {
    conversationsRespondedTo: storiesOf(world).filter(({ responses }) => responses.some(by)).length,
    messagesSent: world.messages.filter((message) => message.direction === 'sent' && by(message)).length,
  };
}

/** Exact decimal sum without superfluous zeros. */
export function plain(decimals: string[]): string {
  const sum = decimals.reduce((total, text) => {
    const [whole = '0', fraction = ''] = text.split('.');
    return total + BigInt(whole + fraction.padEnd(4, '0'));
  }, 0n);
  const digits = sum.toString().padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '');
}

const enters = ({ stages }: OracleWorld, key: 'accepted' | 'quoted') => {
  const byLabel = key === 'accepted' && !stages.some(({ status }) => status === 'accepted');
  return ({ label, status }: OracleSale['history'][number]) =>
    byLabel ? label === 'Accepted' : status === key;
};

const firstEntering = (world: OracleWorld, key: 'accepted' | 'quoted', sale: OracleSale) =>
  sale.history.find(enters(world, key))?.changed_at;

export function saleFigures(world: OracleWorld, window: OracleWindow, owner: string | null = null) {
  const sales = world.sales.filter(({ owner_id }) => owner === null || owner_id === owner);
  const pipeline = world.stages.map(({ status_id, label, status }) => {
    const there = sales.filter(({ history }) =>
      history.some((entry, index) => {
        const end = history[index + 1]?.changed_at;
        return (
          entry.status_id === status_id &&
          entry.changed_at < window.end_date &&
          (end === undefined || end > window.start_date)
        );
      }),
    );
    const quotes = there.flatMap(({ quote }) => quote ?? []);
    const currencies = [...new Set(quotes.map(({ currency }) => currency))].sort();
    const sum = (some: typeof quotes) => plain(some.map(({ total_price }) => total_price));
    return {
      name: label,
      status,
      volume: there.length,
      value: sum(quotes),
      ...(currencies.length > 1 && {
        values: currencies.map((currency) => ({
          currency,
          value: sum(quotes.filter((quote) => quote.currency === currency)),
        })),
      }),
    };
  });
  const created = sales.filter(({ created_at }) => within(window, created_at));
  const accepted = created.filter((sale) => firstEntering(world, 'accepted', sale) !== undefined);
  return { pipeline, salesRate: over(accepted.length, created.length) };
}

export function legacyFigures(world: OracleWorld, window: OracleWindow, asOf: string) {
  const { responseRateStats, responseTimeStats, volumeStats, modalityStats } = conversationFigures(
    world,
    window,
  );
  const stories = storiesOf(world);
  const cohort = stories.filter(({ inbound }) => within(window, inbound?.sent_at));
  const numLeads = cohort.length;
  const leadsHandled = responseRateStats.numConversationsRespondedTo;
  const business = stories
    .flatMap(turnsOf)
    .filter(({ inbound }) => within(window, inbound) && isOpen(world, inbound))
    .map(({ inbound, response }) => openMicros(world, inbound, response));

  const entered = (key: 'accepted' | 'quoted') =>
    world.sales.filter((sale) => within(window, firstEntering(world, key, sale)));
  const sold = entered('accepted');
  const speeds = sold.map((sale) => {
    const earliest = stories
      .filter(({ id }) => sale.conversation_ids.includes(id))
      .sort(
        (one, other) =>
          compare(one.messages[0]!.sent_at, other.messages[0]!.sent_at) || compare(one.id, other.id),
      )[0];
    const from = earliest?.inbound?.sent_at ?? sale.created_at;
    return Number(micros(firstEntering(world, 'accepted', sale)!) - micros(from)) / 1e6;
  });
  const value = (sales: OracleSale[]) =>
    Number(plain(sales.flatMap(({ quote }) => (quote ? [quote.total_price] : []))));

  const emails = cohort.filter(({ inbound }) => inbound!.modality === 'email' && !inbound!.is_form_request);
  const returned = cohort.filter(({ messages, responses }) =>
    messages.some(
      (message, index) =>
        message.direction === 'received' &&
        !message.is_auto_reply &&
        messages.slice(0, index).some((earlier) => responses.includes(earlier)),
    ),
  );
  const week = 7n * 86_400n * 1_000_000n;
  const ghosted = cohort.filter(({ messages, responses }) => {
    const last = messages.at(-1)!;
    return responses.includes(last) && micros(asOf) - micros(last.sent_at) > week;
  });
  const linked = (key: 'accepted' | 'quoted') =>
    cohort.filter(({ id }) =>
      world.sales.some(
        (sale) => sale.conversation_ids.includes(id) && firstEntering(world, key, sale) !== undefined,
      ),
    ).length;
  const promoted = world.messages.filter((one) => one.promoted_from && within(window, one.sent_at));
  const changed = promoted.filter((one) => one.promoted_from!.was_overwritten).length;
  const unchanged = promoted.length - changed;
  const quick = cohort.filter(
    ({ inbound, responses: [first] }) =>
      first && micros(first.sent_at) - micros(inbound!.sent_at) <= 3_600_000_000n,
  );
  return {
    responseRateStats: {
      numChatsSent: volumeStats.numMessagesSent,
      numPendingChats: numLeads - leadsHandled,
      responseRate: responseRateStats.responseRate,
    },
    responseTimeStats: {
      ...responseTimeStats,
      responseTimeBusinessHours: median(business),
      numResponsesBusinessHours: business.length,
    },
    salesStats: {
      averageSpeedToSale: over(
        speeds.reduce((sum, seconds) => sum + seconds, 0),
        speeds.length,
      ),
      numSalesCounted: sold.length,
    },
    valueStats: { salesValue: value(sold), quoteValue: value(entered('quoted')) },
    salesFunnelStats: {
      source: {
        sessionsDirectEmail: emails.filter(({ inbound }) => !inbound!.arrived_as_copy).length,
        sessionsIndirectEmail: emails.filter(({ inbound }) => inbound!.arrived_as_copy).length,
        sessionsFormRequest: modalityStats.formRequests,
      },
      response: {
        sessionsLeadResponded: returned.length,
        sessionsGhosted: ghosted.length,
        sessionsResponseSent: leadsHandled,
        sessionsPendingOutreach: numLeads - leadsHandled,
      },
      outcome: { sessionsQuoted: linked('quoted') },
      sale: { sessionsSale: linked('accepted') },
    },
    autonomyRateStats: {
      chatsSentWithChanges: changed,
      chatsSentWithoutChanges: unchanged,
      autonomyRate: over(unchanged, changed + unchanged),
    },
    numLeads,
    leadsHandled,
    salesRate: over(linked('accepted'), numLeads),
    quoteRate: over(linked('quoted'), numLeads),
    ghostRate: over(ghosted.length, leadsHandled),
    leadResponseScore: 100 * over(quick.length, numLeads),
  };
}

/** The openings of each local day around an interval, as instants in microseconds. */
function openings({ timezone, hours }: OracleWorld, from: string, to: string): [bigint, bigint][] {
  const found: [bigint, bigint][] = [];
  const day = 86_400_000;
  for (
    let at = Date.parse(from.slice(0, 10)) - 2 * day;
    at <= Date.parse(to.slice(0, 10)) + 2 * day;
    at += day
  ) {
    const date = new Date(at).toISOString().slice(0, 10);
    const weekday = new Date(at).getUTCDay() || 7;
    if (!hours.days.includes(weekday)) continue;
    found.push([instantOf(timezone, date, hours.from), instantOf(timezone, date, hours.to)]);
  }
  return found;
}

/** The instant at which the clocks of the zone show this date and time. */
function instantOf(timezone: string, date: string, time: string): bigint {
  const wanted = `${date} ${time}`;
  const asUtc = Date.parse(`${date}T${time}:00Z`);
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  for (let offset = -14 * 60; offset <= 14 * 60; offset += 15) {
    const candidate = asUtc - offset * 60_000;
    if (shown.format(candidate) === wanted) return BigInt(candidate) * 1000n;
  }
  throw new Error(`${wanted} is no time in ${timezone}`);
}

const isOpen = (world: OracleWorld, instant: string): boolean =>
  openings(world, instant, instant).some(([from, to]) => from <= micros(instant) && micros(instant) < to);

const openMicros = (world: OracleWorld, from: string, to: string): bigint =>
  openings(world, from, to).reduce((sum, [opens, closes]) => {
    const start = opens > micros(from) ? opens : micros(from);
    const end = closes < micros(to) ? closes : micros(to);
    return end > start ? sum + end - start : sum;
  }, 0n);
