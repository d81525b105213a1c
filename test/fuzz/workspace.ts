import { createHmac } from 'node:crypto';
import { type Answer, Client, type Json, newKey, newWorkspace, ok } from '../support/clients/client.js';
import { type Furnished, furnishedWorkspace, received } from '../support/data/records.js';
import { textsBy } from '../support/stand-ins/twilio.js';
import type { FuzzedRequest } from './requests.js';

const PLACE = /\{\{(\w+):(\d+)\}\}/g;
/** Of what the fuzzing itself makes, the latest of each kind. */
const MOST_LEARNT = 50;
/** Nobody listens there: what is sent is refused at once. */
const NOWHERE = 'http://127.0.0.1:1';
const LONGEST_SILENCE_MS = 30_000;
const TWILIO_TOKEN = 'secret-of-AC1';

/** A furnished workspace, others that it must not see, and what comes of the requests as they go. */
export class FuzzedWorkspace {
  private constructor(
    private readonly furnished: Furnished,
    private readonly words: Map<string, string[]>,
    private readonly twilioHook: string,
  ) {}

  static async on(url: string): Promise<FuzzedWorkspace> {
    const furnished = await furnishedWorkspace({ url });
    const [spare, foreign] = [await newWorkspace({ url }), await newWorkspace({ url })];
    const words = new Map(Object.entries(furnished.ids).map(([name, id]) => [name, [id]]));
    const add = (name: string, ...values: string[]) => words.set(name, values);
    const text = await textsBy(furnished, NOWHERE);
    const email = await ok(furnished.adminApi.get('channels/email'));
    const chat = await ok(furnished.adminApi.put('channels/live_chat', { provider: 'inbox' }));
    for (const [hook, channel] of [
      ['email', email],
      ['form', email],
      ['call', text],
      ['twilio', text],
      ['live-chat', chat],
    ] as const) {
      add(`${hook.replace('-', '_')}_channel_id`, channel.channel_id);
      const hookUrl = channel.hooks[hook.replace('-', '_')];
      add(`${hook.replace('-', '_')}_token`, new URL(hookUrl).searchParams.get('token') ?? 'none');
    }
    const conversation = await ok(received(furnished.api, { contact: { email: 'spare@navy.example' } }));
    add('spare_conversation_id', conversation.conversation_id);
    for (const kind of ['contact', 'company', 'conversation'])
      add(`${kind === 'conversation' ? 'from' : 'spare'}_${kind}_id`, furnished.ids[`from_${kind}_id`]!);
    add('spare_response_id', furnished.ids['response_id']!);
    add('spare_draft_id', furnished.ids['draft_id']!.replace(/.$/, 'x'));
    const webhook = await ok(furnished.adminApi.post('webhooks', { url: `${NOWHERE}/hook` }));
    add('spare_webhook_id', webhook.webhook_id);
    add('spare_organization_id', spare.organizationId);
    const { data: stages } = await ok(spare.api.get('sale-statuses'));
    add('spare_status_id', ...stages.map(({ status_id }: Json) => status_id));
    add('spare_key_id', (await ok(newKey(spare.admin, spare.organizationId))).key_id);
    add('foreign_organization_id', foreign.organizationId);
    add('foreign_contact_id', (await ok(foreign.api.post('contacts', { name: 'Eve' }))).contact_id);
    add('cut_contact_id', furnished.ids['contact_id']!.slice(0, -3));
    return new FuzzedWorkspace(furnished, words, text.hooks.twilio);
  }

  /** Sends it with its places filled in; a server that is silent for half a minute is taken for one that hangs. */
  async send({
    operation,
    path,
    query,
    headers,
    body,
  }: FuzzedRequest): Promise<{ url: string; sent: string; answer: Answer }> {
    const url = this.filled(query === '' ? path : `${path}?${query}`);
    const raw = body === undefined ? undefined : this.filled(body.toString('latin1'));
    const client = this.clientOf(operation.path);
    const answer = await orSilence(
      client.send(operation.method, url, {
        ...(raw !== undefined && { raw: new Uint8Array(Buffer.from(raw, 'latin1')) }),
        headers: { ...this.signatureOf(operation.path, raw), ...headers },
      }),
    );
    this.learn(operation.path, answer);
    return { url, sent: raw ?? '', answer };
  }

  private filled(text: string): string {
    return text.replace(PLACE, (_, name: string, nth: string) => {
      const cut = name.startsWith('cut_cursor');
      const known = this.words.get(cut ? 'cursor' : name) ?? ['none'];
      const word = known[Number(nth) % known.length]!;
      return cut ? word.slice(0, -2) : word;
    });
  }

  private clientOf(path: string): Client {
    const { api, admin } = this.furnished;
    if (path.startsWith('/admin')) return new Client(api.url, '', admin.headers);
    return new Client(api.url, '', /^\/(api|console)/.test(path) ? api.headers : {});
  }

  private signatureOf(path: string, raw = ''): Record<string, string> {
    if (!path.endsWith('/twilio')) return {};
    const fields = Object.fromEntries(new URLSearchParams(Buffer.from(raw, 'latin1').toString()));
    const text = Object.keys(fields)
      .sort()
      .map((name) => name + fields[name])
      .join('');
    const signature = createHmac('sha1', TWILIO_TOKEN)
      .update(this.twilioHook + text)
      .digest('base64');
    return { 'x-twilio-signature': signature };
  }

  /** Keeps cursors, the ids of what may be sent or taken away, and those of drafts to read, none of which stays for ever. */
  private learn(path: string, { status, body }: Answer): void {
    if (status > 299 || body === null) return;
    if (path.endsWith('/message-drafts'))
      for (const name of ['draft_id', 'spare_draft_id']) this.add(name, body.draft_id);
    if (path.endsWith('/response-drafts')) this.add('spare_response_id', body.response_id);
    for (const [records, name] of [
      ['contacts', 'contact_id'],
      ['companies', 'company_id'],
      ['sales', 'sale_id'],
      ['tasks', 'task_id'],
      ['tags', 'tag_id'],
      ['comments', 'comment_id'],
      ['templates', 'template_id'],
    ] as const)
      if (path.endsWith(`/${records}`)) this.add(`spare_${name}`, body[name]);
    if (path.endsWith('/messages') && !this.isKept(body.conversation_id))
      this.add('from_conversation_id', body.conversation_id);
    if (path.endsWith('/api-keys')) this.add('spare_key_id', body.key_id);
    this.add('cursor', body.pagination?.next_cursor);
  }

  /** Whether requests go on asking for this conversation. */
  private isKept(conversationId: string): boolean {
    return [this.furnished.ids['conversation_id'], ...this.words.get('spare_conversation_id')!].includes(
      conversationId,
    );
  }

  private add(name: string, value: unknown): void {
    if (typeof value === 'string')
      this.words.set(name, [value, ...(this.words.get(name) ?? [])].slice(0, MOST_LEARNT));
  }
}

async function orSilence<Value>(asked: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the server is silent')), LONGEST_SILENCE_MS);
  });
  return Promise.race([asked, silence]).finally(() => clearTimeout(timer));
}
