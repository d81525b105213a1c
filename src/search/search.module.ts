import { type DynamicModule, Module } from '@nestjs/common';
import { SearchController } from './search.controller.js';
import { Search } from './search.js';
import { SearchQueries } from './search.queries.js';
import type { SearchSource } from './search-source.js';
import { SearchSources } from './search-sources.js';

/** Finds records of all contexts by their words. */
@Module({})
export class SearchModule {
  static with(sources: SearchSource[]): DynamicModule {
    return {
      module: SearchModule,
      controllers: [SearchController],
      providers: [Search, SearchQueries, { provide: SearchSources, useValue: new SearchSources(sources) }],
    };
  }
}
