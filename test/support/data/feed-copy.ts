import type { Json } from '../clients/client.js';

/** Records and their links as the events of the feed tell of them, which are all that it knows. */
export class FeedCopy {
  readonly contacts = new Map<string, Json>();
  readonly companies = new Map<string, Json>();
  readonly tasks = new Map<string, Json>();
  readonly sales = new Map<string, Json>();
  /** `contact_id`, and `messages`: by message, the contacts who wrote it, none of one that was sent. */
  readonly conversations = new Map<string, { contact_id: string; messages: Map<string, string[]> }>();
  /** By pending reply, its conversation. */
  readonly replies = new Map<string, string>();
  /** By record that was merged, the one that it is part of. */
  readonly into = new Map<string, string>();

  /** Takes the next event of the feed. */
  take({ type, stream, data }: Json): void {
    switch (stream.type) {
      case 'contact':
        return this.changed(this.contacts, stream.id, type, contactFields(type, data));
      case 'company':
        return this.changed(this.companies, stream.id, type, data);
      case 'task':
        return this.changed(this.tasks, stream.id, type, taskFields(type, data));
      case 'sale':
        return this.changed(this.sales, stream.id, type, saleFields(type, data));
      case 'conversation':
        return this.talked(stream.id, type, data);
      case 'draft':
        return this.drafted(stream.id, type, data);
    }
  }

  /** What is left of a record after all mergers. */
  survivorOf(id: string): string {
    const next = this.into.get(id);
    return next === undefined ? id : this.survivorOf(next);
  }

  /** Contacts who wrote in a conversation. */
  participantsOf(id: string): string[] {
    const authors = [...this.conversations.get(id)!.messages.values()];
    return [...new Set(authors.flat())].sort();
  }

  private changed(records: Map<string, Json>, id: string, type: string, data: Json): void {
    const into = data['into_contact_id'] ?? data['into_company_id'];
    if (into !== undefined) this.into.set(id, into);
    if (into !== undefined || type.endsWith('Deleted')) return void records.delete(id);
    const record = records.get(id);
    const { from_contact_id: _, from_company_id: __, ...told } = data;
    const fields = type.endsWith('TagsChanged') ? { tags: tagsAfter(record.tags ?? [], data) } : told;
    records.set(id, { ...record, ...fields });
  }

  private talked(id: string, type: string, data: Json): void {
    const { contact_id, message } = data;
    if (type === 'ConversationOpened') this.conversations.set(id, { contact_id, messages: new Map() });
    const conversation = this.conversations.get(id)!;
    if (message !== undefined) {
      const isReceived = message.message_direction === 'received';
      conversation.messages.set(
        message.message_id,
        isReceived ? [message.from.contact_id, ...(message.also_by ?? [])] : [],
      );
    }
    if (type === 'ConversationMerged') {
      const { into_conversation_id: into } = data;
      for (const [message_id, authors] of conversation.messages)
        this.conversations.get(into)!.messages.set(message_id, authors);
      this.into.set(id, into);
      this.conversations.delete(id);
    }
    if (type === 'ConversationContactReplaced') {
      const { from_contact_id, to_contact_id } = data;
      if (conversation.contact_id === from_contact_id) conversation.contact_id = to_contact_id;
      const replaced = (one: string) => (one === from_contact_id ? to_contact_id : one);
      for (const [message_id, authors] of conversation.messages)
        conversation.messages.set(message_id, authors.map(replaced));
    }
  }

  private drafted(id: string, type: string, { conversation_id }: Json): void {
    if (type === 'ResponseDrafted' || type === 'DraftMoved') this.replies.set(id, conversation_id);
    if (type === 'DraftDeleted' || type === 'DraftSent') this.replies.delete(id);
  }
}

/** The tags of a record after some were given to it, taken away, or called otherwise. */
function tagsAfter(tags: Json[], { added, removed, changed }: Json): Json[] {
  const latest = new Map(tags.map((tag) => [tag.tag_id, tag]));
  for (const { tag_id } of removed) latest.delete(tag_id);
  for (const tag of [...changed, ...added]) latest.set(tag.tag_id, tag);
  return [...latest.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The attributes of a contact that an event tells of: into a new one nobody was merged. */
const contactFields = (type: string, data: Json): Json =>
  type === 'ContactCreated' ? { ...data, other_emails: [], other_phone_numbers: [] } : data;

/** The attributes of a task that an event tells of: a new one is open. */
const taskFields = (type: string, data: Json): Json =>
  type === 'TaskCreated' || type === 'TaskReopened' ? { ...data, completed_at: null } : data;

/** The attributes of a sale that an event tells of: a new one has no quote. */
function saleFields(type: string, data: Json): Json {
  if (type === 'SaleOpened') return { ...data, quote_details: null };
  if (type === 'SaleContacted') return { last_activity_at: data.last_activity_at };
  if (type !== 'SaleStageChanged') return data;
  const { status_id, label, status, changed_at, ...revision } = data;
  return { ...revision, current_status: { status_id, label, status, changed_at } };
}
