// Writes the requests of docs/openapi.json as a collection (v2.1) that Postman, Bruno and Insomnia import:
// `npm run collection -- FILE`, dist/parley.postman_collection.json when left out.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { convert } from 'openapi-to-postmanv2';

const [path = 'dist/parley.postman_collection.json'] = process.argv.slice(2);

/** The variables that hold the keys, by the header or parameter that they are sent in. */
const KEYS = {
  'X-API-KEY': 'api_key',
  'X-ADMIN-KEY': 'admin_key',
  'X-Twilio-Signature': 'twilio_signature',
  token: 'hook_token',
  parley_session: 'console_session',
};

const variables = new Map([['baseUrl', 'http://localhost:3000']]);

/** `{{name}}`, to be filled in once for all requests. */
function variable(name) {
  if (!variables.has(name)) variables.set(name, '');
  return `{{${name}}}`;
}

function improve({ item, request }) {
  for (const inner of item ?? []) improve(inner);
  if (!request) return;
  for (const one of request.url.variable ?? []) one.value = variable(one.key);
  for (const one of request.url.query ?? []) if (one.key === 'token') one.value = variable(KEYS.token);
  const key = request.auth?.apikey?.find((one) => one.key === 'key')?.value;
  if (KEYS[key]) request.auth.apikey.find((one) => one.key === 'value').value = variable(KEYS[key]);
}

/** What is answered is in the document; here it would be most of the file. */
function withoutAnswers(part) {
  const { item, ...rest } = part;
  delete rest.response;
  return item ? { ...rest, item: item.map(withoutAnswers) } : rest;
}

const options = {
  folderStrategy: 'Tags',
  requestNameSource: 'Fallback',
  requestParametersResolution: 'Example',
  enableOptionalParameters: false,
};
const data = readFileSync('docs/openapi.json', 'utf8');
const { result, reason, output } = await promisify(convert)({ type: 'string', data }, options);
if (!result) throw new Error(reason);
const collection = withoutAnswers(output[0].data);
improve(collection);
collection.variable = [...variables].map(([key, value]) => ({ key, value, type: 'string' }));
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, `${JSON.stringify(collection, null, 2)}\n`);
