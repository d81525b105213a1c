import { Injectable } from '@nestjs/common';
import type { Reader } from '#database/statements/statement.js';
import { Directory, type StageRow } from '../../workspace/workspace.contract.js';
import type {
  AgentAnalyticsResponse,
  AgentConversationAnalyticsResponse,
  AgentConversationFigures,
  ConversationAnalyticsResponse,
  ModalityResponse,
  ModalityStats,
  PipelineStage,
  ResponseRateResponse,
  ResponseRateStats,
  ResponseTimeResponse,
  ResponseTimeStats,
  SaleAnalyticsResponse,
  SaleFigures,
  VolumeResponse,
  VolumeStats,
} from './analytics.dto.js';
import {
  type AgentActivity,
  type Cohort,
  readAgentActivity,
  readCohort,
  readVolume,
  type Volume,
} from './conversation-figures.queries.js';
import { readResponseTimes, type Times } from './response-times.queries.js';
import {
  acceptedColumn,
  type CreatedSales,
  readCreatedSales,
  readPipeline,
  type StageFigures,
} from './sale-figures.queries.js';
import type { Window } from './window-slices.js';
import { Snapshots } from './snapshot.queries.js';

interface ByCurrency {
  /** Whether a stage has its sum by currency even if there is only one. */
  by_currency?: boolean;
}

type SalesWindow = Window & ByCurrency;

/** All figures of the second version of the API. */
@Injectable()
export class AnalyticsQueries {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly directory: Directory,
  ) {}

  conversations(organizationId: string, window: Window): Promise<ConversationAnalyticsResponse> {
    return this.snapshots.take(organizationId, async (tx) => {
      const [cohort, times, volume] = await Promise.all([
        readCohort(tx, organizationId, window),
        readResponseTimes(tx, organizationId, window, 'all'),
        readVolume(tx, organizationId, window),
      ]);
      return {
        responseRateStats: responseRate(cohort),
        responseTimeStats: responseTime(times),
        volumeStats: volumeStats(volume, cohort),
        modalityStats: modality(cohort),
      };
    });
  }

  responseRate(organizationId: string, window: Window): Promise<ResponseRateResponse> {
    return this.snapshots.take(organizationId, async (tx) =>
      responseRate(await readCohort(tx, organizationId, window)),
    );
  }

  responseTime(organizationId: string, window: Window): Promise<ResponseTimeResponse> {
    return this.snapshots.take(organizationId, async (tx) =>
      responseTime(await readResponseTimes(tx, organizationId, window, 'all')),
    );
  }

  volume(organizationId: string, window: Window): Promise<VolumeResponse> {
    return this.snapshots.take(organizationId, async (tx) => {
      const [volume, cohort] = await Promise.all([
        readVolume(tx, organizationId, window),
        readCohort(tx, organizationId, window),
      ]);
      return volumeStats(volume, cohort);
    });
  }

  modality(organizationId: string, window: Window): Promise<ModalityResponse> {
    return this.snapshots.take(organizationId, async (tx) =>
      modality(await readCohort(tx, organizationId, window)),
    );
  }

  async sales(organizationId: string, query: SalesWindow): Promise<SaleAnalyticsResponse> {
    const stages = await this.directory.stages(organizationId);
    return this.snapshots.take(organizationId, (tx) => readSales(tx, organizationId, query, stages, null));
  }

  async agent(organizationId: string, agentId: string, query: SalesWindow): Promise<AgentAnalyticsResponse> {
    const stages = await this.directory.stages(organizationId);
    return this.snapshots.take(organizationId, async (tx) => {
      const [activity, sales] = await Promise.all([
        readAgentActivity(tx, organizationId, agentId, query),
        readSales(tx, organizationId, query, stages, agentId),
      ]);
      return { conversations: agentFigures(activity), sales };
    });
  }

  agentConversations(
    organizationId: string,
    agentId: string,
    window: Window,
  ): Promise<AgentConversationAnalyticsResponse> {
    return this.snapshots.take(organizationId, async (tx) =>
      agentFigures(await readAgentActivity(tx, organizationId, agentId, window)),
    );
  }

  async agentSales(
    organizationId: string,
    agentId: string,
    query: SalesWindow,
  ): Promise<SaleAnalyticsResponse> {
    const stages = await this.directory.stages(organizationId);
    return this.snapshots.take(organizationId, (tx) => readSales(tx, organizationId, query, stages, agentId));
  }
}

async function readSales(
  tx: Reader,
  organizationId: string,
  query: SalesWindow,
  stages: StageRow[],
  ownerId: string | null,
): Promise<SaleFigures> {
  const [figures, created] = await Promise.all([
    readPipeline(tx, organizationId, query, ownerId),
    readCreatedSales(tx, organizationId, query, acceptedColumn(stages), ownerId),
  ]);
  return saleFigures(stages, figures, created, query);
}

export const saleFigures = (
  stages: StageRow[],
  figures: Map<string, StageFigures> | undefined,
  { created, accepted }: CreatedSales,
  { by_currency = false }: ByCurrency = {},
): SaleFigures => ({
  pipeline: stages.map((stage) => pipelineStage(stage, figures?.get(stage.status_id), by_currency)),
  salesRate: ratio(accepted, created),
});

/** `part / whole`; 0 when the whole is 0. */
export const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

export const responseRate = ({ received, responded_to }: Cohort): ResponseRateStats => ({
  numConversationsRespondedTo: responded_to,
  numConversationsReceived: received,
  responseRate: ratio(responded_to, received),
});

export const responseTime = ({ median, count }: Times): ResponseTimeStats => ({
  responseTime: median,
  numResponses: count,
});

export const volumeStats = (volume: Volume, cohort: Cohort): VolumeStats => ({
  numMessagesReceived: volume.messages_received,
  numMessagesSent: volume.messages_sent,
  totalConversations: cohort.received,
});

export const modality = ({ texts, calls, emails, live_chats, form_requests }: Cohort): ModalityStats => ({
  textMessages: texts,
  calls,
  emails,
  liveChats: live_chats,
  formRequests: form_requests,
});

export const agentFigures = ({ responded_to, sent }: AgentActivity): AgentConversationFigures => ({
  conversationsRespondedTo: responded_to,
  messagesSent: sent,
});

function pipelineStage(
  { label: name, status }: StageRow,
  figures: StageFigures | undefined,
  byCurrency: boolean,
): PipelineStage {
  const { volume, value, values } = figures ?? { volume: 0, value: '0', values: [] };
  const hasValues = values.length > (byCurrency ? 0 : 1);
  return { name, status, volume, value, ...(hasValues && { values }) };
}
