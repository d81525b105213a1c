import { useRoute } from '../data/route.js';
import { Empty } from '../parts/states.js';
import { number } from '../format.js';
import { words } from '../words/words.js';
import { choose, recordsHref } from './address.js';
import type { AgentFigures, Figure } from './answers.js';
import type { Choice, Span } from './calendar.js';
import { Linked, Sums } from './funnel.js';
import { percent } from './numbers.js';
import { Part } from './part.js';
import { useAgentsFigures, useStages } from './use-figures.js';

const { agents: text, tableOf } = words.today;

const ORDERS = {
  agent: ({ name }: AgentFigures) => name,
  answered: ({ conversations }: AgentFigures) => -conversations.conversationsRespondedTo,
  sent: ({ conversations }: AgentFigures) => -conversations.messagesSent,
  rate: ({ sales }: AgentFigures) => -sales.salesRate,
};
type Order = keyof typeof ORDERS;

/** What each agent sent, and how the agent's sales went. */
export function Agents({ choice }: { choice: Choice }) {
  return (
    <Part name="agents" title={text.title} of={useAgentsFigures(choice)} rows={4}>
      {({ span, agents }) =>
        agents.length === 0 ? <Empty title={text.none} /> : <Table span={span} agents={agents} />
      }
    </Part>
  );
}

function Table({ span, agents }: { span: Span; agents: AgentFigures[] }) {
  const { query } = useRoute();
  const ids = useStages().data?.map(({ status_id }) => status_id) ?? [];
  const named = query.get('agents') ?? '';
  const order: Order = named in ORDERS ? (named as Order) : 'answered';
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label={tableOf(text.title)}>
      <table>
        <thead>
          <tr>
            {(Object.keys(ORDERS) as Order[]).map((name) => (
              <th
                key={name}
                scope="col"
                class={name === 'agent' ? undefined : 'number'}
                aria-sort={name !== order ? undefined : name === 'agent' ? 'ascending' : 'descending'}
              >
                <button class="button link" onClick={() => choose({ agents: name })}>
                  {text[name]}
                </button>
              </th>
            ))}
            {agents[0]!.sales.pipeline.map(({ name }) => (
              <th key={name} scope="col" class="number" dir="auto">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(agents, order).map((agent) => (
            <Row key={agent.agent_id} of={agent} span={span} stages={ids} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ of: agent, span, stages }: { of: AgentFigures; span: Span; stages: string[] }) {
  const { agent_id, name, conversations, sales } = agent;
  const link = (figure: Figure, shown: string) => (
    <a href={recordsHref(figure, span, { agent_id })}>{shown}</a>
  );
  const salesIn = (status_id: string | undefined) =>
    status_id && recordsHref('pipeline', span, { agent_id, status_id });
  return (
    <tr>
      <th scope="row" dir="auto">
        {name}
      </th>
      <td class="number">
        {link('conversationsRespondedTo', number(conversations.conversationsRespondedTo))}
      </td>
      <td class="number">{link('messagesSent', number(conversations.messagesSent))}</td>
      <td class="number">{link('salesAccepted', percent(sales.salesRate))}</td>
      {sales.pipeline.map((stage, nr) => (
        <td key={stage.name} class="number">
          <Linked to={salesIn(stages[nr])}>{number(stage.volume)}</Linked>
          <div class="quiet small">{stage.volume > 0 && <Sums of={stage} to={salesIn(stages[nr])} />}</div>
        </td>
      ))}
    </tr>
  );
}

/** Equals by name. */
function sorted(agents: AgentFigures[], order: Order): AgentFigures[] {
  const keyOf = ORDERS[order];
  return agents.toSorted((one, other) => {
    const [mine, yours] = [keyOf(one), keyOf(other)];
    if (typeof mine === 'number' && mine !== yours) return mine - (yours as number);
    return one.name.localeCompare(other.name);
  });
}
