import type { Reader } from '#database/statements/statement.js';
import type { SearchDocument } from './search-document.js';
import type { SearchSource } from './search-source.js';

/** All sources of search. */
export class SearchSources {
  private readonly ofKind: Map<string, SearchSource>;

  constructor(sources: SearchSource[]) {
    this.ofKind = new Map(sources.flatMap((source) => source.idKinds.map((kind) => [kind, source] as const)));
  }

  /** The documents of these records as they are now, whatever their kinds; those that are no more are left out. */
  async present(reader: Reader, organizationId: string, ids: string[]): Promise<Map<string, SearchDocument>> {
    const bySource = new Map<SearchSource, string[]>();
    for (const id of ids) {
      const source = this.ofKind.get(id.slice(0, id.indexOf('_')));
      if (source) bySource.set(source, [...(bySource.get(source) ?? []), id]);
    }
    const found = await Promise.all(
      [...bySource].map(([source, own]) => source.present(reader, organizationId, own)),
    );
    return new Map(found.flatMap((documents) => [...documents]));
  }
}
