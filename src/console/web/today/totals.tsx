import { number } from '../format.js';
import { words } from '../words/words.js';
import { recordsHref } from './address.js';
import type { ConversationFigures, Figure, SaleFigures } from './answers.js';
import type { Choice } from './calendar.js';
import { duration, percent } from './numbers.js';
import { Part } from './part.js';
import { type Asked, type Compared, useSales, useTotals } from './use-figures.js';
import { WindowChoice } from './window-choice.js';

const { today: text } = words;

interface Total {
  name: keyof typeof text.figure;
  /** Whose records it opens. */
  records: Figure;
  shown: (figures: ConversationFigures) => string;
}

const TOTALS: Total[] = [
  {
    name: 'numMessagesReceived',
    records: 'numMessagesReceived',
    shown: ({ volumeStats }) => number(volumeStats.numMessagesReceived),
  },
  {
    name: 'numMessagesSent',
    records: 'numMessagesSent',
    shown: ({ volumeStats }) => number(volumeStats.numMessagesSent),
  },
  {
    name: 'totalConversations',
    records: 'totalConversations',
    shown: ({ volumeStats }) => number(volumeStats.totalConversations),
  },
  {
    name: 'responseRate',
    records: 'numConversationsRespondedTo',
    shown: ({ responseRateStats: { numConversationsReceived, responseRate } }) =>
      numConversationsReceived === 0 ? text.none : percent(responseRate),
  },
  {
    name: 'responseTime',
    records: 'responseTime',
    shown: ({ responseTimeStats: { numResponses, responseTime } }) =>
      numResponses === 0 ? text.none : duration(responseTime),
  },
];

/** The figures of the window as a whole, each beside that of the window before. */
export function Totals({ choice }: { choice: Choice }) {
  const totals = useTotals(choice);
  const sales = useSales(choice);
  return (
    <Part
      name="totals"
      title={text.figures}
      aside={<WindowChoice choice={choice} />}
      of={bothOf(totals, sales)}
      rows={1}
    >
      {({ conversations, sales: accepted }) => (
        <dl class="totals-list">
          {TOTALS.map(({ name, records, shown }) => (
            <Figure
              key={name}
              label={text.figure[name]}
              to={recordsHref(records, conversations.span)}
              value={shown(conversations.now)}
              toBefore={recordsHref(records, conversations.spanBefore)}
              before={shown(conversations.before)}
            />
          ))}
          <Figure
            label={text.figure.salesRate}
            to={recordsHref('salesAccepted', accepted.span)}
            value={percent(accepted.now.salesRate)}
            toBefore={recordsHref('salesAccepted', accepted.spanBefore)}
            before={percent(accepted.before.salesRate)}
          />
        </dl>
      )}
    </Part>
  );
}

interface FigureProps {
  label: string;
  to: string;
  value: string;
  toBefore: string;
  before: string;
}

const Figure = ({ label, to, value, toBefore, before }: FigureProps) => (
  <div>
    <dt class="quiet">{label}</dt>
    <dd>
      <a class="figure" href={to}>
        {value}
      </a>
      <a class="figure-before quiet" href={toBefore}>
        {`${text.before} ${before}`}
      </a>
    </dd>
  </div>
);

/** Shown together, so that nothing jumps when the second comes. */
function bothOf(
  conversations: Asked<Compared<ConversationFigures>>,
  sales: Asked<Compared<SaleFigures>>,
): Asked<{ conversations: Compared<ConversationFigures>; sales: Compared<SaleFigures> }> {
  const data =
    conversations.data && sales.data ? { conversations: conversations.data, sales: sales.data } : undefined;
  const error = conversations.error ?? sales.error;
  const again = () => {
    conversations.again();
    sales.again();
  };
  return { ...(data && { data }), ...(error && { error }), isLoading: conversations.isLoading, again };
}
