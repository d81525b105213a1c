import { Injectable } from '@nestjs/common';
import { unknownId } from '#kernel/decider.js';
import { invalid, Problem } from '#http/problems/problem.js';
import { type Rendered, rendered } from './rendering.js';
import type { Template } from './template.js';
import { type About, TemplateValues } from './template-values.js';
import { TemplatesQueries } from './templates.queries.js';

/** What a draft wants of a template. */
export interface Wanted extends About {
  template_id: string;
  /** The channel by which the draft leaves. */
  modality: string;
  /** Whether the draft takes the template's subject. */
  takesSubject: boolean;
}

/** Fills templates. */
@Injectable()
export class Templates {
  constructor(
    private readonly queries: TemplatesQueries,
    private readonly values: TemplateValues,
  ) {}

  /** The template filled. Throws (400) for an unknown sale, and for what becomes too long. */
  async filled(
    organizationId: string,
    template: Pick<Template, 'subject' | 'body_html'>,
    about: About,
  ): Promise<Rendered> {
    return rendered(template, await this.values.of(organizationId, about));
  }

  /**
   * The subject and body of a draft. Throws (400) for an unknown template or sale and for a template of another channel, and
   * `template_incomplete` where a value is missing.
   */
  async ofDraft(organizationId: string, wanted: Wanted): Promise<Pick<Rendered, 'subject' | 'body_html'>> {
    const { template_id, modality, takesSubject } = wanted;
    const template = await this.queries.template(organizationId, template_id);
    if (!template) throw unknownId('template_id', 'template', template_id);
    if (template.modality !== modality)
      throw invalid([
        {
          field: 'template_id',
          detail: `is a template of ${template.modality}, and the draft leaves by ${modality}`,
        },
      ]);
    const { body_html } = template;
    const subject = takesSubject ? template.subject : null;
    const { missing, ...content } = await this.filled(organizationId, { subject, body_html }, wanted);
    if (missing.length > 0) throw incomplete(missing);
    return content;
  }
}

function incomplete(missing: string[]): Problem {
  const detail = `the template ${missing.length === 1 ? 'lacks a value' : 'lacks values'} for ${missing.join(', ')}`;
  return new Problem(400, 'template_incomplete', `template_id: ${detail}.`, {
    errors: missing.map((name) => ({ field: 'template_id', detail: `there is no value for ${name}` })),
  });
}
