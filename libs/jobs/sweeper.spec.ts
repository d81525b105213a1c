import { Sweeper } from './sweeper.js';
import { until } from '../../test/support/until.js';

const warnings: string[] = [];
const log = { warn: (text: string) => void warnings.push(text) };

describe('a sweeper', () => {
  it('goes on after a round that failed, and tells of it', async () => {
    let rounds = 0;
    const sweeper = new Sweeper(log, async () => {
      if (++rounds === 1) throw new Error('the database is away');
    });
    sweeper.start(1);
    await until(() => rounds > 2);
    await sweeper.stop();
    expect(warnings).toEqual(['sweep failed: Error: the database is away']);
  });

  it('does one round at a time, and its end waits for it', async () => {
    let [rounds, underWay, most] = [0, 0, 0];
    const goOn: (() => void)[] = [];
    const sweeper = new Sweeper(log, async () => {
      rounds++;
      most = Math.max(most, ++underWay);
      await new Promise<void>((resolve) => goOn.push(resolve));
      underWay--;
    });
    sweeper.start(1);
    await until(() => rounds === 1);
    for (let nr = 0; nr < 3; nr++) sweeper.sweep();
    expect(rounds).toBe(1);
    goOn[0]!();
    await until(() => rounds === 2);
    const stopped = sweeper.stop().then(() => underWay);
    goOn[1]!();
    expect([await stopped, most]).toEqual([0, 1]);
    expect(rounds).toBe(2);
  });
});
