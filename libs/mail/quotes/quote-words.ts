/** How mail programs name the headers of a mail that they quote, in one language. */
export interface HeaderLabels {
  from: string[];
  /** Outlook's word: forms and itineraries do not use it. */
  sent: string[];
  date: string[];
  to: string[];
  subject: string[];
  /** Headers that may stand between the others. */
  other: string[];
}

const COPIES = ['Cc', 'Bcc'];

/** In this order: from, sent, date, to, subject, other. Several words for one header are set apart by `|`. */
const LABELS: Record<string, [string, string, string, string, string, string]> = {
  en: ['From', 'Sent', 'Date', 'To', 'Subject', 'Reply-To|Importance|Attachments|Sensitivity'],
  de: [
    'Von',
    'Gesendet',
    'Datum',
    'An',
    'Betreff',
    'Kopie|Kopie (CC)|Antwort an|Priorität|Wichtigkeit|Anlagen',
  ],
  fr: [
    'De|Expéditeur',
    'Envoyé',
    'Date',
    'À|A|Pour|Destinataire',
    'Objet|Sujet',
    'Cci|Copie à|Importance|Pièces jointes',
  ],
  es: ['De', 'Enviado|Enviado el|Enviada el', 'Fecha', 'Para|A', 'Asunto', 'CCO|Importancia|Datos adjuntos'],
  it: ['Da|Mittente', 'Inviato|Inviata', 'Data', 'A', 'Oggetto', 'Ccn|Priorità|Allegati'],
  pt: [
    'De',
    'Enviado|Enviada|Enviado em|Enviada em',
    'Data',
    'Para',
    'Assunto',
    'Cco|Importância|Prioridade|Anexos',
  ],
  nl: ['Van', 'Verzonden', 'Datum', 'Aan', 'Onderwerp', 'Kopie|Urgentie|Bijlagen'],
  da: ['Fra', 'Sendt', 'Dato', 'Til', 'Emne', 'Kopi|Prioritet|Vedhæftede filer'],
  sv: ['Från', 'Skickat', 'Datum', 'Till', 'Ämne', 'Kopia|Hemlig kopia|Prioritet|Bifogade filer'],
  no: ['Fra', 'Sendt', 'Dato', 'Til', 'Emne', 'Kopi|Prioritet|Vedlegg'],
  fi: [
    'Lähettäjä',
    'Lähetetty',
    'Päivämäärä|Päiväys',
    'Vastaanottaja',
    'Aihe',
    'Kopio|Piilokopio|Tärkeys|Liitteet',
  ],
  pl: ['Od|Nadawca', 'Wysłano|Wysłane', 'Data', 'Do|Adresat', 'Temat', 'DW|UDW|Kopia|Ważność|Załączniki'],
  cs: ['Od', 'Odesláno', 'Datum', 'Komu', 'Předmět', 'Kopie|Skrytá kopie|Důležitost|Přílohy'],
  sk: ['Od', 'Odoslané', 'Dátum', 'Komu|Pre', 'Predmet', 'Kópia|Skrytá kópia|Dôležitosť|Prílohy'],
  hu: [
    'Feladó',
    'Elküldve|Küldve|Küldés időpontja',
    'Dátum',
    'Címzett',
    'Tárgy',
    'Másolatot kap|Másolat|Titkos másolat|Fontosság|Mellékletek',
  ],
  ro: [
    'De la|Expeditor|Expeditorul',
    'Trimis|Expediat',
    'Data|Dată',
    'Către|Destinatarul',
    'Subiect|Subiectul',
    'Importanță|Atașări',
  ],
  tr: [
    'Kimden|Gönderen',
    'Gönderildi|Gönderme Tarihi|Gönderilme Tarihi',
    'Tarih',
    'Kime|Alıcı',
    'Konu',
    'Bilgi|Gizli|Önem|Ekler',
  ],
  el: [
    'Από',
    'Στάλθηκε|Απεστάλη|Αποστολή',
    'Ημερομηνία',
    'Προς',
    'Θέμα',
    'Κοιν.|Κοινοποίηση|Κρυφή κοιν.|Συνημμένα',
  ],
  ru: ['От|От кого|Отправитель', 'Отправлено|Послано', 'Дата', 'Кому', 'Тема', 'Копия|Важность|Вложения'],
  uk: [
    'Від|Від кого|Відправник',
    'Надіслано|Відправлено',
    'Дата',
    'Кому',
    'Тема',
    'Копія|Важливість|Вкладення',
  ],
  bg: ['От', 'Изпратено', 'Дата', 'До', 'Относно|Тема', 'Копие'],
  hr: ['Šalje|Od', 'Poslano', 'Datum', 'Prima|Za', 'Predmet|Naslov', 'Kopija'],
  sl: ['Od', 'Poslano', 'Datum', 'Za', 'Zadeva', 'Kp|Kopija'],
  et: ['Saatja', 'Saadetud', 'Kuupäev', 'Adressaat|Saaja', 'Teema', 'Koopia'],
  lv: ['No', 'Nosūtīts', 'Datums', 'Kam', 'Tēma', 'Kopija'],
  lt: ['Nuo', 'Išsiųsta', 'Data', 'Kam', 'Tema', 'Kopija'],
  ca: ['De', 'Enviat', 'Data', 'Per a|A', 'Assumpte|Tema', 'A/c'],
  ja: ['差出人|送信者|送信元', '送信日時|送信', '日付|日時', '宛先|送信先', '件名', '重要度|添付ファイル'],
  ko: [
    '보낸 사람|보낸사람',
    '보낸 날짜|보냄|보낸 시간|보낸날짜',
    '날짜',
    '받는 사람|받는사람',
    '제목',
    '참조|숨은 참조|첨부 파일',
  ],
  'zh-Hans': ['发件人', '发送时间|发送日期|已发送', '日期|时间', '收件人', '主题', '抄送|密送|重要性|附件'],
  'zh-Hant': [
    '寄件者|寄件人',
    '寄件日期|傳送時間|傳送日期|已傳送|寄件時間',
    '日期',
    '收件者|收件人',
    '主旨',
    '副本|密件副本|重要性|附件',
  ],
  he: ['מאת', 'נשלח', 'תאריך', 'אל', 'נושא', 'עותק'],
  ar: ['من', 'إرسال|تم الإرسال|أُرسلت|المرسلة', 'التاريخ', 'إلى', 'الموضوع', 'نسخة'],
  vi: ['Từ', 'Đã gửi', 'Ngày', 'Đến|Tới', 'Chủ đề', 'Đồng gửi'],
  th: ['จาก', 'ส่ง|ส่งแล้ว', 'วันที่', 'ถึง', 'เรื่อง|ชื่อเรื่อง', 'สำเนาถึง'],
};

