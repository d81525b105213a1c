import { useContext } from 'preact/hooks';
import { serviceTime } from '../data/connection.js';
import { type Calls, Organization, useCalls, useZone } from '../data/organization.js';
import type { Page } from '../data/records.js';
import { type Kept, reload, useKept } from '../data/store.js';
import type { AgentFigures, Bucket, ConversationFigures, SaleFigures, Stage, Task } from './answers.js';
import { type Choice, endOfToday, type Span, spansOf } from './calendar.js';

/** What was asked for, and the window before. */
export interface Compared<Figures> {
  span: Span;
  now: Figures;
  spanBefore: Span;
  before: Figures;
}

/** What is kept of the page, and how to ask for it again. */
export interface Asked<T> extends Kept<T> {
  again: () => void;
}

/** What `load` gives, once the organization's zone is known. */
function useAsked<T>(name: string, load: (calls: Calls, zone: string) => Promise<T>): Asked<T> {
  const calls = useCalls();
  const zone = useZone();
  const key = `today ${useContext(Organization)} ${name}`;
  const kept = useKept<T>(zone && key, () => load(calls, zone!));
  return { ...kept, again: () => void reload(key) };
}

function useCompared<Figures>(
  name: string,
  choice: Choice,
  read: (calls: Calls, span: Span) => Promise<Figures>,
): Asked<Compared<Figures>> {
  return useAsked(`${name} ${JSON.stringify(choice)}`, async (calls, zone) => {
    const spans = spansOf(choice, zone, serviceTime());
    const [now, before] = await Promise.all([read(calls, spans.now), read(calls, spans.before)]);
    return { span: spans.now, now, spanBefore: spans.before, before };
  });
}

const PLOTTED = 'volume,response_rate,response_time,modality';

/** The figures of each bucket of the window. */
export const useSeries = (choice: Choice) =>
  useCompared('series', choice, async (calls, span) => {
    const query = { ...span, interval: choice.interval, metric: PLOTTED };
    return (await calls.GET<{ buckets: Bucket[] }>('/analytics/series', { params: { query } })).buckets;
  });

/** The figures of the window as a whole. */
export const useTotals = (choice: Choice) =>
  useCompared('totals', choice, (calls, span) =>
    calls.GET<ConversationFigures>('/analytics/conversations', { params: { query: { ...span } } }),
  );

export const useSales = (choice: Choice) =>
  useCompared('sales', choice, (calls, span) =>
    calls.GET<SaleFigures>('/analytics/sales', { params: { query: { ...span, by_currency: true } } }),
  );

/** The figures of all agents, and the window that they are of. */
export const useAgentsFigures = (choice: Choice) =>
  useAsked(`agents ${JSON.stringify(choice)}`, async (calls, zone) => {
    const { now: span } = spansOf(choice, zone, serviceTime());
    const query = { ...span, by_currency: true };
    const { data } = await calls.GET<{ data: AgentFigures[] }>('/analytics/agents', { params: { query } });
    return { span, agents: data };
  });

/** The stages in their order, which is that of all figures of the pipeline. */
export const useStages = () =>
  useAsked('stages', async (calls) => (await calls.GET<{ data: Stage[] }>('/sale-statuses')).data);

/** Open tasks that are due by the end of the day, the earliest first. */
export const useDueTasks = () =>
  useAsked('tasks', (calls, zone) => {
    const due_before = endOfToday(zone, serviceTime());
    const query = { due_before, sort: 'due_at', expand: 'agent', limit: 50 };
    return calls.GET<Page<Task>>('/tasks', { params: { query } });
  });
