import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { now, secondsOf } from '#kernel/instant.js';

/** Within the data directory. */
export const SPOOL_FOLDER = 'uploads';
/** Longer than any request takes. */
const LEFT_SECONDS = 60 * 60;
const KIB = 1024;
const MIB = 1024 * KIB;

/** In bytes: what one body may hold of memory, all of them of a spool together, and all of them on disk. */
const SPOOL_LIMITS = { small: 64 * KIB, memory: 8 * MIB, disk: 2048 * MIB };

/** A chunk in memory takes some 200 bytes more than it has: with more of them they become one. */
const MOST_CHUNKS = 64;

/** More bytes came than are taken. */
export class TooManyBytes extends Error {}
/** The disk is full, or as many bytes are coming in as it is to hold. */
export class NoRoom extends Error {}

/** Bytes that came in: in memory while they are few, else in a file of ours. As JSON it tells one from another, but not where it lies. */
export class Spooled {
  readonly #kept: Uint8Array | string;
  readonly #giveBack: () => void;

  constructor(
    /** Bytes. */
    readonly size: number,
    readonly sha256: string,
    kept: Uint8Array | string,
    giveBack: () => void = () => {},
  ) {
    this.#kept = kept;
    this.#giveBack = giveBack;
  }

  /** Of these bytes, which stay in memory. */
  static of(bytes: Uint8Array): Spooled {
    return new Spooled(bytes.length, createHash('sha256').update(bytes).digest('hex'), bytes);
  }

  /** Where the bytes are until `remove`; null where they are in memory. */
  get path(): string | null {
    return typeof this.#kept === 'string' ? this.#kept : null;
  }

  /** All of them, in memory: a copy of those on disk. */
  async bytes(): Promise<Uint8Array> {
    return typeof this.#kept === 'string' ? readFile(this.#kept) : this.#kept;
  }

  /** The first ones, at most so many. */
  async beginning(most: number): Promise<Uint8Array> {
    if (typeof this.#kept !== 'string') return this.#kept.subarray(0, most);
    const file = await open(this.#kept);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** Frees the memory or the disk. */
  async remove(): Promise<void> {
    this.#giveBack();
    if (typeof this.#kept === 'string') await rm(this.#kept, { force: true });
  }
}

/** Takes what comes in piece by piece, so that many large bodies at once need little memory. */
export class Spool {
  private readonly memory: Room;
  private readonly disk: Room;

  constructor(
    private readonly folder: string,
    private readonly limits = SPOOL_LIMITS,
  ) {
    this.memory = new Room(limits.memory);
    this.disk = new Room(limits.disk);
  }

  /**
   * Reads to the end. Whoever calls it removes what it gives. Throws TooManyBytes beyond `most` bytes, NoRoom, and what the reading throws;
   * then nothing is left.
   */
  async take(chunks: AsyncIterable<Uint8Array>, most: number): Promise<Spooled> {
    const coming = new Coming(this.folder, this.limits.small, this.memory, this.disk);
    try {
      for await (const chunk of chunks) {
        if (coming.size + chunk.length > most) throw new TooManyBytes(`over the limit of ${most} bytes`);
        await coming.add(chunk);
      }
      return await coming.end();
    } catch (error) {
      await coming.drop();
      throw error;
    }
  }

  /** Removes what was coming when a process ended at once. Other processes that share the folder may be at younger ones. */
  async removeLeftovers(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const path of names.map((name) => join(this.folder, name))) {
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs / 1_000 < secondsOf(now()) - LEFT_SECONDS) await rm(path, { force: true });
    }
  }
}

/** Room for so many bytes. */
class Room {
  private held = 0;

  constructor(private readonly most: number) {}

  /** Whether there was room for them; they hold it until they are given back. */
  take(bytes: number): boolean {
    if (this.held + bytes > this.most) return false;
    this.held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.held -= bytes;
  }
}

/** One body that is coming in. */
class Coming {
  size = 0;
  private readonly hash = createHash('sha256');
  private readonly chunks: Uint8Array[] = [];
  private inMemory = 0;
  private onDisk = 0;
  private file: { path: string; handle: FileHandle } | null = null;

  constructor(
    private readonly folder: string,
    private readonly small: number,
    private readonly memory: Room,
    private readonly disk: Room,
  ) {}

  async add(chunk: Uint8Array): Promise<void> {
    this.hash.update(chunk);
    this.size += chunk.length;
    if (this.file || this.size > this.small || !this.memory.take(chunk.length))
      return this.write([...this.chunks.splice(0), chunk]);
    this.inMemory += chunk.length;
    this.chunks.push(chunk);
    if (this.chunks.length === MOST_CHUNKS) this.chunks.push(Buffer.concat(this.chunks.splice(0)));
  }

  async end(): Promise<Spooled> {
    await this.file?.handle.close();
    const kept = this.file?.path ?? Buffer.concat(this.chunks);
    return new Spooled(this.size, this.hash.digest('hex'), kept, this.giveBack);
  }

  async drop(): Promise<void> {
    await this.file?.handle.close().catch(() => {});
    if (this.file) await rm(this.file.path, { force: true });
    this.giveBack();
  }

  private async write(chunks: Uint8Array[]): Promise<void> {
    const bytes = Buffer.concat(chunks);
    if (!this.disk.take(bytes.length)) throw new NoRoom('Too many bytes are coming in at once.');
    this.onDisk += bytes.length;
    try {
      this.file ??= await this.newFile();
      await this.file.handle.appendFile(bytes);
    } catch (cause) {
      throw new NoRoom('The disk takes no more bytes.', { cause });
    }
    this.memory.giveBack(this.inMemory);
    this.inMemory = 0;
  }

  private async newFile(): Promise<{ path: string; handle: FileHandle }> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, randomUUID());
    return { path, handle: await open(path, 'wx', 0o600) };
  }

  private readonly giveBack = (): void => {
    this.memory.giveBack(this.inMemory);
    this.disk.giveBack(this.onDisk);
    this.inMemory = this.onDisk = 0;
  };
}
