import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emailChannel, type Json, newWorkspace, ok, type Workspace } from '../support/clients/client.js';
import { autosend, draftsOf, messagesOf, postMail, promotedMessage } from '../support/data/mail.js';
import { needs } from '../support/needs.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';

/** Real e-mails that are kept beside the project and not in it. */
const FOLDER = join(import.meta.dirname, '../../../shared/data/eml');
const FILES = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.eml')) : [];

/** Mails with two addresses in From. */
const TWO_AUTHORS = [
  'plain_emails--raw_email_multiple_from.eml',
  'plain_emails--raw_email_with_at_display_name.eml',
];

/** Delivery reports, which make no message. */
const REPORTS = [
  'mime_emails--raw_email_with_mimepart_without_content_type',
  'multipart_report_emails--multi_address_bounce1',
  'multipart_report_emails--multi_address_bounce2',
  'multipart_report_emails--multipart_report_multiple_status',
  'multipart_report_emails--report_530',
];

/**
 * A few words that a reader of the raw file finds in subject and text; null for a mail without subject, '' for one
 * without text. Where a charset or an encoding has to be undone, they are words that show it.
 */
const WORDS: Record<string, [subject: string | null, text: string]> = {
  'attachment_emails--attachment_content_disposition': ['testing', 'first part'],
  'attachment_emails--attachment_message_rfc822_inline_image': ['test', ''],
  'attachment_emails--attachment_only_email': ['JUST contains', ''],
  'attachment_emails--attachment_pdf_non_ascii': ['🎉 Unicode chars in it 🍿', 'another PDF'],
  'attachment_emails--attachment_pdf_non_ascii_lf': ['🎉', 'another PDF'],
  'attachment_emails--attachment_with_quoted_filename': ['Eelanalüüsi päring', ''],
  'error_emails--bad_date_header2': ['40% OFF', ''],
  'error_emails--bad_encoded_subject': ['TEST', 'TEST'],
  'error_emails--bad_subject': ['You have a survey waiting!  91123105', 'To take the survey'],
  'error_emails--content_transfer_encoding_7-bit': ['Discover(R)', '©2002 Discover Bank'],
  'error_emails--content_transfer_encoding_empty': ['大家說英語', '軟體帝國更新迅速'],
  'error_emails--content_transfer_encoding_plain': ['bookkeeping', 'Ticker:IGTS'],
  'error_emails--content_transfer_encoding_spam': [null, 'medications'],
  'error_emails--content_transfer_encoding_text-html': ['refinance', 'lowest rate in years'],
  'error_emails--content_transfer_encoding_with_8bits': ['#e13011', 'Issue#: e13011'],
  'error_emails--content_transfer_encoding_x_uuencode': ['RTO West', 'Public Generating Pool'],
  'error_emails--empty_group_lists': ['Western Union', 'Attention Beneficiary'],
  'error_emails--empty_in_reply_to': ['patient education', ''],
  'error_emails--header_fields_with_empty_values': ['Testmail', 'Jørn Støylen'],
  'error_emails--invalid_subject_characters': ['Formação FrenetikPolis: Mega Campanha Final Verão', 'TEST'],
  'error_emails--missing_body': ['REDACTED', ''],
  'error_emails--multiple_content_types': ['Redacted', 'foo'],
  'error_emails--multiple_invalid_content_dispositions': ['Redacted', 'foo'],
  'error_emails--multiple_references_with_one_invalid': ['Redacted', 'foo'],
  'error_emails--new_line_in_to_header': ['Online Lead #1111111', '<prospect>'],
  'error_emails--trademark_character_in_subject': ['GA.comô has a lead', 'Body Text'],
  'error_emails--weird_to_header': [null, 'PAGE THEY WERE ON'],
  'mime_emails--raw_email2': ['Signed email causes', 'GTD system'],
  'mime_emails--raw_email11': ['worse when you use them', 'XXXXX Xxxxx'],
  'mime_emails--raw_email_encoded_stack_level_too_deep': ['Nicolas Fouché has accepted', 'Fouché'],
  'mime_emails--raw_email_with_binary_encoded': ['Another PDF', ''],
  'mime_emails--raw_email_with_nested_attachment': ['Testing attachments', 'attachment via email'],
  'mime_emails--sig_only_email': ['multipart/signed', 'random text'],
  'mime_emails--two_from_in_message': ['Sending messages', '* From Hotmail'],
  'multi_charset--japanese': ['まみむめも', 'かきくえこ'],
  'multi_charset--japanese_attachment_long_name': ['まみむめも'.repeat(10), ''],
  'multi_charset--japanese_iso_2022': ['まみむめも', 'すみません。'],
  'multi_charset--japanese_shift_jis': ['test', 'このメールはテスト用のメールです。'],
  'plain_emails--raw_email': ['NOTE: 한국말로 하는 것', '하나님을 믿습니다'],
  'plain_emails--raw_email10': [null, 'Waving'],
  'plain_emails--raw_email_bad_time': ['[0]: XXXXXXX', 'believed to be clean'],
  'plain_emails--raw_email_multiple_from': ['minebox revision 214', 'trunk/README'],
  'plain_emails--raw_email_quoted_with_0d0a': ['testing', 'Successful Send'],
  'plain_emails--raw_email_trailing_dot': ['[60666]', 'Testing, testing, 123.'],
  'plain_emails--raw_email_with_partially_quoted_subject': ['Test: "漢字" mid "漢字" tail', '믿습니다'],
  'rfc2822--example06': ['Re: Saying Hello', 'reply to your hello'],
  'rfc2822--example10': [null, 'Testing.'],
  'rfc2822--example13': ['Saying Hello', 'just to say hello'],
  'rfc2822--example14': ['Re: TEST テストテスト', 'Hello'],
};

