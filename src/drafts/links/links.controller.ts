import { Controller, Get, HttpCode, Param, Req, Res } from '@nestjs/common';
import { ApiFoundResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { asLocation } from '#http/location.js';
import { notFound } from '#http/problems/problem.js';
import { LinkClicks } from '../../conversations/conversations.contract.js';
import { DraftQueries } from '../drafts.queries.js';

/** Programs that follow links before people do, or instead of them. */
const SCANNER =
  /bot\b|crawl|spider|preview|scan|proofpoint|mimecast|barracuda|safelinks|urldefense|facebookexternalhit|slack|whatsapp|telegram|curl|wget|python|go-http|java\/|okhttp|headless/i;

@ApiTags('Tracked links')
@Controller('l')
export class LinksController {
  constructor(
    private readonly drafts: DraftQueries,
    private readonly clicks: LinkClicks,
  ) {}

  /** Follow a tracked link: redirects to the URL that stood in the mail, and counts the click. HEAD does not count. */
  @Get(':link_id')
  @HttpCode(302)
  @ApiFoundResponse({
    description: 'Where the link leads.',
    headers: { Location: { description: 'The original URL.', schema: { type: 'string', format: 'uri' } } },
  })
  @ApiProblems(400, 404)
  async follow(
    @Param('link_id') linkId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const link = await this.drafts.link(linkId);
    if (!link) throw notFound('link', linkId);
    if (request.method === 'GET') await this.clicks.count(link.organization_id, linkId, isScanner(request));
    void reply.headers({
      location: asLocation(link.url),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
  }
}

const isScanner = ({ headers }: FastifyRequest): boolean =>
  headers['user-agent'] === undefined ||
  SCANNER.test(headers['user-agent']) ||
  /prefetch|preview/i.test(`${String(headers['purpose'])} ${String(headers['sec-purpose'])}`);
