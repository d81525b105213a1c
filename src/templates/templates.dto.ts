import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { LONG, NonEmptyText, OneOf, Optional, OptionalNullable, Text } from '#http/input/fields.js';
import { TEMPLATE_MODALITIES, type Template } from './template.js';

export class TemplateResponse {
  /** @example "template_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  template_id!: string;
  /** @example "Renewal" */
  name!: string;
  /** By which channel drafts with it leave. */
  @ApiProperty({ enum: TEMPLATE_MODALITIES })
  modality!: Template['modality'];
  /** Null for a text, and for a mail that has none of its own. */
  @ApiProperty({ type: String, nullable: true })
  subject!: string | null;
  /** The body as sanitised HTML, with its placeholders. */
  body_html!: string;
  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

/**
 * Placeholders are `{{contact.name}}`, `{{contact.email}}`, `{{contact.custom_fields.<key>}}`, `{{company.name}}`, `{{agent.name}}`,
 * `{{agent.email}}`, `{{organization.name}}`, `{{sale.total_price}}` and `{{sale.currency}}`. Other names are refused, and so are
 * sections, partials, comments and `{{{…}}}`.
 */
export class CreateTemplateBody {
  /** What people choose it by; several may have one name. @example "Renewal" */
  @NonEmptyText()
  name!: string;
  /** By which channel drafts with it leave. @example "email" */
  @OneOf(...TEMPLATE_MODALITIES)
  modality!: Template['modality'];
  /** Of a mail; placeholders are allowed. @example "Your renewal, {{contact.name}}" */
  @OptionalNullable()
  @Text()
  subject?: string | null;
  /**
   * HTML; scripts and handlers are taken out, placeholders are allowed.
   * @example "<p>Dear {{contact.name}},</p><p>shall we talk about it?</p>"
   */
  @NonEmptyText(LONG)
  body_html!: string;
}

/** Fields left out stay as they are. Drafts that were made from it stay, too. */
export class ChangeTemplateBody {
  /** @example "Renewal" */
  @Optional()
  @NonEmptyText()
  name?: string;
  /** By which channel drafts with it leave. */
  @Optional()
  @OneOf(...TEMPLATE_MODALITIES)
  modality?: Template['modality'];
  /** Of a mail; null for none. Placeholders are allowed. */
  @OptionalNullable()
  @Text()
  subject?: string | null;
  /** HTML; scripts and handlers are taken out, placeholders are allowed. */
  @Optional()
  @NonEmptyText(LONG)
  body_html?: string;
}

/** Whom to fill it for: a conversation or a contact, or nobody. */
export class RenderTemplateBody {
  /** For the contact of this conversation. */
  @OptionalNullable()
  @IsString()
  conversation_id?: string | null;
  /** For this contact; not beside conversation_id. @example "contact_01hzy3v7q4e8k9m2n5p6r7s8t9" */
  @OptionalNullable()
  @IsString()
  contact_id?: string | null;
  /** The sale that `{{sale.total_price}}` and `{{sale.currency}}` are taken from. */
  @OptionalNullable()
  @IsString()
  sale_id?: string | null;
}

export class RenderedTemplateResponse {
  /** One line; null where the template has none. @example "Your renewal, Grace Hopper" */
  @ApiProperty({ type: String, nullable: true })
  subject!: string | null;
  /** The body with its values, escaped. @example "<p>Dear Grace Hopper,</p><p>shall we talk about it?</p>" */
  body_html!: string;
  /** The placeholders without a value, in their order; they are empty in subject and body. @example ["sale.total_price"] */
  missing!: string[];
}
