import { Injectable } from '@nestjs/common';
import type { Author } from '#kernel/context.js';
import { invalid } from '#http/problems/problem.js';
import {
  type CustomField,
  type CustomFieldRecord,
  type CustomFieldType,
  keyFor,
  problemOf,
  problemOfOptions,
} from './custom-field.js';
import type { CreateCustomFieldBody } from './custom-field.dto.js';
import { CustomFieldEntity } from './workspace.entities.js';
import { WorkspaceWriter } from './workspace.writer.js';

/** Defines custom fields. */
@Injectable()
export class CustomFields {
  constructor(private readonly writer: WorkspaceWriter) {}

  async define(
    author: Author,
    organization_id: string,
    record: CustomFieldRecord,
    body: CreateCustomFieldBody,
  ): Promise<CustomField> {
    const draft = {
      label: body.label,
      type: body.type as CustomFieldType,
      ui_type: body.ui_type ?? null,
      options: body.type === 'enum' ? (body.options ?? null) : null,
      default: body.default ?? null,
    };
    const wrongOptions = body.type === 'enum' ? problemOfOptions(draft.options ?? []) : null;
    if (wrongOptions) throw invalid([{ field: 'options', detail: wrongOptions }]);
    if (body.type !== 'enum' && body.options?.length)
      throw invalid([{ field: 'options', detail: 'are for type enum only' }]);
    if (['date', 'address'].includes(draft.ui_type ?? '') && ['number', 'boolean'].includes(draft.type))
      throw invalid([{ field: 'ui_type', detail: `${draft.ui_type} needs a field of type string` }]);
    const problem = problemOf({ key: '', ...draft }, draft.default);
    if (problem) throw invalid([{ field: 'default', detail: problem }]);

    // Serialised: two definitions of one label at once must not get the same key.
    return this.writer.changeOf(author, organization_id, async (manager) => {
      const existing = await manager.findBy(CustomFieldEntity, { organization_id, record });
      const field = { key: keyFor(body.label, new Set(existing.map(({ key }) => key))), ...draft };
      const row = { organization_id, record, ...field, position: existing.length };
      const id = `${record}.${field.key}`;
      return {
        changes: [
          { organization_id, record_type: 'custom_field', id, before: null, after: { record, ...field } },
        ],
        write: async () => {
          await manager.insert(CustomFieldEntity, row as never);
          return field;
        },
      };
    });
  }
}
