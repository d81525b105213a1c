import { Injectable } from '@nestjs/common';
import type { Context } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import type { Transaction } from '#database/statements/statement.js';
import { type Append, appendTo } from '#event-store/append.js';
import { CrmQueries } from '../../crm/crm.contract.js';
import { AnswerTime } from './answer-time.js';
import { authored, Authors, type IdentifiedAuthors } from './authors.js';
import { conversation, type ConversationEvent } from '../conversation.js';
import type { Conversation } from '../conversation-state.js';
import type { MessageResponse } from '../conversations.dto.js';
import { conversations } from '../conversations.projection.js';
import { MessageQueries } from '../messages.queries.js';
import { shownMessage } from '../shown-message.js';
import { externalIdLock, mailLock } from './locks.js';
import { OwnAddress } from './own-address.js';
import { answeredMails, FOLLOWED, messageIdKey, type RecordedMessage } from '../message.js';
import type { MessageToRecord } from './message-to-record.js';
import { type Identified, ContactMatcher, type Person } from './contact-matcher.js';
import { type Existing, incoming } from './thread-rules.js';
import { ThreadFinder } from './thread-finder.js';

/** A message with its party and the keys that are locked to record it. */
export interface PreparedMessage {
  context: Context;
  message: MessageToRecord;
  party: Identified;
  authors: IdentifiedAuthors;
  /** Ids for the message, and for the conversation if it opens one; made when left out. */
  ids?: { message_id: string; conversation_id: string };
  /**
   * Two posts of one message must not record two, nor two first messages of one person make two contacts: the second waits.
   */
  keys: string[];
  /** What else is appended with the message. */
  also?: Addition;
}

export type Addition = (recorded: MessageResponse, tx: Transaction) => Append[] | Promise<Append[]>;

export interface Recorded {
  message: MessageResponse;
  /** False when it had been recorded before. */
  created: boolean;
}

/** A message recorded before, or the appends that record it; and its contact, where the contact tells its conversation. */
export interface Planned {
  recorded: Recorded;
  contactId: string | null;
  appends: Append[];
}

/** Plans what records a message: whose it is, where it belongs, and the appends that follow from that. */
@Injectable()
export class MessagePlanner {
  constructor(
    private readonly queries: MessageQueries,
    private readonly threads: ThreadFinder,
    private readonly contacts: ContactMatcher,
    private readonly authors: Authors,
    private readonly crm: CrmQueries,
    private readonly ownAddress: OwnAddress,
    private readonly answerTime: AnswerTime,
  ) {}

  /** Finds out what needs no lock about a message. */
  async prepare(context: Context, message: MessageToRecord): Promise<PreparedMessage> {
    const { organizationId } = context;
    const party = await this.contacts.identify(organizationId, message.party);
    const authors = await this.authors.identify(organizationId, message, party);
    const keys = [
      ...party.keys,
      ...(authors.writer?.keys ?? []),
      ...authors.others.flatMap((one) => one.keys),
      ...(message.external_id === null ? [] : [externalIdLock(message.external_id)]),
      ...[message.conversation_id, message.addressed_conversation_id ?? null].filter((id) => id !== null),
      ...mailKeys(message).map(mailLock),
    ];
    return { context, message: await this.ownAddress.judged(organizationId, message), party, authors, keys };
  }

  /** What records a message; the locks of its keys are held. */
  async plan(tx: Transaction, prepared: PreparedMessage): Promise<Planned> {
    const { context, message, party } = prepared;
    const { organizationId } = context;
    const [known, person] = await Promise.all([
      this.recordedBefore(tx, organizationId, message),
      message.conversation_id === null ? this.contacts.match(tx, organizationId, party) : null,
    ]);
    if (!known) return this.planNew(tx, person, prepared);
    if (!message.promoted_from)
      return { recorded: { message: known, created: false }, contactId: null, appends: [] };
    // Our own mail came back by a door before its draft was promoted: it is in the log twice, once sent, once received.
    return this.planNew(tx, person, { ...prepared, message: { ...message, external_id: null } });
  }

