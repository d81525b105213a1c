import { nice, ticks } from 'd3-array';
import { number } from '../format.js';
import { words } from '../words/words.js';
import type { Bucket, Figure } from './answers.js';
import { duration, percent, unitOf } from './numbers.js';

const { today: text } = words;

export type PlotName = keyof typeof text.plot;

/** Values per bucket; null where there is nothing to tell. `before`: the same of the window before. */
export interface Series {
  figure: Figure;
  label: string;
  values: (number | null)[];
  before: (number | null)[];
}

export interface Axis {
  unit: string;
  /** The value at its upper end. */
  top: number;
  marks: { at: number; label: string }[];
}

export interface Plotted {
  name: PlotName;
  kind: 'lines' | 'bars';
  /** Whose records a bucket opens. */
  records: Figure;
  series: Series[];
  /** What bars add up to. */
  total: Series | null;
  axis: Axis;
  /** A value as it is said, or that there is none. */
  shown: (value: number | null | undefined) => string;
}

type Reading = (bucket: Bucket) => number | null;

const orNone =
  (shown: (value: number) => string): Plotted['shown'] =>
  (value) =>
    value === null || value === undefined ? text.none : shown(value);

const seriesOf = (figure: Figure, now: Bucket[], before: Bucket[], read: Reading): Series => ({
  figure,
  label: text.figure[figure],
  values: now.map(read),
  before: before.map(read),
});

/** The plots of the page in their order. */
export const plotsOf = (now: Bucket[], before: Bucket[]): Plotted[] => [
  volume(now, before),
  modality(now, before),
  responseRate(now, before),
  responseTime(now, before),
];

function volume(now: Bucket[], before: Bucket[]): Plotted {
  const series = (['numMessagesReceived', 'numMessagesSent'] as const).map((figure) => ({
    ...seriesOf(figure, now, before, ({ volumeStats }) => volumeStats[figure]),
    label: text.series[figure],
  }));
  const axis = axisOf(highestOf(series), 1, text.unit.messages, number);
  return {
    name: 'volume',
    kind: 'lines',
    records: 'numMessagesReceived',
    series,
    total: null,
    axis,
    shown: orNone(number),
  };
}

function responseRate(now: Bucket[], before: Bucket[]): Plotted {
  const ofRate = seriesOf('numConversationsRespondedTo', now, before, ({ responseRateStats }) =>
    responseRateStats.numConversationsReceived === 0 ? null : responseRateStats.responseRate,
  );
  const axis = axisOf(1, 0.01, text.unit.share, percent);
  return {
    name: 'response_rate',
    kind: 'lines',
    records: 'numConversationsReceived',
    series: [{ ...ofRate, label: text.figure.responseRate }],
    total: null,
    axis,
    shown: orNone(percent),
  };
}

function responseTime(now: Bucket[], before: Bucket[]): Plotted {
  const series = [
    seriesOf('responseTime', now, before, ({ responseTimeStats }) =>
      responseTimeStats.numResponses === 0 ? null : responseTimeStats.responseTime,
    ),
  ];
  const highest = highestOf(series);
  const [unit, seconds] = unitOf(highest);
  const axis = axisOf(highest, seconds, text.unit[unit], (value) => number(value / seconds));
  return {
    name: 'response_time',
    kind: 'lines',
    records: 'responseTime',
    series,
    total: null,
    axis,
    shown: orNone((value) => duration(value)),
  };
}

const CHANNELS = ['emails', 'textMessages', 'calls', 'liveChats', 'formRequests'] as const;

function modality(now: Bucket[], before: Bucket[]): Plotted {
  const series = CHANNELS.map((channel) =>
    seriesOf(channel, now, before, ({ modalityStats }) => modalityStats[channel]),
  );
  const ofAll = seriesOf(
    'totalConversations',
    now,
    before,
    ({ volumeStats }) => volumeStats.totalConversations,
  );
  const total = { ...ofAll, label: text.total };
  const axis = axisOf(highestOf([total]), 1, text.unit.conversations, number);
  return {
    name: 'modality',
    kind: 'bars',
    records: 'totalConversations',
    series,
    total,
    axis,
    shown: orNone(number),
  };
}

const highestOf = (series: Series[]): number =>
  Math.max(0, ...series.flatMap(({ values, before }) => [...values, ...before]).map((value) => value ?? 0));

/** An axis from 0 with about four marks, at round numbers of `step` units and no less than one apart. */
function axisOf(highest: number, step: number, unit: string, label: (value: number) => string): Axis {
  const units = Math.max(highest / step, 1);
  const [, top] = nice(0, units, 4);
  const marks = ticks(0, top, 4).filter((at) => step !== 1 || Number.isInteger(at));
  return { unit, top: top * step, marks: marks.map((at) => ({ at: at * step, label: label(at * step) })) };
}
