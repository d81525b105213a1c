import type { Aggregate } from '#event-store/aggregate.js';
import { template, type Template, TEMPLATE_FIELDS, type TemplateEvent } from './template.js';

export const templates: Aggregate<Template, TemplateEvent> = {
  streamType: 'template',
  evolve: template.evolve,
  row: { table: 'template', key: 'template_id', columns: [...TEMPLATE_FIELDS, 'name_key'] },
};
