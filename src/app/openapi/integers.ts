const INT32 = 2 ** 31 - 1;

/**
 * Gives every integer its width, for clients in languages with several. Bounds that the compiler's plugin copies from list
 * items to the list itself are removed.
 */
export function describeIntegers<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part;
  const schema = part as { type?: unknown; minimum?: unknown; maximum?: unknown; format?: string };
  if ([schema.type].flat().includes('integer'))
    schema.format ??= Number(schema.maximum ?? Infinity) <= INT32 ? 'int32' : 'int64';
  if (schema.type === 'array') {
    delete schema.minimum;
    delete schema.maximum;
  }
  for (const inner of Object.values(part)) describeIntegers(inner);
  return part;
}
