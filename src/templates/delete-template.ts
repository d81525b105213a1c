import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { isId } from '#kernel/id.js';
import { EventStore } from '#event-store/event-store.js';
import { notFound } from '#http/problems/problem.js';
import { template } from './template.js';
import { templates } from './templates.projection.js';

/** Deletes a template. Throws 404 when there is none. */
export class DeleteTemplate extends Command<void> {
  constructor(
    readonly context: Context,
    readonly templateId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteTemplate)
export class DeleteTemplateHandler implements ICommandHandler<DeleteTemplate> {
  constructor(private readonly store: EventStore) {}

  async execute({ context, templateId }: DeleteTemplate): Promise<void> {
    if (!isId('template', templateId)) throw notFound('template', templateId);
    await this.store.change(context, templates, templateId, ({ state }) => {
      if (!state) throw notFound('template', templateId);
      return template.decide(state, { type: 'DeleteTemplate' });
    });
  }
}
