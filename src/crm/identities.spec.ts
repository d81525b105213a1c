import { othersOf, reachedByKeys } from './identities.js';

const nobody = { email: '', phone_number: '', phone_key: null };
const mail = (email: string) => ({ ...nobody, email });
const phone = (phone_number: string, phone_key: string | null = null) => ({
  ...nobody,
  phone_number,
  phone_key,
});

describe('what a contact has of those merged into it', () => {
  it.each([
    ['nothing of nobody', nobody, [], [], []],
    ['nothing of who had nothing', nobody, [nobody], [], []],
    [
      'addresses as they were given, the earliest first',
      nobody,
      [mail('B@x.example'), mail('a@x.example')],
      ['B@x.example', 'a@x.example'],
      [],
    ],
    [
      'an address once, however it is spelt',
      nobody,
      [mail('B@x.example'), mail('b@X.example')],
      ['B@x.example'],
      [],
    ],
    ['no address that is its own', mail('b@x.example'), [mail('B@x.example')], [], []],
    [
      'a number once, however it is written',
      nobody,
      [phone('(212) 555', '+1212'), phone('212 555', '+1212')],
      [],
      ['(212) 555'],
    ],
    ['no number that is its own', phone('212', '+1212'), [phone('(212)', '+1212')], [], []],
    [
      'numbers that are of no country, as they are written',
      phone('12345'),
      [phone('12345'), phone('123 45')],
      [],
      ['123 45'],
    ],
  ])('is %s', (_, own, merged, other_emails, other_phone_numbers) =>
    expect(othersOf(own, merged)).toMatchObject({ other_emails, other_phone_numbers }),
  );

  it('has the keys by which it is matched, and those are all that earlier events told', () => {
    const merged_keys = ['email:b@x.example', 'phone:+1212'];
    expect(
      othersOf(nobody, [{ ...mail('B@x.example'), ...{ phone_number: '212', phone_key: '+1212' } }])
        .merged_keys,
    ).toEqual(merged_keys);
    expect(othersOf(nobody, reachedByKeys(merged_keys))).toEqual({
      other_emails: ['b@x.example'],
      other_phone_numbers: ['+1212'],
      merged_keys,
    });
  });
});
