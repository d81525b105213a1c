import { progressBar } from './progress-bar.js';

const shownOn = (isTTY: boolean) => {
  const written: string[] = [];
  const output = { isTTY, write: (text: string) => written.push(text) > 0 };
  progressBar('analytics', output)({ events: 1_234_567, progress: 0.5, secondsLeft: 61 });
  return written.join('');
};

describe('the progress of a rebuild', () => {
  it('is a bar with an estimate on a terminal', () =>
    expect(shownOn(true)).toBe(
      `\r\x1b[Kanalytics [${'#'.repeat(15)}${'.'.repeat(15)}] 50 %, 1,234,567 events, about 2 min left`,
    ));

  it('is no line for every step elsewhere', () => expect(shownOn(false)).toBe(''));
});
