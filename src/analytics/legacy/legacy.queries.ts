import { Injectable } from '@nestjs/common';
import { Directory } from '../../workspace/workspace.contract.js';
import { ratio } from '../figures/analytics.queries.js';
import { type Cohort, readCohort, readVolume, type Volume } from '../figures/conversation-figures.queries.js';
import { type Funnel, readFunnel, readLatelyEnded } from './legacy-figures.queries.js';
import type { LegacyAnalyticsResponse, LegacySalesFunnelStats } from './legacy.dto.js';
import { readResponseTimes, type Times } from '../figures/response-times.queries.js';
import { acceptedColumn } from '../figures/sale-figures.queries.js';
import type { Window } from '../figures/window-slices.js';
import { Snapshots } from '../figures/snapshot.queries.js';

/** The figures of the first version of the API (decisions, section 9). */
@Injectable()
export class LegacyQueries {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly directory: Directory,
  ) {}

  async analytics(organizationId: string, window: Window): Promise<LegacyAnalyticsResponse> {
    const acceptedAt = acceptedColumn(await this.directory.stages(organizationId));
    return this.snapshots.take(organizationId, async (tx, asOf) => {
      const [cohort, volume, times, business, sales, latelyEnded] = await Promise.all([
        readCohort(tx, organizationId, window),
        readVolume(tx, organizationId, window),
        readResponseTimes(tx, organizationId, window, 'all'),
        readResponseTimes(tx, organizationId, window, 'business'),
        readFunnel(tx, organizationId, window, acceptedAt),
        asOf.then((instant) => readLatelyEnded(tx, organizationId, window, instant)),
      ]);
      return figures({ cohort, volume, times, business, sales, latelyEnded });
    });
  }
}

interface Facts {
  cohort: Cohort;
  volume: Volume;
  /** Over all hours, and over business hours alone. */
  times: Times;
  business: Times;
  sales: Funnel;
  latelyEnded: number;
}

function figures({
  cohort,
  volume,
  times,
  business,
  sales,
  latelyEnded,
}: Facts): Omit<LegacyAnalyticsResponse, 'as_of'> {
  const { sent_with_changes: changed, sent_without_changes: unchanged } = volume;
  const { received: numLeads, responded_to: leadsHandled } = cohort;
  const ghosted = cohort.ended_by_response - latelyEnded;
  return {
    responseRateStats: {
      numChatsSent: volume.messages_sent,
      numPendingChats: numLeads - leadsHandled,
      responseRate: ratio(leadsHandled, numLeads),
    },
    responseTimeStats: {
      responseTime: times.median,
      responseTimeBusinessHours: business.median,
      numResponses: times.count,
      numResponsesBusinessHours: business.count,
    },
    salesStats: { averageSpeedToSale: Number(sales.mean_seconds), numSalesCounted: sales.accepted },
    valueStats: { salesValue: Number(sales.accepted_value), quoteValue: Number(sales.quoted_value) },
    salesFunnelStats: funnel(cohort, ghosted, sales),
    autonomyRateStats: {
      chatsSentWithChanges: changed,
      chatsSentWithoutChanges: unchanged,
      autonomyRate: ratio(unchanged, changed + unchanged),
    },
    numLeads,
    leadsHandled,
    salesRate: ratio(sales.accepted_leads, numLeads),
    quoteRate: ratio(sales.quoted_leads, numLeads),
    ghostRate: ratio(ghosted, leadsHandled),
    leadResponseScore: 100 * ratio(cohort.answered_in_an_hour, numLeads),
  };
}

const funnel = (cohort: Cohort, ghosted: number, sales: Funnel): LegacySalesFunnelStats => ({
  source: {
    sessionsDirectEmail: cohort.direct_emails,
    sessionsIndirectEmail: cohort.indirect_emails,
    sessionsFormRequest: cohort.form_requests,
  },
  response: {
    sessionsLeadResponded: cohort.contact_returned,
    sessionsGhosted: ghosted,
    sessionsResponseSent: cohort.responded_to,
    sessionsPendingOutreach: cohort.received - cohort.responded_to,
  },
  outcome: { sessionsQuoted: sales.quoted_leads },
  sale: { sessionsSale: sales.accepted_leads },
});