const words = (text: string): string[] => text.split('|').map((word) => word.toLowerCase());

export const HEADER_LABELS: HeaderLabels[] = Object.values(LABELS).map(
  ([from, sent, date, to, subject, other]) => ({
    from: words(from),
    sent: words(sent),
    date: words(date),
    to: words(to),
    subject: words(subject),
    other: [...words(other), ...COPIES.map((copy) => copy.toLowerCase())],
  }),
);

/** What stands between dashes above a mail that is quoted or forwarded. */
export const TITLES = [
  'Original|Original Message|Original Mail|Replied Message|Original E-Mail|Forwarded Message|Forwarded Mail|Reply Message',
  'Ursprüngliche Nachricht|Original-Nachricht|Originalnachricht|Weitergeleitete Nachricht',
  "Message d'origine|Message original|Message initial|Message transféré|Message transmis",
  'Mensaje original|Mensaje reenviado',
  'Messaggio originale|Messaggio inoltrato',
  'Mensagem original|Mensagem encaminhada|Mensagem reencaminhada',
  'Oorspronkelijk bericht|Doorgestuurd bericht',
  'Oprindelig meddelelse|Oprindelig besked|Original meddelelse|Videresendt meddelelse|Videresendt besked',
  'Ursprungligt meddelande|Originalmeddelande|Vidarebefordrat meddelande',
  'Opprinnelig melding|Videresendt melding',
  'Alkuperäinen viesti|Edelleenlähetetty viesti|Välitetty viesti',
  'Wiadomość oryginalna|Oryginalna wiadomość|Przekazana wiadomość|Wiadomość przekazana',
  'Původní zpráva|Přeposlaná zpráva',
  'Pôvodná správa|Preposlaná správa',
  'Eredeti üzenet|Továbbított üzenet',
  'Mesaj original|Mesajul original|Mesaj redirecționat',
  'Orijinal Mesaj|Orijinal İleti|Özgün İleti|İletilen Mesaj|İletilmiş Mesaj',
  'Αρχικό μήνυμα|Προωθημένο μήνυμα',
  'Исходное сообщение|Оригинальное сообщение|Пересылаемое сообщение|Перенаправленное сообщение',
  'Оригінальне повідомлення|Вихідне повідомлення|Переслане повідомлення|Перенаправлене повідомлення',
  'Оригинално съобщение|Оригинално писмо',
  'Izvorna poruka|Proslijeđena poruka|Izvirno sporočilo|Posredovano sporočilo',
  'Missatge original|Missatge reenviat',
  '元のメッセージ|転送メッセージ|転送されたメッセージ',
  '원본 메시지|원본 메세지|전달된 메시지',
  '原始邮件|原邮件|转发邮件|转发的邮件|邮件原件',
  '原始郵件|原始訊息|轉寄的郵件|轉寄郵件|轉寄訊息',
].flatMap(words);

