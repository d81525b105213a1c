import { useCalls } from '../data/organization.js';
import type { Page, TimelineEntry } from '../data/records.js';
import { TimelineList } from '../records/timeline-list.js';

const PAGE = 50;

/** Everything about one contact, the latest first. */
export function Timeline({ of }: { of: string }) {
  const calls = useCalls();
  return (
    <TimelineList
      of={of}
      load={(cursor) =>
        calls.GET<Page<TimelineEntry>>('/contacts/{contact_id}/timeline', {
          params: { path: { contact_id: of }, query: { limit: PAGE, cursor } },
        })
      }
    />
  );
}
