// What servers say without a status code, in English and in the languages of large providers. A reply that also speaks of the
// sender, the mail, a policy or this hour says nothing for good of the address: who is not suppressed is refused again, but
// who is suppressed by mistake gets no answer any more.

/**
 * What says that an address is `gone`, and what the `other` reasons are. Accents are left out; where a character may be lost or
 * be written as two, any stand. `WHO`, `QUALIFIED`, `NEAR` and `NEXT` are the parts below.
 */
const LANGUAGES: { gone: (string | RegExp)[]; other: RegExp }[] = [
  {
    gone: [
      /\b(?:no such|unknown|invalid|bad|incorrect|non-?existent|inactive|disabled|deactivated|suspended|(?:no|not an?) (?:known|valid|active|existing|matching)) QUALIFIED WHO/,
      /@[ :,-]*(?:is |was |has been )?(?:not found|unknown|not known|do(?:es)?(?: not|n.?t) exist|no longer exists|not (?:an? )?valid|invalid|disabled|deactivated|inactive)\b(?! (?:error|reason|host|client|command))/,
      /\b(?:no (?:user|person|one|account|mail ?box)|nobody)\b(?:.{0,20}\b(?:by (?:that|this) name|with (?:that|this)|at this|here|found)\b|[ .!]*$)/,
      /\bWHO\bNEAR\b(?:not (?:be )?found|un(?:known|registered)|non-?existent|no longer|not listed in)\b(?! (?:error|reason|host|client|command))/,
      /\bWHO\bNEAR(?:\bdo(?:es)?(?: not|n.?t)|n'?t|\bnot) (?:exist|have an?\b.{0,40}\baccount\b)/,
      /\bWHO\bNEAR\bnot (?:an? )?(?:known|valid|active|registered|recogni[sz]ed|present|defined|activated)\b/,
      /\bWHO\bNEXT\b(?:invalid|disabled|deactivated|inactive|suspended|discontinued|terminated|cancell?ed|retired|deleted|expired|closed)\b/,
      // RFC 5321 allows it for a policy, too, of which servers then speak; GMX, web.de and Hotmail say it of unknown users.
      /\b(?:mail ?box|account) (?:is )?(?:unavailable|not available)\b/,
      'not our customer',
      /\bunroute?able address\b/,
    ],
    other: new RegExp(
      [
        String.raw`\bsender|\b(?:mail|messages?|sent|connections?) from\b|\bfrom (?:your|this|address|ip|host|server|domain)\b|return[- ]path`,
        String.raw`\b(?:your|client|sending|remote) (?:mail ?)?(?:host|server|domain|ip|network)|your (?:e-?mail )?(?:address(?! book)|account|mailbox|user)|(?:smtp|sending) account|outgoing|outbound|\b(?:helo|ehlo|ptr|rdns|dns|dnsbl|rbl|ip|ips|tls|starttls|spf|dkim|dmarc|arc)\b|reverse`,
        String.raw`\brelay(?!\w* recipient)|authenti|\bauth\b|authori|log ?in\b|password|credential|permi|allowed|denied|forbidden|prohibit|restrict`,
        String.raw`spam|\bbulk\b|unsolicited|black|block|gr[ae]y ?list|banned|(?<!not )\blisted\b|reputation|polic|abus|attack|phish|virus|malware|malicious|suspicious|content|filter|complain`,
        String.raw`\brates?\b|too (?:many|much|fast|quick|often|large|big)|excessive|throttl|limit|exceed|quota|\bfull\b|storage|\bspace\b|\bsize\b|insufficient`,
        String.raw`temporar|again later|try later|\bbusy\b|currently (?:unavailable|not available)`,
      ].join('|'),
    ),
  },
  {
    gone: [
      /\b(?:empf.{1,2}nger|adressat|benutzer|nutzer|teilnehmer|adresse|postfach|konto|mailbox)\w*\bNEAR\b(?:unbekannt|nicht (?:bekannt|gefunden|vorhanden|existent|mehr)|existier\w* nicht|nicht existier\w*|ung.{1,2}ltig|deaktiviert|geschlossen|gel.{1,2}scht|gek.{1,2}ndigt|inaktiv|gesperrt|stillgelegt)/,
      /\b(?:unbekannte|ung.{1,2}ltige|kein)\w* (?:\S+ )?(?:empf.{1,2}nger|adress|benutzer|nutzer|postfach|konto)/,
    ],
    other:
      /absender|richtlinie|blockier|sperrliste|schwarze liste|berschritten|\bvoll\b|speicher|zu ?viele|zu gro|authentifizier|anmeld|berechtig|\bvor.{1,2}bergehend|sp.{1,2}ter\b/,
  },
  {
    gone: [
      /\b(?:utilisateur|destinataire|adresse|bo.{1,2}te|compte|abonne)s?\bNEAR\b(?:inconnu|inexistant|invalide|introuvable|n.existe|desactive|ferme|supprime|resilie|suspendu)/,
      /\b(?:aucun|pas d.) ?(?:utilisateur|destinataire|compte|bo.{1,2}te)/,
    ],
    other:
      /expediteur|emetteur|liste noire|politique|authentif|autoris|relais|\bplein|depass|trop de|temporaire|plus tard|bloque|volum/,
  },
  {
    gone: [
      /(?:пользовател|получател|адресат|ящик|адрес|аккаунт|учетн)\S*NEAR(?:не (?:существ|наиден|зарегистр)|неизвест|отключ|удален|деактив|заблокир)/,
      /(?:нет таког|неизвестн|несуществующ|недеиствительн)\S* (?:\S+ )?(?:пользовател|получател|адрес|ящик)/,
      /таког\S* (?:пользовател|получател|адрес|ящик)\S*NEARнет/,
    ],
    other:
      /отправител|спам|черн\S* спис|политик|переполн|квот|превыш|лимит|слишком|авториз|аутентиф|ретранс|позже|временн|репутац|ваш/,
  },
  {
    gone: [
      /(?:用[户戶]|[邮郵信]箱|收[件信]人|[账帐帳][号號户戶]|地址).{0,12}(?:不存在|未找到|找不到|未注册|无效|無效|停用|禁用|注销|冻结)/,
      /(?:[无無]此|没有[此该这]|找不到[此该这]?|不存在的|未知的?|[无無]效的?)(?:用[户戶]|[邮郵信]箱|收[件信]人|[账帐帳][号號户戶]|地址)/,
    ],
    other:
      /[发發寄]件|[发發]信|垃圾|黑名[单單]|策略|[频頻]率|限制|超[过過出]|[已满滿][满滿]|空[间間]|容量|配[额額]|[认認][证證]|授[权權]|中[继繼]|稍[后後]|[暂暫][时時]/,
  },
  {
    gone: [
      /(?:ユーザ|宛先|メールアドレス|メールボックス|アカウント|受信者).{0,15}(?:存在しま|見つかりま|不明|無効)/,
    ],
    other: /送信者|差出人|迷惑|制限|拒否|認証|一時的|容量/,
  },
  {
    gone: [
      /\b(?:usuario|destinatario|buzon|cuenta|direccion|utente|casella|indirizzo|utilizador|conta|caixa|endereco)\bNEAR\b(?:no (?:existe|encontrad)|non (?:esiste|trovat)|nao (?:existe|encontrad)|desconocid|sconosciut|desconhecid|inesistente|inexistente|invalid|non valid|d[ie]s(?:h?abil|attiv|ativ))/,
      /\b(?:gebruiker|adres|ontvanger|postbus)\bNEAR\b(?:onbekend|bestaat niet|niet gevonden|ongeldig)|\bonbekende (?:gebruiker|ontvanger)/,
      /\b(?:uzytkownik|odbiorca|adres|konto|skrzynka)\w*NEAR(?:nie istnieje|nieznan|nie znalezion)|\b(?:nieznany|nie ma takiego|brak takiego) (?:uzytkownik|odbiorc|adres|kont)/,
    ],
    other:
      /remitente|mittente|remetente|afzender|nadawc|lista (?:negra|nera)|zwarte lijst|politic|beleid|autentic|autori[zs]|llen[oa]|pien[oa]\b|chei[oa]|\bcuota|\bcota\b|przepe.ni|temporal|temporane|tijdelijk|tymczas|mas tarde|piu tardi|mais tarde|demasiad|tropp/,
  },
];

const WHO =
  "(?:users?|mail ?box(?:es)?|recipients?|rcpt|account|e?-?mail address|address(?:ee)?|alias|inbox|person|local[- ]part|customer|subscriber)(?:'s)?";
const QUALIFIED =
  '(?:(?:or|and|local|virtual|e-?mail|mail|destination|target|recipient|illegal|unknown|invalid|inactive|user|envelope|rcpt to)[ /]+)*';
/** What may stand between the two within one sentence. */
const WITHIN = String.raw`(?:[^.;!?]|\.(?=\S))`;
/** Of a state that other things may have, too. */
const NEXT = `(?:(?!connection|message|mail |service|session|domain|delivery)${WITHIN}){0,30}`;

const written = (pattern: string | RegExp): RegExp =>
  new RegExp(
    (typeof pattern === 'string' ? pattern : pattern.source)
      .replaceAll('NEAR', `${WITHIN}{0,60}?`)
      .replaceAll('NEXT', NEXT)
      .replaceAll('QUALIFIED ', QUALIFIED)
      .replaceAll('WHO', WHO),
  );

const ALL_GONE = LANGUAGES.flatMap(({ gone }) => gone.map(written));
const ALL_OTHER = LANGUAGES.map(({ other }) => other);

/** Replies are longer only by mistake. */
const LONGEST = 2_000;

/** On one line without links, names of hosts, and addresses (`@`): any word may be in them. */
export const withoutNames = (said: string): string =>
  said
    .slice(0, LONGEST)
    .split(/\s+/)
    .map((word) => (word.includes('@') ? withoutAddress(word) : isName(word) ? '' : word))
    .join(' ');

/** What stands around an address tells where a sentence ends. */
const withoutAddress = (word: string): string => `@${/[.!?:,;]$/.exec(word)?.[0] ?? ''}`;

const isName = (word: string): boolean =>
  word.includes('://') || (/[a-z]/i.test(word) && word.split('.').filter((part) => part !== '').length > 2);

/** As withoutNames, and without accents. */
const plain = (said: string): string =>
  withoutNames(said)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'");

/** Whether a refusal of a recipient says in words that the mailbox or user does not exist, or is disabled. */
export function saysAddressIsGone(said: string): boolean {
  const words = plain(said);
  return ALL_GONE.some((gone) => gone.test(words)) && !speaksOfOther(said);
}

/** Whether a refusal speaks of the sender, the mail, a policy or this hour. */
export function speaksOfOther(said: string): boolean {
  const words = plain(said);
  return ALL_OTHER.some((other) => other.test(words));
}

const RATE =
  /\brates?\b|too (?:many|much|fast|quick|often)|throttl|limit|frequen|per (?:second|minute|hour|day)|zu ?viele|trop de|слишком|лимит|[频頻]率|[过過]多/;

/** Whether a refusal speaks of how many mails come. */
export const speaksOfRate = (said: string): boolean => RATE.test(plain(said));
