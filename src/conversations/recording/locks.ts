// Names of locks that different writers take (`EventStore.exclusively`), so that one of them sees what the other has
// written. The stream of a record is locked by its id.

/** Held by whoever records the mail with this key (`messageIdKey`), an answer to it, or a report about it. */
export const mailLock = (mailKey: string): string => `mail:${mailKey}`;

/** Held by whoever records the message with this external id, or a report about it. */
export const externalIdLock = (externalId: string): string => `external:${externalId}`;

/** Held by whoever saves a reply in the conversation, or merges it away. */
export const replyLock = (conversationId: string): string => `reply:${conversationId}`;
