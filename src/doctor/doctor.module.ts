import { type DynamicModule, Module } from '@nestjs/common';
import { ReadModels } from '../read-models/read-models.contract.js';
import { DoctorAdminController } from './doctor.admin.controller.js';
import { Doctor } from './doctor.js';

/** Tells operators what is wrong with the set-up. */
@Module({})
export class DoctorModule {
  static with(readModels: ReadModels): DynamicModule {
    return {
      module: DoctorModule,
      controllers: [DoctorAdminController],
      providers: [{ provide: ReadModels, useValue: readModels }, Doctor],
    };
  }
}
