import { plusSeconds } from '#kernel/instant.js';
import type { Json } from '../clients/client.js';
import type { Random } from '../random.js';
import { draftsOf } from './mail.js';
import { received } from './records.js';
import type { SalesWorkspace } from './sales.js';

/** The lists that show all records of a kind, each with the attribute that is their id. */
export const LISTS: Record<string, string> = {
  contacts: 'contact_id',
  companies: 'company_id',
  tasks: 'task_id',
  sales: 'sale_id',
  conversations: 'conversation_id',
  'message-drafts': 'draft_id',
  'response-drafts': 'response_id',
};

const BEGINNING = '2026-01-01T00:00:00.000000Z';
const HOUR = 3_600;

/** What the records say. */
export interface Words {
  text(): string;
  email(): string;
  domain(): string;
}

/** Makes, changes, merges and deletes records at random, beside others who do: whatever it takes up may be gone. */
export class RandomWriter {
  private readonly acts: (() => Promise<unknown>)[];

  /** `made`: what all writers have made, by list; drafts of replies by their paths. */
  constructor(
    private readonly own: SalesWorkspace,
    private readonly made: Record<string, string[]>,
    private readonly random: Random,
    private readonly words: Words = fewWords(random),
  ) {
    const [making, merging] = [this.making(), this.merging()];
    // More comes than goes.
    this.acts = [
      ...making,
      ...making,
      ...this.changing(),
      ...this.tagging(),
      ...merging,
      ...merging,
      ...this.deleting(),
    ];
  }

  static nothingMade = (): Record<string, string[]> =>
    Object.fromEntries([...Object.keys(LISTS), 'tags', 'comments'].map((path) => [path, []]));

  /** Does one thing. Throws where the server fails, not where it refuses. */
  async write(): Promise<void> {
    const answer = await this.one(this.acts)();
    const { status = 200, text = '' } = (answer ?? {}) as { status?: number; text?: string };
    if (status >= 500) throw new Error(text);
  }

  private making() {
    const { stages, agentId } = this.own;
    return [
      () =>
        this.add('contacts', {
          name: this.text(),
          email: this.email(),
          company_id: this.random.chance(0.5) ? this.some('companies') : null,
        }),
      () =>
        this.add('companies', {
          name: this.text(),
          domain: this.words.domain(),
          agent_id: this.one([agentId, null]),
        }),
      () => this.add('tasks', { title: this.text(), contact_id: this.some('contacts') }),
      () => this.add('tasks', { title: this.text(), sale_id: this.some('sales') }),
      () => this.add('tasks', { title: this.text(), company_id: this.some('companies') }),
      () =>
        this.add('sales', {
          status_id: stages[0]!.status_id,
          company_id: this.some('companies'),
          associated_contacts: [{ contact_id: this.some('contacts') }],
          conversation_ids: this.random.chance(0.5) ? [this.some('conversations')] : [],
        }),
      () => this.talk({ contact: { email: this.email() } }),
      () => this.talk({ contact: { email: this.email() }, sent_at: this.earlier() }),
      () =>
        this.add('message-drafts', {
          modality: 'email',
          subject: this.text(),
          to_email: this.email(),
          add_notification: false,
        }),
      () => this.reply(),
      () => this.reply(),
    ];
  }

  private changing() {
    const { api, stages, agentId } = this.own;
    const there = () => ({ conversation_id: this.some('conversations') });
    return [
      () =>
        received(api, {
          ...there(),
          ...this.subject(),
          content: this.text(),
          message_direction: this.one(['sent', 'received']),
        }),
      () =>
        received(api, {
          ...there(),
          ...this.subject(),
          from: { email: this.email() },
          sent_at: this.earlier(),
        }),
      () =>
        this.patch(
          'contacts',
          this.one<object>([
            { name: this.text() },
            { email: this.email() },
            { metadata: { a: '1' } },
            { company_id: this.some('companies'), company_role: 'CEO' },
          ]),
        ),
      () => this.patch('sales', { status_id: this.one(stages)['status_id'] }),
      () =>
        this.patch(
          'sales',
          this.one<object>([
            { status_id: stages[1]!.status_id, company_id: this.some('companies') },
            { conversation_ids: [this.some('conversations'), this.some('conversations')] },
            { company_id: this.some('companies'), name: this.text() },
            { associated_contacts: [{ contact_id: this.some('contacts') }] },
          ]),
        ),
      () =>
        this.patch(
          'tasks',
          this.one<object>([
            { contact_id: this.some('contacts'), notes: this.text() },
            { completed_at: this.one([BEGINNING, null]) },
          ]),
        ),
      () =>
        api.put(`sales/${this.some('sales')}/quote`, {
          currency: 'EUR',
          products: [{ product_name: this.text(), quantity: this.random.integer(1, 9), unit_price: '9.50' }],
        }),
      () => api.put(`contacts/by-external-id/${this.externalId()}`, { name: this.text() }),
      () => api.put(`companies/by-external-id/${this.externalId()}`, { name: this.text() }),
      () =>
        this.patch(
          'conversations',
          this.one<object>([{ is_read: this.random.chance(0.5) }, { agent_id: this.one([agentId, null]) }]),
        ),
    ];
  }

