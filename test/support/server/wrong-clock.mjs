// Loaded into a process of the product before it starts: its clock is off by PARLEY_TEST_CLOCK_MS, and each SIGUSR2 sets it two hours
// ahead, or back again.
const HOURS_MS = 2 * 3600 * 1000;
const { now } = Date;
const off = Number(process.env.PARLEY_TEST_CLOCK_MS ?? 0);
let ahead = 0;
Date.now = () => now() + off + ahead;
process.on('SIGUSR2', () => {
  ahead = HOURS_MS - ahead;
  process.stderr.write(ahead > 0 ? 'clock set ahead\n' : 'clock set right\n');
});
