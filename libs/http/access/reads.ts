import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Route decorator: a POST that changes nothing, which keys that may only read can send. */
export const Reads = () => RouteConfig({ reads: true });

/** Whether the request changes nothing. */
export const isRead = ({ method, routeOptions }: FastifyRequest): boolean =>
  SAFE_METHODS.has(method) || (routeOptions.config as { reads?: boolean }).reads === true;
