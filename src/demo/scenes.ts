import { onWorkday } from './calendar.js';
import type { PlannedConversation } from './plan-conversations.js';
import type { PlannedContact } from './plan-people.js';

/** A conversation that is the same everywhere, with the reply that waits in it. */
export interface Scene extends PlannedConversation {
  reply: PlannedReply | null;
}

export interface PlannedReply {
  agent: number;
  text: string;
  at: number;
  /** Saved for review, or on its way and stuck. */
  fate: { kind: 'saved' } | { kind: 'failed' | 'uncertain'; error: string };
}

/** A first message that nobody has got yet; with `send_at` it leaves then. */
export interface PlannedFirstMessage {
  contact: number;
  agent: number;
  subject: string;
  text: string;
  at: number;
  send_at: number | null;
}

type Line = [agent: number | null, days: number, hour: number, text: string];

const [ADA, GRACE, TIM] = [0, 2, 4];

/** From abroad, and with deliveries that need somebody. */
export function planScenes(now: number, contacts: PlannedContact[]): Scene[] {
  const scene = (contact: number, subject: string, lines: Line[], reply: PlannedReply | null): Scene => ({
    contact,
    modality: 'email',
    is_form_request: false,
    subject,
    messages: lines.map(([agent, days, hour, content]) => ({
      at: onWorkday(now, days, hour),
      agent,
      content,
    })),
    tag: null,
    status: 'open',
    is_read: true,
    comments: [],
    reply,
  });
  const reply = (agent: number, text: string, fate: PlannedReply['fate'] = { kind: 'saved' }) => ({
    agent,
    text,
    at: onWorkday(now, -1, 16),
    fate,
  });
  const dear = (contact: number, text: string) => `Dear ${contacts[contact]!.name.split(' ')[0]}, ${text}`;
  return [
    scene(0, 'The invoice for the accountant', FOR_THE_ACCOUNTANT, reply(TIM, dear(0, INVOICE_SENT), GONE)),
    scene(3, 'Cold chain certificate', CERTIFICATE, reply(GRACE, dear(3, CERTIFICATE_SENT), LOST)),
    scene(8, 'Stand at the food fair', FAIR, reply(GRACE, dear(8, FAIR_OFFER))),
    scene(contacts.length - 2, 'オリーブオイルの見積もりのお願い', JAPANESE, reply(ADA, JAPANESE_REPLY)),
    scene(contacts.length - 1, 'طلب عينات من الزعفران', ARABIC, null),
  ];
}

/** One is to be looked at before it leaves, the other leaves on the morning of the next working day. */
export const planFirstMessages = (now: number): PlannedFirstMessage[] => [
  {
    contact: 12,
    agent: TIM,
    subject: 'New in our range',
    text: 'we have a smoked chai that would suit your winter menu. May I send you a box to try?',
    at: onWorkday(now, -1, 15),
    send_at: null,
  },
  {
    contact: 21,
    agent: GRACE,
    subject: 'Your order of last spring',
    text: 'you ordered wild rice last spring. Shall we put some aside for you again?',
    at: onWorkday(now, -1, 15.5),
    send_at: onWorkday(now, 1, 9),
  },
];

const GONE = {
  kind: 'failed',
  error: '550 5.1.1 Recipient address rejected: user unknown in virtual mailbox table',
} as const;
const LOST = {
  kind: 'uncertain',
  error: 'the connection ended after the mail was handed over, before the server answered',
} as const;

const FOR_THE_ACCOUNTANT: Line[] = [
  [
    null,
    -2,
    9.3,
    'Hello,\n\nour accountant needs the invoice of last month once more. I am leaving on Friday, please send it this week.\n\nThank you!',
  ],
];
const INVOICE_SENT = 'here is the invoice of last month once more. All the best for what comes next!';

const CERTIFICATE: Line[] = [
  [
    null,
    -3,
    11.2,
    'Hello,\n\nthe inspector asks for the cold chain certificate of the smoked salmon. Do you have one?',
  ],
  [
    GRACE,
    -3,
    11.7,
    'Hello,\n\nwe do. I ask the warehouse for the one of your last delivery.\n\nGrace Hopper',
  ],
  [null, -1, 10.1, 'Hello,\n\nshe comes tomorrow at ten. Could we have it before?'],
];
const CERTIFICATE_SENT =
  'the certificate of the delivery of last week: batch 4471, between 1 and 3 °C all the way.';

const FAIR: Line[] = [
  [
    null,
    -1,
    13.4,
    'Hello,\n\nwe have a stand at the food fair and would like to serve your salmon there, about thirty kilos a day. What can you offer us?',
  ],
];
const FAIR_OFFER =
  'gladly. For ninety kilos over three days I can offer ten per cent off, cooled delivery to the hall included.';

const JAPANESE: Line[] = [
  [
    null,
    -2,
    1.2,
    'お世話になっております。さくら食品の佐藤です。\n\nオリーブオイル5リットル缶を毎月40缶、大阪まで納品いただく場合のお見積もりをお願いできますでしょうか。初回は来月の第一週を希望しております。\n\nどうぞよろしくお願いいたします。\n佐藤 美咲',
  ],
  [
    ADA,
    -2,
    9.1,
    '佐藤様\n\nお問い合わせいただきありがとうございます。毎月40缶でしたら、5パーセントお引きいたします。送料込みの見積書を明日お送りします。\n\nNorthwind Traders\nAda Byron',
  ],
  [
    null,
    -1,
    2.3,
    '早速のご返信ありがとうございます。見積書に消費税の内訳も記載していただけると助かります。\n\n佐藤',
  ],
];
const JAPANESE_REPLY = '佐藤様、かしこまりました。消費税の内訳を記載した見積書を本日中にお送りします。';

const ARABIC: Line[] = [
  [
    null,
    -2,
    8.6,
    'مرحباً،\n\nأنا ليلى حداد من مطاعم النخيل في بيروت. نرغب في تجربة الزعفران قبل أن نطلب كمية أكبر لقائمة الصيف. هل يمكنكم إرسال عينة صغيرة، وكم يستغرق الشحن؟\n\nمع خالص التحية\nليلى حداد',
  ],
  [
    ADA,
    -2,
    9.4,
    'عزيزتي ليلى،\n\nشكراً لرسالتك. نرسل إليك اليوم عينة من خمسة غرامات مجاناً، وتصل عادةً خلال أربعة أيام عمل.\n\nمع أطيب التحيات\nAda Byron',
  ],
  [null, -1, 8.2, 'شكراً جزيلاً. هل يبقى السعر نفسه إذا طلبنا مئتي غرام كل شهر؟\n\nليلى'],
];
