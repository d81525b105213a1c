import { type Command, InvalidArgumentError } from 'commander';
import { distribute, SHARDS } from '#database/distribute.js';
import { endBar, progressBar } from './progress-bar.js';
import { withDatabase } from './with-service.js';

const MOST_SHARDS = 1_024;

/** `distribute`: spreads the tables over the nodes of a cluster. */
export function distributeCommand(program: Command): void {
  program
    .command('distribute')
    .description(
      'distribute the tables by organization over the nodes of the Citus cluster whose coordinator DATABASE_URL names',
    )
    .option('--shards <count>', 'how many pieces each table has', readShards, SHARDS)
    .action(({ shards }: { shards: number }) =>
      withDatabase(async (database) => {
        const onProgress = progressBar('distribute');
        const tables = await distribute(database, { shards, onProgress }).finally(endBar);
        console.log(tables === 0 ? 'All tables are distributed already.' : `${tables} tables distributed.`);
      }),
    );
}

function readShards(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MOST_SHARDS)
    throw new InvalidArgumentError(`It is a whole number from 1 to ${MOST_SHARDS}.`);
  return count;
}
