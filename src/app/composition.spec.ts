import { AGGREGATES, SEARCH_SOURCES } from './composition.js';

/** Streams that are no records to look for, each with the reason. */
const NOT_SEARCHED: Record<string, string> = {
  bounce: 'a report about a mail, shown with its delivery',
  review_notice: 'a notice that was sent to an agent',
  file: 'found by the name it has in a draft or message',
  setting: 'what operators set up, which the audit log tells of',
  tag: 'a word on records, which lists are narrowed to',
  suppression: 'a list of its own, by address',
  template: 'a list of its own, by name',
};

describe('search', () => {
  it('has each kind of stream, or it is listed as one that nobody looks for', () => {
    const streams = AGGREGATES.map(({ streamType }) => streamType);
    const searched = SEARCH_SOURCES.map(({ streamType }) => streamType);
    const known = [...searched, ...Object.keys(NOT_SEARCHED)];
    expect(streams.sort()).toEqual(known.sort());
  });

  it('knows each kind of id from one source', () => {
    const kinds = SEARCH_SOURCES.flatMap(({ idKinds }) => idKinds);
    expect(kinds).toEqual([...new Set(kinds)]);
  });
});
