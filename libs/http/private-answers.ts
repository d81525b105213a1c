import type { FastifyRequest } from 'fastify';
import { SESSION_PATH } from './access/session.js';

/** What no cache may keep: the answer is of one caller (contract, section 11). */
export const PRIVATE = 'private, no-store';

/** Whether the request is for a surface whose answers are of one caller. */
export function isPrivate({ routeOptions, url }: FastifyRequest): boolean {
  const surface = routeOptions?.url ?? url;
  return /^\/(?:api|admin)(?:\/|$)/.test(surface) || surface.startsWith(SESSION_PATH);
}
