// Sends requests at a steady rate until it is told to stop: a process of its own, so that it takes no time of who measures.
import autocannon from 'autocannon';

const CONNECTIONS = 32;

process.on('message', ({ url, headers, requestsPerSecond, seconds }) => {
  autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    overallRate: requestsPerSecond,
    duration: seconds,
  }).then((result) =>
    process.send({ sent: result.requests.total, refused: result.statusCodeStats['429']?.count ?? 0 }),
  );
});
process.on('disconnect', () => process.exit());
