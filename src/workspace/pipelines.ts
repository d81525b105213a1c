import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Author } from '#kernel/context.js';
import { newId } from '#kernel/id.js';
import { invalid } from '#http/problems/problem.js';
import type { SettingChange } from './settings/settings-log.js';
import { Stage } from './workspace.entities.js';
import { holdPipeline, type StageRow } from './workspace.queries.js';
import { WorkspaceWriter } from './workspace.writer.js';

/** A wanted stage. Without `status_id` it is new; without `status` its tag stays. */
interface GivenStage {
  status_id?: string;
  label: string;
  status?: string | null;
}

/** Writes the stages of pipelines. */
@Injectable()
export class Pipelines {
  constructor(private readonly writer: WorkspaceWriter) {}

  /**
   * Replaces all stages by these, in this order. `mayDrop` throws for stages that must stay; it reads through the manager,
   * whose connection holds the pipeline.
   */
  replace(
    author: Author,
    organization_id: string,
    given: GivenStage[],
    mayDrop: (dropped: StageRow[], manager: EntityManager) => Promise<void>,
  ): Promise<StageRow[]> {
    return this.writer.changeOf(author, organization_id, async (manager) => {
      await holdPipeline(manager, organization_id);
      const existing = (
        await manager.find(Stage, { where: { organization_id }, order: { position: 'ASC' } })
      ).map(asRow);
      const stages = given.map((stage, position) => placed(stage, position, existing));
      const kept = new Set(stages.map(({ status_id }) => status_id));
      if (kept.size < stages.length)
        throw invalid([{ field: 'status_id', detail: 'names the same stage twice' }]);
      await mayDrop(
        existing.filter(({ status_id }) => !kept.has(status_id)),
        manager,
      );
      return {
        changes: [pipelineChange(organization_id, existing, stages)],
        write: async () => {
          await manager.delete(Stage, { organization_id });
          await manager.insert(Stage, stageRows(organization_id, stages));
          return stages;
        },
      };
    });
  }
}

/** The pipeline's change, under the id of its organization. */
export const pipelineChange = (
  organization_id: string,
  before: StageRow[] | null,
  after: StageRow[],
): SettingChange => ({
  organization_id,
  record_type: 'pipeline',
  id: organization_id,
  before: before && { stages: before },
  after: { stages: after },
});

export const stageRows = (organization_id: string, stages: StageRow[]): Stage[] =>
  stages.map(({ status_id: stage_id, ...stage }) => ({ organization_id, stage_id, ...stage }));

const asRow = ({ stage_id: status_id, label, status, position }: Stage): StageRow => ({
  status_id,
  label,
  status,
  position,
});

function placed({ status_id, label, status }: GivenStage, position: number, existing: StageRow[]): StageRow {
  if (status_id === undefined) return { status_id: newId('stage'), label, status: status ?? null, position };
  const known = existing.find((stage) => stage.status_id === status_id);
  if (!known) throw invalid([{ field: `${position}.status_id`, detail: `there is no stage ${status_id}` }]);
  return { status_id, label, status: status === undefined ? known.status : status, position };
}
