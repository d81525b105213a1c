/** Routes whose answers are bytes. Written by `npm run openapi` from docs/openapi.json. */
export const BYTE_ROUTES: ReadonlySet<string> = new Set([
  'get /api/v2/organizations/{organization_id}/conversations/{conversation_id}/messages/{message_id}/attachments/{attachment_id}',
  'get /api/v2/organizations/{organization_id}/messages/{message_id}/raw',
  'get /api/v2/organizations/{organization_id}/conversations/{conversation_id}/messages/{message_id}/raw',
  'get /api/v2/organizations/{organization_id}/files/{file_id}',
]);
