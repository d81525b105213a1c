import { isSignedByTwilio } from './twilio-signature.js';

const URL = 'https://mycompany.com/myapp.php?foo=1&bar=2';
const TOKEN = '12345';

/** The parameters of the example in Twilio's documentation, for its two callers. */
const parameters = (caller: string): [string, string][] => [
  ['To', '+18005551212'],
  ['From', caller],
  ['Digits', '1234'],
  ['Caller', caller],
  ['CallSid', 'CA1234567890ABCDE'],
];
const SIGNED = [
  ['+12349013030', '0/KCTR6DLpKmkAf8muzZqo1nDgQ='],
  ['+14158675309', 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
] as const;

describe("Twilio's signature", () => {
  it.each(SIGNED)('is known, as in its documentation, from %s', (caller, signature) => {
    expect(isSignedByTwilio(signature, TOKEN, URL, parameters(caller))).toBe(true);
  });

  it.each(SIGNED)(
    'is known with the standard port in the URL, whoever leaves it out (%s)',
    (caller, signature) => {
      const url = URL.replace('.com/', '.com:443/');
      expect(isSignedByTwilio(signature, TOKEN, url, parameters(caller))).toBe(true);
    },
  );

  it('is that of one token, one URL and all parameters', () => {
    const [caller, signature] = SIGNED[0];
    const told = parameters(caller);
    expect(isSignedByTwilio(signature, '12346', URL, told)).toBe(false);
    expect(isSignedByTwilio(signature, TOKEN, `${URL}3`, told)).toBe(false);
    expect(isSignedByTwilio(signature, TOKEN, URL, told.slice(1))).toBe(false);
    expect(isSignedByTwilio(signature, TOKEN, URL, [...told, ['a', 'b']])).toBe(false);
  });

  it.each([undefined, '', 'x', 'é'.repeat(28), ['0/KCTR6DLpKmkAf8muzZqo1nDgQ=']])(
    'is not %j',
    (signature) => {
      expect(isSignedByTwilio(signature, TOKEN, URL, parameters('+12349013030'))).toBe(false);
    },
  );
});
