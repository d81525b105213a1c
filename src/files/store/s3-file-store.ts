import type { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import type * as Library from '@aws-sdk/client-s3';
import type { S3Config } from '../../config/config.js';
import { unavailable } from '#http/problems/problem.js';
import type { Spooled } from '#http/input/spool.js';
import type { FileStore } from './file-store.js';

interface Opened {
  library: typeof Library;
  client: Library.S3Client;
}

const CONNECT_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 10_000;
const ATTEMPTS = 2;

/** Files in a bucket of an S3 store. The client library loads slowly, so it is loaded with the first file. */
export class S3FileStore implements FileStore {
  private readonly log = new Logger('attachments');
  private opened: Promise<Opened> | null = null;

  constructor(private readonly config: S3Config) {}

  async put(key: string, bytes: Spooled): Promise<void> {
    if (await this.has(key)) return;
    const { library, client } = await this.open();
    // No stream: where the store is reached without TLS, the client must know all bytes to sign them.
    const object = { Bucket: this.config.bucket, Key: key, Body: await bytes.bytes() };
    await this.required(() => client.send(new library.PutObjectCommand(object)));
  }

  async has(key: string): Promise<boolean> {
    const { library, client } = await this.open();
    const name = { Bucket: this.config.bucket, Key: key };
    return (await this.answered(() => client.send(new library.HeadObjectCommand(name)))) !== null;
  }

  async remove(key: string): Promise<void> {
    const { library, client } = await this.open();
    const name = { Bucket: this.config.bucket, Key: key };
    await this.answered(() => client.send(new library.DeleteObjectCommand(name)));
  }

  async get(key: string): Promise<Readable | null> {
    const { library, client } = await this.open();
    const name = { Bucket: this.config.bucket, Key: key };
    const found = await this.answered(() => client.send(new library.GetObjectCommand(name)));
    return (found?.Body as Readable | undefined) ?? null;
  }

  /** The store's answer about a file; null when it does not have the file. */
  private async answered<Result>(ask: () => Promise<Result>): Promise<Result | null> {
    try {
      return await ask();
    } catch (error) {
      if (
        (error as { name?: string }).name === 'NoSuchKey' ||
        (error as { name?: string }).name === 'NotFound'
      )
        return null;
      return this.failed(error);
    }
  }

  private async required<Result>(ask: () => Promise<Result>): Promise<Result> {
    return ask().catch((error: unknown) => this.failed(error));
  }

  /** The store is away, full, or set up wrong: whoever sends the file keeps it and sends it again. */
  private failed(error: unknown): never {
    this.log.warn(`the store of attachments: ${String(error)}`);
    throw unavailable('the store of its attachments');
  }

  private async open(): Promise<Opened> {
    this.opened ??= import('@aws-sdk/client-s3').then((library) => ({
      library,
      client: this.client(library),
    }));
    return this.opened;
  }

  private client({ S3Client }: typeof Library): Library.S3Client {
    const { endpoint, region, accessKeyId, secretAccessKey, pathStyle } = this.config;
    return new S3Client({
      ...(endpoint !== null && { endpoint }),
      region,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: pathStyle,
      maxAttempts: ATTEMPTS,
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
      // Many stores that speak S3 know nothing of its newer checksums; the payload's hash is signed anyway.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }
}
