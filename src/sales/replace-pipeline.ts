import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Context } from '#kernel/context.js';
import { invalid } from '#http/problems/problem.js';
import { Directory, Pipelines } from '../workspace/workspace.contract.js';
import type { SaleStatusListResponse, StageBody } from './pipeline.dto.js';
import { SalesQueries } from './sales.queries.js';

/** Sets an organization's stages in order. Refuses to drop a stage that sales are in (400). */
export class ReplacePipeline extends Command<SaleStatusListResponse> {
  constructor(
    readonly context: Context,
    readonly stages: StageBody[],
  ) {
    super();
  }
}

@CommandHandler(ReplacePipeline)
export class ReplacePipelineHandler implements ICommandHandler<ReplacePipeline> {
  constructor(
    private readonly directory: Directory,
    private readonly pipelines: Pipelines,
    private readonly queries: SalesQueries,
  ) {}

  async execute({ context, stages }: ReplacePipeline): Promise<SaleStatusListResponse> {
    const { organizationId } = context;
    await this.directory.existingOrganization(organizationId);
    if (stages.length === 0) throw invalid([{ field: 'body', detail: 'must hold at least one stage' }]);
    const data = await this.pipelines.replace(context, organizationId, stages, async (dropped, manager) => {
      const [used] = await this.queries.stagesInUse(
        manager,
        organizationId,
        dropped.map(({ status_id }) => status_id),
      );
      if (used === undefined) return;
      const { label } = dropped.find(({ status_id }) => status_id === used)!;
      throw invalid([
        { field: 'status_id', detail: `the stage ${label} (${used}) has sales in it and cannot be dropped` },
      ]);
    });
    return { data };
  }
}
