import { ApiProperty } from '@nestjs/swagger';
import { Optional, Text } from '#http/input/fields.js';
import { DatedPageQuery } from '#http/paging/page.dto.js';
import { SEARCH_TYPES } from './search-document.js';

export class SearchQuery extends DatedPageQuery {
  /**
   * What to look for: words, `"a phrase"`, `-without`, `one or other`, `prefix*`, a part of an e-mail address, domain or phone
   * number. All words must be there, in any case, with accents or without; `or` binds weaker than words side by side.
   * @example "renewal -draft"
   */
  @Text()
  q!: string;
  /** Only records of these types, separated by commas: contact, company, conversation, message, draft, sale, task, comment. */
  @Optional()
  @Text()
  types?: string;
  /** Only records of this agent: what the agent owns, wrote or sent. */
  @Optional()
  @Text()
  agent_id?: string;
  /** Only records about this contact. */
  @Optional()
  @Text()
  contact_id?: string;
  /** Only messages, conversations and drafts of this channel. */
  @Optional()
  @Text()
  modality?: string;
}

export class HighlightResponse {
  /** @example "subject" */
  field!: string;
  /** Plain text around the hits. Each hit stands between U+E000 and U+E001. */
  text!: string;
}

export class SearchResultResponse {
  @ApiProperty({ enum: SEARCH_TYPES })
  type!: string;
  /** @example "msg_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  id!: string;
  /** Where a message, a conversation, a reply or a comment is. */
  @ApiProperty({ type: String, nullable: true, example: 'conv_01hzy3v7q4e8k9m2n5p6r7s8t9' })
  conversation_id!: string | null;
  /** A name or subject, or else how the text begins. @example "Renewal" */
  title!: string;
  /** The fields in which something was found. */
  highlights!: HighlightResponse[];
  /** When a message was sent, a conversation began, or another record was made. */
  @ApiProperty({ format: 'date-time' })
  occurred_at!: string;
}
