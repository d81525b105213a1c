import { RowsAtOnce } from './rows-at-once.js';

describe('the rows to ask for at once', () => {
  it('are the most for a list of which nothing is known, or whose rows have fitted', () => {
    const rows = new RowsAtOnce(50);
    expect(rows.of('list')).toBe(50);
    rows.learn('list', 50, false);
    expect(rows.of('list')).toBe(50);
  });

  it('are as many as there was room for, then twice as many each time that they fit', () => {
    const rows = new RowsAtOnce(50);
    rows.learn('list', 3, true);
    const asked = [rows.of('list'), rows.of('other')];
    for (let read = 0; read < 5; read++) {
      rows.learn('list', rows.of('list'), false);
      asked.push(rows.of('list'));
    }
    expect(asked).toEqual([3, 50, 6, 12, 24, 48, 50]);
  });

  it('are kept for so many lists, those read last', () => {
    const rows = new RowsAtOnce(50);
    for (let list = 0; list <= 1_000; list++) rows.learn(String(list), 3, true);
    expect([rows.of('0'), rows.of('1'), rows.of('1000')]).toEqual([50, 3, 3]);
  });
});
