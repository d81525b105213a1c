/** A mail as it came off the wire. */
export interface RawMail {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  /** The file that has the bytes; null where they are in memory. */
  readonly path: string | null;
  /** All of them, in memory. */
  bytes(): Promise<Uint8Array>;
}
