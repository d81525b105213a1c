import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AnswerRoom, type Room, type Share } from './answer-room.js';
import type { ApiRequest } from '../access/caller.js';
import { roomFor } from '../expansion/expandable.js';

const MIB = 1024 * 1024;
/** Bytes of answers in memory at a time: of each key, of each organization, channel or all operators, and of all. */
const MOST = { key: 48 * MIB, each: 64 * MIB, all: 192 * MIB };
/** Writes answer with one record, which is seldom large. */
const EXPECTED_OF_WRITE = MIB / 2;
/** What a stream holds of the file that it sends. */
const HELD_BY_STREAM = 128 * 1024;
/** How long a reader may take nothing of an answer, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Of the requests under way. */
const rooms = new WeakMap<FastifyReply, Room>();

/** For an answer that has to wait for news: nothing is in memory for it until then. */
export const leaveRoom = (reply: FastifyReply): void => rooms.get(reply)?.isReady(0);

/** For an answer without an end: none of it is kept for its reader, who is dropped for taking nothing, as others are. */
export function streamAnswer(reply: FastifyReply): void {
  leaveRoom(reply);
  reply.raw.socket?.setTimeout(PATIENCE_MS);
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/**
 * Bounds the memory that answers take while their readers are slow, and drops readers that take nothing. Reads enter before
 * anything is read for them, writes when their body is here, so that a slow upload takes no room. Call it after `guardKeys`.
 */
export function boundAnswers(server: FastifyInstance): void {
  const answers = new AnswerRoom(MOST.all);

  const enter = (request: FastifyRequest, reply: FastifyReply, bytes: number): Promise<void> | undefined => {
    const shares = sharesOf(request as ApiRequest);
    if (shares.length === 0) return;
    const take = (room: Room): void => {
      rooms.set(reply, room);
      // Also when it has closed already, while the request waited.
      if (reply.raw.closed) room.free();
      else reply.raw.once('close', () => room.free());
    };
    const entered = answers.enter(shares, bytes);
    if (entered instanceof Promise) return entered.then(take);
    take(entered);
  };

  server.addHook('onRequest', (request, reply, done) => {
    // Of the answer before it on this connection.
    request.raw.socket.setTimeout(0);
    when(isRead(request) ? () => enter(request, reply, roomFor(request)) : null, done);
  });
  server.addHook('preValidation', (request, reply, done) =>
    when(isRead(request) ? null : () => enter(request, reply, EXPECTED_OF_WRITE), done),
  );
  server.addHook('onSend', (request, reply, payload, done) => {
    // From here on it is the reader's turn. Node tells a slow reader from one that takes nothing.
    request.raw.socket.setTimeout(PATIENCE_MS);
    rooms.get(reply)?.isReady(sizeOf(payload));
    done(null, payload);
  });
}

/** Calls `done` at once where nothing has to be waited for: every request comes through here. */
function when(enter: (() => Promise<void> | undefined) | null, done: (error?: Error) => void): void {
  let pending: Promise<void> | undefined;
  try {
    pending = enter?.();
  } catch (refusal) {
    return done(refusal as Error);
  }
  if (pending) pending.then(() => done(), done);
  else done();
}

/**
 * Whose answers count together. A key that is of no organization in its path counts for each that it sees, so that several keys take no more
 * than one. What anybody may ask for is small, or one copy for all.
 */
function sharesOf({ caller, params, routeOptions }: ApiRequest): Share[] {
  const each = (owner: string): Share => ({ owner, most: MOST.each });
  if (caller) {
    const organizations = params['organization_id']
      ? [params['organization_id']]
      : [...caller.organizationIds];
    return [{ owner: caller.keyId, most: MOST.key }, ...organizations.map(each)];
  }
  const owner = params['channel_id'] ?? (routeOptions.url?.startsWith('/admin/') ? 'operators' : undefined);
  return owner === undefined ? [] : [each(owner)];
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return payload instanceof Uint8Array ? payload.byteLength : HELD_BY_STREAM;
}
