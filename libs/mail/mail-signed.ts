import { fromBER } from 'asn1js';

const SIGNED_DATA = '1.2.840.113549.1.7.2';

/** What this file needs of an ASN.1 value as asn1js reads it. */
interface Value {
  idBlock: { isConstructed: boolean };
  valueBlock: { value?: Value[]; valueHexView?: Uint8Array; toString?(): string };
}

/** Types and names under which S/MIME comes; some gateways make an octet-stream of it. */
export const mayBeSigned = ({ type, name }: { type: string; name: string | null }): boolean =>
  /^application\/(?:x-)?pkcs7-mime$/.test(type) || /\.p7m$/i.test(name ?? '');

/**
 * The MIME part that an S/MIME signature wraps (RFC 8551, 3.5.2; RFC 5652, 5.1): in DER or BER, with lengths or without. The
 * signature is not checked: everybody may read the text. Null for what is encrypted, holds no content, or is no S/MIME.
 */
export function signedContent(bytes: Buffer): Buffer | null {
  try {
    const [type, signed] = partsOf(fromBER(bytes).result as unknown as Value);
    if (type?.valueBlock.toString?.() !== SIGNED_DATA) return null;
    const [, , encapsulated] = partsOf(partsOf(signed)[0]);
    const [, content] = partsOf(encapsulated);
    const [octets] = partsOf(content);
    return octets ? Buffer.concat(octetsOf(octets)) : null;
  } catch {
    // Nested deeper than the stack.
    return null;
  }
}

const partsOf = (value: Value | undefined): Value[] =>
  value?.idBlock.isConstructed ? (value.valueBlock.value ?? []) : [];

/** The octets of a string that may be in pieces. */
const octetsOf = (value: Value): Uint8Array[] =>
  value.idBlock.isConstructed
    ? partsOf(value).flatMap(octetsOf)
    : [value.valueBlock.valueHexView ?? Buffer.of()];
