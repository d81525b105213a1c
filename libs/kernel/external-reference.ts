import { sameValue } from './same.js';

/** What another system keeps with a record: its own id for it, and texts of its own by key. */
export interface ExternalReference {
  external_id: string | null;
  metadata: Metadata;
}

export type Metadata = Record<string, string>;

/** What a request names of it: fields left out stay, null clears. */
export interface ReferenceChanges {
  external_id?: string | null;
  metadata?: Metadata | null;
}

export const NO_REFERENCE: ExternalReference = { external_id: null, metadata: {} };

/** What a new record has of it: only what `NO_REFERENCE` does not say. */
export const newReference = ({ external_id, metadata }: ReferenceChanges): Partial<ExternalReference> => ({
  ...(external_id != null && { external_id }),
  ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
});

/** What these changes make different. */
export function changedReference(
  before: ExternalReference,
  { external_id, metadata }: ReferenceChanges,
): Partial<ExternalReference> {
  const given = metadata === null ? {} : metadata;
  return {
    ...(external_id !== undefined && external_id !== before.external_id && { external_id }),
    ...(given !== undefined && !sameValue(given, before.metadata) && { metadata: given }),
  };
}
