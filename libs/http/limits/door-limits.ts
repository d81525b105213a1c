import type { FastifyInstance } from 'fastify';

const KIB = 1024;

/** Bytes of a body at the doors to which anybody posts who has the URL, and which read it where all requests are served (contract, section 11). */
const DOORS = new Map([
  ['/hooks/v1/channels/:channel_id/form', 256 * KIB],
  ['/hooks/v1/channels/:channel_id/live-chat', 256 * KIB],
  ['/hooks/v1/channels/:channel_id/twilio', 64 * KIB],
]);

/** Bounds the bodies of doors. Call before routes are added. */
export function boundDoors(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const limit = DOORS.get(route.url);
    if (limit !== undefined) route.bodyLimit = limit;
  });
}
