import { isId } from '#kernel/id.js';

/** The Message-ID, without angle brackets, of the mail that tells an organization's people of something. */
export const noticeMessageId = (noticeId: string, fromAddress: string): string =>
  `${noticeId}@${fromAddress.split('@').at(-1)}`;

/** Whether a Message-ID is that of such a mail. */
export const isNoticeMail = (messageId: string): boolean => isId('notice', messageId.split('@')[0]);
