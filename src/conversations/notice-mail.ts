import { isId } from '#kernel/id.js';

/** The Message-ID, without angle brackets, of a notice mailed to an organization's people. */
export const noticeMessageId = (noticeId: string, fromAddress: string): string =>
  `${noticeId}@${fromAddress.split('@').at(-1)}`;

/** Ids of the notices, of any organization, that mails with these Message-IDs could be. */
export const noticeIdsIn = (messageIds: string[]): string[] => [
  ...new Set(messageIds.map((id) => id.split('@')[0]!).filter((id) => isId('notice', id))),
];
