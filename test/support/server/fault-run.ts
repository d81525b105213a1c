import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres/postgres.js';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../clients/client.js';
import { firstMessage } from '../data/message-drafts.js';
import { type Random, randomFrom } from '../random.js';
import { readyDataDir, removeDataDir } from './data-dir.js';
import { freePort, type Server, startServer } from './server.js';
import { type Refusal, type Responses, startSmtp, type TestSmtp } from '../stand-ins/smtp.js';
import { startTwilio, type TestTwilio, textsBy } from '../stand-ins/twilio.js';
import { until } from '../until.js';

/** Where in a delivery its worker is killed. */
export const KILL_POINTS = [
  'claimed',
  'connected',
  'DATA sent',
  'accepted',
  'outcome written',
  'promoted',
] as const;
type KillPoint = (typeof KILL_POINTS)[number];
/** Those of which the servers tell. */
const SEEN_BY_HOOKS: KillPoint[] = ['connected', 'DATA sent', 'accepted'];

/** What befalls a mail, or a text, at an attempt. Refusals are knowable, the rest of them not. */
const MAIL_FAULTS = [
  '421',
  '450',
  '451',
  '550',
  'greylisted',
  'hangs at the banner',
  'dropped after DATA',
  'answered late',
] as const;
const TEXT_FAULTS = ['times out', '429', '500', '400', 'dropped'] as const;

/** Subject of the draft that sees to it that there is a delivery to kill. */
const killedWhen = (point: KillPoint): string => `killed when ${point}.`;

/** Longer than this process may be held up: what it accepts in time counts as known to be accepted. */
const TIMEOUT_MS = 4_000;
const LATE_MS = 5_000;

const ENV = {
  DELIVERY_TIMEOUT_MS: String(TIMEOUT_MS),
  DELIVERY_LEASE_MS: '6000',
  DELIVERY_RETRY_BASE_MS: '20',
  DELIVERY_MAX_ATTEMPTS: '8',
  LOG_LEVEL: 'fatal',
};

/** What is known of a draft in the end. */
export interface Fate {
  kind: 'mail' | 'text';
  /** `promoted`, or the status of its delivery. */
  end: string;
  reason: string | null;
  /** Copies that the provider holds, and the Message-IDs under which it was asked. */
  held: number;
  messageIds: number;
  /** Whether at some attempt it could not be known what became of it. */
  unknowable: boolean;
}

export interface FaultRun {
  fates: Fate[];
  /** How often each fault befell an attempt, and each kill point was hit. */
  counts: Record<string, number>;
}

/** One run on real processes: api and worker on a PostgreSQL of their own that is restarted, with everything going wrong. */
export async function faultRun(
  seed: number,
  mails: number,
  texts: number,
  redisUrl?: string,
  flush?: () => Promise<void>,
): Promise<FaultRun> {
  const run = new Run(randomFrom(seed), redisUrl);
  try {
    await run.start();
    await run.draft(mails, texts);
    await run.disturb(flush);
    return { fates: await run.fates(), counts: run.counts };
  } finally {
    await run.stop();
  }
}

interface Drafted {
  draft_id: string;
  kind: 'mail' | 'text';
  mark: string;
}

class Run {
  readonly counts: Record<string, number> = {};
  private readonly dataDir = readyDataDir();
  private postgres!: EmbeddedPostgres;
  private port!: number;
  private api!: Server;
  private worker!: Server;
  private smtp!: TestSmtp;
  private twilio!: TestTwilio;
  private workspace!: Workspace;
  private readonly drafts: Drafted[] = [];
  private readonly unknowable = new Set<string>();
  private readonly heldMails = new Map<string, number>();
  private readonly refusedMails = new Set<string>();
  private armed: KillPoint | null = null;
  private calm = false;

  constructor(
    private readonly random: Random,
    private readonly redisUrl: string | undefined,
  ) {}

