import { ok } from '../support/clients/client.js';
import { expectAsTheOracle, type ShownFigures } from '../support/data/analytics-figures.js';
import { randomWindow } from '../support/data/analytics-history.js';
import type { OracleWindow } from '../support/data/analytics-oracle.js';
import { MergedWorld } from '../support/data/merged-world.js';
import { cases, randomFrom } from '../support/random.js';
import { startSmtp, type TestSmtp } from '../support/stand-ins/smtp.js';
import { until } from '../support/until.js';

// To repeat a run that failed: PARLEY_SEED=<seed in the failure>
const seed = Number(process.env['PARLEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const WORLDS = cases(6);
/** Mergers find figures that are counted already, which they have to change. */
const LOOKS = 4;
const ACTS = 20;
const WINDOWS = 4;
const EVER = { start_date: '2000-01-01T00:00:00.000000Z', end_date: '2100-01-01T00:00:00.000000Z' };

let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp.close());

async function shownBy({ workspace: { api } }: MergedWorld): Promise<ShownFigures> {
  const [{ uuid }] = await ok(api.get('/api/v1/solutions'));
  const at = (path: string) => (window: OracleWindow) => ok(api.get(path, { ...window }));
  return {
    conversations: at('analytics/conversations'),
    responseRate: at('analytics/conversations/response-rate'),
    responseTime: at('analytics/conversations/response-time'),
    volume: at('analytics/conversations/volume'),
    modality: at('analytics/conversations/modality'),
    sales: at('analytics/sales'),
    agent: (agentId, window) => at(`agents/${agentId}/analytics`)(window),
    legacy: at(`/api/v1/solutions/${uuid}/analytics`),
  };
}

it(`has in every window the figures of a world in which merged records have always been one (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  for (let nr = 0; nr < WORLDS; nr++) {
    const world = await MergedWorld.begun(randomFrom(random.integer(0, 2 ** 31)), smtp.port);
    const shown = await shownBy(world);
    for (let look = 0; look < LOOKS; look++) {
      for (let act = 0; act < ACTS; act++) await world.act();
      const written = new Date().toISOString();
      await until(async () => (await shown.volume(EVER)).as_of > written);
      const windows = Array.from({ length: WINDOWS }, () => randomWindow(random, world));
      try {
        for (const window of [EVER, ...windows]) await expectAsTheOracle(shown, world, world.agents, window);
      } catch (error) {
        throw new Error(`PARLEY_SEED=${seed}, world ${nr}, look ${look}`, { cause: error });
      }
    }
  }
});
