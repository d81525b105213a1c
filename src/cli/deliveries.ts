import { CommandBus } from '@nestjs/cqrs';
import { Option, type Command } from 'commander';
import { AT_COMMAND_LINE } from '#kernel/context.js';
import { printJson, withService } from './with-service.js';
import { DeliveryQueries, MOST_LISTED } from '../drafts/delivery/deliveries.queries.js';
import { STUCK } from '../drafts/delivery.js';
import { RetryDelivery } from '../drafts/delivery/retry-delivery.js';

/** `deliveries list|retry`: shows failed deliveries, and tries one again. */
export function deliveryCommands(program: Command): void {
  const deliveries = program.command('deliveries').description('what could not be delivered, and why');

  deliveries
    .command('list')
    .description(`list deliveries that wait for a person; ${MOST_LISTED.toLocaleString('en')} at most`)
    .addOption(new Option('--status <status>', 'only those').choices(STUCK))
    .action(({ status }: { status?: string }) =>
      withService(async ({ app }) => printJson(await app.get(DeliveryQueries).deliveries(status))),
    );

  deliveries
    .command('retry <draft_ids...>')
    .description('try deliveries again; a worker takes them up')
    .action((draftIds: string[]) =>
      withService(async ({ app }) => {
        for (const draftId of draftIds)
          printJson(await app.get(CommandBus).execute(new RetryDelivery(AT_COMMAND_LINE, draftId)));
      }),
    );
}
