import type { Json } from '../clients/answer.js';
import {
  agentFigures,
  conversationFigures,
  legacyFigures,
  type OracleWindow,
  type OracleWorld,
  plain,
  saleFigures,
} from './analytics-oracle.js';

/** The figures of an organization as the product shows them. */
export interface ShownFigures {
  conversations(window: OracleWindow): Promise<Json>;
  responseRate(window: OracleWindow): Promise<Json>;
  responseTime(window: OracleWindow): Promise<Json>;
  volume(window: OracleWindow): Promise<Json>;
  modality(window: OracleWindow): Promise<Json>;
  sales(window: OracleWindow): Promise<Json>;
  agent(agentId: string, window: OracleWindow): Promise<Json>;
  legacy(window: OracleWindow): Promise<Json>;
}

export const withoutAsOf = <Figures extends object>({ as_of: _, ...figures }: Figures & { as_of: string }) =>
  figures;

/** Sums with their superfluous zeros taken away, as the oracle writes them. */
const plainly = ({ pipeline, salesRate }: Json) => ({
  pipeline: pipeline.map(({ value, values, ...stage }: Json) => ({
    ...stage,
    value: plain([value]),
    ...(values && { values: values.map((one: Json) => ({ ...one, value: plain([one.value]) })) }),
  })),
  salesRate,
});

/** Throws where a figure of the window is not what its definition says of the world. */
export async function expectAsTheOracle(
  shown: ShownFigures,
  world: OracleWorld,
  agents: string[],
  window: OracleWindow,
): Promise<void> {
  const conversations = conversationFigures(world, window);
  expect(withoutAsOf(await shown.conversations(window))).toEqual(conversations);
  expect(withoutAsOf(await shown.responseRate(window))).toEqual(conversations.responseRateStats);
  expect(withoutAsOf(await shown.responseTime(window))).toEqual(conversations.responseTimeStats);
  expect(withoutAsOf(await shown.volume(window))).toEqual(conversations.volumeStats);
  expect(withoutAsOf(await shown.modality(window))).toEqual(conversations.modalityStats);
  expect(plainly(await shown.sales(window))).toEqual(saleFigures(world, window));
  for (const agent of agents) {
    const figures = await shown.agent(agent, window);
    expect(figures.conversations).toEqual(agentFigures(world, agent, window));
    expect(plainly(figures.sales)).toEqual(saleFigures(world, window, agent));
  }
  const { as_of, ...legacy } = await shown.legacy(window);
  const { averageSpeedToSale } = legacy.salesStats;
  const expected = legacyFigures(world, window, as_of);
  // To a tenth of a microsecond: of the two one adds up seconds, the other one microseconds.
  expect(averageSpeedToSale).toBeCloseTo(expected.salesStats.averageSpeedToSale, 7);
  expect({ ...legacy, salesStats: { ...legacy.salesStats, averageSpeedToSale: 0 } }).toEqual({
    ...expected,
    salesStats: { ...expected.salesStats, averageSpeedToSale: 0 },
  });
}
