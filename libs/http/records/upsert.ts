import { applyDecorators, Injectable } from '@nestjs/common';
import { type Command, CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { AnyAggregate } from '#event-store/aggregate.js';
import { NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { requireExpected } from '#event-store/expectation.js';
import { recordWithExternalId } from '#event-store/external-ids.js';
import type { Context } from '#kernel/context.js';
import { readInput } from '../input/input.js';
import { invalid, Problem } from '../problems/problem.js';
import { EXTERNAL_ID_TAKEN } from './claim-external-id.js';
import { PathExternalId } from './external-reference.dto.js';

/** How often it begins again when other requests make, change or remove the record at the same moment. */
const TRIES = 5;

/** How a record with an external id is made and changed. */
export interface Upsert<Creation extends object, Change extends object, Shown> {
  aggregate: AnyAggregate;
  bodyOfCreation: new () => Creation;
  bodyOfChange: new () => Change;
  create(context: Context, body: Creation): Command<Shown>;
  change(context: Context, id: string, body: Change): Command<Shown>;
}

/** Makes and changes records by external id. */
@Injectable()
export class Upserts {
  constructor(
    private readonly store: EventStore,
    private readonly commands: CommandBus,
  ) {}

  /**
   * Makes the record that has this external id (201), or changes the fields that the body names (200). Throws as creation and
   * change do, and a 400 for another external id in the body.
   */
  async put<Creation extends object, Change extends object, Shown>(
    context: Context,
    externalId: string,
    body: unknown,
    reply: FastifyReply,
    upsert: Upsert<Creation, Change, Shown>,
  ): Promise<Shown> {
    const { external_id } = readInput(PathExternalId, { external_id: externalId });
    const { external_id: named, ...changes } = readInput(upsert.bodyOfChange, body) as Change & {
      external_id?: string | null;
    };
    if (named !== undefined && named !== external_id)
      throw invalid([{ field: 'external_id', detail: 'must be that of the path, or be left out' }]);
    const found = () =>
      recordWithExternalId(this.store.database, upsert.aggregate.row, context.organizationId, external_id);
    const commandFor = (id: string | undefined) =>
      id === undefined
        ? upsert.create(
            context,
            readInput(upsert.bodyOfCreation, { ...withoutNulls(body ?? {}), external_id }),
          )
        : upsert.change(context, id, changes as Change);
    for (let attempt = 1; ; attempt++) {
      try {
        const id = await found();
        if (id === undefined) requireExpected(context, NEW);
        const record = await this.commands.execute<Command<Shown>, Shown>(commandFor(id));
        void reply.status(id === undefined ? 201 : 200);
        return record;
      } catch (error) {
        if (attempt === TRIES || !isOvertaken(error, upsert.aggregate.streamType)) throw error;
      }
    }
  }
}

/** Another request made the record, or removed it, since it was looked for. */
const isOvertaken = (error: unknown, what: string): boolean =>
  error instanceof Problem && [EXTERNAL_ID_TAKEN, `${what}_not_found`, 'merged'].includes(error.code);

/** A new record has nothing to clear. */
const withoutNulls = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** Documents a route that makes or changes a record. */
export const ApiUpsert = (body: Type, record: Type) =>
  applyDecorators(
    ApiBody({ type: body, description: 'A new record needs what it needs when it is created alone.' }),
    ApiCreatedResponse({ type: record, description: 'It was not there and has been made.' }),
    ApiOkResponse({ type: record, description: 'It was there.' }),
  );
