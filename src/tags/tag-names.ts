import { Injectable } from '@nestjs/common';
import type { Transaction } from '#database/statements/statement.js';
import type { Guard } from '#event-store/event-store.js';
import { Problem } from '#http/problems/problem.js';
import { TagQueries } from './tags.queries.js';

/** Tags that an organization has at most. */
const MOST = 1_000;

/** Held by whoever gives a tag its name: of two who want the same one, the second sees the first's. */
export const NAMES_LOCK = 'tag_names';

/** Keeps the names of tags apart, and their number in bounds. */
@Injectable()
export class TagNames {
  constructor(private readonly queries: TagQueries) {}

  /** For whoever makes a tag of this name. Throws 409 when another has it, or there are too many. */
  newName = (organizationId: string, name: string): Guard => ({
    keys: [NAMES_LOCK],
    check: async (tx) => {
      const { count, same } = await this.queries.known(tx, organizationId, name, MOST);
      if (same !== null) throw taken(same);
      if (count < MOST) return;
      const detail = `An organization has at most ${MOST} tags: delete one that nobody needs first.`;
      throw new Problem(409, 'too_many_tags', detail);
    },
  });

  /** For whoever gives a tag this name, holding `NAMES_LOCK`. Throws 409 when another has it. */
  async requireFree(tx: Transaction, organizationId: string, tagId: string, name: string): Promise<void> {
    const { same } = await this.queries.known(tx, organizationId, name, 0);
    if (same !== null && same !== tagId) throw taken(same);
  }
}

const taken = (tagId: string): Problem =>
  new Problem(
    409,
    'tag_exists',
    `name: the tag ${tagId} has it; no two differ by case, by compatible forms or by what nobody sees alone.`,
  );
