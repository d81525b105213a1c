import { judgeWorkers } from './workers.js';

it.each([
  ['well with a worker', 1, 0.4, 1, 'ok', /one runs/],
  ['well with several', 3, 0.4, 2, 'ok', /3 run/],
  ['well where nothing runs at all', 0, null, 0, 'ok', /no process/],
  ['a warning where other processes run without one', 0, null, 2, 'warning', /none runs/],
  ['a warning where the only one is frozen', 0, 31.4, 1, 'warning', /for 31 s/],
])('workers are %s', (_, count, heartbeat_age_seconds, processes, verdict, detail) => {
  const finding = judgeWorkers({ count, heartbeat_age_seconds }, processes);
  expect(finding).toMatchObject({ check: 'workers', verdict, detail: expect.stringMatching(detail) });
});
