import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { readConfig } from '../../config/config.js';
import type { Database } from '#database/database.js';
import { Drain } from '#http/limits/drain.js';
import { openApiDocument } from './document.js';
import type { Jobs } from '#jobs/jobs.js';
import { AppModule } from '../app.module.js';
import { PUBLIC_EVENTS } from '../public-events.js';
import { describeEvents } from '../../events/events.contract.js';
import { describeWebhooks } from '../../webhooks/webhooks.contract.js';

/** The application's OpenAPI document; `publicUrl` is where it is reached. */
export function documentOf(app: NestFastifyApplication, publicUrl: string): OpenAPIObject {
  const eventData = PUBLIC_EVENTS.all().map(([, { data }]) => data);
  const document = openApiDocument(app, publicUrl, eventData);
  describeEvents(document, PUBLIC_EVENTS);
  describeWebhooks(document, PUBLIC_EVENTS);
  return document;
}

/** The same for an application that is inspected and not run: no providers are made and no database is opened. */
export async function documentOfDefaults(): Promise<OpenAPIObject> {
  const config = readConfig({});
  const module = AppModule.with({
    config,
    roles: { api: true, worker: true },
    database: {} as Database,
    jobs: {} as Jobs,
    secretKey: Buffer.alloc(32),
    drain: new Drain(),
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    preview: true,
    abortOnError: false,
    logger: false,
  });
  return documentOf(app, `http://localhost:${config.port}`);
}