  private tagging() {
    const { api } = this.own;
    const name = () => `Tag ${this.random.integer(0, 9)}`;
    return [
      () => this.add('tags', { name: name() }),
      () => this.patch('tags', this.one<object>([{ name: name() }, { colour: '#000000' }])),
      ...['contacts', 'companies', 'sales', 'conversations'].flatMap((path) => [
        () => api.post(`${path}/${this.some(path)}/tags`, { add: [this.some('tags')] }),
        () =>
          api.post(`${path}/${this.some(path)}/tags`, {
            add: [this.some('tags')],
            remove: [this.some('tags')],
          }),
        () => this.comment(path),
      ]),
      () => this.patch('comments', { body: this.text() }),
      () =>
        api.post('conversations/bulk', {
          conversation_ids: [this.some('conversations')],
          changes: { status: this.one(['open', 'closed']), add_tag_ids: [this.some('tags')] },
        }),
    ];
  }

  private merging() {
    return [
      () => this.merge('contacts', 'from_contact_id'),
      () => this.merge('companies', 'from_company_id'),
      () => this.merge('conversations', 'from_conversation_id'),
    ];
  }

  private deleting() {
    const { api } = this.own;
    const kinds = ['contacts', 'companies', 'tasks', 'sales', 'message-drafts', 'tags', 'comments'];
    return [
      ...kinds.map((path) => () => api.delete(`${path}/${this.some(path)}`)),
      () => api.delete(this.some('response-drafts')),
    ];
  }

  private one<Item>(items: readonly Item[]): Item {
    return items[this.random.integer(0, items.length - 1)]!;
  }

  private some = (path: string): string => this.one(this.made[path]!) ?? 'none';
  private subject = () => ({ subject: this.one([null, this.text(), this.text()]) });
  private text = () => this.words.text();
  private email = () => this.words.email();
  private externalId = () => `x${this.random.integer(0, 9)}`;
  private earlier = () => plusSeconds(BEGINNING, this.random.integer(0, 200) * HOUR);

  private async add(path: string, body: Json) {
    const answer = await this.own.api.post(path, body);
    if (answer.status === 201) this.made[path]!.push(answer.body[LISTS[path] ?? 'tag_id']);
    return answer;
  }

  private async talk(fields: object) {
    const modality = this.one(['email', 'text', 'live_chat']);
    const said = await received(this.own.api, {
      ...this.subject(),
      ...fields,
      content: this.text(),
      modality,
    });
    if (said.status === 201) this.made['conversations']!.push(said.body.conversation_id);
    return said;
  }

  private async reply() {
    const path = draftsOf({ conversation_id: this.some('conversations') });
    const body = { body_html: this.text(), add_notification: false };
    const answer = await this.own.api.post(path, body);
    if (answer.status === 201) this.made['response-drafts']!.push(`${path}/${answer.body.response_id}`);
    return answer;
  }

  private async comment(path: string) {
    const answer = await this.own.api.post(`${path}/${this.some(path)}/comments`, { body: this.text() });
    if (answer.status === 201) this.made['comments']!.push(answer.body.comment_id);
    return answer;
  }

  private patch = (path: string, body: object) => this.own.api.patch(`${path}/${this.some(path)}`, body);

  private merge = (path: string, field: string) =>
    this.own.api.post(`${path}/${this.some(path)}/merge`, { [field]: this.some(path) });
}

const fewWords = (random: Random): Words => ({
  text: () => random.sample(['Blue', 'Red', 'Green'], 1)[0]!,
  email: () => `p${random.integer(0, 12)}@step.example`,
  domain: () => 'step.example',
});