interface Outcome {
  file: string;
  /** Each mail comes to an organization of its own, as several of the files share a Message-ID. */
  workspace: Workspace;
  channel: Json;
  status: number;
  answer: Json;
}

needs('real e-mails, which are kept beside the project', FILES.length > 0).describe('real mail', () => {
  let smtp: TestSmtp;
  const outcomes = new Map<string, Outcome>();

  beforeAll(async () => {
    smtp = await startSmtp();
    for (const file of FILES) {
      const workspace = await newWorkspace();
      const channel = await emailChannel(workspace, smtp.port);
      const { status, body } = await postMail(channel, Buffer.from(readFileSync(join(FOLDER, file))));
      outcomes.set(file.replace(/\.eml$/, ''), { file, workspace, channel, status, answer: body });
    }
  });

  afterAll(() => smtp.close());

  const messages = () => [...outcomes.values()].filter(({ status }) => status === 201);

  it('is taken in, every file: 201, and 202 for a delivery report', () => {
    expect(outcomes.size).toBe(78);
    for (const [name, { status }] of outcomes)
      expect([name, status]).toEqual([name, REPORTS.includes(name) ? 202 : 201]);
  });

  it('makes one conversation with one message of each that is no delivery report', async () => {
    for (const { workspace, status, answer } of outcomes.values()) {
      const conversations = (await ok(workspace.api.get('conversations'))).data;
      expect(conversations).toHaveLength(status === 201 ? 1 : 0);
      for (const conversation of conversations)
        expect(await messagesOf(workspace, conversation)).toEqual([answer]);
    }
  });

  it('is a redelivery when it comes again', async () => {
    for (const { workspace, channel, file, status, answer } of outcomes.values()) {
      const again = await postMail(channel, Buffer.from(readFileSync(join(FOLDER, file))));
      expect([file, again.status]).toEqual([file, status === 201 ? 200 : 202]);
      expect(again.body).toEqual(answer);
      const authors = TWO_AUTHORS.includes(file) ? 2 : 1;
      expect([file, (await ok(workspace.api.get('contacts'))).data.length]).toEqual([
        file,
        status === 201 ? authors : 0,
      ]);
    }
  });

  it.each(Object.entries(WORDS))('is read back with its subject and text: %s', async (name, words) => {
    const { workspace, answer } = outcomes.get(name)!;
    const { conversation_id, message_id } = answer;
    const message = await ok(workspace.api.get(`conversations/${conversation_id}/messages/${message_id}`));
    const [subject, text] = words;
    if (subject === null) expect(message.subject).toBeNull();
    else expect(message.subject).toContain(subject);
    if (text === '') expect(message.content).toBe('');
    else expect(message.content).toContain(text);
  });

  it('holds no characters that decoding could not read, nor what should have been decoded', () => {
    for (const { file, answer } of messages()) {
      const read = `${answer.subject} ${answer.content}`;
      expect([file, /[\uFFFD\u0080-\u009F]|=\?[\w-]+\?[BQ]\?/i.exec(read)]).toEqual([file, null]);
    }
  });

  it('is answered, each that has a sender, by a reply that the SMTP server receives once', async () => {
    const replies = await Promise.all(
      messages().map(async ({ file, workspace, answer }) => {
        const contact = await ok(workspace.api.get(`contacts/${answer.from.contact_id}`));
        const { status, body } = await workspace.api.post(
          draftsOf(answer),
          autosend({ body_html: `<p>About ${file}</p>` }),
        );
        if (contact.email === '') expect([file, status, body.code]).toEqual([file, 400, 'recipient_missing']);
        else expect([file, status]).toEqual([file, 201]);
        return { file, workspace, answer, contact, draft: status === 201 ? body : null };
      }),
    );
    const sent = replies.filter(({ draft }) => draft !== null);
    expect(sent.length).toBeGreaterThanOrEqual(70);
    for (const { file, workspace, answer, contact, draft } of sent) {
      const message = await promotedMessage(workspace, draft);
      const received = smtp.seen.filter(({ parsed }) => parsed.text?.trim() === `About ${file}`);
      expect([file, received.length]).toEqual([file, 1]);
      const { to, parsed, messageId } = received[0]!;
      expect(to).toEqual((answer.email_metadata.reply_to ?? contact.email).split(', '));
      expect(messageId).toBe(`<${message.email_metadata.email_message_id}>`);
      expect([file, parsed.subject]).toEqual([file, message.subject]);
      const answered = answer.email_metadata.email_message_id;
      if (answered !== null) expect(parsed.inReplyTo).toBe(`<${answered}>`);
    }
  });
});
