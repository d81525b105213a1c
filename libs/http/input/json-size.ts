import { invalid } from '../problems/problem.js';

/** Smaller bodies can be as deep and as full as they like. */
const SMALL = 16 * 1024;
/** Far more than anybody sends; free-form objects may be 64 levels deep. */
const DEEPEST = 200;
const MOST_VALUES = 20_000;

const [QUOTE, ESCAPE, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'"\\,[]{}'].map((one) =>
  one.charCodeAt(0),
);

/**
 * Throws a `Problem` for JSON that nests deeper, or holds more values, than anybody sends: to read it and to explain what is wrong
 * with it would keep everybody else waiting. Looks at its bytes alone; whether they are JSON is another question.
 */
export function requireModestJson(bytes: Uint8Array): void {
  if (bytes.length < SMALL) return;
  let depth = 0;
  let values = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === ESCAPE) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA) values++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      if (++depth > DEEPEST) throw tooMuch(`must not be nested deeper than ${DEEPEST} levels`);
    }
    if (values > MOST_VALUES) throw tooMuch(`must not have more than ${MOST_VALUES} fields and items in all`);
  }
}

const tooMuch = (detail: string) => invalid([{ field: 'body', detail }]);
