import { Injectable } from '@nestjs/common';
import { actingAgent, type Context } from '#kernel/context.js';
import { RuleViolation, unknownId } from '#kernel/decider.js';
import { isId } from '#kernel/id.js';
import { EventStore } from '#event-store/event-store.js';
import { notFound } from '#http/problems/problem.js';
import { type Conversation, conversations } from '../conversations/conversations.contract.js';
import { type ContactResponse, CrmQueries } from '../crm/crm.contract.js';
import { Templates } from './templates.js';
import type { RenderedTemplateResponse, RenderTemplateBody } from './templates.dto.js';
import { TemplatesQueries } from './templates.queries.js';

/** Shows a template as a draft would have it. A read: nothing is kept of it. */
@Injectable()
export class RenderTemplate {
  constructor(
    private readonly queries: TemplatesQueries,
    private readonly templates: Templates,
    private readonly crm: CrmQueries,
    private readonly store: EventStore,
  ) {}

  /** Throws 404 for an unknown template, and 400 for other unknown ids. */
  async run(
    context: Context,
    templateId: string,
    body: RenderTemplateBody,
  ): Promise<RenderedTemplateResponse> {
    const { organizationId } = context;
    const template = await this.queries.template(organizationId, templateId);
    if (!template) throw notFound('template', templateId);
    const { contact, owner } = await this.addressee(organizationId, body);
    const { subject, body_html, missing } = await this.templates.filled(organizationId, template, {
      contact,
      // As in a draft, which the conversation's owner sends unless another agent does.
      agent_id: actingAgent(context) ?? owner,
      sale_id: body.sale_id ?? null,
    });
    return { subject, body_html, missing };
  }

  private async addressee(
    organizationId: string,
    { conversation_id, contact_id }: RenderTemplateBody,
  ): Promise<{ contact: ContactResponse | null; owner: string | null }> {
    if (conversation_id != null && contact_id != null)
      throw new RuleViolation('validation_failed', 'must be left out beside conversation_id', 'contact_id');
    if (conversation_id != null) {
      const conversation = await this.conversation(organizationId, conversation_id);
      const contact = await this.crm.contact(organizationId, conversation.contact_id);
      return { contact: contact ?? null, owner: conversation.agent_id };
    }
    if (contact_id == null) return { contact: null, owner: null };
    const contact = await this.crm.contact(organizationId, contact_id);
    if (!contact) throw unknownId('contact_id', 'contact', contact_id);
    return { contact, owner: null };
  }

  private async conversation(organizationId: string, id: string): Promise<Conversation> {
    const { database } = this.store;
    const found = isId('conv', id)
      ? (await this.store.load<Conversation>(database, organizationId, conversations, id)).state
      : null;
    if (!found) throw unknownId('conversation_id', 'conversation', id);
    return found;
  }
}
