// What names, goods and tasks of the demo organization are made of.

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
