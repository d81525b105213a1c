import { refusesAddressForGood, refusesOnlyRecipientForGood, reportsAddressGone } from './address-status.js';

/** What servers say at RCPT of an address that takes no mail any more. */
const GONE: [server: string, reply: string][] = [
  [
    'Gmail',
    "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or\n550 5.1.1 unnecessary spaces. For more information, go to\n550 5.1.1 https://support.google.com/mail/?p=NoSuchUser a1-2si3.4 - gsmtp",
  ],
  [
    'Gmail',
    '550 5.2.1 The email account that you tried to reach is inactive. For more information, go to https://support.google.com/mail/?p=DisabledUser',
  ],
  [
    'Microsoft 365',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient joe@contoso.example not found by SMTP address lookup',
  ],
  ['Hotmail', '550 Requested action not taken: mailbox unavailable'],
  ['Exchange', '550 5.1.1 User unknown'],
  [
    'Yahoo',
    "554 delivery error: dd This user doesn't have a yahoo.com account (joe@yahoo.com) [0] - mta1.mail.bf1.yahoo.com",
  ],
  [
    'Yahoo',
    '554 delivery error: dd Sorry, your message to joe@yahoo.com cannot be delivered. This mailbox is disabled (554.30). - mta1.mail.bf1.yahoo.com',
  ],
  ['Yahoo', '552 1 Requested mail action aborted, mailbox not found'],
  ['AOL', '550 MAILBOX NOT FOUND'],
  ['iCloud', '550 5.1.1 unknown or illegal alias: joe@icloud.com'],
  ['Postfix', '550 <joe@rcpt.example>: Recipient address rejected: User unknown in relay recipient table'],
  [
    'Postfix',
    '550 5.1.1 <joe@rcpt.example>: Recipient address rejected: User unknown in virtual mailbox table',
  ],
  ['Exim', '550 Unrouteable address'],
  ['Exim', '550 No Such User Here'],
  ['Exim', '550 No such person at this address.'],
  ['Exim', '550-Callout verification failed:\n550 550 5.1.1 <joe@rcpt.example>: User unknown'],
  ['Sendmail', '550 5.1.1 <joe@rcpt.example>... User unknown'],
  ['Sendmail', '550 <joe@rcpt.example>... User unknown'],
  ['Qmail', '550 sorry, no mailbox here by that name (#5.1.1 - chkuser)'],
  ['Qmail', '553 sorry, no mailbox here by that name'],
  ['Domino', '550 joe@rcpt.example... No such user'],
  ['Domino', '554 User Joe (joe@rcpt.example) not listed in Domino Directory'],
  [
    'Mimecast',
    '550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [dNK0v9yLN1qMLs8xP6fY6A.uk123]',
  ],
  ['Proofpoint', '550 5.1.1 <joe@rcpt.example>: Recipient address rejected: User unknown'],
  ['Barracuda', '550 No such user (joe@rcpt.example)'],
  ['IronPort', '550 #5.1.0 Address rejected.'],
  [
    'GMX',
    '550-Requested action not taken: mailbox unavailable\n550 For explanation visit https://postmaster.gmx.net/en/case?c=r0103&i=nx&v=joe%40gmx.net',
  ],
  ['web.de', '550 Benutzer nicht bekannt/User unknown'],
  ['a German server', '550 Empfänger unbekannt'],
  ['a German server', '550 Das Postfach existiert nicht mehr'],
  ['a German server', '550 Unbekannter Empfaenger <joe@rcpt.example>'],
  ['T-Online', '550 user unknown'],
  ['Freenet', '550 unrouteable address'],
  ['Free', '550 5.1.1 <joe@free.fr>: Recipient address rejected: User unknown in virtual mailbox table'],
  ['Orange', '550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]'],
  ['Orange', '550 Adresse d au moins un destinataire invalide'],
  ['a French server', "550 L'utilisateur n'existe pas"],
  ['a French server', '550 Boîte aux lettres désactivée'],
  [
    'mail.ru',
    '550 Message was not accepted -- invalid mailbox.  Local mailbox joe@mail.ru is unavailable: user not found',
  ],
  [
    'mail.ru',
    '550 Message was not accepted -- invalid mailbox.  Local mailbox joe@mail.ru is unavailable: account is disabled',
  ],
  ['Yandex', '550 5.1.1 No such user!'],
  ['a Russian server', '550 Пользователь не найден'],
  ['a Russian server', '550 Почтовый ящик не существует'],
  ['a Russian server', '550 Нет такого пользователя'],
  ['QQ', '550 Mailbox not found. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000728'],
  ['163', '550 User not found: joe@163.com'],
  ['163', '550 User suspended'],
  ['a Chinese server', '550 用户不存在'],
  ['a Chinese server', '550 收件人邮箱已停用'],
  ['a Japanese server', '550 宛先のユーザーは存在しません'],
  ['a Spanish server', '550 El usuario no existe'],
  ['an Italian server', '550 Destinatario sconosciuto o mailbox disattivata'],
  ['a Polish server', '550 Nie ma takiego konta'],
  ['Zoho', '550 5.1.1 User does not exist - <joe@zoho.example>'],
  [
    'Fastmail',
    '550 5.1.1 <joe@fastmail.example>: Recipient address rejected: User unknown in virtual mailbox table',
  ],
  ['ProtonMail', '550 5.1.1 <joe@proton.example>: Recipient address rejected: Address does not exist'],
  [
    'Amazon SES',
    '550 5.1.1 Amazon SES has suppressed sending to this address because it has a recent history of bouncing as an invalid address.',
  ],
  ['Comcast', '550 5.1.1 Not our customer'],
  ['a server', '550 <joe@rcpt.example> does not exist'],
  ['a server', '550 joe@rcpt.example is not a valid mailbox'],
  ['a server', '550 There is no one at this address'],
  ['a server', '550 Unknown local-part "joe" in domain "rcpt.example"'],
  ['a server', '550 Account closed'],
  ['a server', '550 Bad destination mailbox address'],
  ['a server, of a domain', '550 5.1.2 <joe@rcpt.example>: Recipient address rejected: Domain not found'],
  ['a server, of a domain without mail', '556 5.1.10 Recipient address has null MX'],
  ['a server, of the syntax', '501 5.1.3 Bad recipient address syntax'],
  ['a server, of an address that moved', '551 5.1.6 Mailbox has moved'],
];

