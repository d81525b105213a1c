import { progressBar, progressCount } from './progress-bar.js';

type Output = Parameters<typeof progressBar>[1];

/** What is written by `show` on a terminal, or elsewhere. */
function written(isTTY: boolean, show: (output: Output) => void): string {
  const texts: string[] = [];
  show({ isTTY, write: (text: string) => texts.push(text) > 0 });
  return texts.join('');
}

const shownOn = (isTTY: boolean) =>
  written(isTTY, (output) =>
    progressBar('analytics', output)({ events: 1_234_567, progress: 0.5, secondsLeft: 61 }),
  );

describe('the progress of a rebuild', () => {
  it('is a bar with an estimate on a terminal', () =>
    expect(shownOn(true)).toBe(
      `\r\x1b[Kanalytics [${'#'.repeat(15)}${'.'.repeat(15)}] 50 %, 1,234,567 events, about 2 min left`,
    ));

  it('is no line for every step elsewhere', () => expect(shownOn(false)).toBe(''));
});

describe('a count', () => {
  const countedOn = (isTTY: boolean) => written(isTTY, (output) => progressCount('mails', output)(1_234));

  it('is written over on a terminal', () => expect(countedOn(true)).toBe('\r\x1b[K1,234 mails'));

  it('is no line for every step elsewhere', () => expect(countedOn(false)).toBe(''));
});
