import { Injectable } from '@nestjs/common';
import { actingAgent, type Context } from '#kernel/context.js';
import { RuleViolation } from '#kernel/decider.js';
import { EventStore } from '#event-store/event-store.js';
import type { Conversation } from '../conversations/conversations.contract.js';
import { CrmQueries, emailKey } from '../crm/crm.contract.js';
import { type Addressee, Templates } from '../templates/templates.contract.js';
import type { CreateMessageDraftBody, SaveResponseDraftBody } from './drafts.dto.js';

/** What drafts say that name a template instead of a body: it is filled once, when they are saved. */
@Injectable()
export class Templated {
  constructor(
    private readonly templates: Templates,
    private readonly crm: CrmQueries,
    private readonly store: EventStore,
  ) {}

  /** The reply with its body, filled for the conversation's contact; its subject is that of its thread. Throws 400. */
  async reply(
    context: Context,
    body: SaveResponseDraftBody,
    { contact_id, agent_id }: Conversation,
    modality: string,
  ): Promise<SaveResponseDraftBody> {
    const template = templateIn(body);
    if (!template) return body;
    const { organizationId } = context;
    const { body_html } = await this.templates.ofDraft(organizationId, {
      ...template,
      modality,
      takesSubject: false,
      contact: (await this.crm.contact(organizationId, contact_id)) ?? null,
      agent_id: actingAgent(context) ?? agent_id,
    });
    return { ...body, body_html };
  }

  /** The first message with its subject and body, filled for whoever has its address. Throws 400. */
  async firstMessage(context: Context, body: CreateMessageDraftBody): Promise<CreateMessageDraftBody> {
    const template = templateIn(body);
    if (!template) return body;
    const { organizationId } = context;
    const { subject, body_html } = await this.templates.ofDraft(organizationId, {
      ...template,
      modality: body.modality,
      takesSubject: !body.subject,
      contact: await this.addressee(organizationId, body),
      agent_id: actingAgent(context),
    });
    return { ...body, subject: body.subject || subject, body_html };
  }

  /** The contact that the draft will open a conversation with; what is not known of it is as the draft says. */
  private async addressee(
    organizationId: string,
    { modality, to_email, to_phone_number, to_user_name }: CreateMessageDraftBody,
  ): Promise<Addressee> {
    const byMail = modality === 'email';
    const email_key = byMail ? emailKey(to_email ?? '') : null;
    const phone_key =
      byMail || !to_phone_number ? null : await this.crm.phoneKey(organizationId, to_phone_number);
    const isKnown = email_key !== null || phone_key !== null;
    const { database } = this.store;
    const contact = isKnown
      ? await this.crm.matchingContact(database, organizationId, { email_key, phone_key })
      : undefined;
    return {
      name: contact?.name || (to_user_name ?? ''),
      email: contact?.email || (to_email ?? ''),
      company_id: contact?.company_id ?? null,
      custom_fields: contact?.custom_fields ?? {},
    };
  }
}

/** The template that a body names. Throws `RuleViolation` where there is a body beside it, or a sale without it. */
function templateIn({
  template_id,
  sale_id = null,
  body_html,
}: SaveResponseDraftBody | CreateMessageDraftBody): { template_id: string; sale_id: string | null } | null {
  if (template_id != null && body_html)
    throw new RuleViolation('validation_failed', 'must be left out beside body_html', 'template_id');
  if (template_id != null) return { template_id, sale_id };
  if (sale_id !== null)
    throw new RuleViolation('validation_failed', 'goes with template_id alone', 'sale_id');
  return null;
}
