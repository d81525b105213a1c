import { Injectable } from '@nestjs/common';
import { Vault } from './vault.js';
import type { ChannelRow } from './workspace.queries.js';

/** What is stored sealed of a channel. */
export interface Secrets {
  hook_token: string;
  password?: string | null;
  auth_token?: string;
}

/** Seals and opens the secrets of channels. */
@Injectable()
export class ChannelSecrets {
  /** The opened secrets of rows, kept as long as the rows are. */
  private readonly opened = new WeakMap<object, Secrets>();

  constructor(private readonly vault: Vault) {}

  seal(secrets: Secrets, channelId: string): Buffer {
    return this.vault.seal(secrets, channelId);
  }

  /** Throws where another key has sealed them. */
  of(row: Pick<ChannelRow, 'secrets' | 'channel_id'>): Secrets {
    let secrets = this.opened.get(row);
    if (!secrets) this.opened.set(row, (secrets = this.vault.open<Secrets>(row.secrets, row.channel_id)));
    return secrets;
  }

  /** Null where another key has sealed them. */
  ifOurs({ secrets, channel_id }: Pick<ChannelRow, 'secrets' | 'channel_id'>): Secrets | null {
    return this.vault.openIfOurs<Secrets>(secrets, channel_id);
  }
}
