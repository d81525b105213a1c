import type { Versioned } from '#event-store/change.js';
import type { Draft } from './draft.js';

/** A draft whose delivery this process has taken up, at the version that did: whoever takes it over has raised it. */
export type Claimed = Versioned<Draft> & { state: Draft };
