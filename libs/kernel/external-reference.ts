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

const MOST_KEYS = 50;

/** A reference that has what another had, too, where it lacks it itself. The other's external id leads here if it is not taken over. */
export function filledReference(
  own: Referenced,
  other: Referenced,
): ExternalReference & { merged_external_ids: string[] } {
  const ids = [other.external_id, ...other.merged_external_ids].filter((id) => id !== null);
  const external_id = own.external_id ?? other.external_id;
  const metadata = { ...other.metadata, ...own.metadata };
  const added = Object.keys(other.metadata).filter((key) => !(key in own.metadata));
  for (const key of added.slice(Math.max(0, MOST_KEYS - Object.keys(own.metadata).length)))
    Reflect.deleteProperty(metadata, key);
  return {
    external_id,
    metadata,
    merged_external_ids: [...own.merged_external_ids, ...ids.filter((id) => id !== external_id)],
  };
}

/** A reference with the external ids that lead to its record beside its own: those of records merged into it. */
export interface Referenced extends ExternalReference {
  merged_external_ids: string[];
}

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
