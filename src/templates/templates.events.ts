import { inOrder } from '#kernel/in-order.js';
import { type PublicForms, shownAs } from '#event-store/public-event.js';
import { TEMPLATE_FIELDS, type TemplateEvent } from './template.js';
import { TemplateChangedData, TemplateCreatedData, TemplateDeletedData } from './templates.events.dto.js';

const CHANGED = ['name', 'modality', 'subject', 'body_html'] as const;

export const templateEvents: PublicForms<TemplateEvent> = {
  TemplateCreated: shownAs(TemplateCreatedData, 'A template was created.', (template) =>
    inOrder(template, TEMPLATE_FIELDS),
  ),
  TemplateChanged: shownAs(
    TemplateChangedData,
    'A template changed; drafts that were made from it stay as they are.',
    (changed) => inOrder(changed, CHANGED),
  ),
  TemplateDeleted: shownAs(TemplateDeletedData, 'A template was deleted.', () => ({})),
};
