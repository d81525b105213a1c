import { isId } from '#kernel/id.js';

/** The Message-ID, without angle brackets, of the mail that tells an organization's people of something. */
export const noticeMessageId = (noticeId: string, fromAddress: string): string =>
  `${noticeId}@${fromAddress.split('@').at(-1)}`;

/** The notices, of whichever organization, whose mails these could be. */
export const noticeIdsIn = (messageIds: string[]): string[] => [
  ...new Set(messageIds.map((id) => id.split('@')[0]!).filter((id) => isId('notice', id))),
];
