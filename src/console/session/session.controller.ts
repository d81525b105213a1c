import { Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiHeader, ApiNoContentResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { ApiRequest } from '#http/access/caller.js';
import { Reads } from '#http/access/reads.js';
import { nameSession, SessionCookie } from '#http/access/session.js';
import { ApiProblems } from '#http/problems/problem.dto.js';
import { Problem } from '#http/problems/problem.js';
import { PublicUrl } from '#http/public-url.js';
import { ConsoleSessions, SESSION_SECONDS } from './sessions.js';

const SET_COOKIE = {
  'Set-Cookie': {
    description: 'The session; not readable for scripts.',
    schema: { type: 'string' as const },
  },
};

const usedUp = (): Problem =>
  new Problem(
    401,
    'unauthorized',
    'The link has been used or is older than ten minutes. Sign in at /console with a key.',
    { headers: { 'WWW-Authenticate': 'ApiKey' } },
  );

@ApiTags('Console')
@ApiProblems(400, 401)
@Controller('console/session')
export class SessionController {
  private readonly cookie: SessionCookie;

  constructor(
    private readonly sessions: ConsoleSessions,
    publicUrl: PublicUrl,
  ) {
    this.cookie = new SessionCookie(publicUrl);
  }

  /**
   * Sign in with a key: get a cookie that stands for it for 12 hours.
   *
   * It is taken in place of the API key below `/api`, and in place of the admin key below `/admin/v1`, beside the header
   * `X-Parley-Console: 1`. It may do what its key may, and ends with it. Give one key only. On https the cookie is `__Host-parley_session`, and a request with two
   * different sessions is 401.
   */
  @Post()
  @HttpCode(204)
  @Reads()
  @ApiSecurity('api-key')
  @ApiHeader({
    name: 'X-ADMIN-KEY',
    required: false,
    description: 'The admin key, in place of the API key.',
    schema: { type: 'string', maxLength: 16_384 },
  })
  @ApiProblems(429)
  @ApiNoContentResponse({ description: 'Signed in.', headers: SET_COOKIE })
  async begin(@Req() request: ApiRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const apiKey = request.caller ? String(request.headers['x-api-key']) : null;
    this.enter(request, reply, await this.sessions.begin(apiKey));
  }

  /** A page of the console: signs in by a link, which works once and for ten minutes, and leads on. `npm start` prints one for the demo. */
  @Get(':link')
  @HttpCode(303)
  @ApiExcludeEndpoint()
  async beginByLink(
    @Param('link') link: string,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const { method, headers } = request;
    // Some programs ask for the head of what they show as a link.
    const token = method === 'HEAD' ? null : await this.sessions.beginByLink(link);
    if (token !== null) this.enter(request, reply, token);
    else if (!headers.accept?.includes('text/html')) throw usedUp();
    void reply.header('location', token === null ? '../#link-used' : '../#signed-in');
  }

  /** Sign out: end the session of the cookie, wherever else a copy of it may be. */
  @Delete()
  @HttpCode(204)
  @ApiSecurity('console-session')
  @ApiProblems(403)
  @ApiNoContentResponse({ description: 'Signed out.', headers: SET_COOKIE })
  async end(@Req() request: ApiRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.sessions.end(this.cookie.tokenOf(request, reply)!);
    this.setCookie(request, reply, '', 0);
  }

  private enter(request: ApiRequest, reply: FastifyReply, token: string): void {
    this.setCookie(request, reply, token, SESSION_SECONDS);
    nameSession(reply, token);
  }

  private setCookie(request: ApiRequest, reply: FastifyReply, token: string, seconds: number): void {
    const attributes = [`Max-Age=${seconds}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
    if (this.cookie.isByHttps(request)) attributes.push('Secure');
    void reply.header('set-cookie', [`${this.cookie.nameFor(request)}=${token}`, ...attributes].join('; '));
  }
}
