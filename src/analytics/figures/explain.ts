import { Injectable } from '@nestjs/common';
import { Directory, type StageRow } from '../../workspace/workspace.contract.js';
import type { AnalyticsQuery } from './analytics.dto.js';
import type { ExplainResponse } from './explain.dto.js';
import { type Figure, FIGURES } from './records.dto.js';

/** The link to a figure's records; `more` narrows them. */
type LinkTo = (figure: Figure, more?: { status_id: string }) => string;

/** Adds links to the records behind figures. */
@Injectable()
export class Explanations {
  constructor(private readonly directory: Directory) {}

  /** The answer, with `explain` when the query asks for it. `agentId`: the agent that the figures are about. */
  async with<Answer extends object>(
    answer: Promise<Answer>,
    { explain, start_date, end_date }: AnalyticsQuery,
    organizationId: string,
    agentId?: string,
  ): Promise<Answer & { explain?: ExplainResponse }> {
    if (explain !== true) return answer;
    const [figures, stages] = await Promise.all([answer, this.directory.stages(organizationId)]);
    const linkTo: LinkTo = (figure, more) => {
      const query = new URLSearchParams({ figure, start_date, end_date, ...more });
      if (agentId !== undefined) query.set('agent_id', agentId);
      return `/api/v2/organizations/${organizationId}/analytics/records?${query}`;
    };
    return { ...figures, explain: linksFor(namesIn(figures), stages, linkTo) };
  }
}

/** The names of an answer's figures in order, including those in groups. */
const namesIn = (answer: object): string[] =>
  Object.entries(answer).flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value) ? namesIn(value as object) : [name],
  );

function linksFor(names: string[], stages: StageRow[], linkTo: LinkTo): ExplainResponse {
  const links: Record<string, unknown> = {};
  for (const name of names)
    if (name === 'pipeline')
      links[name] = stages.map(({ status_id, label }) => ({
        status_id,
        name: label,
        volume: linkTo('pipeline', { status_id }),
      }));
    else if (name === 'responseRate')
      links[name] = {
        numerator: linkTo('numConversationsRespondedTo'),
        denominator: linkTo('numConversationsReceived'),
      };
    else if (name === 'salesRate')
      links[name] = { numerator: linkTo('salesAccepted'), denominator: linkTo('salesCreated') };
    else if (isFigure(name)) links[name] = linkTo(name);
  return links;
}

const isFigure = (name: string): name is Figure => (FIGURES as readonly string[]).includes(name);
