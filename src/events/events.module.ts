import { type DynamicModule, Module } from '@nestjs/common';
import { EventFeed } from './event-feed.js';
import { EventsController } from './events.controller.js';
import { LiveEvents } from './live/live-events.js';
import { PublicEvents } from './public-events.js';

/** The public event feed, for other systems. */
@Module({})
export class EventsModule {
  static with(events: PublicEvents): DynamicModule {
    return {
      module: EventsModule,
      controllers: [EventsController],
      providers: [EventFeed, LiveEvents, { provide: PublicEvents, useValue: events }],
    };
  }
}
