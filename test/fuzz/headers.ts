import fc from 'fast-check';

/** Values of headers that no client should send, and some that it may. */
export const HEADERS: Record<string, fc.Arbitrary<string>> = {
  'idempotency-key': fc.constantFrom('a', 'b', '', 'x'.repeat(255), 'x'.repeat(256), 'a b', 'é'),
  'if-match': fc.constantFrom('"1"', '"999"', '*', 'W/"1"', '1', '"1", "2"', '', '"-1"', '"1e400"', ','),
  'if-none-match': fc.constantFrom('"1"', '*', 'W/"1"', '', 'x'.repeat(1_000)),
  'x-request-id': fc.constantFrom('a', '', 'x'.repeat(201), 'é', 'a b'),
  traceparent: fc.constantFrom(
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    '00-00000000000000000000000000000000-0000000000000000-00',
    'x',
    'ff-',
  ),
  accept: fc.constantFrom('text/html', 'x', ''),
};

/** Keys and signatures instead of the right ones. */
export const KEYS: Record<string, fc.Arbitrary<string>> = {
  'x-api-key': fc.constantFrom('', 'parley_x', 'parley_x_y_z', 'é', 'x'.repeat(4_000)),
  'x-admin-key': fc.constantFrom('', 'x', 'é'),
  'x-twilio-signature': fc.constantFrom('', 'x', 'AAAA', 'é'),
};
