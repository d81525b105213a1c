import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { BooleanParameter, InstantField, Optional } from '#http/input/fields.js';
import { IsAfterStart } from '#http/paging/page.dto.js';
import { ExplainResponse } from './explain.dto.js';

const Count = () => ApiProperty({ type: 'integer', example: 12 });
const InstantValue = () => ApiProperty({ format: 'date-time' });

/** The window of every figure. */
export class WindowQuery {
  /** Beginning of the window, included. @example "2026-01-01T00:00:00Z" */
  @InstantField()
  start_date!: string;

  /** End of the window, excluded. @example "2026-02-01T00:00:00Z" */
  @InstantField()
  @IsAfterStart()
  end_date!: string;
}

export class AnalyticsQuery extends WindowQuery {
  /** Whether to add, as `explain`, links to the records behind the figures. */
  @Optional()
  @BooleanParameter()
  @ApiProperty({ default: false })
  explain?: boolean;
}

export class SalesAnalyticsQuery extends AnalyticsQuery {
  /** Whether each stage has `values`, the sum for each currency, even if all its quotes have the same one. */
  @Optional()
  @BooleanParameter()
  @ApiProperty({ default: false })
  by_currency?: boolean;
}

export class AgentsAnalyticsQuery extends WindowQuery {
  /** Whether each stage has `values`, the sum for each currency, even if all its quotes have the same one. */
  @Optional()
  @BooleanParameter()
  @ApiProperty({ default: false })
  by_currency?: boolean;
}

/** What every answer says besides its figures. */
class Counted {
  /** The instant up to which everything is counted. */
  @InstantValue()
  as_of!: string;
  /** Links to the records behind the figures, when asked for with `explain=true`. */
  explain?: ExplainResponse;
}

export class ResponseRateStats {
  /** Received conversations that were responded to at any later time. */
  @Count()
  numConversationsRespondedTo!: number;
  /** Conversations whose first inbound message is in the window. */
  @Count()
  numConversationsReceived!: number;
  /** Share of the received conversations that were responded to; 0 when there are none. @example 0.75 */
  responseRate!: number;
}

export class ResponseTimeStats {
  /** Median seconds from an inbound message that begins a turn in the window to the next response; 0 without any. @example 312.5 */
  responseTime!: number;
  /** How many response times the median is of. */
  @Count()
  numResponses!: number;
}

export class VolumeStats {
  /** Inbound messages in the window. */
  @Count()
  numMessagesReceived!: number;
  /** Sent messages in the window. */
  @Count()
  numMessagesSent!: number;
  /** Conversations whose first inbound message is in the window. */
  @Count()
  totalConversations!: number;
}

/** The received conversations by the modality of their first inbound message. */
export class ModalityStats {
  /** Begun by a text. */
  @Count()
  textMessages!: number;
  /** Begun by a call. */
  @Count()
  calls!: number;
  /** Begun by an e-mail. */
  @Count()
  emails!: number;
  /** Begun by a live chat. */
  @Count()
  liveChats!: number;
  /** Begun by a form, whatever its modality; those count under no other word. */
  @Count()
  formRequests!: number;
}

export class ResponseRateResponse extends IntersectionType(ResponseRateStats, Counted) {}

export class ResponseTimeResponse extends IntersectionType(ResponseTimeStats, Counted) {}

export class VolumeResponse extends IntersectionType(VolumeStats, Counted) {}

export class ModalityResponse extends IntersectionType(ModalityStats, Counted) {}

class ConversationFigures {
  /** How many conversations were answered. */
  responseRateStats!: ResponseRateStats;
  /** How fast. */
  responseTimeStats!: ResponseTimeStats;
  /** How many messages and conversations there were. */
  volumeStats!: VolumeStats;
  /** How the conversations began. */
  modalityStats!: ModalityStats;
}

export class ConversationAnalyticsResponse extends IntersectionType(ConversationFigures, Counted) {}

export class CurrencyValue {
  /** Currency of the quotes. @example "EUR" */
  currency!: string;
  /** Exact sum of the quotes in this currency. @example "1200.50" */
  value!: string;
}

export class PipelineStage {
  /** The stage's label. @example "Quoted" */
  name!: string;
  /** The stage's system tag. */
  @ApiProperty({ type: String, nullable: true, example: 'quoted' })
  status!: string | null;
  /** Sales that were in the stage for some of the window. */
  @Count()
  volume!: number;
  /**
   * Exact sum of the latest quotes of these sales. Where `values` is there, the quotes have several currencies and this adds
   * up amounts of all of them: it is no amount of money, so show `values` instead. @example "1200.50"
   */
  value!: string;
  /**
   * The exact sum for each currency, where the quotes have several; then it takes the place of `value`. With
   * `by_currency=true` it is there whenever there are quotes.
   */
  values?: CurrencyValue[];
}

export class SaleFigures {
  /** The stages in their order. */
  pipeline!: PipelineStage[];
  /** Of the sales created in the window, the share that was ever accepted; 0 when there are none. @example 0.25 */
  salesRate!: number;
}

export class SaleAnalyticsResponse extends IntersectionType(SaleFigures, Counted) {}

export class AgentConversationFigures {
  /** Conversations to which the agent responded in the window. */
  @Count()
  conversationsRespondedTo!: number;
  /** Messages that the agent sent in the window. */
  @Count()
  messagesSent!: number;
}

export class AgentConversationAnalyticsResponse extends IntersectionType(AgentConversationFigures, Counted) {}

class AgentFigures {
  /** What the agent sent. */
  conversations!: AgentConversationFigures;
  /** The sales that the agent owns. */
  sales!: SaleFigures;
}

export class AgentAnalyticsResponse extends IntersectionType(AgentFigures, Counted) {}
