import { fetch } from 'undici';
import type { Client, Json, Query } from './client.js';
import { until } from '../until.js';

/** An event of a stream, as it came. */
export interface Frame {
  id: string;
  event: Json;
}

/** An open stream of server-sent events. */
export interface Stream {
  status: number;
  headers: { get(name: string): string | null };
  frames: Frame[];
  /** The places that its comments have named. */
  places(): string[];
  /** Whether the server has ended it. */
  ended(): boolean;
  /** Goes away. */
  close(): void;
  /** Waits until so many events have come, and gives their ids. */
  got(count: number): Promise<string[]>;
}

/** Opens a stream of an organization's events. */
export async function openStream(
  client: Client,
  query: Query = {},
  headers: Record<string, string> = {},
): Promise<Stream> {
  const leaving = new AbortController();
  const answer = await fetch(client.url + client.path('events', query), {
    headers: { ...client.headers, accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  });
  const frames: Frame[] = [];
  const places: string[] = [];
  let [ended, rest] = [false, ''];
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of answer.body!) {
      const blocks = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(block) ?? [];
        if (id === undefined) places.push(/^: (\S+)$/.exec(block)![1]!);
        else frames.push({ id, event: JSON.parse(data!) });
      }
    }
  };
  read().then(
    () => (ended = true),
    () => (ended = true),
  );
  return {
    status: answer.status,
    headers: answer.headers,
    frames,
    places: () => places,
    ended: () => ended,
    close: () => leaving.abort(),
    got: async (count) => {
      await until(() => Promise.resolve(frames.length >= count));
      return frames.map(({ id }) => id);
    },
  };
}
