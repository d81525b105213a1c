import { authenticationBy, authenticationResults } from './mail-authentication.js';

const NOTHING = { spf: null, dkim: null, dmarc: null };

describe('what our own receiving server found out about a sender', () => {
  it.each([
    [
      'mx.acme.example; spf=pass smtp.mailfrom=buyer.example; dkim=fail header.d=x.example; dmarc=none',
      { spf: 'pass', dkim: 'fail', dmarc: 'none' },
    ],
    [
      'MX.Acme.example 1;\r\n\tspf = SoftFail (not (quite) it);\r\n dmarc/1=Pass',
      { ...NOTHING, spf: 'softfail', dmarc: 'pass' },
    ],
    [
      'mx.acme.example; dkim=fail header.d=a.example; dkim=pass header.d=b.example',
      { ...NOTHING, dkim: 'pass' },
    ],
    ['mx.acme.example; spf=fail reason="said; spf=pass; dkim=pass"', { ...NOTHING, spf: 'fail' }],
    ['mx.acme.example; spf=fail (; dkim=pass)', { ...NOTHING, spf: 'fail' }],
    ['mx.acme.example; none', NOTHING],
    ['mx.acme.example', NOTHING],
    ['mx.evil.example; spf=pass', NOTHING],
    ['mx.acme.example.evil.example; spf=pass', NOTHING],
    ['', NOTHING],
  ])('is read from %j', (result, expected) =>
    expect(authenticationBy('mx.acme.example', [result])).toEqual(expected),
  );

  it('is taken from the topmost results in its name', () => {
    const lines = [
      'mx.other.example; spf=none',
      'mx.acme.example; spf=fail',
      'mx.acme.example; spf=pass; dmarc=pass',
    ];
    const results = authenticationResults([
      { key: 'received', line: 'Received: x' },
      ...lines.map((line) => ({ key: 'authentication-results', line: `Authentication-Results: ${line}` })),
    ]);
    expect(authenticationBy('mx.acme.example', results)).toEqual({ ...NOTHING, spf: 'fail' });
  });
});
