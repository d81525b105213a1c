import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ROOM_OF_PAGE } from '../paging/page-size.js';

/** A record, or several, that another one names by id. */
export interface Expansion<Shown = never> {
  /** Kind of what is named; its reader is registered under it (`RecordReaders`). */
  kind: string;
  /** The id that the record names, or null; or all ids, in the order to be shown in. */
  named: (record: Shown) => string | null | readonly string[];
}

/** What may be put into a record of one kind, by the property that it is put under. */
export type Expansions<Shown = never> = Record<string, Expansion<Shown>>;

/** The parameter that asks for it. */
export const EXPAND = 'expand';

/**
 * Decorator of a GET route that answers with one record, or with a page of them: `expand` names what is put beside the ids that
 * they have. Each costs one statement, however many records there are.
 */
export const Expandable = (expansions: Expansions) => {
  const names = Object.keys(expansions);
  return applyDecorators(
    RouteConfig({ expansions } satisfies Expanding),
    ApiQuery({
      name: EXPAND,
      required: false,
      description:
        'Records to show beside their ids, as their own routes show them, separated by commas. The answer then has no `ETag`.',
      style: 'form',
      explode: false,
      schema: { type: 'array', minItems: 1, maxItems: names.length, items: { type: 'string', enum: names } },
    }),
  );
};

/** What Fastify knows of such a route (`routeOptions.config`). */
export interface Expanding {
  expansions?: Expansions;
}

/** About the most bytes that a read answers with: what it expands may take as much as a page, each time. */
export function roomFor(request: FastifyRequest): number {
  const { [EXPAND]: given } = request.query as Record<string, unknown>;
  if (typeof given !== 'string') return ROOM_OF_PAGE;
  const { expansions = {} } = request.routeOptions.config as Expanding;
  const asked = Math.min(given.split(',').length, Object.keys(expansions).length);
  return ROOM_OF_PAGE * (1 + asked);
}
