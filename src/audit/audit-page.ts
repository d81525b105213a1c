import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredType } from '#http/accepted.js';
import { CSV_TYPE } from '#http/csv.js';
import { asLocation } from '#http/location.js';
import { type Page, Pagination, pageSchema } from '#http/paging/page.dto.js';
import type { PublicUrl } from '#http/public-url.js';
import { auditCsv } from './audit-csv.js';
import type { AuditLogResponse } from './audit.dto.js';

const CSV = 'text/csv';
const TYPES = ['application/json', CSV];

/** The page as JSON, or as CSV where the request prefers that. */
export function inWantedForm<Item extends AuditLogResponse>(
  page: Page<Item>,
  options: { anywhere: boolean },
  { headers, url }: FastifyRequest,
  reply: FastifyReply,
  publicUrl: PublicUrl,
): Page<Item> | string {
  // Beside what pages of other origins have there.
  const vary = [reply.getHeader('vary') ?? [], 'Accept'].flat().join(', ');
  void reply.header('vary', vary);
  if (preferredType(headers.accept, TYPES) !== CSV) return page;
  const { next_cursor } = page.pagination;
  if (next_cursor !== null) {
    const next = new URL(url, publicUrl.value);
    next.searchParams.set('cursor', next_cursor);
    void reply.header('link', `<${asLocation(publicUrl.value + next.pathname + next.search)}>; rel="next"`);
  }
  void reply.header('content-type', CSV_TYPE);
  return auditCsv(page.data, options);
}

/** Documents both forms of the page. */
export const ApiAuditPage = (item: Type) =>
  applyDecorators(
    ApiExtraModels(item, Pagination),
    ApiOkResponse({
      headers: {
        Link: {
          description: 'With CSV: the next page, as `<URL>; rel="next"`; not there on the last one.',
          schema: { type: 'string' },
        },
      },
      content: {
        'application/json': { schema: pageSchema(item) },
        [CSV]: {
          schema: { type: 'string' },
          example: 'audit_log_id,occurred_at,action_type,record_type,record_id,field,from,to\r\n',
        },
      },
    }),
  );