/** What Apple Mail puts above a forwarded mail, without its colon. */
export const BEGINNINGS = [
  'Begin forwarded message|Anfang der weitergeleiteten Nachricht|Anfang der weitergeleiteten E-Mail',
  'Début du message réexpédié|Début du message transféré|Inicio del mensaje reenviado',
  'Inizio messaggio inoltrato|Início da mensagem reencaminhada|Início da mensagem encaminhada',
  'Begin doorgestuurd bericht|Start på videresendt besked|Vidarebefordrat mejl|Videresendt melding',
  'Välitetty viesti alkaa|Początek przekazywanej wiadomości|Začátek přeposílané zprávy',
  'Začiatok preposlanej správy|Továbbított levél kezdete|Începe mesajul redirecționat|İleti başlangıcı',
  'Начало переадресованного сообщения|Початок листа, що пересилається|転送されたメッセージ',
].flatMap(words);

/** The verb of "… wrote:", as mail programs put it before or after the name. */
const VERBS = [
  'wrote|writes|schrieb|a écrit|a ecrit|escribió|ha scritto|escreveu|schreef|geschreven|skrev|kirjoitti',
  'napisał|napisała|napisał\\(a\\)|pisze|napsal|napsala|napsal\\(a\\)|napísal|napísala|napísal\\(a\\)|írta',
  'a scris|yazdı|έγραψε|написал|написала|написал\\(а\\)|пишет|пише|написав|написала|написа',
  'je napisao|je napisala|piše|je napisal|kirjutas|rašė|rakstīja|va escriure|đã viết|כתב|כתבה|كتب',
].join('|');

/** The same in languages that set no words apart. */
const UNSPACED_VERBS = '写道|寫道|写到|のメッセージ|書きました|작성|เขียนว่า';

/** As a pattern without regard to case. */
export const WROTE = `(?:(?<!\\p{L})(?:${VERBS})(?!\\p{L})|${UNSPACED_VERBS})`;

/** The word before the date with which an introduction begins; a pattern without regard to case. */
export const ON =
  '(?:on|am|le|el|il|il giorno|in data|em|no dia|op|den|d\\.|w dniu|dnia|dne|dňa|στις|la|pe|în data de|в|vào)';
