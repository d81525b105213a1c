import type { Command } from 'commander';
import { AT_COMMAND_LINE } from '#kernel/context.js';
import { readInput } from '#http/input/input.js';
import { printJson, withService } from './with-service.js';
import { RotateApiKeyBody } from '../workspace/api-key.dto.js';
import { ApiKeys } from '../workspace/workspace.contract.js';

/** `keys list|rotate|revoke`: for a leaked key, even where `/admin` is off. */
export function keyCommands(program: Command): void {
  const keys = program.command('keys').description('list, rotate and revoke API keys');

  keys
    .command('list')
    .description('list all keys, without their secrets')
    .action(() => withService(async ({ app }) => printJson(await app.get(ApiKeys).list())));

  keys
    .command('rotate <key_id>')
    .description('give a key a new secret, which is shown this once')
    .option('--overlap <seconds>', 'how long the old secret stays valid', '0')
    .action((keyId: string, { overlap }: { overlap: string }) =>
      withService(async ({ app }) => {
        const { overlap_seconds } = readInput(RotateApiKeyBody, { overlap_seconds: Number(overlap) });
        printJson(await app.get(ApiKeys).rotate(AT_COMMAND_LINE, keyId, overlap_seconds!));
      }),
    );

  keys
    .command('revoke <key_ids...>')
    .description('revoke keys: every process refuses them within a second')
    .action((keyIds: string[]) =>
      withService(async ({ app }) => {
        for (const keyId of keyIds) {
          await app.get(ApiKeys).revoke(AT_COMMAND_LINE, keyId);
          printJson({ key_id: keyId, revoked: true });
        }
      }),
    );
}
