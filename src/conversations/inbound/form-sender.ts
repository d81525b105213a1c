import { isEmailAddress, isPhoneNumber } from '#http/input/fields.js';
import { type Answer, plain } from './form-answers.js';

/** What people are asked for, by label as `keyOf` makes it. The first counts before the later ones. */
const EMAIL = ['email', 'emailaddress', 'mail', 'mailaddress', 'workemail', 'businessemail'];
const PHONE =
  'phonenumber phone tel telephone mobile mobilephone mobilenumber cell cellphone telephonenumber'.split(' ');
const NAME = ['name', 'fullname', 'username'];
const FIRST_NAME = ['firstname', 'fname', 'givenname', 'forename', 'namefirst', 'fullnamefirst'];
const LAST_NAME = ['lastname', 'lname', 'surname', 'familyname', 'namelast', 'fullnamelast'];
const MESSAGE =
  'message comments comment enquiry inquiry question body text content description details notes'.split(' ');
const SUBJECT = ['subject', 'topic'];
const SUBMISSION = ['submissionid', 'formsubmissionid', 'externalid', 'entryid', 'responseid'];

/** Words of a label that say nothing when others are there. */
const FILLERS = new Set(
  (
    'no label your the what is please enter required optional field input control q my a an of s ' +
    'contact customer client sender visitor person lead user guest applicant attendee'
  ).split(' '),
);
/** Words that make an address or a number somebody else's. */
const OTHERS =
  /\b(admin|owner|site|shop|store|support|notify|notifications?|recipients?|receiver|friends?|referrer|referral|webmaster|bcc|cc|fax)\b|^(?:e ?)?mail to$|^(send )?to\b/;

const ASKS_FOR_MAIL = /\b(e ?)?mail\b/;
const ASKS_FOR_PHONE = /\b(tele)?phone\b|\b(tel|mobile|cell|cellphone|whatsapp)\b/;
const LONG_TEXT = ['textarea', 'longtext', 'paragraph', 'paragraphtext'];

/** What a form says of its sender; empty where it does not. */
export interface Sent {
  name: string;
  email: string;
  phone_number: string;
  message: string;
  subject: string;
  submission: string;
}

/**
 * Finds who sent a form, and what they wrote, among its answers. A label counts that is exactly that of an address, number,
 * name or text; else, for what can be told by its value, one that speaks of it, then the kind of input, and at last the only
 * address in the form.
 */
export function sentIn(answers: Answer[]): Sent {
  const all = answers.map(readAnswer);
  const mails = all.flatMap((one) => (one.mail ? [{ ...one, mail: one.mail }] : []));
  const mail =
    best(mails, (one) => rankOf(one, EMAIL, ASKS_FOR_MAIL, ['email'])) ?? only(mails.filter(isSenders));
  const phone = best(
    all.filter(({ value }) => value.length <= 1_000 && isPhoneNumber(value)),
    (one) => rankOf(one, PHONE, ASKS_FOR_PHONE, PHONE),
  );
  const message = best(all, (one) => rankOf(one, MESSAGE, null, LONG_TEXT));
  const spoken = new Set([mail, phone, message].map((one) => one?.within));
  // What stands beside the fields is the form's own name, unless the sender's other answers stand there, too.
  const own = all.filter(
    ({ within }) => spoken.has(within) || !(within.isEnvelope || within.name === 'form'),
  );
  // The name beside the address is that of its owner.
  const named = (labels: string[], types: string[] = []) =>
    best(own, (one) => rankOf(one, labels, null, types), mail?.within)?.value ?? '';
  const parts = [named(FIRST_NAME), named(LAST_NAME)].filter((part) => part !== '');
  return {
    // A form with fields for first and last name often means the last name by `name`.
    name:
      parts.length === 2
        ? parts.join(' ')
        : named(NAME, ['name', 'fullname']) || parts.join(' ') || (mail?.mail.name ?? ''),
    email: mail?.mail.address ?? '',
    phone_number: phone?.value ?? '',
    message: message?.value ?? '',
    subject: best(all, (one) => rankOf(one, SUBJECT))?.value ?? '',
    submission: best(all, (one) => rankOf({ ...one, keys: one.labels.map(plain) }, SUBMISSION))?.value ?? '',
  };
}

interface Read extends Answer {
  /** The labels as plain words, and the words that say something as one. */
  words: string[];
  keys: string[];
  kinds: string[];
  mail: { name: string; address: string } | null;
}

function readAnswer(answer: Answer): Read {
  const words = answer.labels.map(wordsOf);
  return {
    ...answer,
    words,
    keys: words.map(keyOf),
    kinds: answer.types.map((type) => keyOf(wordsOf(type))),
    mail: mailIn(answer.value),
  };
}

/** The words of a label: `q3_emailAddress` is "q email address". */
const wordsOf = (label: string): string =>
  label
    .slice(0, 200)
    .normalize('NFKC')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();

function keyOf(words: string): string {
  const all = words.split(' ');
  const telling = all.filter((word) => !FILLERS.has(word));
  return (telling.length > 0 ? telling : all).join('');
}

/** How well an answer is what is looked for, the lowest best; null where it is something else. */
function rankOf(
  { keys, words, kinds }: Read,
  labels: string[],
  speaksOf: RegExp | null = null,
  types: string[] = [],
): number | null {
  const exact = keys.map((key) => labels.indexOf(key)).filter((index) => index >= 0);
  if (exact.length > 0) return Math.min(...exact);
  if (words.some((text) => OTHERS.test(text))) return null;
  if (speaksOf && words.some((text) => speaksOf.test(text))) return labels.length;
  return kinds.some((kind) => types.includes(kind)) ? labels.length + 1 : null;
}

/** The answer that ranks best, of several the outermost, of these the first; any in the group `first` before all others. */
function best<One extends Read>(
  answers: One[],
  rank: (one: One) => number | null,
  first?: Answer['within'],
): One | undefined {
  const ranked = answers.flatMap((one) => {
    const ranks = rank(one);
    return ranks === null ? [] : [{ one, order: [one.within === first ? 0 : 1, ranks, one.within.depth] }];
  });
  // Sorting keeps the order of equals.
  ranked.sort((a, b) => a.order.map((value, nr) => value - b.order[nr]!).find((value) => value !== 0) ?? 0);
  return ranked[0]?.one;
}

const isSenders = ({ words }: Read): boolean => !words.some((text) => OTHERS.test(text));

/** The only address among the answers, whatever its label: many are in other languages. */
function only<One extends { mail: { address: string } }>(mails: One[]): One | undefined {
  const addresses = new Set(mails.map(({ mail }) => mail.address.toLowerCase()));
  return addresses.size === 1 ? mails[0] : undefined;
}

/** The address that a value is: alone, or behind a name (`Ann <ann@buyer.example>`). */
function mailIn(value: string): Read['mail'] {
  if (value.length > 1_000) return null;
  const [, name = '', inside = value] = /^([^<>]*)<([^<>]+)>$/.exec(value) ?? [];
  const address = inside.trim().replace(/^mailto:/i, '');
  return isEmailAddress(address) ? { name: name.replaceAll('"', '').trim(), address } : null;
}
