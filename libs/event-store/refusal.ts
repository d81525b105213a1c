import type { Append } from './append.js';
import { errorOfMissing } from './required.js';

/** Another writer was first: the stream is no longer at the version of the decision. */
export class VersionConflict extends Error {}

/** SQLSTATEs by which es_append refuses. Each names the streams in its detail. */
const VERSION_CONFLICT = 'PE002';
export const STREAM_HELD = 'PE003';
const REQUIRED_MISSING = 'PE005';

interface DatabaseRefusal {
  code?: string;
  message: string;
  detail?: string;
}

interface RefusedStream {
  id: string;
  /** The missing stream that it requires. */
  missing?: string;
}

/** The streams named by a refusal of `es_append`; null for any other error. */
export function refusedStreams({ code, detail }: DatabaseRefusal): RefusedStream[] | null {
  const isNaming = code === VERSION_CONFLICT || code === STREAM_HELD || code === REQUIRED_MISSING;
  return isNaming ? (JSON.parse(detail!) as RefusedStream[]) : null;
}

/** The error that the database's refusal of these appends means. */
export function meaningOf(error: Error, appends: Pick<Append, 'requires'>[]): Error {
  const refusal = error as DatabaseRefusal & Error;
  if (refusal.code === VERSION_CONFLICT) return new VersionConflict(refusal.message);
  if (refusal.code !== REQUIRED_MISSING) return error;
  const missing = new Set(refusedStreams(refusal)!.map((stream) => stream.missing!));
  const required = appends.flatMap(({ requires }) => requires);
  return errorOfMissing(required, missing) ?? error;
}
