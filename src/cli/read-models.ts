import type { Command } from 'commander';
import type { Database } from '#database/database.js';
import { rebuildPending } from '#event-store/pending-rebuilds.js';
import { rebuild } from '#event-store/rebuild.js';
import { repairPositions } from '#event-store/repair.js';
import { verify } from '#event-store/verify.js';
import { withDatabase } from './with-service.js';
import { READ_MODELS, UPCASTERS } from '../app/composition.js';
import { endBar, progressBar } from './progress-bar.js';

/** `rebuild`, `verify` and `repair-positions`: keep rows in step with their events. */
export function readModelCommands(program: Command): void {
  program
    .command('rebuild <name>')
    .description(`rebuild read models from the events: ${names().join(', ')} or all`)
    .action((name: string) => withDatabase((database) => rebuildAll(database, name)));

  program
    .command('verify')
    .description('fold all events again and compare every row; exits with 1 when anything differs')
    .action(() =>
      withDatabase(async (database) => {
        for (const { projection, kind } of chosen('all')) {
          const differences = await verify({ database, projection, kind, upcasters: UPCASTERS });
          console.log(`${projection.name}: ${differences.length === 0 ? 'as the events say' : 'DIFFERS'}`);
          for (const difference of differences) console.log(JSON.stringify(difference));
          if (differences.length > 0) process.exitCode = 1;
        }
      }),
    );

  program
    .command('repair-positions')
    .description(
      'after restoring a dump: put its events before all that are to come, and rebuild all read models',
    )
    .action(() =>
      withDatabase(async (database) => {
        const renumbered = await repairPositions(database, names());
        console.log(`${renumbered} events renumbered.`);
        if (renumbered > 0) await rebuildAll(database, 'all');
      }, false),
    );
}

/** What a running service does after its start: for those who bring a database up to date without one. */
export const rebuildWhatMigrationsAskFor = (database: Database): Promise<void> =>
  rebuildPending(
    database,
    READ_MODELS.map((model) => ({
      ...model,
      upcasters: UPCASTERS,
      onProgress: progressBar(model.projection.name),
    })),
  ).finally(endBar);

async function rebuildAll(database: Database, name: string): Promise<void> {
  for (const { projection, kind } of chosen(name)) {
    const onProgress = progressBar(projection.name);
    const events = await rebuild({ database, projection, kind, upcasters: UPCASTERS, onProgress });
    endBar();
    process.stderr.write(`${projection.name}: rebuilt from ${events} events\n`);
  }
}

function names(): string[] {
  return READ_MODELS.map(({ projection }) => projection.name);
}

function chosen(name: string) {
  const found = READ_MODELS.filter(({ projection }) => name === 'all' || projection.name === name);
  if (found.length === 0)
    throw new Error(`There is no read model ${name}. There are: ${names().join(', ')}.`);
  return found;
}
