import { messageOfForm } from './form.js';

const who = (form: Record<string, unknown>) => {
  const { party, content } = messageOfForm(form);
  const { name, email, phone_number } = party as Record<string, string>;
  return { name, email, phone_number, content };
};

const ANN = { name: 'Ann Lee', email: 'ann@buyer.example', phone_number: '', content: 'Blue?' };

/** What page builders post, each as its own documentation or posts of it show. */
const BUILDERS: [string, Record<string, unknown>][] = [
  [
    'Elementor',
    {
      'form[id]': '7c2',
      'form[name]': 'New Form',
      'fields[name][id]': 'name',
      'fields[name][type]': 'text',
      'fields[name][title]': 'Name',
      'fields[name][value]': 'Ann Lee',
      'fields[name][raw_value]': 'Ann Lee',
      'fields[email][id]': 'email',
      'fields[email][type]': 'email',
      'fields[email][title]': '',
      'fields[email][value]': 'ann@buyer.example',
      'fields[message][value]': 'Blue?',
      'meta[page_url][title]': 'Page URL',
      'meta[page_url][value]': 'https://shop.example/',
    },
  ],
  [
    'Elementor, with ids of its own',
    {
      'form[name]': 'Contact',
      'fields[field_1][title]': 'Full name',
      'fields[field_1][value]': 'Ann Lee',
      'fields[field_2][type]': 'email',
      'fields[field_2][title]': 'Wie erreichen wir Sie?',
      'fields[field_2][value]': 'ann@buyer.example',
      'fields[field_3][type]': 'textarea',
      'fields[field_3][title]': 'Ihr Anliegen',
      'fields[field_3][value]': 'Blue?',
    },
  ],
  [
    'Elementor, simple',
    {
      'No Label name': 'Ann Lee',
      'No Label email': 'ann@buyer.example',
      'No Label message': 'Blue?',
      form_name: 'New Form',
    },
  ],
  [
    'Webflow',
    {
      name: 'Contact form',
      site: '65a',
      data: { Name: 'Ann Lee', Email: 'ann@buyer.example', Message: 'Blue?' },
    },
  ],
  [
    'Webflow, second version',
    {
      triggerType: 'form_submission',
      payload: {
        name: 'Contact form',
        siteId: '65a',
        data: { 'First Name': 'Ann', 'Last Name': 'Lee', 'Email 2': 'ann@buyer.example', Message: 'Blue?' },
        schema: [{ fieldName: 'First Name', fieldType: 'FormTextInput' }],
      },
    },
  ],
  [
    'Webflow, form-encoded',
    {
      name: 'Contact form',
      'data[Name]': 'Ann Lee',
      'data[Email]': 'ann@buyer.example',
      'data[Message]': 'Blue?',
    },
  ],
  [
    'Typeform',
    {
      event_type: 'form_response',
      form_response: {
        form_id: 'lT4Z3j',
        definition: {
          title: 'Contact us',
          fields: [
            { id: 'a1', title: 'What is your name?', type: 'short_text', ref: 'r1' },
            { id: 'a2', title: 'Where can we write to?', type: 'email', ref: 'r2' },
            { id: 'a3', title: 'How can we help?', type: 'long_text', ref: 'r3' },
          ],
        },
        answers: [
          { type: 'text', text: 'Ann Lee', field: { id: 'a1', type: 'short_text', ref: 'r1' } },
          { type: 'email', email: 'ann@buyer.example', field: { id: 'a2', type: 'email', ref: 'r2' } },
          { type: 'text', text: 'Blue?', field: { id: 'a3', type: 'long_text', ref: 'r3' } },
        ],
      },
    },
  ],
  [
    'Tally',
    {
      eventType: 'FORM_RESPONSE',
      data: {
        responseId: 'x1',
        formName: 'Contact',
        fields: [
          { key: 'question_1', label: 'Name', type: 'INPUT_TEXT', value: 'Ann Lee' },
          { key: 'question_2', label: 'E-mail', type: 'INPUT_EMAIL', value: 'ann@buyer.example' },
          {
            key: 'question_3',
            label: 'Colour',
            type: 'DROPDOWN',
            value: ['o1'],
            options: [{ id: 'o1', text: 'Blue' }],
          },
          { key: 'question_4', label: 'What can we do?', type: 'TEXTAREA', value: 'Blue?' },
        ],
      },
    },
  ],
  [
    'Jotform',
    {
      formTitle: 'Contact Us',
      submissionID: '5551',
      rawRequest: JSON.stringify({
        q3_name: { first: 'Ann', last: 'Lee' },
        q4_email: 'ann@buyer.example',
        q5_message: 'Blue?',
      }),
    },
  ],
  [
    'Jotform, form-encoded',
    {
      'q3_yourName[first]': 'Ann',
      'q3_yourName[last]': 'Lee',
      q4_emailAddress: 'ann@buyer.example',
      q5_message: 'Blue?',
    },
  ],
  [
    'Jotform, its API',
    {
      answers: {
        3: {
          name: 'name',
          text: 'Full Name',
          type: 'control_fullname',
          answer: { first: 'Ann', last: 'Lee' },
        },
        4: { name: 'typeA4', text: 'Reply to', type: 'control_email', answer: 'ann@buyer.example' },
        5: { name: 'typeA5', text: 'Your request', type: 'control_textarea', answer: 'Blue?' },
      },
    },
  ],
  [
    'WPForms',
    {
      form_title: 'Simple Contact Form',
      fields: {
        0: { name: 'Name', value: 'Ann Lee', id: 0, type: 'name', first: 'Ann', last: 'Lee' },
        1: { name: 'Email', value: 'ann@buyer.example', id: 1, type: 'email' },
        2: { name: 'Comment or Message', value: 'Blue?', id: 2, type: 'textarea' },
      },
    },
  ],
  [
    'Contact Form 7',
    {
      _wpcf7: '12',
      'your-name': 'Ann Lee',
      'your-email': 'ann@buyer.example',
      'your-subject': 'Chairs',
      'your-message': 'Blue?',
    },
  ],
  [
    'HubSpot',
    {
      fields: [
        { objectTypeId: '0-1', name: 'firstname', value: 'Ann' },
        { objectTypeId: '0-1', name: 'lastname', value: 'Lee' },
        { objectTypeId: '0-1', name: 'email', value: 'ann@buyer.example' },
        { objectTypeId: '0-1', name: 'message', value: 'Blue?' },
      ],
      context: { pageName: 'Contact', pageUri: 'https://shop.example/' },
    },
  ],
  [
    'HubSpot, a contact',
    {
      vid: 7,
      properties: {
        firstname: { value: 'Ann', versions: [{ value: 'Anna' }] },
        lastname: { value: 'Lee' },
        email: { value: 'ann@buyer.example' },
        message: { value: 'Blue?' },
      },
    },
  ],
  [
    'Google Forms',
    {
      range: { rowStart: 2 },
      namedValues: {
        Timestamp: ['1/2/2026 3:04:05'],
        'Email Address': ['ann@buyer.example'],
        'Your name': ['Ann Lee'],
        Question: ['Blue?'],
      },
    },
  ],
  [
    'Google Forms, its answers one by one',
    {
      responses: [
        { item: { title: 'Name' }, response: 'Ann Lee' },
        { item: { title: 'Email' }, response: 'ann@buyer.example' },
        { item: { title: 'Comments' }, response: 'Blue?' },
      ],
    },
  ],
  ['Squarespace', { 'First Name': 'Ann', 'Last Name': 'Lee', Email: 'ann@buyer.example', Message: 'Blue?' }],
  [
    'Wix',
    {
      data: {
        formName: 'Contact',
        'field:email_ab12': 'ann@buyer.example',
        contact: {
          name: { first: 'Ann', last: 'Lee' },
          email: 'ann@buyer.example',
          contactId: 'c-1',
        },
        submissions: [
          { label: 'First name', value: 'Ann' },
          { label: 'Email', value: 'ann@buyer.example' },
          { label: 'Message', value: 'Blue?' },
        ],
      },
    },
  ],
  [
    'Formspree',
    {
      form: 'xayz',
      submission: { _date: '2026-01-02', name: 'Ann Lee', email: 'ann@buyer.example', message: 'Blue?' },
    },
  ],
  [
    'Netlify',
    {
      form_name: 'contact',
      name: 'Ann Lee',
      email: 'ann@buyer.example',
      data: { name: 'Ann Lee', email: 'ann@buyer.example', message: 'Blue?', ip: '127.0.0.1' },
    },
  ],
];

