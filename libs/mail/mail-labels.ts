import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import iconv from 'iconv-lite';

/**
 * The decoder for a charset label: a name of the Encoding Standard in lower case, else one of iconv-lite, such as cp850. Null
 * for no label, for one that nobody knows, and for those that the standard refuses to read (ISO-2022-KR, HZ).
 */
export function canonical(label: string | null): string | null {
  if (label === null) return null;
  let name = names.get(label);
  if (name === undefined) {
    name = nameOf(label.replace(/['"]/g, '').trim().toLowerCase());
    if (names.size < MOST_NAMES && label.length <= LONGEST_NAME) names.set(label, name);
  }
  return name;
}

/** Labels seen so far: looking one up takes longer than reading a header. */
const names = new Map<string, string | null>();
/** Bounds the map: strangers can invent labels, each a megabyte long. */
const MOST_NAMES = 1_000;
const LONGEST_NAME = 40;

function nameOf(label: string): string | null {
  const standard = normalizeEncoding(label);
  if (standard !== null) return standard === 'replacement' ? null : standard;
  if (label.length > LONGEST_NAME) return null;
  const bare = label.replace(/^x-/, '').replace(/[^a-z0-9]/g, '');
  const usual = USUAL[bare] ?? ofFamily(bare);
  if (usual !== undefined) return usual;
  return NO_CHARSETS.has(bare) || !iconv.encodingExists(bare) ? null : bare;
}

/** Encodings of bytes, which iconv-lite also knows: as charsets they say nothing. */
const NO_CHARSETS = new Set(['base64', 'binary', 'hex']);

/** Labels of whole families, and code pages under whatever vendor's name. */
function ofFamily(bare: string): string | undefined {
  const iso =
    /^(?:iso)?8859(1[0-6]|\d)/.exec(bare)?.[1] ?? LATIN[/^(?:iso)?latin(\d+)/.exec(bare)?.[1] ?? ''];
  if (iso !== undefined) return normalizeEncoding(`iso-8859-${iso}`) ?? undefined;
  const number = Number(/^(?:cp|ms|windows|win|ibm|dos|cs|csibm)?(\d{3,5})$/.exec(bare)?.[1]);
  if (Number.isNaN(number)) return undefined;
  const named = CODE_PAGES[number] ?? normalizeEncoding(`windows-${number}`);
  return named ?? (iconv.encodingExists(`cp${number}`) ? `cp${number}` : undefined);
}

/** Latin alphabets by number, and the part of ISO 8859 that each is. */
const LATIN: Record<string, number> = {
  1: 1,
  2: 2,
  3: 3,
  4: 4,
  5: 9,
  6: 10,
  7: 13,
  8: 14,
  9: 15,
  10: 16,
};

const CODE_PAGES: Record<number, string> = {
  932: 'shift_jis',
  936: 'gbk',
  943: 'shift_jis',
  949: 'euc-kr',
  950: 'big5',
  951: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  10017: 'x-mac-cyrillic',
  20127: 'windows-1252',
  20866: 'koi8-r',
  20932: 'euc-jp',
  20936: 'gbk',
  20949: 'euc-kr',
  21866: 'koi8-u',
  28591: 'windows-1252',
  28592: 'iso-8859-2',
  28593: 'iso-8859-3',
  28594: 'iso-8859-4',
  28595: 'iso-8859-5',
  28596: 'iso-8859-6',
  28597: 'iso-8859-7',
  28598: 'iso-8859-8',
  28599: 'windows-1254',
  28600: 'iso-8859-10',
  28601: 'windows-874',
  28603: 'iso-8859-13',
  28604: 'iso-8859-14',
  28605: 'iso-8859-15',
  28606: 'iso-8859-16',
  38598: 'iso-8859-8-i',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  51936: 'gbk',
  51949: 'euc-kr',
  54936: 'gb18030',
  65000: 'utf7',
  65001: 'utf-8',
};

/** Names that mailers write and the standard does not list, without punctuation and `x-`. */
const USUAL: Record<string, string> = {
  big52003: 'big5',
  big5eten: 'big5',
  big5hkscs: 'big5',
  big5hkscs2004: 'big5',
  big5hkscs2008: 'big5',
  big5uao: 'big5',
  cyrillicwindows: 'windows-1251',
  euccn: 'gbk',
  eucgb2312cn: 'gbk',
  eucjp: 'euc-jp',
  eucjpms: 'euc-jp',
  eucjpwin: 'euc-jp',
  euckr: 'euc-kr',
  gb180302000: 'gb18030',
  gb180302005: 'gb18030',
  gb180302022: 'gb18030',
  gb231280: 'gbk',
  gb23121980: 'gbk',
  hkscs: 'big5',
  hkscsbig5: 'big5',
  iso10646ucs2: 'utf-16le',
  iso2022jp1: 'iso-2022-jp',
  iso2022jp2: 'iso-2022-jp',
  iso2022jp3: 'iso-2022-jp',
  iso2022jp2004: 'iso-2022-jp',
  iso2022jpms: 'iso-2022-jp',
  jis: 'iso-2022-jp',
  jis7: 'iso-2022-jp',
  koi8ru: 'koi8-u',
  koi8u: 'koi8-u',
  ksc56011987: 'euc-kr',
  ksc56011992: 'euc-kr',
  ksx1001: 'euc-kr',
  maccyrillic: 'x-mac-cyrillic',
  macroman: 'macintosh',
  mskanji: 'shift_jis',
  ms932: 'shift_jis',
  shiftjis: 'shift_jis',
  shiftjis2004: 'shift_jis',
  shiftjisx0213: 'shift_jis',
  sjiswin: 'shift_jis',
  tis620: 'windows-874',
  tis6202533: 'windows-874',
  ucs2: 'utf-16le',
  ucs2be: 'utf-16be',
  ucs2le: 'utf-16le',
  uhc: 'euc-kr',
  ujis: 'euc-jp',
  usascii: 'windows-1252',
  utf16: 'utf-16le',
  utf16be: 'utf-16be',
  utf16le: 'utf-16le',
  utf8: 'utf-8',
  utf8bom: 'utf-8',
  utf8mb4: 'utf-8',
  utf8n: 'utf-8',
  windows31j: 'shift_jis',
};
