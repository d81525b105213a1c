import { replyToOf, writerOf } from './mail-parties.js';

const isOwn = (address: string) => address === 'help@acme.example';
const mailbox = (text: string) => {
  const [, name, address] = /^(?:(.*) )?(\S+)$/.exec(text)!;
  return { name: name ?? null, address: address! };
};
const senders = (from: string | null, replyTo: string[] = [], originalFrom: string | null = null) => ({
  from: from === null ? null : mailbox(from),
  replyTo: replyTo.map(mailbox),
  originalFrom: originalFrom === null ? null : mailbox(originalFrom),
});

describe('the writer of a mail', () => {
  it.each([
    ['From', senders('Ann ann@x.example', ['bob@x.example'], 'Eve eve@x.example'), 'Ann ann@x.example'],
    [
      'Reply-To, where From is ours',
      senders('Ann via Help help@acme.example', ['Ann Lee ann@x.example']),
      'Ann Lee ann@x.example',
    ],
    [
      'Reply-To after our own address',
      senders('Help help@acme.example', ['help@acme.example', 'Ann ann@x.example']),
      'Ann ann@x.example',
    ],
    [
      'X-Original-From before Reply-To',
      senders('Ann via Help help@acme.example', ['bob@x.example'], 'Ann ann@x.example'),
      'Ann ann@x.example',
    ],
    [
      'known by the name before "via"',
      senders("'Ann Lee' via Help help@acme.example", ['ann@x.example']),
      'Ann Lee ann@x.example',
    ],
    [
      'known by the name before "(via"',
      senders('Ann Lee (via Help) help@acme.example', ['ann@x.example']),
      'Ann Lee ann@x.example',
    ],
    [
      'nameless, where the name is ours',
      senders('Help Desk help@acme.example', ['ann@x.example']),
      'ann@x.example',
    ],
    [
      'ourselves, where nobody else is named',
      senders('Help help@acme.example', ['help@acme.example']),
      'Help help@acme.example',
    ],
  ])('is %s', (_, mail, writer) => expect(writerOf(mail, isOwn)).toEqual(mailbox(writer)));

  it('is nobody where there is no From', () => expect(writerOf(senders(null), isOwn)).toBeNull());
});

describe('where a mail wants replies', () => {
  it.each([
    [['bob@x.example'], 'bob@x.example', false],
    [['ann@x.example', 'bob@x.example'], 'ann@x.example, bob@x.example', false],
    [['Help help@acme.example', 'Ann ann@x.example'], 'help@acme.example, ann@x.example', false],
    [['bob@X.example'], 'bob@X.example', false],
    [['bob@mail.x.example'], 'bob@mail.x.example', true],
    [['bob@x.example', 'eve@evil.example'], 'bob@x.example, eve@evil.example', true],
    [['ANN@X.example'], 'ANN@X.example', false],
    [['help@acme.example'], 'help@acme.example', false],
  ])('is, by a Reply-To of %j, %j; marked as another domain: %s', (replyTo, reply_to, isMarked) =>
    expect(replyToOf(senders('Ann ann@x.example', replyTo), isOwn)).toEqual({
      reply_to,
      ...(isMarked && { reply_to_other_domain: true }),
    }),
  );

  it('is told by no Reply-To that names nobody', () =>
    expect(replyToOf(senders('Ann ann@x.example', []), isOwn)).toEqual({}));
});
