import { Injectable } from '@nestjs/common';
import { now } from '#kernel/instant.js';
import type { Transaction } from '#database/statements/statement.js';
import { type Append, appendTo } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { invalid } from '#http/problems/problem.js';
import { file, type FileFacts, type UploadedFile } from './file.js';
import { files } from './files.projection.js';
import { StoredFiles } from './stored-files.js';

/** Bytes of all files of a draft together. */
const LARGEST = 20 * 1024 * 1024;

/** The files of a draft, and the appends that go with those of the draft. */
export interface FilesOfDraft {
  files: FileFacts[];
  appends: Append[];
}

/** Ties files to the drafts that carry them, so that they are kept as long as those. */
@Injectable()
export class DraftFiles {
  constructor(
    private readonly store: EventStore,
    private readonly stored: StoredFiles,
  ) {}

  /**
   * Gives a draft the files with these ids, in their order, instead of those it had. Takes the files' locks. Throws (400,
   * `file_ids`) for a file that is not there, and for files that are too large together.
   */
  async give(
    tx: Transaction,
    organizationId: string,
    draft_id: string,
    had: FileFacts[],
    ids: string[],
  ): Promise<FilesOfDraft> {
    const hadIds = had.map(({ file_id }) => file_id);
    const all = [...new Set([...hadIds, ...ids])];
    if (all.length === 0) return { files: [], appends: [] };
    this.store.lock(tx, organizationId, all);
    const states = await this.store.loadAll<UploadedFile>(tx, organizationId, files, all);
    const given = await Promise.all(
      ids.map(async (id) => {
        const state = states.get(id)?.state ?? null;
        const isThere =
          state && (hadIds.includes(id) || (await this.stored.has(organizationId, state.sha256)));
        if (!isThere) throw refused(`has no file ${id}`);
        return factsOf(state);
      }),
    );
    requireFit(given);
    const detached_at = now();
    const appends = all.flatMap((id) => {
      const current = states.get(id) ?? { state: null, version: 0 };
      const command = ids.includes(id)
        ? ({ type: 'AttachFile', draft_id } as const)
        : ({ type: 'DetachFile', draft_id, detached_at } as const);
      const events = file.decide(current.state, command);
      return events.length > 0 ? [appendTo(files, id, current, events)] : [];
    });
    return { files: given, appends };
  }
}

/** Throws (400, `file_ids`) for files that are too large together, with as many bytes of pictures in the draft's body. */
export function requireFit(files: Pick<FileFacts, 'size'>[], pictures = 0): void {
  const together = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > 0 && together + pictures > LARGEST)
    throw refused(
      `must not be larger than 20 MiB together${pictures > 0 ? ' with the pictures in body_html' : ''}`,
    );
}

const factsOf = ({ draft_ids: _, unused_since: __, ...facts }: UploadedFile): FileFacts => facts;

const refused = (detail: string) => invalid([{ field: 'file_ids', detail }]);
