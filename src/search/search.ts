import { othersTurn } from '#batching/turns.js';
import { Injectable } from '@nestjs/common';
import { Database } from '#database/database.js';
import type { Instant } from '#kernel/instant.js';
import { Cursors } from '#http/paging/cursors.js';
import type { Page } from '#http/paging/page.dto.js';
import { invalid } from '#http/problems/problem.js';
import { type Highlight, highlightsIn, type SearchWork } from './highlight.js';
import type { SearchQuery, SearchResultResponse } from './search.dto.js';
import { SEARCH_TYPES, type SearchDocument, type SearchType, TOKEN } from './search-document.js';
import { type Alternatives, readQuery, titleTokens, wantedOf } from './search-query.js';
import { type Asked, type Hit, type Moment, SearchQueries } from './search.queries.js';
import { SearchSources } from './search-sources.js';

const DEFAULT_LIMIT = 50;
/** Of so many hits, the newest there are, the best come first: to weigh all of a million would take seconds. */
const WINDOW = 500;
/** Windows that one request reads at most. */
const MOST_WINDOWS = 2;
/** Records that are read at once, to be compared with the query: fewer than a page may have, since each may be long. */
const AT_ONCE = 25;
/**
 * How much text one request looks at: some 50 ms of work. Then its page ends early. After a tenth of it other requests have
 * their turn.
 */
const MOST_CHARACTERS = 2_000_000;
const MOST_WORDS = 100_000;
const TURN = 10;

/** How much of what a request may do is done: 1 is all of it. */
const shareOf = ({ characters, words }: SearchWork): number =>
  characters / MOST_CHARACTERS + words / MOST_WORDS;

/** A record that is found, and where in it. */
type Found = [id: string, document: SearchDocument, highlights: Highlight[]];

/**
 * A place among the hits: which window it is in, by the first moment of the window, or the last one before it; and the hit
 * after which the page begins, if it is not the window's first.
 */
interface Place {
  window: Moment | null;
  isIncluded: boolean;
  after: [inTitle: boolean, at: Instant, id: string] | null;
}

const BEGINNING: Place = { window: null, isIncluded: false, after: null };

/** Finds records. */
@Injectable()
export class Search {
  constructor(
    private readonly database: Database,
    private readonly queries: SearchQueries,
    private readonly sources: SearchSources,
    private readonly cursors: Cursors,
  ) {}

  /** A page of what is found. Throws 400 for a query that looks for nothing, an unknown type or a foreign cursor. */
  async find(organizationId: string, query: SearchQuery): Promise<Page<SearchResultResponse>> {
    const alternatives = readQuery(query.q);
    if (!alternatives)
      throw invalid([
        { field: 'q', detail: 'must look for at least one word, or part of an address or number' },
      ]);
    const asked = askedOf(organizationId, alternatives, query);
    const limit = query.limit ?? DEFAULT_LIMIT;
    const scope = JSON.stringify(['search', organizationId, asked, query.agent_id]);
    const place = query.cursor === undefined ? BEGINNING : this.cursors.read<Place>(query.cursor, scope);
    const work: SearchWork = { characters: 0, words: 0 };
    const look = (document: SearchDocument) =>
      isOf(document, query) ? highlightsIn(document, alternatives, work) : null;
    const found: Found[] = [];
    let next: Place | null = place;
    // Few of many may hold a phrase: then the page ends before its limit, and the next one goes on.
    for (
      let windows = 0;
      next !== null && found.length < limit && windows < MOST_WINDOWS && shareOf(work) < 1;
      windows++
    ) {
      const page = await this.page(organizationId, asked, next, limit - found.length, { look, work });
      found.push(...page.found);
      next = page.next;
    }
    const next_cursor = next === null ? null : this.cursors.write(next, scope);
    return {
      data: found.map(shown),
      pagination: { limit, cursor: query.cursor ?? null, next_cursor, has_more: next !== null },
    };
  }

