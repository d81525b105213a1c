import type { components } from './api.generated.js';
import { createParser } from 'eventsource-parser';

/** An event of the feed; `type` tells what its `data` holds. */
export type FeedEvent = components['schemas']['Event'];

/** What a stream tells: an event, or how far it has come without one. */
export type Told = { event: FeedEvent } | { place: string };

/** Seconds. The service sends a comment every 15: where nothing comes for so long, the connection is gone. */
const LONGEST_SILENCE_S = 45;
const PLACE = /^\d+-\d+$/;

/** Reads server-sent events for as long as the connection holds and the signal is quiet. */
export async function* eventsIn(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Told, void, undefined> {
  const reader = body.getReader();
  const end = () => void reader.cancel().catch(() => undefined);
  const decoder = new TextDecoder();
  let told: Told[] = [];
  const parser = createParser({
    onEvent: ({ data }) => told.push({ event: JSON.parse(data) as FeedEvent }),
    // Whatever is between may send comments of its own.
    onComment: (comment) => PLACE.test(comment) && told.push({ place: comment }),
  });
  signal?.addEventListener('abort', end);
  try {
    while (!signal?.aborted) {
      const silence = setTimeout(end, LONGEST_SILENCE_S * 1_000);
      const { value } = await reader.read().catch(() => ({ value: undefined }));
      clearTimeout(silence);
      if (value === undefined) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* told;
      told = [];
    }
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}
