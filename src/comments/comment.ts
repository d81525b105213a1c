import { type Decider } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';
import { sameValue } from '#kernel/same.js';

/** What colleagues can comment on. */
export const COMMENTED = ['conversation', 'contact', 'company', 'sale'] as const;
export type Commented = (typeof COMMENTED)[number];

/** A note among colleagues on a record. */
export interface Comment {
  comment_id: string;
  record_type: Commented;
  record_id: string;
  /** Who wrote it; null for a key that is no agent's. */
  agent_id: string | null;
  body: string;
  mentioned_agent_ids: string[];
  created_at: Instant;
  /** Null until it is edited. */
  edited_at: Instant | null;
}

type Written = Pick<Comment, 'body' | 'mentioned_agent_ids'>;
type Added = Omit<Comment, 'edited_at'>;

export type CommentEvent =
  | { type: 'CommentAdded'; data: Added }
  | { type: 'CommentChanged'; data: Partial<Written> & { edited_at: Instant } }
  /** Its record was merged into another of the same kind. */
  | { type: 'CommentMoved'; data: Pick<Comment, 'record_type' | 'record_id'> }
  | { type: 'CommentDeleted'; data: object };

export type CommentCommand =
  | ({ type: 'AddComment' } & Added)
  /** Fields left out stay. */
  | { type: 'ChangeComment'; changes: Partial<Written>; at: Instant }
  | { type: 'MoveComment'; record_id: string }
  | { type: 'DeleteComment' };

export const comment: Decider<Comment, CommentCommand, CommentEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'AddComment': {
        const { type: _, ...data } = command;
        return [{ type: 'CommentAdded', data }];
      }
      case 'ChangeComment': {
        const changed = state ? whatChanges(state, command.changes) : {};
        if (Object.keys(changed).length === 0) return [];
        return [{ type: 'CommentChanged', data: { ...changed, edited_at: command.at } }];
      }
      case 'MoveComment':
        return state
          ? [{ type: 'CommentMoved', data: { record_type: state.record_type, record_id: command.record_id } }]
          : [];
      case 'DeleteComment':
        return state ? [{ type: 'CommentDeleted', data: {} }] : [];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'CommentAdded':
        return { ...event.data, edited_at: null };
      case 'CommentChanged':
      case 'CommentMoved':
        return state && { ...state, ...event.data };
      case 'CommentDeleted':
        return null;
    }
  },
};

function whatChanges(state: Comment, { body, mentioned_agent_ids }: Partial<Written>): Partial<Written> {
  return {
    ...(body !== undefined && body !== state.body && { body }),
    ...(mentioned_agent_ids !== undefined &&
      !sameValue(mentioned_agent_ids, state.mentioned_agent_ids) && { mentioned_agent_ids }),
  };
}

/** Whether this agent, or a key that is no agent's (null), may change and delete the comment. */
export const mayChange = ({ agent_id }: Comment, acting: string | null): boolean =>
  acting === null || acting === agent_id;

/** Whom a comment mentions that it did not mention before; nobody is told of a comment of their own. */
export const newlyMentioned = (
  { mentioned_agent_ids, agent_id }: Pick<Comment, 'mentioned_agent_ids' | 'agent_id'>,
  before: string[] = [],
): string[] => mentioned_agent_ids.filter((id) => id !== agent_id && !before.includes(id));
