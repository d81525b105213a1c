import type { Deadline } from '#kernel/deadline.js';
import { type Instant, plusSeconds } from '#kernel/instant.js';
import type { Versioned } from '#event-store/change.js';
import type { Draft } from '../draft.js';

/** A draft claimed by this process, at the version the claim left: a process that takes it over raises the version. */
export type Claimed = Versioned<Draft> & { state: Draft; time: ClaimedTime };

/** Deadlines count from before the claim, so that they are over here before they are for any other process. */
export interface ClaimedTime {
  /** Until when the draft may be handed over. */
  attempt: Deadline;
  /** Until when no other process takes it over. */
  lease: Deadline;
  /** When it was claimed, by the database's clock and by the steady one (milliseconds). */
  at: Instant;
  began: number;
}

/** The current instant by the database's clock, as far as one can know without asking again. */
export const instantAfter = ({ at, began }: ClaimedTime): Instant =>
  plusSeconds(at, (performance.now() - began) / 1000);
