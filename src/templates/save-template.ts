import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { RuleViolation } from '#kernel/decider.js';
import { inOrder } from '#kernel/in-order.js';
import { isId, newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import { appendTo, NEW } from '#event-store/append.js';
import type { Versioned } from '#event-store/change.js';
import { create } from '#event-store/creation.js';
import { EventStore } from '#event-store/event-store.js';
import { sanitizeHtml } from '#http/input/sanitize-html.js';
import { pathFirst } from '#http/path-first.js';
import { invalid, notFound } from '#http/problems/problem.js';
import { atVersion } from '#http/versions/versioned.js';
import { problemsOf } from './placeholders.js';
import { template, type Template, TEMPLATE_FIELDS, type TemplateChanges } from './template.js';
import { TemplateValues } from './template-values.js';
import type { ChangeTemplateBody, CreateTemplateBody, TemplateResponse } from './templates.dto.js';
import { templates } from './templates.projection.js';

/** Creates a template. Refuses (400) placeholders that cannot be filled. */
export class CreateTemplate extends Command<TemplateResponse> {
  constructor(
    readonly context: Context,
    readonly body: CreateTemplateBody,
  ) {
    super();
  }
}

@CommandHandler(CreateTemplate)
export class CreateTemplateHandler implements ICommandHandler<CreateTemplate> {
  constructor(
    private readonly store: EventStore,
    private readonly values: TemplateValues,
  ) {}

  async execute({ context, body }: CreateTemplate): Promise<TemplateResponse> {
    const names = await this.values.names(context.organizationId);
    const { subject = null, body_html } = await read(body, names);
    const template_id = newId('template');
    const events = template.decide(null, {
      type: 'CreateTemplate',
      template_id,
      name: body.name,
      modality: body.modality,
      subject,
      body_html: body_html!,
      created_at: now(),
    });
    return create(this.store, context, {
      append: appendTo(templates, template_id, NEW, events),
      shown: (created) => shown(created as Versioned<Template>),
    });
  }
}

/** Changes the named fields of a template. */
export class ChangeTemplate extends Command<TemplateResponse> {
  constructor(
    readonly context: Context,
    readonly templateId: string,
    readonly body: ChangeTemplateBody,
  ) {
    super();
  }
}

@CommandHandler(ChangeTemplate)
export class ChangeTemplateHandler implements ICommandHandler<ChangeTemplate> {
  constructor(
    private readonly store: EventStore,
    private readonly values: TemplateValues,
  ) {}

  async execute({ context, templateId, body }: ChangeTemplate): Promise<TemplateResponse> {
    const missing = () => notFound('template', templateId);
    if (!isId('template', templateId)) throw missing();
    const { organizationId } = context;
    const changes = await this.values
      .names(organizationId)
      .then((names) => read(body, names))
      .catch(pathFirst(this.store, context, templates, templateId, missing));
    const changed = await this.store.change(context, templates, templateId, ({ state }) => {
      if (!state) throw missing();
      return template.decide(state, { type: 'ChangeTemplate', changes });
    });
    return shown(changed);
  }
}

/**
 * The fields that a body names, ready to be kept. Placeholders are judged as they are written, and once more as they are kept: what
 * is taken out may bring braces together.
 */
async function read(
  { subject, body_html, ...others }: ChangeTemplateBody,
  names: ReadonlySet<string>,
): Promise<TemplateChanges> {
  requirePlaceholders({ subject, body_html }, names);
  const kept = body_html === undefined ? undefined : await sanitizeHtml(body_html);
  requirePlaceholders({ body_html: kept }, names);
  if (kept?.trim() === '')
    throw new RuleViolation('validation_failed', 'must hold more than scripts and comments', 'body_html');
  const fields = { ...others, ...(subject !== undefined && { subject: subject || null }), body_html: kept };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Throws a 400 that names each placeholder that is wrong. */
function requirePlaceholders(texts: ChangeTemplateBody, names: ReadonlySet<string>): void {
  const problems = Object.entries(texts).flatMap(([field, text]) =>
    problemsOf((text as string | null | undefined) ?? '', names).map((detail) => ({ field, detail })),
  );
  if (problems.length > 0) throw invalid(problems);
}

const shown = ({ state, version }: Versioned<Template>): TemplateResponse =>
  atVersion(inOrder(state!, TEMPLATE_FIELDS), version);
