import type { Command } from 'commander';
import type { Config } from '../config/config.js';
import { backUp } from '#embedded-postgres/backup.js';
import { restore } from '#embedded-postgres/restore.js';
import { commandConfig, printJson, withUrl } from './with-service.js';

/** `backup` and `restore` of the embedded database and the files beside it. */
export function backupCommands(program: Command): void {
  program
    .command('backup <directory>')
    .description('copy the data directory (database, attachments, keys) while the service runs')
    .action((directory: string) =>
      withUrl(embedded('backup'), async (url, { dataDir }) =>
        printJson(await backUp(dataDir, url, directory)),
      ),
    );

  program
    .command('restore <directory>')
    .description('make an empty PARLEY_DATA_DIR what a backup holds')
    .action(async (directory: string) => {
      const { dataDir } = embedded('restore');
      printJson({ restored_to: dataDir, ...(await restore(directory, dataDir)) });
    });
}

/** With DATABASE_URL the server is not ours; use its own programs for this. */
function embedded(command: string): Config {
  const config = commandConfig();
  if (config.databaseUrl === null) return config;
  throw new Error(
    `${command} is for the embedded database. For the one at DATABASE_URL use pg_basebackup, pg_dump or your provider's ` +
      'backups, and copy PARLEY_DATA_DIR beside it (attachments, secret.key); after pg_restore run repair-positions. ' +
      'Where that is the coordinator of a cluster, back up all of its nodes by pg_basebackup, and make a restore point of all of them ' +
      'by citus_create_restore_point.',
  );
}