/** What they say at RCPT for other reasons. */
const OTHER: [server: string, reply: string][] = [
  [
    'Gmail',
    "550-5.7.26 Unauthenticated email from acme.example is not accepted due to domain's\n550 5.7.26 DMARC policy. a1-2si3.4 - gsmtp",
  ],
  ['Gmail', '550-5.7.1 [192.0.2.7] Our system has detected that this message is likely unsolicited mail'],
  [
    'Gmail',
    '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered',
  ],
  ['Gmail', "552 5.2.2 The recipient's inbox is out of storage space and inactive"],
  [
    'Microsoft 365',
    '550 5.4.1 Recipient address rejected: Access denied. [AM5EUR03FT012.eop-EUR03.prod.protection.outlook.com]',
  ],
  ['Microsoft 365', '550 5.7.606 Access denied, banned sending IP [192.0.2.7]'],
  ['Microsoft 365', '550 5.7.511 Access denied, banned sender'],
  [
    'Outlook',
    "550 5.7.1 Unfortunately, messages from [192.0.2.7] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
  ],
  ['Outlook', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).'],
  ['Exchange', '550 5.7.1 Unable to relay'],
  ['Exchange', '550 5.7.1 RESOLVER.RST.AuthRequired; authentication required'],
  [
    'Yahoo',
    '553 5.7.2 [TSS09] All messages from 192.0.2.7 will be permanently deferred; Retrying will NOT succeed.',
  ],
  ['Yahoo', '554 5.7.9 Message not accepted for policy reasons.'],
  ['iCloud', '550 5.7.1 [HME1] This message was blocked'],
  ['Postfix', '554 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org'],
  ['Postfix', '554 <joe@rcpt.example>: Relay access denied'],
  ['Postfix', '554 5.7.1 <unknown[192.0.2.7]>: Client host rejected: cannot find your reverse hostname'],
  ['Postfix', '550 <us@acme.example>: Sender address rejected: User unknown in local recipient table'],
  ['Postfix', '550 5.1.8 <us@acme.example>: Sender address rejected: Domain not found'],
  ['Exim', '550 relay not permitted'],
  ['Exim', '550 Sender verify failed'],
  [
    'Exim',
    '550-Verification failed for <us@acme.example>\n550-Called:   192.0.2.1\n550-Sent:     RCPT TO:<us@acme.example>\n550-Response: 550 5.1.1 <us@acme.example>: Recipient address rejected: User unknown\n550 Sender verify failed',
  ],
  ['Exim', '550-Verification failed for <us@acme.example>\n550-No Such User Here\n550 Sender verify failed'],
  ['Exim', '550 Administrative prohibition'],
  ['Exim', '550 Rejected because 192.0.2.7 is in a black list at zen.spamhaus.org'],
  ['Sendmail', '550 5.7.1 Access denied'],
  ['Sendmail', '550 Relaying denied. Proper authentication required.'],
  ['Qmail', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  ['Qmail', '554 Mail quota exceeded (#5.2.2)'],
  [
    'Mimecast',
    '550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550 [abc.uk12]',
  ],
  [
    'Mimecast',
    '550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.com/docs/DOC-1369#550',
  ],
  ['Mimecast', '550 Rejected by header based Anti-Spoofing policy: us@acme.example'],
  ['Proofpoint', '554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.7'],
  [
    'Barracuda',
    '554 Service unavailable; Client host [mx.acme.example] blocked using Barracuda Reputation; http://www.barracudanetworks.com/reputation/?r=1&ip=192.0.2.7',
  ],
  ['Barracuda', '550 permanent failure for one or more recipients (joe@rcpt.example:blocked)'],
  ['IronPort', '550 Too many invalid recipients'],
  [
    'GMX',
    '550-Requested action not taken: mailbox unavailable\n550-Reject due to SPF policy.\n550 The originating IP of the message is not permitted by the domain owner',
  ],
  [
    'GMX',
    '554-IP address is block listed.\n554 For explanation visit https://postmaster.gmx.net/en/case?c=r0201',
  ],
  [
    'web.de',
    '550 Benutzer hat das Speichervolumen ueberschritten. / User has exhausted allowed storage space.',
  ],
  ['web.de', '550 Benutzer hat zuviele Mails auf dem Server. / User has too many messages on the server.'],
  ['a German server', '550 Postfach voll'],
  ['a German server', '550 Absender unbekannt'],
  ['a German server', '550 Ihre IP-Adresse ist blockiert'],
  ['a German server', '550 Absenderadresse: Benutzer unbekannt'],
  [
    'T-Online',
    '554 IP=192.0.2.7 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.)',
  ],
  ['Free', '550 Too many spams from your IP (192.0.2.7), please visit http://postmaster.free.fr/'],
  ['Orange', '550 5.2.0 Mail rejete. Mail rejected. OFR_506 [506]'],
  ['Orange', '550 Adresse expediteur invalide'],
  ['a French server', '550 Boîte aux lettres pleine'],
  ['a French server', '550 Trop de connexions pour ce destinataire'],
  ['mail.ru', '550 spam message rejected. Please visit http://help.mail.ru/notspam-support/id'],
  ['mail.ru', '550 Message was not accepted -- mailbox is full'],
  ['Yandex', '554 5.7.1 Message rejected under suspicion of SPAM; https://ya.cc/1IrBc'],
  ['a Russian server', '550 Почтовый ящик переполнен'],
  ['a Russian server', '550 Отправитель: пользователь не найден'],
  ['QQ', '550 Mail content denied. http://service.mail.qq.com/cgi-bin/help?subtype=1&&id=20022&&no=1000726'],
  ['QQ', '550 Mailbox unavailable or access denied [joe@qq.example]'],
  ['QQ', '550 Ip frequency limited. http://service.mail.qq.com/cgi-bin/help?id=20022'],
  ['QQ', '550 SPF check failed'],
  ['163', '554 DT:SPM 163 mx15,QMCowACXr, please see http://mail.163.com/help/help_spam_16.htm'],
  ['163', '553 MI:SPB 163 mx1, spam blocked by IP'],
  ['a Chinese server', '550 收件人邮箱已满'],
  ['a Chinese server', '550 发件人地址不存在'],
  ['Zoho', '554 5.7.1 Email cannot be delivered. Reason: Email detected as Spam by spam filters.'],
  [
    'Fastmail',
    '550 5.7.1 This message has been blocked because it contains FortiGuard - AntiSpam blocking URL(s)',
  ],
  ['ProtonMail', '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked'],
  [
    'Amazon SES',
    '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: us@acme.example',
  ],
  ['Amazon SES', '530 Authentication required'],
  ['a server', '550 Message rejected due to DMARC policy'],
  ['a server', '550 SPF: 192.0.2.7 may not send mail from acme.example'],
  ['a server', '550 authentication required'],
  ['a server', '550 too many connections from your IP'],
  ['a server', '554 cannot find your reverse hostname'],
  ['a server', '550 mailbox is full'],
  ['a server', '552 Mailbox full'],
  ['a server', '550 User over quota, account disabled until messages are deleted'],
  ['a server', '550 Mailbox temporarily unavailable'],
  ['a server', '550 Recipient refused, connection closed'],
  ['a server', '550 Recipient rejected: unknown error'],
  ['a server', '550 Gone'],
  ['a server', '553 Not here'],
  ['a server, of our account', '550 Your account has been disabled'],
  ['a server, of our account', '550 SMTP account suspended'],
  ['a server, whose code decides', '550 5.7.1 User unknown'],
  ['a server, whose code says nothing', '550 5.0.0 User unknown'],
  ['a server, of the name of a host', '550 mx.no.such.user.example refuses you'],
  ['a server, for now', '450 User unknown'],
  ['a server, for now', '450 4.2.0 Greylisted'],
];

const code = (reply: string): number => Number(reply.slice(0, 3));
/** As a report has it: on one line. */
const diagnostic = (reply: string): string => reply.replaceAll('\n', ' ');

describe('a server tells that an address takes no mail any more', () => {
  it.each(GONE)('%s: %j', (_, reply) => {
    expect(refusesAddressForGood(code(reply), reply)).toBe(true);
    for (const status of [null, '5.0.0'])
      expect(reportsAddressGone({ status, diagnostic: diagnostic(reply) })).toBe(true);
  });
});

describe('a server tells something else', () => {
  it.each(OTHER)('%s: %j', (_, reply) => {
    expect(refusesAddressForGood(code(reply), reply)).toBe(false);
    for (const status of [null, '5.0.0'])
      expect(reportsAddressGone({ status, diagnostic: diagnostic(reply) })).toBe(false);
  });
});

describe('words without a status code', () => {
  it.each([
    'Recipient not found',
    'Address unknown',
    'User does not exist',
    'mailbox does not exist',
    'Account has been disabled',
    'user disabled',
    'mailbox disabled',
    'mailbox is inactive',
    'no mailbox',
    'No such recipient here',
    'No such recipient',
    'no user',
    'Recipient address does not exist',
    'The user you are trying to reach no longer works here',
    'Unknown recipient',
    'user is deactivated',
    'Mailbox deleted',
    'Invalid user',
    'invalid mailbox',
    "Email address doesn't exist",
    'Email address does not exist',
    'nonexistent user',
    'This mailbox has been deactivated',
    'The email account does not exist',
    'user no longer on server',
    'Mailbox does not exist here',
    'not a known user at this host',
    'account expired',
    'Utilisateur inconnu!',
    'Destinataire inconnu',
    "Cette adresse n'existe pas",
    'Compte inexistant',
    'Compte désactivé',
    'Benutzer unbekannt',
    'Empfaenger existiert nicht',
    'Empfänger existiert nicht',
    'Postfach deaktiviert',
    'Das Postfach ist gesperrt',
    'Недействительный адрес',
    'Учётная запись заблокирована',
    'Пользователь заблокирован',
    '邮箱不存在',
    '用户已被禁用',
    '帐号不存在',
    '无效的收件人',
    '该用户不存在',
    '找不到该用户',
    '账户已被冻结',
    'unknown user account',
    'No such mailbox',
    '<nouser@rcpt.example>: Recipient address rejected: User unknown',
    'nouser@rcpt.example: no such user',
    'no account by that name here',
    'Mailbox not found',
    'mailbox unavailable, user does not exist',
    'The recipient does not exist',
    'The mailbox is disabled',
    'User account is disabled',
    'recipient disabled',
    'Adressat unbekannt',
    'Benutzer existiert nicht',
    'Die Adresse existiert nicht',
    'Dieses Postfach existiert nicht',
    'Kein solcher Benutzer',
    'Kein Postfach unter diesem Namen',
    'Aucun utilisateur de ce nom',
    'Adresse inconnue',
    'boite aux lettres inconnue',
    'Такого пользователя нет',
    'Адресат не найден',
    'Получатель не существует',
    'Ящик отключен',
    'Неизвестный пользователь',
    'Неизвестный получатель',
    'несуществующий адрес',
    '收件人不存在',
    '用户未找到',
    'User unknown in local recipient table',
    'unknown user',
    'Unknown address',
    'Unknown Mailbox',
    'user not known',
    'No such address',
    'the user is not active',
    'Recipient is not valid',
    'Email account is disabled',
    'mailbox suspended',
    "User's mailbox is disabled",
    'No such local user',
    'Your recipient does not exist',
  ])('%s: the address is gone', (words) => expect(refusesAddressForGood(550, `550 ${words}`)).toBe(true));

  it.each([
    'mailbox over quota',
    'Sender unknown',
    'Domain of sender does not exist',
    'blocked by Spamhaus',
    'rejected',
    'Access denied',
    'Permission denied',
    'Administrative prohibition',
    'no such domain',
    'Message refused',
    'Invalid HELO',
    'need valid HELO name',
    'Relaying to <x@y.example> prohibited by administrator',
    'We do not relay',
    'You are not allowed to send to this user',
    'Policy rejection',
    'content rejected',
    'too much mail for user',
    'Mailbox quota exceeded',
    'User has exceeded quota',
    'user over rate limit',
    'PTR record not found',
    'no PTR record',
    'DKIM signature invalid',
    'invalid DKIM signature',
    'TLS certificate invalid',
    'Recipient requires authentication',
    "RP-001 (x) Unfortunately, some messages from 1.2.3.4 weren't sent",
    'OU-002 (BAY) messages were not sent',
    'JunkMail rejected',
    'Blacklisted',
    'You are on a black list',
    'Mails from you are not accepted',
    'Verification of sender failed, no such user',
    'verify your address',
    'Your domain does not exist',
    'Unknown host',
    'no such host',
    'client does not exist in DNS',
    '5.7.1: blocked',
    'message too large for this mailbox',
    'virus found',
    'This mail is unwanted',
    'Absender nicht gefunden',
    'Absenderadresse existiert nicht',
    'Speicherplatz voll: Postfach nicht mehr verfügbar',
    'Der Empfänger nimmt keine E-Mails von Ihnen an',
    'Zugriff verweigert',
    'Authentifizierung erforderlich',
    "l'expéditeur n'existe pas",
    'Adresse IP bloquée',
    'quota dépassé',
    'relais refusé',
    'Ваш IP заблокирован',
    'спам',
    'адрес отправителя не существует',
    '超过限制',
    '发信人不存在',
    '垃圾邮件',
    '您的IP在黑名单中',
    'Mail rejected: reverse lookup failed',
    'Message does not exist',
    'no valid SPF record found',
    'Rejected - user preference',
    'connection limit, user unknown',
  ])('%s: it may be there', (words) => expect(refusesAddressForGood(550, `550 ${words}`)).toBe(false));
});

describe('a status code', () => {
  it.each(['5.1.0', '5.1.1', '5.1.2', '5.1.3', '5.1.4', '5.1.6', '5.1.10', '5.2.1'])(
    '%s tells that the address is gone, whatever the words',
    (status) => {
      expect(refusesAddressForGood(550, `550 ${status} Blocked by our policy`)).toBe(true);
      expect(reportsAddressGone({ status, diagnostic: '550 5.7.1 Blocked' })).toBe(true);
      expect(reportsAddressGone({ status, diagnostic: null })).toBe(true);
    },
  );

  it.each([
    ...['4.1.1', '5.0.0', '5.1.5', '5.1.7', '5.1.8', '5.1.9', '5.1.11', '5.2.0', '5.2.2', '5.2.3', '5.2.4'],
    ...['5.3.0', '5.4.1', '5.4.4', '5.5.0', '5.6.0', '5.7.1', '5.7.26', '5.11.1'],
  ])('%s does not', (status) => {
    expect(refusesAddressForGood(550, `550 ${status} No such user`)).toBe(false);
    expect(reportsAddressGone({ status, diagnostic: null })).toBe(false);
    if (status !== '5.0.0')
      expect(reportsAddressGone({ status, diagnostic: '550 5.1.1 No such user' })).toBe(false);
  });

  it('5.2.1 does not, where the words speak of a rate', () => {
    for (const words of ['Mails come at too high a rate', 'Too many mails', 'Zu viele Mails']) {
      expect(refusesAddressForGood(550, `550 5.2.1 ${words}`)).toBe(false);
      expect(reportsAddressGone({ status: '5.2.1', diagnostic: `550 ${words}` })).toBe(false);
    }
  });

  it('is no address of a host, and none is in a link', () => {
    for (const said of ['Ask 5.1.1.10', 'Ask 10.5.1.1', 'See https://us.example/5.1.1'])
      expect(refusesAddressForGood(550, `550 ${said}`)).toBe(false);
  });
});

describe('a report', () => {
  it('tells nothing without a status and a diagnostic', () =>
    expect(reportsAddressGone({ status: null, diagnostic: null })).toBe(false));

  it.each([
    [
      "5.1.0 - Unknown address error 550-'5.1.1 <joe@rcpt.example>... User unknown' (delivery attempts: 0)",
      true,
    ],
    ['host mx.rcpt.example[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command)', true],
    ['host mx.rcpt.example[192.0.2.1] said: 550 5.7.1 User unknown (in reply to RCPT TO command)', false],
    ['unknown user: "joe"', true],
    ['450 User unknown', false],
  ])('whose diagnostic is %j: %s', (diagnostic, isGone) =>
    expect(reportsAddressGone({ status: '5.0.0', diagnostic })).toBe(isGone),
  );
});

describe('a reply to a mail to one recipient', () => {
  it.each([
    ['550 5.1.1 User unknown', true],
    ['550 User unknown', false],
    ['550 5.7.1 User unknown', false],
    ['450 4.1.1 User unknown', false],
  ])('%s tells that the address is gone: %s', (reply, isGone) =>
    expect(refusesOnlyRecipientForGood(code(reply), reply)).toBe(isGone),
  );
});
