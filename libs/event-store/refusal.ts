import type { Append } from './append.js';
import { errorOfMissing } from './required.js';

/** Another writer was first: the stream is not at the version the decision was made on. */
export class VersionConflict extends Error {}

/** How es_append refuses. Each names the streams in its detail. */
const VERSION_CONFLICT = 'PE002';
export const STREAM_HELD = 'PE003';
const REQUIRED_MISSING = 'PE005';

interface DatabaseRefusal {
  code?: string;
  message: string;
  detail?: string;
}

interface RefusedStream {
  organization_id: string;
  id: string;
  /** What it requires. */
  missing?: string;
}

/** The streams that a refusal of `es_append` names; null for any other error. */
export function refusedStreams({ code, detail }: DatabaseRefusal): RefusedStream[] | null {
  const isNaming = code === VERSION_CONFLICT || code === STREAM_HELD || code === REQUIRED_MISSING;
  return isNaming ? (JSON.parse(detail!) as RefusedStream[]) : null;
}

/** Throws what the database's refusal of these appends means. */
export const refusalOf =
  (appends: Pick<Append, 'requires'>[]) =>
  (error: unknown): never => {
    const refusal = error as DatabaseRefusal;
    if (refusal.code === VERSION_CONFLICT) throw new VersionConflict(refusal.message);
    if (refusal.code !== REQUIRED_MISSING) throw error;
    const missing = new Set(refusedStreams(refusal)!.map((stream) => stream.missing!));
    const required = appends.flatMap(({ requires }) => requires);
    throw errorOfMissing(required, missing) ?? error;
  };
