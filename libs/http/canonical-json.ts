const DEEPEST = 100;

/**
 * A JSON value as text that is the same for the same value, whatever the order of its fields. Below 100 levels it does
 * not look: no request body that is taken goes as deep.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (depth > DEEPEST) return '"…"';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field, depth + 1)}`).join(',')}}`;
}
