import { type Answer, Client, type Json, ok, sharedUrl, unique, type Workspace } from '../clients/client.js';
import { until } from '../until.js';

export interface MailFields {
  from?: string;
  to?: string;
  subject?: string;
  /** With angle brackets; a new one when left out, none for null. */
  id?: string | null;
  date?: string;
  inReplyTo?: string;
  references?: string;
  /** Further header lines. */
  headers?: string[];
  body?: string;
}

/** A raw e-mail as it travels: CRLF at the end of lines. */
export function rawMail(fields: MailFields = {}): Buffer<ArrayBuffer> {
  const { from = 'Grace Hopper <grace@navy.example>', to = 'sales@acme.example', headers = [] } = fields;
  const id = fields.id === undefined ? newMessageId() : fields.id;
  const named: [string, string | null | undefined][] = [
    ['From', from],
    ['To', to],
    ['Subject', fields.subject],
    ['Date', fields.date],
    ['Message-ID', id],
    ['In-Reply-To', fields.inReplyTo],
    ['References', fields.references],
  ];
  const lines = named.flatMap(([name, value]) => (value == null ? [] : [`${name}: ${value}`]));
  const text = [...lines, ...headers, '', fields.body ?? 'Do you have it in blue?', ''].join('\n');
  return Buffer.from(text.replace(/\r?\n/g, '\r\n'));
}

export interface MailFile {
  name?: string;
  type?: string;
  bytes?: Buffer;
  /** Further header lines of the part. */
  headers?: string[];
  disposition?: string;
}

/** A mail with a text and files. */
export function mailWithFile(fields: MailFields = {}, files: MailFile[] = [{}]): Buffer<ArrayBuffer> {
  const parts = files.map(
    ({ name = 'drawing.pdf', type = 'application/pdf', bytes = Buffer.from('%PDF-1.7'), ...rest }) =>
      [
        '--b',
        `Content-Type: ${type}; name="${name}"`,
        'Content-Transfer-Encoding: base64',
        `Content-Disposition: ${rest.disposition ?? 'attachment'}; filename="${name}"`,
        ...(rest.headers ?? []),
        '',
        bytes.toString('base64').replace(/.{76}/g, '$&\n'),
      ].join('\n'),
  );
  const headers = [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    ...(fields.headers ?? []),
  ];
  const text = ['--b', 'Content-Type: text/plain', '', fields.body ?? 'see attachment'].join('\n');
  return rawMail({ ...fields, headers, body: [text, ...parts, '--b--'].join('\n') });
}

/** A Message-ID that no other mail has, angle brackets included. */
export const newMessageId = (): string => `<${unique('mail')}@navy.example>`;

/** A delivery status notification (RFC 3464) about the mail with this Message-ID. */
export function bounceOf(messageId: string, recipient: string, fields: MailFields = {}): Buffer<ArrayBuffer> {
  return rawMail({
    from: 'Mail Delivery System <MAILER-DAEMON@mx.example>',
    subject: 'Undelivered Mail Returned to Sender',
    headers: [
      'Auto-Submitted: auto-replied',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    ],
    body: [
      '--b',
      'Content-Type: text/plain',
      '',
      'The mail could not be delivered.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 no such user',
      '',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: ${messageId}`,
      'Subject: as it was sent',
      '',
      'Its text',
      '--b--',
    ].join('\n'),
    ...fields,
  });
}

/** Pushes raw mail through the hook door of an e-mail channel, as a provider would: no API key. */
export function postMail(channel: Json, raw: Buffer<ArrayBuffer>, url = sharedUrl()): Promise<Answer> {
  return new Client(url, '').send('POST', hookOf(channel), {
    raw,
    headers: { 'content-type': 'message/rfc822' },
  });
}

/** Path and query of the channel's e-mail hook, token included. */
export function hookOf(channel: Json): string {
  const { pathname, search } = new URL(channel.hooks.email);
  return pathname + search;
}

/** Records a received e-mail that opens a conversation; gives the message. */
export function receivedMail({ api }: Workspace, fields: object = {}): Promise<Json> {
  return ok(
    api.post('messages', {
      modality: 'email',
      message_direction: 'received',
      subject: 'Blue',
      content: 'Do you have it in blue?',
      contact: { name: 'Grace Hopper', email: `${unique('grace')}@navy.example` },
      email_metadata: { email_message_id: newMessageId() },
      ...fields,
    }),
  );
}

/** Body of a draft that leaves at once. */
export const autosend = (fields: object = {}): object => ({
  body_html: '<p>Yes, we do.</p>',
  autosend_draft: true,
  add_notification: false,
  ...fields,
});

/** Path of a conversation's response drafts below the organization. */
export const draftsOf = ({ conversation_id }: Json): string =>
  `conversations/${conversation_id}/response-drafts`;

/** The draft once its delivery has this status. */
export async function draftWith({ api }: Workspace, draft: Json, status: string): Promise<Json> {
  let shown: Json;
  await until(async () => {
    shown = (await api.get(`${draftsOf(draft)}/${draft.response_id}`)).body;
    return shown.delivery?.status === status;
  });
  return shown;
}

/** The message that a draft has become, once it has. */
export async function promotedMessage({ api }: Workspace, draft: Json): Promise<Json> {
  let hint: Json;
  await until(async () => {
    const { body } = await api.get(`${draftsOf(draft)}/${draft.response_id}`);
    hint = body.hint;
    return body.code === 'draft_promoted';
  });
  return ok(api.get(hint.route));
}

/** The messages of a conversation, the latest first. */
export const messagesOf = async ({ api }: Workspace, { conversation_id }: Json): Promise<Json[]> =>
  (await ok(api.get(`conversations/${conversation_id}/messages`, { limit: 200 }))).data;
