const INT32 = 2 ** 31 - 1;

/**
 * Gives every integer of the document its width, for clients in languages that tell them apart. Bounds of a list's items, which
 * the compiler's plugin gives the list, too, are not its own.
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