  async start(): Promise<void> {
    this.port = await freePort();
    this.postgres = await startEmbeddedPostgres({ dataDir: this.dataDir, port: this.port });
    [this.smtp, this.twilio] = await Promise.all([startSmtp(), startTwilio()]);
    this.api = await this.process('api');
    this.worker = await this.process('worker');
    this.workspace = await newWorkspace({ url: this.api.url });
    await emailChannel(this.workspace, this.smtp.port);
    await textsBy(this.workspace, this.twilio.url);
    this.misbehave(this.smtp.respond);
    this.twilio.respond = ({ body }) => this.textFault(body);
  }

  async draft(mails: number, texts: number): Promise<void> {
    const kinds = [...Array<'mail'>(mails).fill('mail'), ...Array<'text'>(texts).fill('text')];
    await Promise.all(kinds.map((kind, nr) => this.draftOne(kind, `${kind} ${this.drafts.length + nr}.`)));
  }

  private async draftOne(kind: 'mail' | 'text', mark: string): Promise<Drafted> {
    const modality = kind === 'mail' ? 'email' : 'text';
    const { draft_id } = await ok(
      this.workspace.api.post('message-drafts', firstMessage({ modality, subject: mark, body_html: mark })),
    );
    const drafted = { draft_id, kind, mark };
    this.drafts.push(drafted);
    return drafted;
  }

  /** Kills the worker at each point, restarts the database and flushes the queue, while drafts are on their way. */
  async disturb(flush?: () => Promise<void>): Promise<void> {
    for (const point of KILL_POINTS) {
      await this.reached(point);
      this.count(`killed: ${point}`);
      await this.worker.kill();
      // What it had handed over may come in only now.
      await this.smtp.deserted();
      await this.noteUnknowable();
      this.worker = await this.process('worker');
    }
    await this.postgres.stop();
    this.postgres = await startEmbeddedPostgres({ dataDir: this.dataDir, port: this.port });
    this.count('database restarted');
    if (!flush) return;
    await flush();
    this.count('queue flushed');
  }

  async fates(): Promise<Fate[]> {
    const { drafts } = this;
    const ends = new Map<string, Json>();
    await until(async () => {
      for (const { draft_id } of drafts) {
        if (ends.has(draft_id)) continue;
        const { body } = await this.workspace.api.get(`message-drafts/${draft_id}`);
        if (body?.code === 'draft_promoted' || ['failed', 'uncertain'].includes(body?.delivery?.status))
          ends.set(draft_id, body);
      }
      return ends.size === drafts.length;
    });
    this.calm = true;
    return drafts.map(({ draft_id, kind, mark }) => {
      const { code, delivery } = ends.get(draft_id);
      const seen = this.smtp.seen.filter(({ parsed }) => parsed.subject === mark);
      return {
        kind,
        end: code === 'draft_promoted' ? 'promoted' : delivery.status,
        reason: delivery?.last_error ?? null,
        held:
          kind === 'mail'
            ? (this.heldMails.get(mark) ?? 0)
            : this.twilio.texts.filter(({ body }) => body === mark).length,
        messageIds: new Set(seen.map(({ messageId }) => messageId)).size,
        unknowable: this.unknowable.has(mark),
      };
    });
  }

  async stop(): Promise<void> {
    await this.worker?.kill();
    await this.api?.kill();
    await Promise.all([this.smtp?.close(), this.twilio?.close()]);
    await this.postgres?.stop();
    removeDataDir(this.dataDir);
  }

  /** What the provider holds and is no message yet, now that its worker is dead, nobody can know to be accepted. */
  private async noteUnknowable(): Promise<void> {
    for (const { draft_id, mark } of this.drafts) {
      if (!this.heldMails.has(mark)) continue;
      const { body } = await this.workspace.api.get(`message-drafts/${draft_id}`);
      if (body.code !== 'draft_promoted') this.unknowable.add(mark);
    }
  }

