import { LONG } from '#http/input/fields.js';
import { answersIn, type FormFields } from './form-answers.js';
import { type Sent, sentIn } from './form-sender.js';
import { inbound, publicId, unknownParty } from './inbound-message.js';
import type { Named } from '#kernel/named.js';
import { cut } from '#kernel/text.js';
import type { Attachment } from '../message.js';
import type { MessageToRecord, Party } from '../recording/message-to-record.js';

/**
 * The message that a form becomes. The sender and the text are found under the names that forms give such fields, and
 * campaign tracking is told apart (decisions, section 6). All other fields stay in `fields`.
 */
export function messageOfForm(submitted: FormFields, attachments: Attachment[] = []): MessageToRecord {
  const all = Object.entries(submitted);
  const campaign = Object.fromEntries(all.filter(([name]) => isCampaign(name)));
  const fields = Object.fromEntries(all.filter(([name]) => !isCampaign(name)));
  const sent = sentIn(answersIn(fields));
  const submission = cut(sent.submission, 1_000);
  return inbound({
    party: partyOf(sent),
    from: authorOf(sent),
    modality: 'email',
    is_form_request: true,
    form_request_body: { campaign, fields },
    subject: cut(sent.subject, 1_000) || null,
    content: cut(sent.message || readable(Object.keys(fields).length > 0 ? fields : campaign), LONG),
    external_id:
      submission === ''
        ? null
        : publicId('form', submission, [submitted, attachments.map(({ sha256 }) => sha256)]),
    attachments,
  });
}

const CAMPAIGN = new Set(['gclid', 'fbclid', 'referrer', 'landing_page']);
const isCampaign = (name: string) => /^utm_/i.test(name) || CAMPAIGN.has(name.toLowerCase());

function partyOf({ name, email, phone_number }: Sent): Party {
  if (name === '' && email === '' && phone_number === '') return unknownParty('Unknown sender');
  return { name: cut(name, 1_000), email, phone_number };
}

/** As the form names its author; not by the name that a contact gets of whom nothing is told. */
const authorOf = ({ name, email, phone_number }: Sent): Named => ({
  name: cut(name, 1_000) || null,
  email: email || null,
  phone_number: phone_number || null,
});

/** The fields as lines that a person can read. */
const readable = (fields: FormFields): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}: ${[value].flat().map(asText).join(', ')}`)
    .join('\n');

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
