import type { Decider, DomainEvent } from '#kernel/decider.js';
import { RuleViolation } from '#kernel/decider.js';

/** Given these events, when this command is decided on, then these events follow or this rule refuses. */
export function given<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  events: Event[],
) {
  const state = events.reduce<State | null>((before, event) => decider.evolve(before, event), null);
  return {
    state,
    when(command: Command) {
      return {
        then(...expected: Event[]): void {
          expect(decider.decide(state, command)).toEqual(expected);
        },
        thenThrows(code: string): void {
          let thrown: unknown;
          try {
            decider.decide(state, command);
          } catch (error) {
            thrown = error;
          }
          expect(thrown).toBeInstanceOf(RuleViolation);
          expect((thrown as RuleViolation).code).toBe(code);
        },
        thenState(): State | null {
          return decider
            .decide(state, command)
            .reduce<State | null>((before, event) => decider.evolve(before, event), state);
        },
      };
    },
  };
}
