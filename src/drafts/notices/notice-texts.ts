import { Injectable } from '@nestjs/common';
import type { Notice } from './notice.js';

/** What a notice says. */
export interface NoticeText {
  /** One line. */
  subject: string;
  lines: string[];
}

/** Gives what a notice says, with URLs below the organization's in the API; null where there is nothing to tell of any more. */
type Teller = (organizationId: string, notice: Notice, apiRoot: string) => Promise<NoticeText | null>;

/** What notices say, from those who know what they are about. */
@Injectable()
export class NoticeTexts {
  private readonly tellers = new Map<string, Teller>();

  add(about: 'draft' | 'comment', teller: Teller): void {
    this.tellers.set(about, teller);
  }

  of(organizationId: string, notice: Notice, apiRoot: string): Promise<NoticeText | null> {
    return this.tellers.get(notice.comment_id === null ? 'draft' : 'comment')!(
      organizationId,
      notice,
      apiRoot,
    );
  }
}
