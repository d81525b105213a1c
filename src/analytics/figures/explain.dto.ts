import { ApiProperty } from '@nestjs/swagger';

const Link = () =>
  ApiProperty({
    format: 'uri-reference',
    example:
      '/api/v2/organizations/org_01hzy3v7q4e8k9m2n5p6r7s8t9/analytics/records?figure=emails&start_date=2026-01-01T00%3A00%3A00.000000Z&end_date=2026-02-01T00%3A00%3A00.000000Z',
  });

/** The two lists that a rate is the ratio of. */
export class RateLinks {
  /** To the records that count. */
  @Link()
  numerator!: string;
  /** To the records they are among. */
  @Link()
  denominator!: string;
}

export class StageLinks {
  /** The stage. @example "stage_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  status_id!: string;
  /** The stage's label. @example "Quoted" */
  name!: string;
  /** To the sales that its volume counts; their quotes add up to its value. */
  @Link()
  volume!: string;
}

/** For each figure of the answer, by its name, a link to the list of the records behind it. */
export class ExplainResponse {
  /** To the received conversations that were responded to. */
  @Link()
  numConversationsRespondedTo?: string;
  /** To the received conversations. */
  @Link()
  numConversationsReceived?: string;
  /** To the conversations it is the ratio of. */
  responseRate?: RateLinks;
  /** To the answered turns, with the response times that it is the median of. */
  @Link()
  responseTime?: string;
  /** To the answered turns. */
  @Link()
  numResponses?: string;
  /** To the inbound messages. */
  @Link()
  numMessagesReceived?: string;
  /** To the sent messages. */
  @Link()
  numMessagesSent?: string;
  /** To the received conversations. */
  @Link()
  totalConversations?: string;
  /** To the conversations begun by a text. */
  @Link()
  textMessages?: string;
  /** To the conversations begun by a call. */
  @Link()
  calls?: string;
  /** To the conversations begun by an e-mail. */
  @Link()
  emails?: string;
  /** To the conversations begun by a live chat. */
  @Link()
  liveChats?: string;
  /** To the conversations begun by a form. */
  @Link()
  formRequests?: string;
  /** To the conversations to which the agent responded. */
  @Link()
  conversationsRespondedTo?: string;
  /** To the messages that the agent sent. */
  @Link()
  messagesSent?: string;
  /** The stages in their order, each with the sales in it. */
  pipeline?: StageLinks[];
  /** To the accepted and the created sales. */
  salesRate?: RateLinks;
}
