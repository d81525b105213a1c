/** Threads that go on at the same time, as in a mailbox of a year; so many mails has each of them. */
const OPEN = 100;
const LENGTH = 4;
const TEXT =
  'Thank you for the offer. We would take twenty of the blue ones, if they can be here by the end of the month. ' +
  'Could you tell me what the delivery costs, and whether the price stays as it is for the next order?\n';
/** The second before the first mail. */
const BEGINNING = Date.UTC(2026, 0, 1) / 1_000;

let nextThread = 0;

/**
 * Mails by people nobody has heard of, in the order they were sent: each as it travels, as a body of the API, and with
 * the number of its thread. Each answers the one before it in its thread and names all before that.
 */
export function threads(count) {
  const mails = [];
  while (mails.length < count) {
    const first = nextThread;
    nextThread += OPEN;
    for (let nr = 0; nr < LENGTH; nr++)
      for (let thread = first; thread < nextThread && mails.length < count; thread++)
        mails.push(mailOf(thread, nr, BEGINNING + mails.length));
  }
  return mails;
}

function mailOf(thread, nr, second) {
  const from = `grace${thread}@navy.example`;
  const references = Array.from({ length: nr }, (_, before) => idOf(thread, before));
  const [subject, content] = [`${nr === 0 ? '' : 'Re: '}Order ${thread}`, TEXT.repeat(3)];
  const lines = [
    `From: Grace ${thread} <${from}>`,
    'To: sales@acme.example',
    `Subject: ${subject}`,
    `Date: ${new Date(second * 1_000).toUTCString()}`,
    `Message-ID: <${idOf(thread, nr)}>`,
    ...(nr === 0
      ? []
      : [
          `In-Reply-To: <${references.at(-1)}>`,
          `References: ${references.map((id) => `<${id}>`).join(' ')}`,
        ]),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    content,
  ];
  const body = {
    modality: 'email',
    message_direction: 'received',
    subject,
    content,
    sent_at: new Date(second * 1_000).toISOString(),
    contact: { name: `Grace ${thread}`, email: from },
    email_metadata: {
      email_message_id: idOf(thread, nr),
      in_reply_to: references.slice(-1),
      references,
    },
    external_id: `email:${idOf(thread, nr)}`,
  };
  return { thread, raw: lines.join('\r\n'), body };
}

const idOf = (thread, nr) => `mail-${thread}-${nr}@navy.example`;

export const mboxOf = (mails) =>
  mails.map(({ raw }) => `From grace@navy.example Thu Jan  1 00:00:00 2026\n${raw}\n\n`).join('');
