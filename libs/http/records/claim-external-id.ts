import type { Context } from '#kernel/context.js';
import type { AnyAggregate } from '#event-store/aggregate.js';
import { type Claim, claiming } from '#event-store/external-ids.js';
import { Problem } from '../problems/problem.js';

export const EXTERNAL_ID_TAKEN = 'external_id_taken';

/** Claims an external id for a record, if one is given; refuses one that another record of the aggregate has (409). */
export const claimingExternalId = (
  { streamType, row }: AnyAggregate,
  { organizationId }: Context,
  id: string,
  externalId: string | null | undefined,
): Claim | undefined => {
  if (externalId == null) return undefined;
  const taken = (its: string) =>
    new Problem(
      409,
      EXTERNAL_ID_TAKEN,
      `external_id: the ${streamType} ${its} has it; each ${streamType} has its own.`,
    );
  return claiming(row, organizationId, id, externalId, taken);
};
