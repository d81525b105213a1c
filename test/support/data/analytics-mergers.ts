import type { Random } from '../random.js';

/** An event that is to be appended to its stream. */
export interface Recording {
  stream: string;
  type: 'conversation' | 'sale';
  event: { type: string; data: object };
}

/** Which streams of conversations turn out to be of others, and of which. */
export type Mergers = ReadonlyMap<string, string>;

/** The conversations as they are after the mergers, each once. */
export const followed = (conversationIds: string[], into: Mergers): string[] => [
  ...new Set(conversationIds.map((id) => into.get(id) ?? id)),
];

/** Puts each merger, which the sales follow, somewhere after all that was recorded in the conversation that goes. */
export function withMergers(random: Random, recordings: Recording[], into: Mergers): Recording[] {
  return [...into].reduce((all, [gone, stays]) => {
    const begins = all.findIndex(({ stream }) => stream === stays);
    const ends = all.findLastIndex(({ stream }) => stream === gone);
    const at = random.integer(Math.max(begins, ends) + 1, all.length);
    const one: Mergers = new Map([[gone, stays]]);
    return [
      ...all.slice(0, at),
      conversationEvent(stays, { type: 'ConversationTakenIn', data: { conversation_id: gone } }),
      conversationEvent(gone, { type: 'ConversationMerged', data: { into_conversation_id: stays } }),
      ...revisions(all.slice(0, at), one),
      ...all.slice(at).map((recording) => afterMergers(recording, one)),
    ];
  }, recordings);
}

const conversationEvent = (stream: string, event: Recording['event']): Recording => ({
  stream,
  type: 'conversation',
  event,
});

/** The revisions of the sales that were last linked to the conversation that goes. */
function revisions(recordings: Recording[], into: Mergers): Recording[] {
  const links = new Map<string, string[]>();
  for (const { stream, event } of recordings) {
    const linked = linkedBy(event);
    if (linked) links.set(stream, linked);
  }
  return [...links]
    .filter(([, ids]) => ids.some((id) => into.has(id)))
    .map(([stream, ids]) => {
      const data = {
        associated_conversation_ids: followed(ids, into),
        revised_at: '2026-01-01T00:00:00.000000Z',
      };
      return { stream, type: 'sale', event: { type: 'SaleRevised', data } };
    });
}

/** Nobody links a sale to a conversation that has gone. */
function afterMergers(recording: Recording, into: Mergers): Recording {
  const { type, data } = recording.event;
  const linked = linkedBy(recording.event);
  if (!linked) return recording;
  return {
    ...recording,
    event: { type, data: { ...data, associated_conversation_ids: followed(linked, into) } },
  };
}

const linkedBy = ({ data }: Recording['event']): string[] | undefined =>
  (data as { associated_conversation_ids?: string[] }).associated_conversation_ids;
