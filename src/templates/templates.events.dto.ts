import { OmitType, PartialType } from '@nestjs/swagger';
import { TemplateResponse } from './templates.dto.js';

// The data of public events. Schemas are named after these classes.

export class TemplateCreatedData extends TemplateResponse {}

/** What changed; fields left out stayed as they were. */
export class TemplateChangedData extends PartialType(
  OmitType(TemplateResponse, ['template_id', 'created_at'] as const),
) {}

export class TemplateDeletedData {}
