/** What people write about one thing. `{product}`, `{name}` (the contact) and `{us}` (the agent) are filled in. */
export interface Topic {
  subject: string;
  /** Name of the tag that such conversations get. */
  tag?: string;
  /** How often it comes up beside the others. */
  weight: number;
  questions: string[];
  answers: string[];
  /** What the contact asks next. */
  further: string[];
  /** What ends it. */
  endings: string[];
}

const SOON = ['Could you let me know by tomorrow?', 'No hurry, this week is fine.', 'When would that be?'];
const DONE = ['Done. Do write if anything else comes up.', 'Gladly. It is on its way.', 'Noted, thank you.'];

export const TOPICS: Topic[] = [
  {
    subject: 'When does our order arrive?',
    tag: 'Delivery',
    weight: 5,
    questions: [
      'We were told Wednesday for the {product}, and nothing has come yet. We open at noon. Where is it?',
      'Could you tell me when the {product} arrives? I have to plan who is in on the day.',
      'The tracking page has not moved since Monday. Is our order still coming this week?',
    ],
    answers: [
      'It left our warehouse this morning and should be with you before eleven tomorrow.',
      'I am sorry, the van was full yesterday. Yours is the first stop tomorrow, before nine.',
      'I have asked the driver: between one and three this afternoon.',
    ],
    further: ['Thanks. Can the driver ring the kitchen door? The front is closed in the mornings.', ...SOON],
    endings: ['I have told the driver.', ...DONE],
  },
  {
    subject: 'Prices for the season',
    tag: 'Prices',
    weight: 4,
    questions: [
      'Could you send us your prices for the coming season? We mainly need {product}.',
      'What would a hundred boxes cost us, delivered every month? The product is {product}.',
      'Your competitor offers {product} for eight per cent less. Can you do something about the price?',
    ],
    answers: [
      'You find our list below. From fifty boxes on we take five per cent off.',
      'For a standing order I can hold the price for twelve months. Shall I write that up as a quote?',
      'I cannot go that low, but cooled delivery would be free from four pallets on.',
    ],
    further: ['That sounds fair. Could we have it as a quote, to show to our accountant?', ...SOON],
    endings: ['The quote is in your inbox.', ...DONE],
  },
  {
    subject: 'Samples',
    weight: 3,
    questions: [
      'May we have a sample of {product} before we order?',
      'Our chef would like to taste {product}. Do you send samples, and what do they cost?',
    ],
    answers: [
      'Of course, and they cost nothing. I need an address where somebody is in before noon.',
      'A box of samples leaves today. The small labels say what is what.',
    ],
    further: ['The chef liked it. How much would we have to take?', ...SOON],
    endings: DONE,
  },
  {
    subject: 'Invoice',
    weight: 3,
    questions: [
      'The last invoice names another address than ours. Could you send it again?',
      'We seem to have paid the invoice for {product} twice. Could you check?',
      'Our accountant needs the VAT number on the invoice. Could you add it?',
    ],
    answers: [
      'You are right, and I am sorry. The corrected one is attached, with the same number.',
      'I have checked: it was paid twice. Shall we send it back, or keep it for the next order?',
    ],
    further: ['Please keep it for the next order.', 'Received, but the date is still the old one.'],
    endings: DONE,
  },
  {
    subject: 'Broken on arrival',
    tag: 'Complaint',
    weight: 2,
    questions: [
      'Three jars were broken when the parcel came, everything else is sticky now. What shall we do?',
      'The {product} arrived warm. We cannot use it like this.',
      'Half of the {product} is missing, and the driver had already left.',
    ],
    answers: [
      'I am sorry about that. A replacement leaves today, at no cost. Please keep a photo of the box.',
      'That must not happen. We take it back and send it again in a cooled van tomorrow morning.',
    ],
    further: ['The photo is attached. Who picks up the broken ones?', 'Thank you. And the delivery charge?'],
    endings: ['The driver takes them along, and there is no charge.', ...DONE],
  },
  {
    subject: 'Opening hours',
    weight: 2,
    questions: [
      'Can we pick the goods up on a Saturday?',
      'Are you open on the bank holiday? We would come by for {product}.',
    ],
    answers: [
      'Yes, from eight to noon, at the gate on the left.',
      'We are closed then, but the day before we are here until seven.',
    ],
    further: SOON,
    endings: DONE,
  },
  {
    subject: 'A larger order',
    tag: 'Prices',
    weight: 2,
    questions: [
      'We open a second kitchen in May and would need {product} for both. Whom do I talk to?',
      'For a festival in the summer we need about two pallets of {product}. Is that possible?',
    ],
    answers: [
      'Congratulations! You talk to me. Which quantities do you have in mind, and from when?',
      'It is, if we know six weeks before. I put aside what we have until Friday.',
    ],
    further: ['About forty boxes a week, from the second of May on.', ...SOON],
    endings: ['Then I prepare a quote for both kitchens.', ...DONE],
  },
];

/** What agents write of their own accord. */
export const FIRST_CONTACTS: [subject: string, text: string][] = [
  ['Your order of last spring', 'you ordered {product} last spring. Shall we put some aside for you again?'],
  ['New in our range', 'we have something new that might suit you. May I send you a box to try?'],
  ['Prices change in a month', 'the price of {product} goes up next month. Until then the old one holds.'],
];
