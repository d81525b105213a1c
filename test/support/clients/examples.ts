import type { Json } from './client.js';
import type { Operation } from './openapi.js';

/** The example of an operation's JSON body; undefined where it takes none. */
export const exampleOf = ({ spec }: Operation): Json =>
  spec.requestBody?.content['application/json']?.example;

/** Ids of an example are of nobody; here they become those of records that are there, and of others where two are merged. */
export const withIds = (example: Json, ids: Record<string, string>): Json =>
  JSON.parse(
    JSON.stringify(example).replace(/"(org|stage|contact|tag)_01[0-9a-z]{24}"/g, (_, kind: string) =>
      JSON.stringify(ids[{ org: 'organization_id', stage: 'status_id' }[kind] ?? `${kind}_id`]),
    ),
    (field: string, value: unknown) => (field.startsWith('from_') && ids[field]) || value,
  );
