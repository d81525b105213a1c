import type { Versioned } from '#event-store/change.js';
import type { Draft } from '../draft.js';

/** A draft claimed by this process, at the version the claim left: a process that takes it over raises the version. */
export type Claimed = Versioned<Draft> & { state: Draft };
