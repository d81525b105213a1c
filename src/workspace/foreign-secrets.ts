import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ChannelSecrets } from './channel-secrets.js';
import { WorkspaceQueries } from './workspace.queries.js';

/**
 * Says so at start when channels were sealed under another key: then nothing leaves or comes in by them, while everything
 * else works.
 */
@Injectable()
export class ForeignSecrets implements OnApplicationBootstrap {
  constructor(
    private readonly queries: WorkspaceQueries,
    private readonly secrets: ChannelSecrets,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const channel = await this.queries.latestChannel();
    if (!channel || this.secrets.ifOurs(channel)) return;
    new Logger('channels').error(
      `The secrets of ${channel.channel_id} were sealed under another key. Set PARLEY_SECRET_KEY to that key, or set up the ` +
        'channels anew; npm run parley -- doctor names them.',
    );
  }
}
