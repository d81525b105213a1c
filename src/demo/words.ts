// Words for names, goods and tasks of the demo organization.

export const FIRST_NAMES = [
  ...['Amara', 'Bruno', 'Chiara', 'Dmitri', 'Elena', 'Farid', 'Greta', 'Hiro', 'Ingrid', 'Jonas'],
  ...['Kaya', 'Liam', 'Maya', 'Noor', 'Oscar', 'Priya', 'Quentin', 'Rosa', 'Sven', 'Tessa'],
];

export const LAST_NAMES = [
  ...['Abbott', 'Bianchi', 'Castro', 'Dupont', 'Eriksen', 'Fischer', 'Garcia', 'Hughes', 'Ito', 'Jansen'],
  ...['Keller', 'Lindqvist', 'Moreau', 'Novak', 'Okafor', 'Petrov', 'Quinn', 'Rossi', 'Silva', 'Tanaka'],
];

export const TRADES = ['Foods', 'Imports', 'Kitchens', 'Wholesale', 'Catering', 'Markets'];

export const TOWNS = [
  ...['Alder', 'Birch', 'Cedar', 'Dover', 'Elm', 'Fern', 'Grove', 'Harbour', 'Ivory', 'Juniper'],
];

export const STREETS = ['Harbour Road', 'Mill Lane', 'Station Street', 'Market Square', 'Orchard Way'];

export const CITIES = ['Bristol', 'Leeds', 'Cardiff', 'Glasgow', 'York', 'Norwich'];

export const ROLES = ['Buyer', 'Head of purchasing', 'Chef', 'Owner', 'Store manager', 'Accountant'];

export const PRODUCTS: [product_name: string, unit_price: string][] = [
  ['Chai, 10 boxes', '18.00'],
  ['Aniseed syrup, 12 bottles', '10.00'],
  ['Cajun seasoning, 48 jars', '22.00'],
  ['Cranberry sauce, 12 jars', '40.00'],
  ['Smoked salmon, 6 kg', '97.50'],
  ['Olive oil, 5 litres', '31.23'],
  ['Wild rice, 25 kg', '64.8'],
  ['Saffron, by the gram', '7.4525'],
  ['Delivery, cooled', '120'],
];

export const ERRANDS = [
  'Call about the delivery',
  'Send samples',
  'Ask for the order',
  'Check the invoice',
  'Plan a visit',
];

export const QUESTIONS: [subject: string, question: string][] = [
  ['Delivery', 'When will our order arrive? We open on Thursday.'],
  ['Prices', 'Could you send us your prices for the coming season?'],
  ['Samples', 'May we have a sample of the olive oil before we order?'],
  ['Invoice', 'The last invoice names another address than ours. Could you send it again?'],
  ['Opening hours', 'Can we pick the goods up on a Saturday?'],
  ['Broken jars', 'Three jars were broken when the parcel came. What shall we do?'],
  ['A larger order', 'What would a hundred boxes cost, delivered every month?'],
];

export const ANSWERS = [
  'Thank you for writing. We have looked into it and will call you today.',
  'Of course. It leaves our warehouse tomorrow morning.',
  'Yes, that is possible. You find our offer below.',
  'We are sorry about that. We send a replacement at no cost.',
  'Gladly. Which quantity do you have in mind?',
];
