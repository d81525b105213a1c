import { type DynamicModule, Module } from '@nestjs/common';
import { OperationsModule } from '../operations/operations.module.js';
import { ProjectionsAdminController } from './projections.admin.controller.js';
import { ReadModels } from './read-model.js';
import { ReadModelsWorker } from './read-models.worker.js';
import { Rebuilds } from './rebuilds.js';

/** Keeps the read models up to date, and lets operators see how far they have come and rebuild them. */
@Module({})
export class ReadModelsModule {
  static with(readModels: ReadModels): DynamicModule {
    return {
      module: ReadModelsModule,
      imports: [OperationsModule],
      controllers: [ProjectionsAdminController],
      providers: [{ provide: ReadModels, useValue: readModels }, ReadModelsWorker, Rebuilds],
    };
  }
}
