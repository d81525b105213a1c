import type { AboutApi } from './document.js';
import { FIELDS, PATH_PARAMETERS, TAGS } from './glossary.js';

const DESCRIPTION = `A sales and conversation workspace: contacts and companies, conversations over e-mail, text, call,
live chat and form, drafts that are delivered and become messages, sales in a pipeline, tasks, and an audit log.

Send your API key in the header \`X-API-KEY\`; operators of the service send theirs to \`/admin\` in \`X-ADMIN-KEY\`. Errors are
RFC 9457 problem details. Instants are RFC 3339 in UTC with microseconds. Lists are paged by cursor, newest first.

With an \`Idempotency-Key\` a POST or PATCH is carried out once, however often it is sent. A change with the \`ETag\` you have read in
\`If-Match\` overwrites nobody else's. \`RateLimit\` tells what a key may still ask for, and 429 with \`Retry-After\` when to go on. Each answer bears an
\`X-Request-Id\`, yours if you send one, under which logs and audit records have it.`;

/** What the OpenAPI document says of the API as a whole, and the words that it explains. */
export const ABOUT: AboutApi = {
  title: 'Parley',
  version: '2.0.0',
  description: DESCRIPTION,
  operatorKey: 'Key of the operators, PARLEY_ADMIN_KEY.',
  glossary: { fields: FIELDS, pathParameters: PATH_PARAMETERS, tags: TAGS },
};
