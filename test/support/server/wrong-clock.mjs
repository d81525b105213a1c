// Loaded into a process of the product before it starts: each SIGUSR2 sets its clock two hours ahead, or back again.
const HOURS_MS = 2 * 3600 * 1000;
const { now } = Date;
let ahead = 0;
Date.now = () => now() + ahead;
process.on('SIGUSR2', () => {
  ahead = HOURS_MS - ahead;
  process.stderr.write(ahead > 0 ? 'clock set ahead\n' : 'clock set right\n');
});