describe('the sender of a form', () => {
  it.each(BUILDERS)('and the message are found in what %s posts', (_, form) => {
    expect(who(form)).toEqual(ANN);
    expect(messageOfForm(form).form_request_body!['fields']).toEqual(form);
  });

  it('is found by the only address where fields have numbers for names', () => {
    const gravity = {
      id: '17',
      form_id: '3',
      '1.3': 'Ann',
      '1.6': 'Lee',
      2: 'ann@buyer.example',
      3: 'Blue?',
    };
    expect(who(gravity).email).toBe('ann@buyer.example');
    expect(who({ 'wpforms[fields][1]': 'ann@buyer.example' }).email).toBe('ann@buyer.example');
    expect(who({ メールアドレス: 'ann@buyer.example', お名前: 'Ann' }).email).toBe('ann@buyer.example');
    expect(who({ 1: 'ann@buyer.example', 2: 'bob@buyer.example' }).email).toBe('');
  });

  it.each([
    ['Ann <ann@buyer.example>', 'Ann'],
    ['"Lee, Ann" <ann@buyer.example>', 'Lee, Ann'],
    ['<ann@buyer.example>', ''],
    ['mailto:ann@buyer.example', ''],
    [' ann@buyer.example ', ''],
  ])('may give the address as %j', (email, name) => {
    expect(who({ email })).toMatchObject({ email: 'ann@buyer.example', name });
    expect(who({ name: 'Someone', email })).toMatchObject({ email: 'ann@buyer.example', name: 'Someone' });
  });

  it.each([
    [{ 'Work e-mail (required)': 'ann@buyer.example' }],
    [{ eMail: 'ann@buyer.example' }],
    [{ EMAIL: 'ann@buyer.example' }],
    [{ 'Please enter your e-mail address:': 'ann@buyer.example' }],
    [{ user: { email: 'ann@buyer.example' } }],
    [{ 'contact.email': 'ann@buyer.example' }],
    [{ 'contact[email]': 'ann@buyer.example', 'contact[email_opt_in]': 'yes' }],
    [{ admin_email: 'owner@shop.example', 'Email-2': 'ann@buyer.example' }],
    [{ recipient: 'owner@shop.example', reply: 'ann@buyer.example' }],
    [{ "Friend's email": 'bob@buyer.example', 'My email': 'ann@buyer.example' }],
    [{ 'How did you hear of us?': 'Email', email: 'ann@buyer.example' }],
    [{ email: ['ann@buyer.example', 'bob@buyer.example'] }],
    [{ email: 'none', email_address: 'ann@buyer.example' }],
  ])('has the address in %j', (form) => expect(who(form).email).toBe('ann@buyer.example'));

  it.each([
    [{ 'Best phone number to call': '+1 212 555 0101' }],
    [{ phone: { country: 'US', value: '+1 212 555 0101' } }],
    [{ 'q5_phoneNumber[full]': '+1 212 555 0101' }],
    [{ fields: [{ label: 'Call me', type: 'INPUT_PHONE_NUMBER', value: '+1 212 555 0101' }] }],
    [{ fax: '+1 212 555 0199', 'Cell phone': '+1 212 555 0101' }],
  ])('has the number in %j', (form) => expect(who(form).phone_number).toBe('+1 212 555 0101'));

  it.each([
    [{ name: 'Contact form', data: { Email: 'ann@buyer.example' } }],
    [{ name: 'Contact form', fields: { message: 'Blue?' } }],
    [{ name: 'Contact form', data: { size: '43' } }],
    [{ form: { name: 'Contact form', id: '7' }, email: 'ann@buyer.example' }],
    [{ form_name: 'Contact form', formName: 'Contact form', 'form name': 'Contact form' }],
    [{ company_name: 'Acme', product: { name: 'Chair' }, page: { name: 'Contact' } }],
    [{ email: 'ann@buyer.example', items: [{ name: 'Chair', quantity: 1 }] }],
  ])('has no name in %j', (form) => expect(['', 'Unknown sender']).toContain(who(form).name));

  it.each([
    [{ name: 'Ann', details: { email: 'ann@buyer.example' } }],
    [{ name: 'Ann', address: { city: 'Bristol' } }],
    [{ form: { name: 'Ann', email: 'ann@buyer.example' } }],
    [{ name: 'Ann', email: 'ann@buyer.example', data: { size: '43' } }],
    [{ name: 'Contact form', contact: { name: 'Ann', email: 'ann@buyer.example' } }],
    [{ email: 'ann@buyer.example', contact: { name: 'Ann' } }],
    [{ 'What is your name?': 'Ann' }],
    [{ 'contact[name]': 'Ann', 'contact[email]': 'ann@buyer.example' }],
  ])('is named Ann in %j', (form) => expect(who(form).name).toBe('Ann'));
});