  /** A mail may have been recorded another way, under another external id: its Message-ID tells. */
  private async recordedBefore(
    tx: Transaction,
    organizationId: string,
    { modality, external_id, email_metadata: { email_message_id } }: MessageToRecord,
  ): Promise<MessageResponse | null> {
    if (external_id === null) return null;
    const isMail = modality === 'email' && email_message_id !== null;
    const mailKey = isMail ? messageIdKey(email_message_id) : null;
    return this.queries.recordedMessage(tx, organizationId, external_id, mailKey);
  }

  private async planNew(
    tx: Transaction,
    person: Person | null,
    { context: { organizationId }, message: input, authors, ids, also }: PreparedMessage,
  ): Promise<Planned> {
    const at = now();
    const contactId = person?.id ?? null;
    const sent_at = await this.answerTime.of(tx, organizationId, input, at);
    const arrived = incoming({ ...input, sent_at }, ids?.message_id ?? newId('msg'), contactId);
    const {
      conversation: current,
      merged,
      follows,
    } = await this.threads.find(tx, organizationId, arrived, at);
    const { state } = current;
    const company_agent_id = state ? null : await this.companyAgent(tx, organizationId, person);
    const conversation_id = state?.conversation_id ?? ids?.conversation_id ?? newId('conv');
    const by = await this.authors.match(
      tx,
      organizationId,
      input,
      contactId ?? state?.contact_id ?? null,
      authors,
    );
    const message = sentBy({ ...arrived.message, ...authored(by) }, state?.agent_id ?? company_agent_id);
    const happened = [
      ...takingIn(state, merged),
      ...conversation.decide(state, {
        type: 'RecordMessage',
        opening: { conversation_id, contact_id: contactId ?? '', company_agent_id },
        message,
        folder: input.folder,
        begins: arrived.begins,
        contact_id: contactId,
        at,
      }),
    ];
    const events = [...happened, ...closing(state, happened, input)];
    const recorded = shownMessage({ conversation_id, ...message });
    const appends = [
      ...((await also?.(recorded, tx)) ?? []),
      ...(person?.append ? [person.append] : []),
      ...by.made.flatMap(({ append }) => append ?? []),
      appendTo(conversations, conversation_id, current, events, [
        ...(person?.requires ?? []),
        ...by.requires,
      ]),
      ...merged.map((one) => mergedInto(conversation_id, one)),
      ...follows,
    ];
    return { recorded: { message: recorded, created: true }, contactId, appends };
  }

  /** The agent of the contact's company. A contact made just now has no company. */
  private async companyAgent(
    tx: Transaction,
    organizationId: string,
    person: Person | null,
  ): Promise<string | null> {
    if (person === null || person.append?.version === 0) return null;
    return this.crm.companyAgent(tx, organizationId, person.id);
  }
}

/** A draft that names no agent is sent by the conversation's owner. */
const sentBy = (message: RecordedMessage, owner: string | null): RecordedMessage =>
  message.promoted_from ? { ...message, agent_id: message.agent_id ?? owner } : message;

/** The events by which a reply closes the conversation after what has `happened` to it. */
function closing(
  before: Conversation | null,
  happened: ConversationEvent[],
  { closes }: MessageToRecord,
): ConversationEvent[] {
  if (!closes) return [];
  const state = happened.reduce<Conversation | null>(conversation.evolve, before);
  return conversation.decide(state, { type: 'CloseAfterReply', ...closes });
}

/** Ends the conversation `one`, which was merged into this one. */
const mergedInto = (into_conversation_id: string, one: Existing): Append =>
  appendTo(
    conversations,
    one.state.conversation_id,
    one,
    conversation.decide(one.state, { type: 'MergeConversation', into_conversation_id }),
  );

/** The events by which a conversation takes others in, one after the other. */
function takingIn(into: Conversation | null, others: Existing[]): ConversationEvent[] {
  let state = into;
  return others.flatMap((other) => {
    const taken = conversation.decide(state, { type: 'TakeConversationIn', conversation: other.state });
    state = taken.reduce<Conversation | null>(conversation.evolve, state);
    return taken;
  });
}

/** Message-IDs that tie this message to others: its own and the nearest it answers, which may be being recorded right now. */
const mailKeys = ({ email_metadata }: MessageToRecord): string[] => [
  ...(email_metadata.email_message_id === null ? [] : [messageIdKey(email_metadata.email_message_id)]),
  ...answeredMails(email_metadata, FOLLOWED),
];
