import { isEmailAddress, isPhoneNumber, LONG } from '#http/fields.js';
import { inbound, publicId, unknownParty } from './inbound.js';
import { cut } from '../mail/mail.js';
import type { Attachment } from '../message.js';
import type { MessageToRecord, Party } from '../message-to-record.js';

/** The fields of a submitted form by name; an array where a name has several values. */
export type FormFields = Record<string, unknown>;

/**
 * The message that a form becomes. The sender and the text are found under the names that forms give such fields, and
 * campaign tracking is told apart (decisions, section 6). All other fields stay in `fields`.
 */
export function messageOfForm(submitted: FormFields, attachments: Attachment[] = []): MessageToRecord {
  const all = Object.entries(submitted);
  const campaign = Object.fromEntries(all.filter(([name]) => isCampaign(name)));
  const fields = Object.fromEntries(all.filter(([name]) => !isCampaign(name)));
  const known = new Map<string, string>();
  collect(fields, known);
  const submission = cut(first(known, SUBMISSION), 1_000);
  return inbound({
    party: partyOf(known),
    modality: 'email',
    is_form_request: true,
    form_request_body: { campaign, fields },
    subject: cut(first(known, SUBJECT), 1_000) || null,
    content: cut(first(known, MESSAGE) || readable(Object.keys(fields).length > 0 ? fields : campaign), LONG),
    external_id:
      submission === ''
        ? null
        : publicId('form', submission, [submitted, attachments.map(({ sha256 }) => sha256)]),
    attachments,
  });
}

const CAMPAIGN = new Set(['gclid', 'fbclid', 'referrer', 'landing_page']);
const isCampaign = (name: string) => /^utm_/i.test(name) || CAMPAIGN.has(name.toLowerCase());

// Names as `keyOf` makes them: without case, punctuation and a leading "your". The first with a value counts.
const EMAIL = ['email', 'emailaddress', 'mail', 'useremail', 'contactemail', 'workemail', 'businessemail'];
const PHONE = [
  'phonenumber',
  'phone',
  'tel',
  'telephone',
  'mobile',
  'mobilephone',
  'mobilenumber',
  'cell',
  'cellphone',
  'contactphone',
  'telephonenumber',
];
const NAME = ['name', 'fullname', 'contactname', 'username'];
const FIRST_NAME = ['firstname', 'fname', 'givenname', 'forename'];
const LAST_NAME = ['lastname', 'lname', 'surname', 'familyname'];
const MESSAGE = [
  'message',
  'comments',
  'comment',
  'enquiry',
  'inquiry',
  'question',
  'body',
  'text',
  'content',
  'description',
  'details',
  'notes',
];
const SUBJECT = ['subject', 'topic'];
const SUBMISSION = ['submissionid', 'formsubmissionid', 'externalid', 'entryid'];

/** Objects in which form builders nest the fields, or those of the person. */
const GROUPS = new Set([
  'fields',
  'data',
  'form',
  'formdata',
  'values',
  'contact',
  'person',
  'customer',
  'lead',
  'visitor',
  'answers',
]);

const keyOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^your(?=.)/, '');

/** Collects plain values by key; outer ones win over nested ones. */
function collect(fields: FormFields, known: Map<string, string>, depth = 0): void {
  for (const [name, value] of Object.entries(fields)) {
    const one: unknown = Array.isArray(value) ? (value as unknown[])[0] : value;
    if ((typeof one !== 'string' && typeof one !== 'number') || String(one).trim() === '') continue;
    const key = keyOf(name);
    if (!known.has(key)) known.set(key, String(one).trim());
  }
  for (const [name, value] of Object.entries(fields))
    if (
      depth < 3 &&
      GROUPS.has(keyOf(name)) &&
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value)
    )
      collect(value as FormFields, known, depth + 1);
}

const first = (known: ReadonlyMap<string, string>, keys: string[], holds = (_: string) => true): string =>
  keys.map((key) => known.get(key) ?? '').find((value) => value !== '' && holds(value)) ?? '';

/** A value that is no usable address or number stays a field only. */
function partyOf(known: ReadonlyMap<string, string>): Party {
  const parts = [first(known, FIRST_NAME), first(known, LAST_NAME)].filter((part) => part !== '');
  // A form with fields for first and last name often means the last name by `name`.
  const name = cut(parts.length === 2 ? parts.join(' ') : first(known, NAME) || parts.join(' '), 1_000);
  const email = first(known, EMAIL, isEmailAddress);
  const phone_number = first(known, PHONE, (value) => value.length <= 1_000 && isPhoneNumber(value));
  if (name === '' && email === '' && phone_number === '') return unknownParty('Unknown sender');
  return { name, email, phone_number };
}

/** The fields as lines that a person can read. */
const readable = (fields: FormFields): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}: ${[value].flat().map(asText).join(', ')}`)
    .join('\n');

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
