import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RecordLinks } from '#event-store/record-links.js';
import { Problem } from '#http/problems/problem.js';
import { draft } from '../draft.js';
import { drafts } from '../drafts.projection.js';
import { DraftQueries } from '../drafts.queries.js';

/** Tells of the pending replies of conversations, for whoever merges one into another. */
@Injectable()
export class RelinkDrafts implements OnModuleInit {
  constructor(
    private readonly links: RecordLinks,
    private readonly queries: DraftQueries,
  ) {}

  onModuleInit(): void {
    this.links.add({
      aggregate: drafts,
      linkedTo: async (tx, organizationId, { type, id }) => {
        const pending =
          type === 'conversation' ? await this.queries.pendingResponse(tx, organizationId, id) : null;
        return pending === null ? [] : [pending];
      },
      relink: (state, _, to) => {
        if (state.delivery.status === 'sending')
          throw new Problem(409, 'draft_sending', `The reply ${state.draft_id} is being sent right now.`);
        return draft.decide(state, { type: 'MoveDraft', conversation_id: to! });
      },
    });
  }
}
