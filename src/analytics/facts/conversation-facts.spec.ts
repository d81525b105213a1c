import { foldMessages, inOrder, type MessageFact } from './conversation-facts.js';

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`;
const message = (second: number, kind: 'in' | 'out' | 'auto', id = `msg_${second}`): MessageFact => ({
  organization_id: 'org_1',
  conversation_id: 'conv_1',
  message_id: id,
  sent_at: at(second),
  message_direction: kind === 'out' ? 'sent' : 'received',
  agent_id: null,
  modality: 'email',
  is_form_request: false,
  is_auto_reply: kind === 'auto',
  arrived_as_copy: false,
  was_overwritten: null,
});
const turnsOf = (...messages: MessageFact[]) =>
  foldMessages(null, inOrder(messages)).turns.map(({ inbound_at, response_at }) => [inbound_at, response_at]);

describe('a turn', () => {
  it('is the first inbound message after the start or a response, to the next response', () => {
    expect(
      turnsOf(
        message(1, 'in'),
        message(2, 'in'),
        message(5, 'out'),
        message(6, 'out'),
        message(7, 'in'),
        message(9, 'out'),
        message(10, 'in'),
      ),
    ).toEqual([
      [at(1), at(5)],
      [at(7), at(9)],
    ]);
  });

  it('is not answered by what was sent before any inbound message', () => {
    const { facts, roles, turns } = foldMessages(null, [message(1, 'out'), message(2, 'in')]);
    expect([facts.first_response_at, turns, facts.turn_at]).toEqual([null, [], at(2)]);
    expect(roles.map(({ is_response }) => is_response)).toEqual([false, false]);
  });

  it('is not opened by an auto-reply, which can be the first inbound message all the same', () => {
    const { facts, roles } = foldMessages(null, [message(1, 'auto'), message(2, 'out'), message(3, 'auto')]);
    expect(facts).toMatchObject({
      first_inbound_at: at(1),
      first_response_at: at(2),
      contact_returned: false,
    });
    expect(roles.map(({ is_response }) => is_response)).toEqual([false, true, false]);
    expect(turnsOf(message(1, 'auto'), message(2, 'in'), message(3, 'out'))).toEqual([[at(2), at(3)]]);
  });

  it('orders equal instants by id', () => {
    expect(turnsOf(message(1, 'out', 'msg_a'), message(1, 'in', 'msg_b'))).toEqual([]);
    expect(turnsOf(message(1, 'out', 'msg_b'), message(1, 'in', 'msg_a'))).toEqual([[at(1), at(1)]]);
  });

  it('goes on where earlier messages ended', () => {
    const all = [message(1, 'in'), message(2, 'out'), message(3, 'in'), message(4, 'out'), message(5, 'out')];
    const whole = foldMessages(null, all);
    for (let cut = 1; cut < all.length; cut++) {
      const first = foldMessages(null, all.slice(0, cut));
      const rest = foldMessages(first.facts, all.slice(cut));
      expect(rest.facts).toEqual(whole.facts);
      expect([...first.turns, ...rest.turns]).toEqual(whole.turns);
      expect([...first.roles, ...rest.roles]).toEqual(whole.roles);
    }
  });
});
