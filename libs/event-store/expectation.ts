import type { Context } from '#kernel/context.js';
import type { Versioned } from './change.js';

/** The record is not at a version that the caller has seen. */
export class VersionMismatch extends Error {}

/** Throws `VersionMismatch` unless the stream is at a version that the context expects. Call it under the stream's lock. */
export function requireExpected(
  { expected }: Pick<Context, 'expected'>,
  { state, version }: Versioned<unknown>,
): void {
  if (expected === undefined) return;
  const met = expected === 'any' ? state !== null : expected.includes(version);
  if (!met) throw new VersionMismatch(state === null ? 'there is none' : `it is at version "${version}" now`);
}

/**
 * Checks the expected version before `decide`, so before any rule. For a missing record `decide` comes first, to throw its
 * own error.
 */
export function decideAsExpected<State, Event>(
  context: Context,
  current: Versioned<State>,
  decide: (current: Versioned<State>) => Event[],
): Event[] {
  if (current.state !== null) requireExpected(context, current);
  const events = decide(current);
  if (current.state === null) requireExpected(context, current);
  return events;
}
