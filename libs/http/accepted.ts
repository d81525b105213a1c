interface Range {
  type: string;
  q: number;
  /** How closely a range names a media type: 0 for all types, 2 for one. */
  closeness: number;
}

/**
 * Of these media types the one that an `Accept` header (RFC 9110, section 12.5.1) prefers: by `q`, then the one that it names most
 * closely, then the first. The first, too, where none is accepted or there is no header.
 */
export function preferredType(accept: string | undefined, types: string[]): string {
  if (accept === undefined) return types[0]!;
  const ranges = accept.split(',').flatMap((text) => rangeIn(text) ?? []);
  const ranked = types.map((type) => ({ ...matchOf(type, ranges), type }));
  const [best] = ranked.sort((one, other) => other.q - one.q || other.closeness - one.closeness);
  return best!.q > 0 ? best!.type : types[0]!;
}

function rangeIn(text: string): Range | null {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  if (!/^[^/\s]+\/[^/\s]+$/.test(type)) return null;
  const weight = parameters.map((one) => /^q\s*=\s*(\d(?:\.\d{0,3})?)$/.exec(one)?.[1]).find(Boolean);
  return { type, q: Number(weight ?? 1), closeness: type === '*/*' ? 0 : type.endsWith('/*') ? 1 : 2 };
}

/** The range that names the type most closely says how much it is wanted. */
function matchOf(type: string, ranges: Range[]): Pick<Range, 'q' | 'closeness'> {
  const names = [type, `${type.split('/')[0]}/*`, '*/*'];
  const matching = ranges.filter((range) => names.includes(range.type));
  const [closest] = matching.sort((one, other) => other.closeness - one.closeness);
  return closest ?? { q: 0, closeness: 0 };
}
