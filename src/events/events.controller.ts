import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { OrganizationId } from '#http/access/caller.js';
import { leaveRoom } from '#http/limits/bound-answers.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { EventFeed } from './event-feed.js';
import { EventFeedResponse, EventResponse, ListEventsQuery } from './events.dto.js';

@ApiTags('Events')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/events')
export class EventsController {
  constructor(private readonly feed: EventFeed) {}

  /**
   * Read everything that happened in the organization, in order, from the beginning or from any place.
   *
   * Keep `next_after` and give it as `after` the next time: no event is left out and none comes twice, however many
   * write at the same moment. With `wait` the request is answered as soon as there is something new.
   */
  @Get()
  @ApiExtraModels(EventResponse)
  list(
    @OrganizationId() organizationId: string,
    @Query() query: ListEventsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EventFeedResponse> {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    return this.feed.read(organizationId, query, gone.signal, () => leaveRoom(reply));
  }
}
