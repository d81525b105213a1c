/** Records of one kind by their ids, as their own route shows them. */
export interface FoundRecords {
  byId: ReadonlyMap<string, object>;
  /** False when some are left out for lack of room. */
  isWhole: boolean;
}

/** Reads the organization's records with these ids by one statement, as far as their rows fit into `room` bytes. */
export type RecordReader = (organizationId: string, ids: string[], room: number) => Promise<FoundRecords>;

/** Reads records of any kind: each context registers how its own are read. */
export class RecordReaders {
  private readonly byKind = new Map<string, RecordReader>();

  add(kind: string, reader: RecordReader): void {
    this.byKind.set(kind, reader);
  }

  async read(kind: string, organizationId: string, ids: string[], room: number): Promise<FoundRecords> {
    if (ids.length === 0) return { byId: new Map(), isWhole: true };
    const reader = this.byKind.get(kind);
    if (!reader) throw new Error(`nobody reads records of the kind ${kind}`);
    return reader(organizationId, ids, room);
  }
}
