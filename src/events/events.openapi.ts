import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { EventResponse } from './events.dto.js';
import type { PublicEvents } from './public-events.js';

type Schema = { description?: string; required?: string[]; properties: Record<string, object> };

/** Adds to the document a schema for each event type, and `Event`, which is one of them by its `type`. */
export function describeEvents(document: OpenAPIObject, events: PublicEvents): void {
  const schemas = document.components!.schemas as Record<string, object>;
  const common = schemas[EventResponse.name] as Schema;
  const mapping: Record<string, string> = {};
  for (const [type, { meaning, version, data }] of events.all()) {
    const name = `${type}Event`;
    schemas[name] = {
      ...common,
      description: meaning,
      properties: {
        ...common.properties,
        type: { type: 'string', enum: [type], description: meaning },
        version: { ...common.properties['version'], enum: [version] },
        data: { $ref: getSchemaPath(data) },
      },
    };
    mapping[type] = getSchemaPath(name);
  }
  // Each event's schema contains it now, and it is no answer by itself.
  delete schemas[EventResponse.name];
  schemas['Event'] = {
    description: 'Something that happened; its `type` tells the schema of its `data`.',
    oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping },
  };
}