  private process(entry: 'api' | 'worker'): Promise<Server> {
    const env = { ...ENV, DATABASE_URL: this.postgres.url, PARLEY_SECRET_KEY: 'ab'.repeat(32) };
    return startServer({ entry, dataDir: this.dataDir, env: { ...env, REDIS_URL: this.redisUrl } });
  }

  private count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** Waits until a delivery is at this point; the hooks of the servers tell of those that they see. */
  private async reached(point: KillPoint): Promise<void> {
    const { admin } = this.workspace;
    // Before its draft, or a worker that is quick might be past it.
    if (SEEN_BY_HOOKS.includes(point)) this.armed = point;
    // A draft of its own sees to it that there is a delivery to kill.
    const { draft_id } = await this.draftOne('mail', killedWhen(point));
    if (point === 'claimed')
      return until(async () => (await ok(admin.get('deliveries', { status: 'sending' }))).data.length > 0);
    if (point === 'outcome written')
      return until(async () => {
        const { body } = await this.workspace.api.get(`message-drafts/${draft_id}`);
        return body.delivery === undefined || !['queued', 'sending'].includes(body.delivery.status);
      });
    if (point === 'promoted')
      return until(
        async () =>
          (await this.workspace.api.get(`message-drafts/${draft_id}`)).body?.code === 'draft_promoted',
      );
    await until(() => this.armed === null);
  }

  /** Whether the worker is to be killed at this point; the armed point is used up by it. */
  private hit(point: KillPoint): boolean {
    if (this.armed !== point) return false;
    this.armed = null;
    return true;
  }

  private misbehave(respond: Responses): void {
    respond.connect = () => {
      if (this.hit('connected')) return 'hang';
      return this.chance(0.03) ? (this.count('mail: hangs at the banner'), 'hang') : undefined;
    };
    respond.data = ({ parsed }) => this.mailFault(parsed.subject ?? '');
  }

  private mailFault(mark: string): Refusal | undefined {
    if (this.hit('DATA sent')) return this.mayBeHeld(mark, 'hang');
    if (this.hit('accepted')) return this.mayBeHeld(mark, undefined);
    // It is waited for, so it must become a message in the end.
    const spared = mark === killedWhen('promoted');
    if (spared || !this.chance(0.5)) return this.mayBeHeld(mark, undefined, false);
    const fault = this.random.sample(MAIL_FAULTS, 1)[0]!;
    if (fault === 'hangs at the banner') return this.mayBeHeld(mark, undefined, false);
    if (fault === 'greylisted' && this.refusedMails.has(mark)) return this.mayBeHeld(mark, undefined, false);
    this.count(`mail: ${fault}`);
    if (fault === 'dropped after DATA') return this.mayBeHeld(mark, 'drop');
    if (fault === 'answered late') return this.mayBeHeld(mark, { acceptAfter: LATE_MS });
    this.refusedMails.add(mark);
    return { code: fault === 'greylisted' ? 450 : Number(fault), text: `${fault} by the test` };
  }

  /** The provider has taken the mail; whether it is known to the worker is another thing. */
  private mayBeHeld(mark: string, reply: Refusal | undefined, unknowable = true): Refusal | undefined {
    this.heldMails.set(mark, (this.heldMails.get(mark) ?? 0) + 1);
    if (unknowable) this.unknowable.add(mark);
    if (!unknowable) this.count('mail: accepted');
    return reply;
  }

  private textFault(mark: string) {
    if (!this.chance(0.4)) return void this.count('text: accepted');
    const fault = this.random.sample(TEXT_FAULTS, 1)[0]!;
    this.count(`text: ${fault}`);
    if (fault === 'times out' || fault === 'dropped') {
      this.unknowable.add(mark);
      return fault === 'dropped' ? 'drop' : 'hang';
    }
    return { status: Number(fault), message: `${fault} by the test` };
  }

  private chance(share: number): boolean {
    return !this.calm && this.random.chance(share);
  }
}