  /** Up to `limit` records of a window after a place, and where the next page begins, if there may be more. */
  private async page(
    organizationId: string,
    asked: Asked,
    place: Place,
    limit: number,
    { look, work }: { look: (document: SearchDocument) => Highlight[] | null; work: SearchWork },
  ): Promise<{ found: Found[]; next: Place | null }> {
    const { window, isIncluded, after } = place;
    const hits = await this.queries.newestHits(organizationId, asked, { from: window, isIncluded }, WINDOW);
    const first = hits[0];
    if (!first) return { found: [], next: null };
    const last = hits.at(-1)!;
    // They come newest first.
    const best = [...hits.filter(({ in_title }) => in_title), ...hits.filter(({ in_title }) => !in_title)];
    const ranked = after === null ? best : best.filter((hit) => isBehind(hit, after));
    const found: Found[] = [];
    const isDone = () => found.length === limit || shareOf(work) >= 1;
    let read = 0;
    let turns = Math.floor(shareOf(work) * TURN);
    while (read < ranked.length && !isDone()) {
      const ids = ranked.slice(read, read + AT_ONCE).map(({ id }) => id);
      const documents = await this.sources.present(this.database, organizationId, ids);
      for (const id of ids) {
        if (isDone()) break;
        read++;
        const document = documents.get(id);
        // Left out: what is no more, and what has the same tokens but not the words.
        const highlights = document ? look(document) : null;
        if (highlights) found.push([id, document!, highlights]);
        if (Math.floor(shareOf(work) * TURN) === turns) continue;
        turns = Math.floor(shareOf(work) * TURN);
        await othersTurn();
      }
    }
    if (read < ranked.length) {
      const { in_title, occurred_at, id } = ranked[read - 1]!;
      const begin: Moment = [first.occurred_at, first.id];
      return { found, next: { window: begin, isIncluded: true, after: [in_title, occurred_at, id] } };
    }
    if (hits.length < WINDOW) return { found, next: null };
    return { found, next: { window: [last.occurred_at, last.id], isIncluded: false, after: null } };
  }
}

/** Whether a hit comes after this one: those with all words in their title come first, and the newest first among equals. */
function isBehind(hit: Hit, [inTitle, at, id]: NonNullable<Place['after']>): boolean {
  if (hit.in_title !== inTitle) return inTitle;
  return hit.occurred_at < at || (hit.occurred_at === at && hit.id < id);
}

/** The query with its filters, as tokens that documents have. */
function askedOf(organizationId: string, alternatives: Alternatives, query: SearchQuery): Asked {
  const { agent_id, contact_id, modality, start_date, end_date } = query;
  const types = typesOf(query.types);
  return {
    all: [
      TOKEN.organization(organizationId),
      ...(contact_id === undefined ? [] : [TOKEN.contact(contact_id)]),
    ],
    oneOfEach: [
      ...(types ? [types.map(TOKEN.type)] : []),
      // A conversation changes its owner without becoming another document: its owner is looked at when it is shown.
      ...(agent_id === undefined ? [] : [[TOKEN.agent(agent_id), TOKEN.type('conversation')]]),
      // So does a saved reply its modality, by what comes into its conversation.
      ...(modality === undefined ? [] : [[TOKEN.modality(modality), TOKEN.type('draft')]]),
    ],
    alternatives: alternatives.map(wantedOf),
    titles: alternatives.map(titleTokens),
    start_date,
    end_date,
  };
}

/** Whether a record that changes without becoming another document is what is asked for. */
const isOf = (
  { type, agent_id, modality }: SearchDocument,
  asked: Pick<SearchQuery, 'agent_id' | 'modality'>,
): boolean =>
  (asked.agent_id === undefined || type !== 'conversation' || agent_id === asked.agent_id) &&
  (asked.modality === undefined || type !== 'draft' || modality === asked.modality);

function typesOf(text: string | undefined): SearchType[] | null {
  if (text === undefined) return null;
  const named = [...new Set(text.split(',').map((type) => type.trim()))];
  const isKnown = (type: string): type is SearchType => (SEARCH_TYPES as readonly string[]).includes(type);
  const unknown = named.filter((type) => !isKnown(type));
  if (unknown.length > 0)
    throw invalid([
      { field: 'types', detail: `${unknown.join(', ')} is none of ${SEARCH_TYPES.join(', ')}` },
    ]);
  return named.filter(isKnown);
}

const shown = ([id, document, highlights]: Found): SearchResultResponse => ({
  type: document.type,
  id,
  conversation_id: document.conversation_id,
  title: document.title,
  highlights,
  occurred_at: document.occurred_at,
});
