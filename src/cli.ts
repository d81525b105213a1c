import './process/v8-flags.js';
import 'reflect-metadata';
import { Command } from 'commander';
import { VERSION } from '#config/product.js';
import { adminCommands } from './cli/admin.js';
import { auditCommand } from './cli/audit.js';
import { backupCommands } from './cli/backup.js';
import { createCommands } from './cli/create.js';
import { deliveryCommands } from './cli/deliveries.js';
import { distributeCommand } from './cli/distribute.js';
import { doctorCommand } from './cli/doctor.js';
import { importCommands } from './cli/import.js';
import { keyCommands } from './cli/keys.js';
import { readModelCommands, rebuildWhatMigrationsAskFor } from './cli/read-models.js';
import { printJson, requireDatabaseFiles, withDatabase, withService } from './cli/with-service.js';
import { createDemo } from './demo/demo.js';

/** As the shell says of a program that SIGPIPE has ended: `head` has read what it wanted. Node ignores that signal. */
const ENDED_BY_SIGPIPE = 141;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === 'EPIPE' ? ENDED_BY_SIGPIPE : 1);
});

const program = new Command('parley')
  .description(
    'Operator command line. It works on DATABASE_URL, else on the embedded database in PARLEY_DATA_DIR.',
  )
  .version(VERSION);

/** Commands that may create the database or need none. The others would report an empty one as being in order. */
const NEEDING_NONE = ['migrate', 'demo', 'organization', 'restore', 'doctor', 'routes'];
program.hook('preAction', (_program, command) => {
  if (!NEEDING_NONE.includes(command.name())) requireDatabaseFiles();
});

doctorCommand(program);

program
  .command('migrate')
  .description(
    'bring the database schema up to date, and rebuild the read models that a new version asks for',
  )
  .action(() =>
    withDatabase(async (database) => {
      await rebuildWhatMigrationsAskFor(database);
      console.log('The schema is up to date.');
    }),
  );

program
  .command('demo')
  .description('create the demo organization')
  .action(() => withService(async ({ app }, config) => printJson(await createDemo(app, config.dataDir))));

createCommands(program);
keyCommands(program);
importCommands(program);
deliveryCommands(program);
auditCommand(program);
adminCommands(program);
readModelCommands(program);
backupCommands(program);
distributeCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
