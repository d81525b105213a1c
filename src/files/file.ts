import type { Decider } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';

/** What is said of an uploaded file. */
export interface FileFacts {
  file_id: string;
  file_name: string;
  content_type: string;
  /** Bytes. */
  size: number;
  sha256: string;
  created_at: Instant;
}

/** An uploaded file, and the drafts that carry it, sent ones included. One in no draft is removed after a while. */
export interface UploadedFile extends FileFacts {
  draft_ids: string[];
  /** Since when it has been in no draft; null while it is in one. */
  unused_since: Instant | null;
}

export type FileEvent =
  | { type: 'FileUploaded'; data: FileFacts }
  | { type: 'FileAttached'; data: { draft_id: string } }
  | { type: 'FileDetached'; data: { draft_id: string; detached_at: Instant } }
  | { type: 'FileRemoved'; data: object };

export type FileCommand =
  | ({ type: 'UploadFile' } & FileFacts)
  | { type: 'AttachFile'; draft_id: string }
  | { type: 'DetachFile'; draft_id: string; detached_at: Instant }
  /** Removes it if it has been in no draft since before this instant. */
  | { type: 'RemoveFile'; unused_before: Instant };

export const file: Decider<UploadedFile, FileCommand, FileEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'UploadFile': {
        const { type: _, ...data } = command;
        return state ? [] : [{ type: 'FileUploaded', data }];
      }
      case 'AttachFile': {
        const { draft_id } = command;
        if (!state || state.draft_ids.includes(draft_id)) return [];
        return [{ type: 'FileAttached', data: { draft_id } }];
      }
      case 'DetachFile': {
        const { draft_id, detached_at } = command;
        if (!state?.draft_ids.includes(draft_id)) return [];
        return [{ type: 'FileDetached', data: { draft_id, detached_at } }];
      }
      case 'RemoveFile': {
        const isOld = state && state.unused_since !== null && state.unused_since < command.unused_before;
        return isOld ? [{ type: 'FileRemoved', data: {} }] : [];
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'FileUploaded':
        return { ...event.data, draft_ids: [], unused_since: event.data.created_at };
      case 'FileAttached':
        return (
          state && { ...state, draft_ids: [...state.draft_ids, event.data.draft_id], unused_since: null }
        );
      case 'FileDetached': {
        if (!state) return null;
        const draft_ids = state.draft_ids.filter((id) => id !== event.data.draft_id);
        return { ...state, draft_ids, unused_since: draft_ids.length === 0 ? event.data.detached_at : null };
      }
      case 'FileRemoved':
        return null;
    }
  },
};
