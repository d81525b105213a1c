import { now, plusSeconds } from '#kernel/instant.js';
import { type Answer, emailChannel, type Json, newWorkspace, ok, type Workspace } from '../clients/client.js';
import type { Random } from '../random.js';
import type { OracleMessage, OracleSale, OracleWorld } from './analytics-oracle.js';
import { autosend, draftsOf, postMail, promotedMessage, rawMail } from './mail.js';
import { RandomSales } from './random-sales.js';

const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu'];
const HOURS = [
  { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' },
  { days: [6, 7, 1], from: '00:00', to: '23:59' },
];
const DAY = 86_400;

/**
 * An organization to which random things are done through the API, and what the figures are to be taken from after each of
 * them: the world in which merged records have always been one, and deleted sales have never been.
 */
export class MergedWorld implements OracleWorld {
  readonly messages: OracleMessage[] = [];
  /** What is there. */
  readonly conversations: string[] = [];
  readonly contacts: string[] = [];
  readonly companies: string[] = [];
  /** Conversations with a saved reply. */
  private readonly replying = new Set<string>();
  private readonly made: RandomSales;
  private readonly base: string;
  private readonly step: number;

  private constructor(
    private readonly random: Random,
    readonly workspace: Workspace,
    readonly agents: string[],
    private readonly channel: Json,
    readonly stages: OracleWorld['stages'],
    readonly timezone: string,
    readonly hours: OracleWorld['hours'],
  ) {
    this.made = new RandomSales(random, workspace.api);
    this.step = this.one([1, 60, 1_800, 3_600, 20_000, DAY]);
    this.base = plusSeconds(now(), -random.integer(9, 12) * DAY);
  }

  /** Its e-mail channel leaves at `smtpPort`. */
  static async begun(random: Random, smtpPort: number): Promise<MergedWorld> {
    const timezone = random.sample(ZONES, 1)[0]!;
    const hours = random.sample(HOURS, 1)[0]!;
    const workspace = await newWorkspace({ bound: false, organization: { timezone, business_hours: hours } });
    const { agent_id } = await ok(workspace.adminApi.post('agents', { name: 'Grace' }));
    const channel = await emailChannel(workspace, smtpPort);
    const { data: stages } = await ok(workspace.api.get('sale-statuses'));
    const agents = [workspace.agentId, agent_id];
    const world = new MergedWorld(random, workspace, agents, channel, stages, timezone, hours);
    for (let nr = 0; nr < 3; nr++) {
      await world.addContact();
      await world.addCompany();
      await world.record({ contact: { email: world.email() }, message_direction: 'received' });
    }
    return world;
  }

  get sales(): OracleSale[] {
    return this.made.sales;
  }

  /** Instants at which something happens. */
  get instants(): string[] {
    return [
      ...this.messages.map(({ sent_at }) => sent_at),
      ...this.sales.flatMap(({ history }) => history.map(({ changed_at }) => changed_at)),
    ];
  }

  /** Does something at random. What the product refuses changes nothing. */
  act(): Promise<unknown> {
    const contact = () => ({ contact: { email: this.email() } });
    const there = () => ({ conversation_id: this.one(this.conversations) });
    return this.one([
      () => this.record({ ...contact(), message_direction: 'received' }),
      () => this.record({ ...contact(), message_direction: this.one(['sent', 'received']) }),
      () => this.record({ ...there(), message_direction: 'sent' }),
      () => this.record({ ...there(), message_direction: this.one(['sent', 'received']) }),
      () => this.autoReply(),
      () => this.reply(),
      () => this.made.open(this),
      () => this.made.change(this),
      () => this.made.change(this),
      () => this.made.quote(),
      () => this.made.delete(),
      () => this.addContact(),
      () => this.mergeConversations(),
      () => this.mergeConversations(),
      () => this.merge('contacts', 'from_contact_id', this.contacts),
      () => this.merge('companies', 'from_company_id', this.companies),
      () => this.end('contacts', this.contacts),
      () => this.end('companies', this.companies),
    ])();
  }

  private one<Item>(items: readonly Item[]): Item {
    return items[this.random.integer(0, items.length - 1)]!;
  }

  private email = () => `p${this.random.integer(0, 7)}@merged.example`;

  private instant = () =>
    plusSeconds(this.base, this.step * this.random.integer(0, 8) + this.one([0, 0, 0, 0.000001, -0.000001]));

  private async record(fields: { message_direction: string; [whose: string]: unknown }): Promise<void> {
    const received = fields.message_direction === 'received';
    const own = [{ email: this.channel.from_address }];
    const elsewhere = [{ email: 'list@elsewhere.example' }];
    const modality = this.one(['email', 'email', 'text', 'call', 'live_chat', 'fax']);
    const copied = received && modality === 'email' && this.random.chance(0.3);
    const is_form_request = received && this.random.chance(0.15);
    const body = {
      ...fields,
      modality,
      is_form_request,
      content: 'Hello',
      sent_at: this.instant(),
      agent_id: received ? null : this.one([...this.agents, null]),
      ...(copied && { to: elsewhere, cc: own }),
    };
    const answer = await this.api.post('messages', body);
    await this.told(answer, { is_form_request, arrived_as_copy: copied });
  }

  private async autoReply(): Promise<void> {
    const date = new Date(this.instant().replace(/\d{3}Z$/, 'Z')).toUTCString();
    const to = this.channel.from_address;
    const headers = ['Auto-Submitted: auto-replied'];
    const answer = await postMail(this.channel, rawMail({ from: this.email(), to, date, headers }));
    await this.told(answer, { is_auto_reply: true });
  }

  /** A reply that is saved, or that leaves: at once or in place of the one saved before. */
  private async reply(): Promise<void> {
    const conversation_id = this.one(this.conversations);
    const drafts = draftsOf({ conversation_id });
    if (this.random.chance(0.5)) {
      const saved = await this.api.post(drafts, { body_html: 'Hm', add_notification: false });
      if (saved.status === 201) this.replying.add(conversation_id);
      return;
    }
    const was_overwritten = this.replying.has(conversation_id);
    const draft = await this.api.post(drafts, autosend());
    if (draft.status > 201) return;
    this.replying.delete(conversation_id);
    const message = await promotedMessage(this.workspace, draft.body);
    this.messages.push(messageOf(message, { promoted_from: { was_overwritten } }));
  }

  private async told({ status, body, text }: Answer, known: Partial<OracleMessage>): Promise<void> {
    if (status !== 201) throw new Error(`${status} ${text}`);
    this.messages.push(messageOf(body, known));
    if (!this.conversations.includes(body.conversation_id)) this.conversations.push(body.conversation_id);
    const author = body.from.contact_id ?? null;
    if (author !== null && !this.contacts.includes(author)) this.contacts.push(author);
    await this.learnMergers();
  }

  /** A message between two others may show that their conversations are one. */
  private async learnMergers(): Promise<void> {
    const { data } = await ok(this.api.get('conversations', { limit: 200 }));
    const there = new Set(data.map(({ conversation_id }: Json) => conversation_id));
    for (const gone of this.conversations.filter((id) => !there.has(id))) {
      const { hint } = (await this.api.get(`conversations/${gone}`)).body;
      this.conversations.splice(this.conversations.indexOf(gone), 1);
      this.becameOne(hint.route.split('/').at(-1), gone);
    }
  }

  private async addContact(): Promise<void> {
    const company_id = this.companies[0] ?? null;
    const body = { name: 'Ada', company_id };
    this.contacts.push((await ok(this.api.post('contacts', body))).contact_id);
  }

  private async addCompany(): Promise<void> {
    this.companies.push((await ok(this.api.post('companies', { name: 'Navy' }))).company_id);
  }

  private async mergeConversations(): Promise<void> {
    const pair = await this.merge('conversations', 'from_conversation_id', this.conversations);
    if (pair) this.becameOne(...pair);
  }

  private becameOne(stays: string, gone: string): void {
    for (const message of this.messages)
      if (message.conversation_id === gone) message.conversation_id = stays;
    this.made.follow(gone, stays);
    if (this.replying.delete(gone)) this.replying.add(stays);
  }

  /** Merges two of these records and takes the one that goes off the list; gives both. */
  private async merge(path: string, field: string, ids: string[]): Promise<[string, string] | undefined> {
    const [stays, gone] = this.random.sample(ids, 2);
    if (stays === undefined || gone === undefined) return;
    const { status } = await this.api.post(`${path}/${stays}/merge`, { [field]: gone });
    if (status !== 200) return;
    ids.splice(ids.indexOf(gone), 1);
    return [stays, gone];
  }

  private async end(path: string, ids: string[]): Promise<void> {
    const [id] = this.random.sample(ids, 1);
    if (id !== undefined && (await this.api.delete(`${path}/${id}`)).status === 204)
      ids.splice(ids.indexOf(id), 1);
  }

  private get api() {
    return this.workspace.api;
  }
}

const messageOf = (message: Json, known: Partial<OracleMessage>): OracleMessage => ({
  conversation_id: message.conversation_id,
  message_id: message.message_id,
  sent_at: message.sent_at,
  direction: message.message_direction,
  agent_id: message.agent_id,
  modality: message.modality,
  is_form_request: false,
  is_auto_reply: false,
  ...known,
});
