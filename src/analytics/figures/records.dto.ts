import { ApiProperty } from '@nestjs/swagger';
import { InstantField, OneOf, Optional, Text } from '#http/input/fields.js';
import { IsAfterStart, PageQuery } from '#http/paging/page.dto.js';

/** The figures that have a list; `salesCreated` and `salesAccepted` are the two that `salesRate` is the ratio of. */
export const FIGURES = [
  'numConversationsRespondedTo',
  'numConversationsReceived',
  'totalConversations',
  'responseTime',
  'numResponses',
  'numMessagesReceived',
  'numMessagesSent',
  'textMessages',
  'calls',
  'emails',
  'liveChats',
  'formRequests',
  'conversationsRespondedTo',
  'messagesSent',
  'pipeline',
  'salesCreated',
  'salesAccepted',
] as const;

export type Figure = (typeof FIGURES)[number];

export class ListRecordsQuery extends PageQuery {
  /** Whose records: the name of a figure, or one of the two counts behind `salesRate`. @example "emails" */
  @OneOf(...FIGURES)
  figure!: Figure;

  /** Beginning of the window, included. @example "2026-01-01T00:00:00Z" */
  @InstantField()
  start_date!: string;

  /** End of the window, excluded. @example "2026-02-01T00:00:00Z" */
  @InstantField()
  @IsAfterStart()
  end_date!: string;

  /**
   * The agent that the figure is about: required for `conversationsRespondedTo` and `messagesSent`; narrows figures of
   * sales to the sales that the agent owns.
   */
  @Optional()
  @Text()
  agent_id?: string;

  /** The stage of `pipeline`; required for it, and for it alone. */
  @Optional()
  @Text()
  status_id?: string;
}

/** A record behind a figure, with what the figure is made of. */
export class AnalyticsRecordResponse {
  /**
   * The instant that orders the list: when the conversation's first inbound message, the message or the turn's inbound
   * message was sent, when the sale was created or, for `pipeline`, when it entered the stage.
   */
  @ApiProperty({ format: 'date-time' })
  at!: string;
  /** The conversation, or that of the message. @example "conv_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  conversation_id?: string;
  /** The message: for response times the inbound one that begins the turn, for `conversationsRespondedTo` the agent's first response in the window. @example "msg_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  message_id?: string;
  /** For response times: seconds to the next response. @example 312.5 */
  response_seconds?: number;
  /** The sale. @example "sale_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  sale_id?: string;
  /** For `salesAccepted`: when the sale was first accepted. */
  @ApiProperty({ format: 'date-time' })
  accepted_at?: string;
  /** For `pipeline`: when the sale left the stage; null while it is there. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  left_at?: string | null;
  /** For `pipeline`: currency of the sale's latest quote. */
  @ApiProperty({ type: String, nullable: true, example: 'EUR' })
  currency?: string | null;
  /** For `pipeline`: exact total of the sale's latest quote, which is in the stage's `value`. */
  @ApiProperty({ type: String, nullable: true, example: '1200.50' })
  total_price?: string | null;
}
