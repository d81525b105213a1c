import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addressKey } from '#kernel/address.js';

/** Brings the addresses of channels beyond ASCII to the form that they are compared in now. Two that become one stay as they are. */
export class ChannelAddresses1700001400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const channels = (await runner.query(
      `SELECT channel_id, settings->>'from_address' AS from_address FROM channel WHERE address !~ '^[ -~]+$'`,
    )) as { channel_id: string; from_address: string }[];
    for (const { channel_id, from_address } of channels)
      await runner.query(
        `UPDATE channel SET address = $2 WHERE channel_id = $1 AND NOT EXISTS (SELECT FROM channel WHERE address = $2)`,
        [channel_id, addressKey(from_address)],
      );
  }

  async down(): Promise<void> {}
}
