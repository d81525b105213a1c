import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { ROLES, type Roles } from '#config/roles.js';
import { systemContext } from '#kernel/context.js';
import { plusSeconds } from '#kernel/instant.js';
import { EventStore } from '#event-store/event-store.js';
import { groupBy } from '#event-store/group-by.js';
import { PublicUrl } from '#http/public-url.js';
import { DueWork } from '#jobs/due-work.js';
import { Sweeper } from '#jobs/sweeper.js';
import { Channels } from '../../workspace/workspace.contract.js';
import { composeNotice } from './compose-notice.js';
import { backoffSeconds } from '../delivery.js';
import { DeliveryQueries, DUE_NOTICES, type DueNotice } from '../delivery/deliveries.queries.js';
import { notice, type Notice } from './notice.js';
import { notices } from './notices.projection.js';
import { NoticeTexts } from './notice-texts.js';
import { SmtpSender } from '../providers/smtp.js';

const SWEEP_LIMIT = 500;
const SWEEP_LIMIT_EACH = 20;

/**
 * Mails notices to an organization's people by its e-mail channel. The table `review_notice` says what is due;
 * people do not notice a second, so there is no queue. One organization's notices leave one after the other, beside those
 * of others.
 */
@Injectable()
export class NoticeSender implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('notices');
  private readonly sweeper = new Sweeper(this.log, () => this.sendDue());
  /** Sends under way, by organization. */
  private readonly sending = new Map<string, Promise<void>>();
  private closed = false;

  constructor(
    private readonly store: EventStore,
    private readonly dueWork: DueWork,
    private readonly queries: DeliveryQueries,
    private readonly channels: Channels,
    private readonly smtp: SmtpSender,
    private readonly texts: NoticeTexts,
    private readonly publicUrl: PublicUrl,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(ROLES) private readonly roles: Roles,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.roles.worker) return;
    this.dueWork.add({ name: 'notices', due: DUE_NOTICES, sweeper: this.sweeper });
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    await this.sweeper.stop();
    await Promise.all(this.sending.values());
  }

  private async sendDue(): Promise<void> {
    const due = await this.queries.dueNotices(SWEEP_LIMIT, SWEEP_LIMIT_EACH, [...this.sending.keys()]);
    for (const [organizationId, own] of groupBy(due, ({ organization_id }) => organization_id)) {
      if (this.closed) return;
      const sent = this.sendAll(organizationId, own).finally(() => this.sending.delete(organizationId));
      this.sending.set(organizationId, sent);
    }
  }

  private async sendAll(organizationId: string, due: DueNotice[]): Promise<void> {
    for (const { notice_id } of due) {
      if (this.closed) return;
      try {
        await this.send(organizationId, notice_id);
      } catch (error) {
        this.log.warn(`${notice_id}: ${String(error)}`);
      }
    }
  }

  private async send(organizationId: string, noticeId: string): Promise<void> {
    const claimed = await this.claim(organizationId, noticeId);
    if (!claimed) return;
    const [sent, reason] = await this.handOver(organizationId, claimed);
    if (sent === null) return this.log.warn(`${noticeId}: ${reason}`);
    await this.store.change(systemContext(organizationId), notices, noticeId, ({ state }) =>
      notice.decide(state, { type: 'EndNotice', sent, reason }),
    );
  }

  /** Records a try and gives the notice; null when it is not due or another process has it. */
  private async claim(organizationId: string, noticeId: string): Promise<Notice | null> {
    let tried = false;
    const at = await this.store.database.now();
    const { deliveryLeaseMs, deliveryRetryBaseMs, deliveryMaxAttempts: max_attempts } = this.config;
    const { state } = await this.store.change(
      systemContext(organizationId),
      notices,
      noticeId,
      ({ state: current }) => {
        const pause = backoffSeconds((current?.attempts ?? 0) + 1, deliveryRetryBaseMs, Math.random());
        // The next try must not begin before this one is over, however it ends.
        const next_attempt_at = plusSeconds(at, Math.max(pause, deliveryLeaseMs / 1000));
        const events = notice.decide(current, { type: 'TryNotice', at, next_attempt_at, max_attempts });
        tried = events.some(({ type }) => type === 'ReviewNoticeTried');
        return events;
      },
    );
    return tried ? state : null;
  }

  /** Whether the mail has left, and why not; null to try again. */
  private async handOver(
    organizationId: string,
    claimed: Notice,
  ): Promise<[sent: boolean | null, reason: string]> {
    const apiRoot = `${this.publicUrl.value}/api/v2/organizations/${organizationId}`;
    const text = await this.texts.of(organizationId, claimed, apiRoot);
    if (!text) return [false, 'there is nothing to tell of any more'];
    const channel = await this.channels.email(organizationId);
    if (!channel) return [false, 'there is no e-mail channel'];
    const outcome = await this.smtp.send(channel, await composeNotice(claimed, text, channel));
    if (outcome.kind === 'accepted') return [true, outcome.response];
    return [outcome.kind === 'permanent' ? false : null, outcome.error];
  }
}
