import type { FeedEvent } from '../data/api.js';
import { type EventPage, type Feed, MOST, readBack, readLatest, readOn, type ReadPage } from './feed.js';

const event = (position: number) => ({ position: String(position) }) as FeedEvent;

/** A feed of so many events, as the API pages through it; `isWanted` are those of the types asked for. */
function feedOf(count: number, isWanted: (position: number) => boolean = () => true) {
  const asked: object[] = [];
  const read: ReadPage = async (query) => {
    asked.push(query);
    const limit = query['limit'] as number;
    const isBack = query['before'] !== undefined;
    const all = Array.from({ length: count }, (_, index) => index + 1);
    const left = isBack
      ? all.filter((one) => query['before'] === 'latest' || one < Number(query['before'])).reverse()
      : all.filter((one) => one > Number(query['after'] ?? 0));
    const page = left.slice(0, limit);
    const has_more = left.length > limit;
    return {
      data: page.filter(isWanted).map(event),
      next_after: isBack
        ? query['before'] === 'latest'
          ? String(count)
          : null
        : String(page.at(-1) ?? query['after']),
      has_more,
      ...(isBack && { next_before: has_more ? String(page.at(-1)) : null }),
    } satisfies EventPage;
  };
  return { read, asked };
}

const ends = ({ rows }: Feed) => [rows.at(0)?.position, rows.at(-1)?.position, rows.length];

describe('the feed of the page', () => {
  it('begins with the latest events, and goes further back on demand', async () => {
    const { read } = feedOf(250);
    const first = await readLatest(read, null);
    expect(ends(first)).toEqual(['250', '151', 100]);
    const second = await readBack(read, first);
    expect(ends(second)).toEqual(['250', '51', 200]);
    const last = await readBack(read, second);
    expect([ends(last), last.before]).toEqual([['250', '1', 250], null]);
  });

  it('begins before a chosen event', async () => {
    const chosen = await readLatest(feedOf(250).read, '51');
    expect([ends(chosen), chosen.after]).toEqual([['50', '1', 50], null]);
  });

  it('looks through some pages for a rare type, and then leaves it to whoever wants to go on', async () => {
    const some = await readLatest(feedOf(1_000, (position) => position === 650).read, null);
    expect(ends(some)).toEqual(['650', '650', 1]);
    const none = await readLatest(feedOf(1_000, () => false).read, null);
    expect([none.rows, none.before]).toEqual([[], '401']);
  });

  it('takes on what has happened since, in order, and each once', async () => {
    const before = await readLatest(feedOf(10).read, null);
    const after = await readOn(feedOf(510).read, before);
    expect(ends(after)).toEqual(['510', '1', 510]);
    expect(ends(await readOn(feedOf(510).read, after))).toEqual(['510', '1', 510]);
  });

  it('keeps a thousand, and can go back to those that it has left', async () => {
    let feed = await readLatest(feedOf(10).read, null);
    for (let count = 400; count <= 4_000; count += 400) feed = await readOn(feedOf(count).read, feed);
    expect([ends(feed), feed.before]).toEqual([['4000', '3001', MOST], '3001']);
  });

  it('keeps fewer where they are large', async () => {
    const data = { content: 'x'.repeat(1_000_000) };
    const large = (position: number) => ({ ...event(position), data }) as FeedEvent;
    const rows = Array.from({ length: 30 }, (_, index) => large(30 - index));
    const read: ReadPage = async () => ({ data: [large(31)], next_after: '31', has_more: false });
    const feed = await readOn(read, { rows, after: '30', before: null });
    expect([ends(feed), feed.before]).toEqual([['31', '24', 8], '24']);
  });

  it('begins anew where it has missed more than it shows', async () => {
    const { read, asked } = feedOf(100_000);
    const feed = await readOn(read, { rows: [event(10)], after: '10', before: null });
    expect([ends(feed), feed.after]).toEqual([['100000', '99901', 100], '100000']);
    expect(asked).toHaveLength(6);
  });
});
