import autocannon from 'autocannon';

const CONNECTIONS = 32;

/**
 * Sends requests for the given time over 32 connections, each with one in flight: GETs of the URLs in turn, or POSTs
 * (or what `method` says) of the bodies in turn, each to all URLs. Each connection begins at another of them, so that they do not
 * meet at one. Gives the answers per second, and the median and 99th percentile of the milliseconds to an answer; throws
 * when one of them is no success.
 */
export async function load({ urls, headers, bodies, method = bodies ? 'POST' : 'GET' }, seconds) {
  const paths = urls.map((url) => url.slice(new URL(url).origin.length));
  const requests = (bodies ?? [undefined]).flatMap((body) => {
    const text = body && JSON.stringify(body);
    return paths.map((path) => ({ path, ...(body && { body: text }) }));
  });
  let opened = 0;
  const result = await autocannon({
    url: new URL(urls[0]).origin,
    connections: CONNECTIONS,
    duration: seconds,
    headers: bodies === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    method,
    setupClient(client) {
      const first = Math.floor((opened++ / CONNECTIONS) * requests.length);
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
    },
  });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0 || result['2xx'] === 0)
    throw new Error(`${urls[0]}: ${failed} failures, ${result['2xx']} successes`);
  const { p50, p99 } = result.latency;
  return { rate: result['2xx'] / result.duration, answers: result['2xx'], p50, p99 };
}
