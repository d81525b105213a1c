import { ApiProperty } from '@nestjs/swagger';

const Count = () => ApiProperty({ type: 'integer', example: 12 });

export class LegacySolutionResponse {
  @ApiProperty({ format: 'uuid' })
  uuid!: string;
  /** @example "Northwind Traders" */
  name!: string;
}

export class LegacyResponseRateStats {
  /** Sent messages in the window. */
  @Count()
  numChatsSent!: number;
  /** Leads that nobody has responded to. */
  @Count()
  numPendingChats!: number;
  /** Share of the leads that were responded to. @example 0.75 */
  responseRate!: number;
}

export class LegacyResponseTimeStats {
  /** Median seconds to respond. @example 312.5 */
  responseTime!: number;
  /** The same in seconds of business hours, of messages that came in during business hours. @example 120 */
  responseTimeBusinessHours!: number;
  /** How many response times the median is of. */
  @Count()
  numResponses!: number;
  /** How many of them are of messages that came in during business hours. */
  @Count()
  numResponsesBusinessHours!: number;
}

export class LegacySalesStats {
  /** Mean seconds from the first inbound message to the accepted sale. @example 86400 */
  averageSpeedToSale!: number;
  /** Sales first accepted in the window. */
  @Count()
  numSalesCounted!: number;
}

export class LegacyValueStats {
  /** Sum of the quotes of sales first accepted in the window, of whatever currency. @example 1200.5 */
  salesValue!: number;
  /** Sum of the quotes of sales first quoted in the window, of whatever currency. @example 2400 */
  quoteValue!: number;
}

export class LegacyFunnelSource {
  /** Leads that began by an e-mail to the organization. */
  @Count()
  sessionsDirectEmail!: number;
  /** Leads that began by an e-mail that reached the organization only as a copy. */
  @Count()
  sessionsIndirectEmail!: number;
  /** Leads that began by a form. */
  @Count()
  sessionsFormRequest!: number;
}

export class LegacyFunnelResponse {
  /** Leads who wrote again after a response. */
  @Count()
  sessionsLeadResponded!: number;
  /** Leads whose last message is a response older than seven days. */
  @Count()
  sessionsGhosted!: number;
  /** Leads that were responded to. */
  @Count()
  sessionsResponseSent!: number;
  /** Leads that nobody has responded to. */
  @Count()
  sessionsPendingOutreach!: number;
}

export class LegacyFunnelOutcome {
  /** Leads with a sale that was quoted. */
  @Count()
  sessionsQuoted!: number;
}

export class LegacyFunnelSale {
  /** Leads with a sale that was accepted. */
  @Count()
  sessionsSale!: number;
}

export class LegacySalesFunnelStats {
  /** How the leads began. */
  source!: LegacyFunnelSource;
  /** How they went on. */
  response!: LegacyFunnelResponse;
  /** What was offered. */
  outcome!: LegacyFunnelOutcome;
  /** What was sold. */
  sale!: LegacyFunnelSale;
}

export class LegacyAutonomyRateStats {
  /** Messages of the window made from drafts that were overwritten before they were queued. */
  @Count()
  chatsSentWithChanges!: number;
  /** Messages of the window made from drafts that left as they were first written. */
  @Count()
  chatsSentWithoutChanges!: number;
  /** Share of those without changes. @example 0.5 */
  autonomyRate!: number;
}

/** Leads are the conversations whose first inbound message is in the window. Every ratio of nothing is 0. */
export class LegacyAnalyticsResponse {
  /** Responses by number. */
  responseRateStats!: LegacyResponseRateStats;
  /** Responses by time. */
  responseTimeStats!: LegacyResponseTimeStats;
  /** Accepted sales by number and time. */
  salesStats!: LegacySalesStats;
  /** Sales by value. */
  valueStats!: LegacyValueStats;
  /** Leads from their beginning to a sale. */
  salesFunnelStats!: LegacySalesFunnelStats;
  /** Sent drafts by whether people changed them. */
  autonomyRateStats!: LegacyAutonomyRateStats;
  /** Leads of the window. */
  @Count()
  numLeads!: number;
  /** Those that were responded to. */
  @Count()
  leadsHandled!: number;
  /** Share of the leads with an accepted sale. @example 0.25 */
  salesRate!: number;
  /** Share of the leads with a quoted sale. @example 0.5 */
  quoteRate!: number;
  /** Share of the leads responded to that were ghosted. @example 0.125 */
  ghostRate!: number;
  /** 100 times the share of the leads answered within one hour. @example 62.5 */
  leadResponseScore!: number;
  /** The instant up to which everything is counted. */
  @ApiProperty({ format: 'date-time' })
  as_of!: string;
}
