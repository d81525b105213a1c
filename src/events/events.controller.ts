import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type ApiRequest, OrganizationId } from '#http/access/caller.js';
import { preferredType } from '#http/accepted.js';
import { leaveRoom } from '#http/limits/bound-answers.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { EVENT_STREAM, EventStream } from '#http/streams/event-stream.js';
import { EventFeed } from './event-feed.js';
import { EventFeedResponse, EventResponse, ListEventsQuery } from './events.dto.js';
import { LiveEvents } from './live/live-events.js';

@ApiTags('Events')
@ApiSecurity('api-key')
@ApiProblems(400, 401, 404)
@Controller('api/v2/organizations/:organization_id/events')
export class EventsController {
  constructor(
    private readonly feed: EventFeed,
    private readonly live: LiveEvents,
  ) {}

  /**
   * Read everything that happened in the organization, in order, from the beginning or from any place.
   *
   * Keep `next_after` and give it as `after` the next time: no event is left out and none comes twice, however many
   * write at the same moment. With `wait` the request is answered as soon as there is something new.
   *
   * With `Accept: text/event-stream` the answer are server-sent events, which go on as long as the key is valid: each has an event as its
   * `data` and the event's position as its `id`. `limit` and `wait` have no meaning then.
   */
  @Get()
  @ApiExtraModels(EventResponse, EventFeedResponse)
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'With `Accept: text/event-stream`: the `id` of the last event you have, in place of `after`. Browsers send it when they reconnect.',
    schema: { type: 'string', maxLength: 40 },
  })
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(EventFeedResponse) } },
      [EVENT_STREAM]: {
        schema: { type: 'string' },
        example: 'id: 00000000000000000812-0000000000000000041\ndata: {"type":"ContactCreated"}\n\n',
      },
    },
  })
  async list(
    @OrganizationId() organizationId: string,
    @Query() query: ListEventsQuery,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.header('vary', [reply.getHeader('vary') ?? [], 'Accept'].flat().join(', '));
    if (preferredType(request.headers.accept, ['application/json', EVENT_STREAM]) === EVENT_STREAM)
      return this.stream(organizationId, query, request, reply);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    await reply.send(await this.feed.read(organizationId, query, gone.signal, () => leaveRoom(reply)));
  }

  private async stream(
    organizationId: string,
    query: ListEventsQuery,
    { headers, method, admission }: ApiRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const asked = await this.live.asked(organizationId, query, headers['last-event-id']);
    if (method === 'HEAD') return void reply.header('content-type', EVENT_STREAM).send();
    await this.live.follow(organizationId, new EventStream(reply), asked, admission!);
  }
}
