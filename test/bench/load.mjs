import autocannon from 'autocannon';

const CONNECTIONS = 32;

/**
 * Sends requests for the given time over 32 connections, each with one in flight: GETs of the URLs in turn, or POSTs
 * (or what `method` says) of all bodies in turn to each URL. Each connection has a share of them, so that they do not
 * meet at one. Gives the answers per second, and the median and 99th percentile of the milliseconds to an answer; throws
 * when one of them is no success.
 */
export async function load({ urls, headers, bodies, method = bodies ? 'POST' : 'GET' }, seconds) {
  const paths = urls.map((url) => url.slice(new URL(url).origin.length));
  const texts = bodies?.map((body) => JSON.stringify(body)) ?? [undefined];
  const requests = paths.flatMap((path) => texts.map((body) => ({ path, ...(body && { body }) })));
  let opened = 0;
  const result = await autocannon({
    url: new URL(urls[0]).origin,
    connections: CONNECTIONS,
    duration: seconds,
    headers: bodies === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    method,
    setupClient(client) {
      client.setRequests(shareOf(requests, opened++));
    },
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0 || result['2xx'] === 0)
    throw new Error(`${urls[0]}: ${failed} failures, ${result['2xx']} successes`);
  const { p50, p99 } = result.latency;
  return { rate: result['2xx'] / result.duration, answers: result['2xx'], p50, p99 };
}

/** The requests of one connection; all of them where there are not enough. */
function shareOf(requests, connection) {
  if (requests.length < CONNECTIONS) return requests;
  const from = (nr) => Math.floor((nr / CONNECTIONS) * requests.length);
  return requests.slice(from(connection), from(connection + 1));
}
