import { Module } from '@nestjs/common';
import { SessionController } from './session.controller.js';
import { SessionSweeper } from './session.sweeper.js';
import { SessionQueries } from './sessions.queries.js';
import { ConsoleSessions } from './sessions.js';

/** Browsers sign in with a key and get a session, so that they need not keep the key. */
@Module({
  controllers: [SessionController],
  providers: [SessionQueries, ConsoleSessions, SessionSweeper],
})
export class SessionModule {}
