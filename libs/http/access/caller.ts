import { createParamDecorator, type ExecutionContext, Param } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Actor, type Context, OPERATOR } from '#kernel/context.js';
import { expectedBy } from '../versions/versioned.js';

/** Whom an API key stands for. */
export interface Caller {
  keyId: string;
  organizationIds: ReadonlySet<string>;
  agentId: string | null;
  readOnly: boolean;
}

/** Finds callers by their keys. */
export interface KeyVerifier {
  /** The caller of a presented key; null for a missing, malformed, unknown, revoked or expired key. */
  verify(presented: string | undefined): Promise<Caller | null> | Caller | null;
  /** Whether the agent belongs to the organization. */
  hasAgent(organizationId: string, agentId: string): Promise<boolean>;
}

/** The channel behind a hook URL. */
export interface Hook {
  organizationId: string;
  modality: string;
}

/** Finds channels by the tokens of their hook URLs. */
export interface HookVerifier {
  /** `door` is the end of the URL's path. Null when there is no such channel, or the token is not that of this door. */
  verifyHook(channelId: string, door: string, token: unknown): Promise<Hook | null>;
}

/** What a caller was admitted by; an answer that lasts looks again whether it still holds. */
export interface Admission {
  /** The same for requests with the same key or session. */
  by: string;
  holds(): Promise<boolean>;
  /** The same of the key alone, which costs no query: mostly from memory. */
  keyHolds(): Promise<boolean>;
}

export interface ApiRequest extends FastifyRequest {
  caller?: Caller;
  admission?: Admission;
  /** Set when the URL has the token of a channel. */
  hook?: Hook;
  params: Record<string, string>;
}

const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The context of commands that this request issues. */
export function contextOf(request: ApiRequest, actor: Actor = actorOf(request.caller)): Context {
  const traceparent = request.headers['traceparent'];
  return {
    organizationId: request.params['organization_id'] ?? '',
    actor,
    requestId: request.id,
    traceparent: typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : null,
    keyId: request.caller?.keyId,
  };
}

function actorOf(caller: Caller | undefined): Actor {
  if (!caller) return OPERATOR;
  return caller.agentId ? { type: 'agent', id: caller.agentId } : { type: 'key', id: caller.keyId };
}

/** Parameter decorator: the request's `Context`. */
export const Ctx = createParamDecorator((_: unknown, host: ExecutionContext): Context => {
  const request = host.switchToHttp().getRequest<ApiRequest>();
  const context = contextOf(request);
  const ifMatch = request.headers['if-match'];
  return ifMatch === undefined
    ? context
    : { ...context, expected: expectedBy(ifMatch, request.method, host.getHandler()) };
});

/** Parameter decorator: the organization in the path. */
export const OrganizationId = () => Param('organization_id');

/** Parameter decorator: the `Caller` behind the key. */
export const CalledBy = createParamDecorator(
  (_: unknown, host: ExecutionContext) => host.switchToHttp().getRequest<ApiRequest>().caller,
);
