import { PrimaryLog } from './lag.js';

describe('how far a replica is behind', () => {
  it('is the age of the newest position that it has replayed', () => {
    const log = new PrimaryLog();
    log.note(1_000, 10);
    log.note(2_000, 20);
    log.note(3_000, 30);
    expect([10, 19, 20, 30, 99].map((replayed) => log.lagOf(replayed, 3_500))).toEqual([
      2_500, 2_500, 1_500, 500, 500,
    ]);
  });

  it('is unknown when it has replayed none of them', () => {
    const log = new PrimaryLog();
    expect(log.lagOf(10, 0)).toBe(Infinity);
    log.note(0, 20);
    expect(log.lagOf(19, 0)).toBe(Infinity);
  });

  it('does not grow where nothing is written', () => {
    const log = new PrimaryLog();
    log.note(1_000, 10);
    log.note(60_000, 10);
    expect(log.lagOf(10, 60_100)).toBe(100);
  });

  it('is told by what a new primary has written, once there is one that had not got as far', () => {
    const log = new PrimaryLog();
    log.note(1_000, 50);
    log.note(2_000, 40);
    expect(log.lagOf(45, 2_100)).toBe(100);
    expect(log.lagOf(39, 2_100)).toBe(Infinity);
  });

  it('is known for the last ten minutes', () => {
    const log = new PrimaryLog();
    for (let nr = 0; nr < 3_000; nr++) log.note(nr * 250, nr);
    expect(log.lagOf(600, 750_000)).toBe(600_000);
    expect(log.lagOf(599, 750_000)).toBe(Infinity);
  });
});
