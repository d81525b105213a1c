/** A business fact in past tense; `data` speaks the contract's field names. */
export interface DomainEvent {
  type: string;
  data: object;
}

/**
 * The rules of one aggregate as pure functions (the decider pattern).
 * `decide` takes the state and a command and gives the events that follow, or throws a `RuleViolation`;
 * `evolve` gives the state after an event and holds no rules. A state of null does not exist (yet, or any more).
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  decide: (state: State | null, command: Command) => Event[];
  evolve: (state: State | null, event: Event) => State | null;
}

/** A command that the rules refuse. `code` is the stable word of the contract, `message` the sentence a person can act on. */
export class RuleViolation extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

/**
 * The error for a body's field that names a record which the organization does not have, whether or not another
 * organization has it.
 */
export const unknownId = (field: string, what: string, id: string): RuleViolation =>
  new RuleViolation('validation_failed', `there is no ${what} ${id} in this organization`, field);
