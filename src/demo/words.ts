// Names, goods and errands of the demo organization.

/** First and last names that go together. */
export const PEOPLE: { first: string[]; last: string[] }[] = [
  {
    first: ['Amy', 'Daniel', 'Fiona', 'Gareth', 'Harriet', 'Liam', 'Nadine', 'Oliver', 'Rhys', 'Tessa'],
    last: [
      'Abbott',
      'Bennett',
      'Carver',
      'Davies',
      'Hughes',
      'Marsh',
      'Pritchard',
      'Quinn',
      'Walsh',
      'Yates',
    ],
  },
  {
    first: ['Aarav', 'Farah', 'Imran', 'Meera', 'Priya', 'Rohan', 'Sana', 'Vikram'],
    last: ['Ahmed', 'Chaudhry', 'Desai', 'Iyer', 'Kapoor', 'Malik', 'Patel', 'Rao'],
  },
  {
    first: ['Chiara', 'Giulia', 'Inés', 'Javier', 'Luca', 'Marta', 'Paolo', 'Sofía'],
    last: ['Bianchi', 'Conti', 'Ferrari', 'García', 'López', 'Moretti', 'Núñez', 'Rossi'],
  },
  {
    first: ['Agnieszka', 'Jürgen', 'Kamil', 'Lena', 'Matthias', 'Ewa', 'Søren', 'Tomasz'],
    last: ['Fischer', 'Jansen', 'Kowalski', 'Lindqvist', 'Nowak', 'Schäfer', 'Sørensen', 'Zieliński'],
  },
  {
    first: ['Adaeze', 'Chinedu', 'Femi', 'Kwame', 'Ngozi', 'Yaa'],
    last: ['Adeyemi', 'Boateng', 'Mensah', 'Nwosu', 'Okafor', 'Owusu'],
  },
];

export const TOWNS = [
  ...['Alderley', 'Birchwood', 'Cedar Lane', 'Dovecote', 'Elm Street', 'Fernhill', 'Grove', 'Harbourside'],
  ...['Ivy House', 'Juniper'],
];

export const TRADES = ['Deli', 'Foods', 'Kitchens', 'Wholesale', 'Catering', 'Market'];

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

export const SALES = [
  ...['Spring menu', 'Weekly delivery', 'Christmas hampers', 'Opening order', 'Second kitchen'],
  ...['Smoked salmon, yearly contract', 'New spice range', 'House tea', 'Canteen supply', 'Summer festival'],
  ...['Wholesale terms', 'Trial order', 'Olive oil, monthly', 'Tasting weekend', 'Winter warehouse'],
  ...['Easter hampers', 'Breakfast buffet', 'Wedding season', 'Saffron, by the quarter', 'School kitchens'],
  ...['New branch in York', 'Rice for the year', 'Farm shop range', 'Harvest dinner', 'Gift boxes'],
];

/** What is to be done about a contact, a company or a sale: `{name}` is what it is called. */
export const ERRANDS = {
  contact: ['Call {name} back', 'Send samples to {name}', 'Ask {name} how the delivery went'],
  company: ['Check the invoices of {name}', 'Plan a visit to {name}', 'Renew the terms of {name}'],
  sale: ['Prepare the quote: {name}', 'Ask for the order: {name}', 'Confirm the dates: {name}'],
};

export const NOTES = [
  'Best before ten, they are in the kitchen afterwards.',
  'They asked for the large boxes. Check the stock first.',
  'Last time they ordered in the spring.',
];

export const COMMENTS = [
  'They ordered twice as much last year. Worth a call.',
  'The warehouse says it can leave on Thursday.',
  'I promised an answer by Friday, could you look at the prices?',
  'Same question as in March; the address in our records was the old one.',
  'Careful, they were unhappy with the last delivery.',
];
