import { given } from '../../test/support/given.js';
import { type Reason, suppression, type Suppression, type SuppressionEvent } from './suppression.js';

const listed: Suppression = {
  suppression_id: 'supp_1',
  email: 'ann@buyer.example',
  phone_number: null,
  address_key: 'ann@buyer.example',
  reason: 'manual',
  created_at: '2026-01-02T03:04:05.678901Z',
};

const added = (reason: Reason): SuppressionEvent => ({
  type: 'SuppressionAdded',
  data: { ...listed, reason },
});
const bounced: SuppressionEvent = { type: 'SuppressionBounced', data: {} };
const removed: SuppressionEvent = { type: 'SuppressionRemoved', data: {} };

describe('a mail from a suppressed address', () => {
  it('lifts the suppression of one that bounced', () =>
    given(suppression, [added('bounced')])
      .when({ type: 'LiftBounce', listed: 'bounced' })
      .then(removed));

  it.each(['manual', 'unsubscribed', 'complained'] as const)(
    'leaves why it was listed before it bounced: %s',
    (reason) => {
      const lift = given(suppression, [added(reason), bounced]).when({ type: 'LiftBounce', listed: reason });
      lift.then({ type: 'SuppressionBounceLifted', data: { reason } });
      expect(lift.thenState()).toEqual({ ...listed, reason });
    },
  );

  it.each(['manual', 'unsubscribed', 'complained'] as const)('lifts no other: %s', (reason) =>
    given(suppression, [added(reason)])
      .when({ type: 'LiftBounce', listed: reason })
      .then(),
  );

  it('lifts nothing that was taken away meanwhile', () =>
    given(suppression, [added('bounced'), removed])
      .when({ type: 'LiftBounce', listed: 'bounced' })
      .then());
});

describe('a text that asks for texts again', () => {
  it('lifts the suppression that a text or the provider made', () =>
    given(suppression, [added('unsubscribed')])
      .when({ type: 'LiftStop', byHand: false })
      .then(removed));

  it('lifts none that somebody listed', () =>
    given(suppression, [added('unsubscribed')])
      .when({ type: 'LiftStop', byHand: true })
      .then());

  it.each(['manual', 'bounced', 'complained'] as const)('lifts no other: %s', (reason) =>
    given(suppression, [added(reason)])
      .when({ type: 'LiftStop', byHand: false })
      .then(),
  );
});
