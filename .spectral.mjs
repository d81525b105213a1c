// How docs/openapi.json is linted: Spectral's rules for OpenAPI and OWASP's for APIs, with the reason for each exception.
import owasp from '@stoplight/spectral-owasp-ruleset';
import { oas } from '@stoplight/spectral-rulesets';

/** OWASP's rule of this name, asked only about places of the document for which `concerns` holds. */
const only = (name, concerns) => {
  const rule = owasp.rules[`owasp:${name}`];
  const then = [rule.then].flat().map((step) => ({
    ...step,
    function: (value, options, context) =>
      concerns(context.path, value, context.documentInventory.resolved)
        ? step.function(value, options, context)
        : undefined,
  }));
  return { [`owasp:${name}`]: { ...rule, then } };
};

const off = (...names) => Object.fromEntries(names.map((name) => [`owasp:${name}`, 'off']));

/** Not what webhooks bring, which we send. */
const isSent = ([section, , , part, ...rest]) =>
  section === 'paths' && ['parameters', 'requestBody'].includes(part) && !rest.includes('example');

const isBoundedText = (path, { pattern }, { paths }) => {
  const [, url, method, part, index, , ...below] = path;
  const parameter = part === 'parameters' && below.length === 0 ? paths[url][method].parameters[index] : null;
  // A pattern says how long a text is. An id of any length that does not exist is just not found.
  if (pattern !== undefined || parameter?.in === 'path') return false;
  // Mails and texts are taken as their providers make them, and cut by us.
  if (/email$|twilio$/.test(url) && part === 'requestBody') return false;
  return !path.some((name) => name === 'default' || /_ids?$/.test(String(name)));
};

/** Of the default of a custom field, which can be any value, the type of the field says what it may be. */
const isCounted = (path) => !path.includes('default');

const isBelow =
  (...surfaces) =>
  ([, url]) =>
    surfaces.some((surface) => String(url).startsWith(`/${surface}/`));

/** Tracked links, and links to unsubscribe, which are signed, are followed by whoever got the mail; health and metrics are on the inner network. */
const hasKeys = isBelow('api', 'admin', 'hooks');

/** A read is 403 only for a cookie without its header, which is refused before it is known whose it is. */
const isUncounted = ([, url, method, ...rest]) =>
  rest.includes('403') && (method === 'get' || String(url).endsWith('/render'));

export default {
  extends: [oas, owasp],
  aliases: owasp.aliases,
  rules: {
    // Limits are about what clients send; what they are answered has none that they would have to keep.
    ...only('api4:2023-string-limit', (path, ...rest) => isSent(path) && isBoundedText(path, ...rest)),
    ...only('api4:2023-integer-limit', isSent),
    ...only('api4:2023-array-limit', (path) => isSent(path) && isCounted(path)),
    // The rate limit is one of API keys; without a valid one (401) there is nothing to count for.
    ...only(
      'api4:2023-rate-limit',
      (path) => isBelow('api')(path) && !path.includes('401') && !isUncounted(path),
    ),
    ...only('api4:2023-rate-limit-responses-429', isBelow('api')),
    ...only('api2:2023-read-restricted', hasKeys),
    ...only('api2:2023-write-restricted', hasKeys),
    ...only('api8:2023-define-error-responses-401', hasKeys),
    ...only('api8:2023-define-error-validation', hasKeys),
    ...off(
      // Names, notes and ids are free text to the contract.
      'api4:2023-string-restricted',
      // Providers can be given a URL to post to and nothing else: the contract puts the hooks' tokens there.
      'api2:2023-no-api-keys-in-url',
      'api2:2023-no-credentials-in-url',
      // Keys have no place in a browser: there are no CORS headers.
      'api8:2023-define-cors-origin',
      // The server of the written document is the one on the reader's machine; what is served names PARLEY_PUBLIC_URL.
      'api8:2023-no-server-http',
    ),
  },
};
