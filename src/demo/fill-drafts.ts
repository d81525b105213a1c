import { newId } from '#kernel/id.js';
import { plusSeconds } from '#kernel/instant.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { draft, type Draft, type DraftCommand, drafts } from '../drafts/drafts.contract.js';
import { type Ids, instantOf } from './ids.js';
import type { PlannedContact } from './plan-people.js';
import type { PlannedFirstMessage, PlannedReply } from './scenes.js';

/** Tries of a delivery, and minutes between them at first; as long as the service takes by default. */
const [TRIES, PAUSE_MIN] = [8, 0.5];
const BUSY = '421 4.3.2 The server is busy, try again later';

/** The reply that waits in a conversation, saved or stuck after it was tried. */
export function replyAppend(
  { agent, text, at, fate }: PlannedReply,
  conversation_id: string,
  contact: PlannedContact,
  ids: Ids,
): Append {
  const created_at = instantOf(at);
  const queued = fate.kind === 'saved' ? null : queueing(created_at, ids.agents[agent]!);
  const opening: DraftCommand = {
    type: 'DraftResponse',
    draft_id: newId('response'),
    conversation_id,
    created_at,
    ...contentOf(text, contact, ids.agents[agent]!),
    recipient_emails: [contact.email],
    subject: null,
    queued,
  };
  return draftAppend([opening, ...(fate.kind === 'saved' ? [] : tries(created_at, fate))]);
}

export function firstMessageAppend(
  { agent, subject, text, at, send_at }: PlannedFirstMessage,
  contact: PlannedContact,
  ids: Ids,
): Append {
  const agent_id = ids.agents[agent]!;
  const opening: DraftCommand = {
    type: 'DraftMessage',
    draft_id: newId('draft'),
    created_at: instantOf(at),
    modality: 'email',
    folder: 'drafts',
    ...contentOf(`Dear ${contact.name.split(' ')[0]}, ${text}`, contact, agent_id),
    subject,
    queued: send_at === null ? null : queueing(instantOf(send_at), agent_id),
  };
  return draftAppend([opening]);
}

/** A delivery that fails is refused at once; one that nobody can know the outcome of was tried as often as it may be. */
function tries(
  from: string,
  { kind, error }: { kind: 'failed' | 'uncertain'; error: string },
): DraftCommand[] {
  let at = from;
  return Array.from({ length: kind === 'failed' ? 1 : TRIES }, (_, nr): DraftCommand[] => {
    const next_attempt_at = plusSeconds(at, PAUSE_MIN * 60 * 2 ** nr);
    const policy = { max_attempts: TRIES, next_attempt_at, on_uncertain: 'resend' as const };
    const outcome =
      kind === 'failed'
        ? { kind: 'permanent' as const, error }
        : nr + 1 < TRIES
          ? { kind: 'temporary' as const, error: BUSY }
          : { kind: 'unknown' as const, error };
    const lease = { lease_until: plusSeconds(at, 60), worker: 0, gone_worker: null };
    const start: DraftCommand = { type: 'StartDelivery', at, ...lease, ...policy };
    at = next_attempt_at;
    return [start, { type: 'RecordOutcome', outcome, promoted: null, policy }];
  }).flat();
}

const contentOf = (text: string, { name, email }: PlannedContact, agent_id: string) => ({
  body_html: `<p>${text}</p>`,
  cc_emails: [],
  bcc_emails: [],
  recipient_name: name,
  recipient_email: email,
  recipient_phone_number: null,
  agent_id,
  add_notification: false,
});

const queueing = (scheduled_send_at: string, agent_id: string) => ({
  scheduled_send_at,
  modality: 'email',
  email_message_id: `${newId('delivery')}@northwind.example`,
  agent_id,
  links: [],
});

function draftAppend(commands: DraftCommand[]): Append {
  let state: Draft | null = null;
  const events = commands.flatMap((command) => {
    const happened = draft.decide(state, command);
    state = happened.reduce(draft.evolve, state);
    return happened;
  });
  return appendTo(drafts, state!['draft_id'], NEW, events);
}
