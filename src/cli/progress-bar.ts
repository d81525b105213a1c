import type { WriteStream } from 'node:tty';
import type { DistributeProgress } from '#database/distribute.js';
import type { RebuildProgress } from '#event-store/rebuild-meter.js';

const WIDTH = 30;
const LINE_EVERY_MS = 5_000;

type Progress = RebuildProgress | DistributeProgress;
type Output = Pick<WriteStream, 'isTTY' | 'write'>;

/** Shows progress: on a terminal as a moving bar, elsewhere as a line every few seconds. */
export function progressBar(name: string, output: Output = process.stderr): (progress: Progress) => void {
  let shown = performance.now();
  return (progress) => {
    if (output.isTTY) return void output.write(`\r\x1b[K${name} ${bar(progress)} ${words(progress)}`);
    if (performance.now() < shown + LINE_EVERY_MS) return;
    shown = performance.now();
    output.write(`${name}: ${words(progress)}\n`);
  };
}

/** Ends the line that a bar is on. */
export const endBar = (output: Output = process.stderr): void =>
  void (output.isTTY && output.write('\r\x1b[K'));

function bar({ progress }: Progress): string {
  const full = Math.floor(progress * WIDTH);
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}]`;
}

const words = ({ progress, secondsLeft, ...done }: Progress): string =>
  `${Math.floor(progress * 100)} %, ${'tables' in done ? `${done.tables} tables` : `${done.events.toLocaleString('en')} events`}${secondsLeft === null ? '' : `, about ${duration(secondsLeft)} left`}`;

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  return whole < 3_600
    ? `${Math.ceil(whole / 60)} min`
    : `${Math.floor(whole / 3_600)} h ${Math.ceil((whole % 3_600) / 60)} min`;
}