describe('a hostile form', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 'ann@buyer.example' : { data: deep(levels - 1) });

  it.each([
    ['nested deep', { a: deep(60) }],
    ['with deep names', { [`a${'[b]'.repeat(100_000)}`]: 'x' }],
    ['with a name of a megabyte', { ['e'.repeat(1_000_000)]: 'ann@buyer.example' }],
    ['with a value of a megabyte', { email: `${'<'.repeat(500_000)}@${'>'.repeat(500_000)}` }],
    [
      'with a list of many',
      { fields: Array.from({ length: 100_000 }, () => ({ name: 'email', value: 'x' })) },
    ],
    ['with a text of deep lists', { rawRequest: `${'['.repeat(500_000)}1${']'.repeat(500_000)}` }],
    ['with names that objects have', { constructor: 'x', 'a[__proto__][b]': 'x', 'toString[value]': 'x' }],
    ['with names that clash', { a: 'x', 'a[b]': 'y', 'a[b][c]': 'z', 'a[]': 'v' }],
    ['with nothing in it', { 'a[]': '', fields: [], data: {}, rawRequest: '{', answers: [null, [], {}] }],
    ['with types that are no words', { fields: [{ type: {}, label: 7, value: { value: { value: null } } }] }],
  ])('%s is taken as it is', (_, form) => {
    const message = messageOfForm(form);
    expect(message.form_request_body!['fields']).toEqual(form);
    expect({}).not.toHaveProperty('b');
  });

  it('brings nothing in that cannot be stored', () => {
    const { name, content } = who({ rawRequest: '{"name":"A\\u0000nn\\ud800","message":"\\u0000Blue?"}' });
    expect([name, content]).toEqual([expect.stringContaining('nn'), expect.stringContaining('Blue?')]);
    for (const text of [name!, content])
      expect([text.includes('\0'), text.isWellFormed()]).toEqual([false, true]);
  });
});
