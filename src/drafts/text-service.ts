/** The service that an address of a text names before its colon, such as `whatsapp`; null for a plain number. */
export const serviceOf = (address: string): string | null =>
  /^([a-z]+):/i.exec(address)?.[1]?.toLowerCase() ?? null;
