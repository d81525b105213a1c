import type { OpenAPIObject } from '@nestjs/swagger';
import type { PublicEvents } from '../events/events.contract.js';
import { TEST_TYPE } from './try-webhook.js';

const HEADERS: [name: string, description: string, example: string][] = [
  [
    'webhook-id',
    'The `event_id`, the same on every try: keep it, and leave out what you have had already.',
    'event_01hzy3v7q4e8k9m2n5p6r7s8t9',
  ],
  [
    'webhook-timestamp',
    'When it was sent, in seconds since 1970 (UTC). Refuse what is older than five minutes.',
    '1767323045',
  ],
  [
    'webhook-signature',
    'Signatures, separated by spaces, each `v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. One that fits is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
];

const TEST_MEANING = 'An operator has tried the webhook. It is in no feed.';

const RESPONSES = {
  '2XX': { description: 'You have taken it. Any 2xx will do, within 15 s; the body is not looked at.' },
  '410': { description: 'You want no more: the webhook is paused.' },
  default: { description: 'It is sent again, over three days, no sooner than your `Retry-After` says.' },
};

type Schema = { description?: string; properties: Record<string, object> };

/** Adds a webhook for each event type to the document, with the schema of the event in the feed. */
export function describeWebhooks(document: OpenAPIObject, events: PublicEvents): void {
  const schemas = document.components!.schemas as Record<string, Schema>;
  const meanings = events.all().map(([type, { meaning }]): [string, string] => [type, meaning]);
  const [anyType] = meanings[0]!;
  schemas[`${TEST_TYPE}Event`] = testSchema(schemas[`${anyType}Event`]!);
  const webhooks = [...meanings, [TEST_TYPE, TEST_MEANING] as const].map(([type, meaning]) => [
    type,
    { post: operationOf(type, meaning) },
  ]);
  Object.assign(document, { webhooks: Object.fromEntries(webhooks) as object });
}

/** The schema of the test event, which differs from any other only in `type` and `data`. */
const testSchema = (event: Schema): Schema => ({
  ...event,
  description: TEST_MEANING,
  properties: {
    ...event.properties,
    type: { type: 'string', enum: [TEST_TYPE], description: TEST_MEANING },
    version: { type: 'integer', format: 'int32', enum: [1], description: 'Version of the schema of `data`.' },
    data: {
      type: 'object',
      description: 'The webhook.',
      required: ['webhook_id'],
      properties: { webhook_id: { type: 'string', description: 'The webhook.' } },
    },
  },
});

const operationOf = (type: string, meaning: string): object => ({
  operationId: `webhook_${type}`,
  summary: type,
  description: `${meaning} Signed by the Standard Webhooks specification.`,
  tags: ['Webhooks'],
  parameters: HEADERS.map(([name, description, example]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
    example,
  })),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${type}Event` } } },
  },
  responses: RESPONSES,
  // The receiver checks the signature; there is no key.
  security: [],
});
