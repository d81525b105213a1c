import type { StoredEvent } from '#kernel/context.js';
import { type Cursor, isAfter } from '#event-store/feed.js';
import { positionOf } from '#event-store/position.js';
import { eventFrame } from '#http/streams/event-stream.js';
import type { WantedEvents } from '../asked-events.js';
import type { PublicEvents } from '../public-events.js';

const NOTHING = Buffer.alloc(0);

/** Events as readers get them: each is made once, and so is what readers of the same events get, however many they are. */
export class Frames {
  private readonly byType = new Map<string, string>();
  private readonly byWanted = new Map<string, Buffer>();

  constructor(
    private readonly found: StoredEvent[],
    private readonly events: PublicEvents,
  ) {}

  /** Those of the events after a place that are wanted; empty for none. */
  of({ types, recordId }: WantedEvents, after: Cursor): Buffer {
    const first = this.found.findIndex((event) => isAfter(event, after));
    if (first === -1) return NOTHING;
    const key = `${first} ${recordId ?? ''} ${types?.join() ?? '*'}`;
    let frames = this.byWanted.get(key);
    if (!frames) {
      const wanted = this.found
        .slice(first)
        .filter((event) => recordId === null || event.stream_id === recordId);
      frames = Buffer.from(wanted.map((event) => this.frame(event, types)).join(''));
      this.byWanted.set(key, frames);
    }
    return frames;
  }

  private frame(event: StoredEvent, types: string[] | null): string {
    const type = this.events.typeFor(event.type, types);
    if (type === undefined) return '';
    const key = `${event.event_id} ${type}`;
    let frame = this.byType.get(key);
    if (frame === undefined) {
      frame = eventFrame(positionOf(event), JSON.stringify(this.events.show(event, type)));
      this.byType.set(key, frame);
    }
    return frame;
  }
}
